"""Threads of a team wait for one another."""

import numba
import numpy as np
import pytest

from manyminds.kernels.boosting.team import N_WORDS, wait
from manyminds.trees.boosting import run_team

compiled_only = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="there are no threads without compiled code"
)


@numba.njit(nogil=True)
def meet(words, team, seats, bad, n_rounds, place):
    thread, n_threads = place
    for number in range(n_rounds):
        seats[thread] = number
        wait(words, team, n_threads)
        for other in range(n_threads):
            bad[thread] += seats[other] != number
        wait(words, team, n_threads)


@compiled_only
@pytest.mark.parametrize("n_threads", [2, 3, 5])  # more than there are cores
def test_nobody_passes_before_all_have_come(n_threads):
    team = 1  # the words of the first team stay as they are
    words = np.zeros(2 * N_WORDS, np.int64)
    seats, bad = np.full(n_threads, -1), np.zeros(n_threads, np.int64)
    run_team(meet, (words, team, seats, bad, 500), n_threads)
    assert not bad.any()
    assert not words[:N_WORDS].any()
    assert words[N_WORDS] == 0  # all have left
    assert words[N_WORDS + 8] == 1000  # times that the barrier opened


@compiled_only
def test_threads_that_do_not_wait_are_seen_to_differ():
    # The null control: without barriers the same check fails.
    @numba.njit(nogil=True)
    def pass_by(seats, bad, place):
        thread, n_threads = place
        for number in range(2_000_000):
            seats[8 * thread] = number
            for other in range(n_threads):
                bad[8 * thread] += seats[8 * other] != number

    seats, bad = np.full(16, -1), np.zeros(16, np.int64)
    run_team(pass_by, (seats, bad), 2)
    assert bad.any()


@pytest.mark.no_jit
def test_a_thread_alone_does_not_wait():
    @numba.njit
    def pass_alone(words):
        wait(words, 0, 1)
        return words.sum()

    assert pass_alone(np.zeros(N_WORDS, np.int64)) == 0
