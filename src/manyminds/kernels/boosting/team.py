"""A team of threads inside one compiled call: barriers that spin, then yield.

Each thread of a team calls the same kernel once, for many rounds. Between steps they
wait for one another at a barrier in shared memory, which takes a fraction of a
microsecond; starting threads, or waking them, would take longer than a small node.
"""

from manyminds.kernels._intrinsics import add_to_word, load_word, yield_processor
from manyminds.kernels._jit import helper

ARRIVED, PASSED = 0, 8  # places in the shared words, on cache lines of their own
N_WORDS = 16
_SPINS = 4000  # about 10 microseconds; then another thread may need the core


@helper(nogil=True, error_model="numpy")
def wait(words, team, n_threads):
    """Wait until all threads of a team have come here.

    words      (N_WORDS * n_teams,)  int64, zeros at first
    team       int
    n_threads  int, of this team
    """
    if n_threads == 1:
        return
    base = team * N_WORDS
    passed = load_word(words, base + PASSED)
    if add_to_word(words, base + ARRIVED, 1) == n_threads - 1:
        add_to_word(words, base + ARRIVED, -n_threads)
        add_to_word(words, base + PASSED, 1)
        return
    n_spins = 0
    while load_word(words, base + PASSED) == passed:
        n_spins += 1
        if n_spins > _SPINS:
            yield_processor()
