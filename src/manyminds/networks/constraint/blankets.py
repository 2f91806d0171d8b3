"""One door to all algorithms that find the Markov blanket of one variable."""

from functools import partial

from manyminds.networks.constraint.clock import Clock
from manyminds.networks.constraint.grow_shrink import grow_and_shrink
from manyminds.networks.constraint.iamb import add_and_remove
from manyminds.networks.constraint.neighborhoods import find_neighborhood

GLOBAL_METHODS = {
    "grow_shrink": grow_and_shrink,
    "iamb": add_and_remove,
    "inter_iamb": partial(add_and_remove, interleave=True),
}
LOCAL_METHODS = {
    "mmpc": partial(find_neighborhood, finder="mmpc", with_spouses=False),
    "mmmb": partial(find_neighborhood, finder="mmpc"),
    "hiton_pc": partial(find_neighborhood, finder="hiton_pc", with_spouses=False),
    "hiton_mb": partial(find_neighborhood, finder="hiton_pc"),
}
METHODS = sorted([*GLOBAL_METHODS, *LOCAL_METHODS])


def find_blanket(
    test, target, method="iamb", *, max_condition_size=3, time_limit=None, verbose=0
):
    """Find the Markov blanket of a variable from tests of independence.

    Given its Markov blanket, a variable is independent of all others. In a network the
    blanket consists of its parents, its children and their other parents (spouses).

    Parameters
    ----------
    test : IndependenceTest
    target : int
        The variable.
    method : str, default="iamb"
        - "grow_shrink": go through the variables by their dependence on the target,
          and add each that depends on it given those added so far; repeat; then remove
          those that are independent given the others [1]_.
        - "iamb": add the variable with most information about the target given those
          added so far, as long as it is dependent; then remove as above [2]_.
        - "inter_iamb": the same, removing after each addition [2]_.
        - "mmpc": find the neighbors only, by testing given small subsets: add the
          variable whose weakest dependence on the target is strongest [3]_.
        - "mmmb": the same, and then the spouses [3]_.
        - "hiton_pc", "hiton_mb": the same two, adding variables by their dependence on
          the target given nothing, and removing after each addition [4]_.
    max_condition_size : int, default=3
        Maximum size of conditioning sets of the last four methods; None: no limit.
        The first three condition on all members at once.
    time_limit : float, default=None
        Seconds after which the best blanket so far is returned.
    verbose : int, default=0
        Whether to report progress on the error stream.

    Returns
    -------
    blanket : Blanket

    Notes
    -----
    The first three need tables as large as the whole blanket, and stop early where
    samples are too few for them. The last four need few samples, and more tests.

    References
    ----------
    .. [1] Margaritis and Thrun, "Bayesian network induction via local neighborhoods",
       NIPS, 1999.
    .. [2] Tsamardinos, Aliferis and Statnikov, "Algorithms for large scale Markov
       blanket discovery", FLAIRS, 2003.
    .. [3] Tsamardinos, Aliferis and Statnikov, "Time and sample efficient discovery of
       Markov blankets and direct causal relations", KDD, 2003.
    .. [4] Aliferis, Tsamardinos and Statnikov, "HITON: a novel Markov blanket algorithm
       for optimal variable selection", AMIA, 2003.

    Examples
    --------
    >>> from manyminds.networks import DSeparationTest, find_blanket
    >>> graph = [[0, 1, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0]]
    >>> blanket = find_blanket(DSeparationTest(graph), 0, "mmmb")
    >>> blanket.members, blanket.neighbors, blanket.spouses
    ([1, 2], [1], {2: [1]})
    """
    if not 0 <= target < test.n_variables:
        raise ValueError(
            f"target must be between 0 and {test.n_variables - 1}; got {target}."
        )
    clock = Clock(time_limit, verbose, method)
    if method in GLOBAL_METHODS:
        return GLOBAL_METHODS[method](test, target, clock)
    if method not in LOCAL_METHODS:
        raise ValueError(f"method must be one of {METHODS}; got {method!r}.")
    size = test.n_variables if max_condition_size is None else max_condition_size
    return LOCAL_METHODS[method](test, target, clock, max_size=size)
