"""Search sets of columns that make two columns independent."""

from typing import Any, NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.conditional_gaussians import (
    measure_correlation,
    measure_mixture,
)
from manyminds.kernels.conditional_tables import (
    CHI2,
    DOF,
    FISHER_Z,
    G2,
    GAUSSIAN,
    INDEPENDENT,
    LOG_P,
    N_RESULTS,
    STATISTIC,
    STRENGTH,
    UNKNOWN,
    VERDICT,
    decide,
    extend_index,
    fill_base,
    is_sparse,
    make_scratch,
    measure_table,
)

N_VALID, N_TESTS = range(2)  # entries of numbers


class Sets(NamedTuple):
    """The set under test, and what is reused from the set before.

    members    (max_size + 2,)  int64, the pair, then the columns of the set
    positions  (max_size,)      int64, of the set's columns among the candidates
    n_strata   (max_size + 1,)  int64, strata of the first columns of the set
    nominal    (max_size + 1,)  float64, strata that there could be
    numbers    (2,)             int64, columns whose strata are valid; tests so far
    in_first   (n_columns,)     uint8, whether a column is in the first list
    work       (max_size + 2, max_size + 2)  float64
    best       (N_RESULTS,)     float64, results of the weakest dependence so far
    """

    members: Any
    positions: Any
    n_strata: Any
    nominal: Any
    numbers: Any
    in_first: Any
    work: Any
    best: Any


@kernel(nogil=True, error_model="numpy")
def search_separators(
    evidence, rule, pairs, candidates, bounds, sizes, required, separators, found,
    n_tests, out,
):  # fmt: skip
    """Search a separating set of each pair of columns among its candidates.

    Sets are tested by increasing size; the search of a pair ends with the first one
    that makes the pair independent. Each pair may have two lists of candidates: subsets
    of the second that are subsets of the first are not tested again.

    evidence    Evidence
    rule        Rule
    pairs       (n_pairs, 2)         int64
    candidates  (n_candidates,)      int64, lists of all pairs
    bounds      (n_pairs, 3)         int64, where the lists of a pair begin and end
    sizes       (2,)                 int64, smallest and largest size of a set
    required    int                  1: sets without the first candidate are left out
    separators  (n_pairs, max_size)  int64, written: columns of the separating set
    found       (n_pairs,)           int64, written: its size, or -1
    n_tests     (n_pairs,)           int64, written
    out         (n_pairs, N_RESULTS) float64, written: results of the separating set;
                without one, of the set with the weakest dependence
    """
    max_levels = 1
    if rule.kind != FISHER_Z:
        for n in evidence.n_levels:
            max_levels = max(max_levels, n)
    depth, n_samples = max(separators.shape[1], 1), max(evidence.codes.shape[1], 1)
    scratch = make_scratch(n_samples, max_levels, depth)
    sets = _make_sets(depth, len(evidence.n_levels))
    for p in range(len(pairs)):
        sets.members[0], sets.members[1] = pairs[p]
        sets.numbers[N_TESTS], found[p], separators[p] = 0, -1, -1
        sets.best[:] = 0.0
        sets.best[LOG_P], sets.best[STRENGTH] = -np.inf, np.inf
        sets.best[VERDICT] = UNKNOWN
        if rule.kind == G2 or rule.kind == CHI2:
            fill_base(evidence, pairs[p, 0], pairs[p, 1], scratch)
        for c in range(bounds[p, 0], bounds[p, 1]):
            sets.in_first[candidates[c]] = 1
        for side in range(2):
            first, n_listed = bounds[p, side], bounds[p, side + 1] - bounds[p, side]
            for size in range(max(sizes[0], side, required), sizes[1] + 1):
                if found[p] < 0 and size <= n_listed and _search_size(
                    evidence, rule, candidates, first, n_listed, size, required,
                    side, sets, scratch,
                ):  # fmt: skip
                    found[p] = size
                    for k in range(size):
                        separators[p, k] = sets.members[k + 2]
        for c in range(bounds[p, 0], bounds[p, 1]):
            sets.in_first[candidates[c]] = 0
        n_tests[p] = sets.numbers[N_TESTS]
        if n_tests[p] == 0:
            sets.best[LOG_P], sets.best[STRENGTH] = 0.0, 0.0
        out[p] = sets.best


@kernel(nogil=True, error_model="numpy")
def _make_sets(depth, n_columns):
    """Allocate the memory of sets of up to ``depth`` columns."""
    return Sets(
        np.empty(depth + 2, np.int64),
        np.zeros(depth, np.int64),
        np.ones(depth + 1, np.int64),
        np.ones(depth + 1),
        np.zeros(2, np.int64),
        np.zeros(n_columns, np.uint8),
        np.empty((depth + 2, depth + 2)),
        np.empty(N_RESULTS),
    )


@kernel(nogil=True, error_model="numpy")
def _search_size(
    evidence, rule, candidates, first, n_listed, size, required, side, sets, scratch
):
    """Test all sets of one size; return whether one of them separates the pair."""
    scratch.index[0] = 0
    sets.numbers[N_VALID] = 0
    for k in range(size):
        sets.positions[k] = k
    changed = 0
    while changed >= 0 and (required == 0 or sets.positions[0] == 0):
        is_new = side == 0
        for k in range(size):
            column = candidates[first + sets.positions[k]]
            sets.members[k + 2] = column
            sets.nominal[k + 1] = sets.nominal[k] * evidence.n_levels[column]
            is_new = is_new or sets.in_first[column] == 0
        sets.numbers[N_VALID] = min(sets.numbers[N_VALID], changed)
        if is_new and _separates(evidence, rule, size, sets, scratch):
            return True
        changed = _advance(sets.positions, size, n_listed)
    return False


@kernel(nogil=True, error_model="numpy")
def _separates(evidence, rule, size, sets, scratch):
    """Test one set; keep the results if it separates, or is the weakest so far."""
    if rule.kind == FISHER_Z:
        statistic, dof, strength = measure_correlation(
            evidence, sets.members, size + 2, sets.work
        )
    elif rule.kind == GAUSSIAN:
        statistic, dof, strength = measure_mixture(
            evidence, sets.members, size + 2, scratch
        )
    else:
        statistic, dof, strength = _measure_set(evidence, rule, size, sets, scratch)
    if dof < 0.0:  # too few rows
        return False
    sets.numbers[N_TESTS] += 1
    log_p, verdict = decide(rule, statistic, dof, strength)
    best, separates = sets.best, verdict == INDEPENDENT
    if separates or _is_weaker(rule, log_p, strength, best):
        best[STATISTIC], best[DOF], best[LOG_P] = statistic, dof, log_p
        best[STRENGTH], best[VERDICT] = strength, verdict
    return separates


@helper(error_model="numpy")
def _measure_set(evidence, rule, size, sets, scratch):
    """Test one set by a contingency table; strata of shared columns are reused."""
    x, y = sets.members[0], sets.members[1]
    if is_sparse(evidence, rule, x, y, sets.nominal[size]):
        return 0.0, -1.0, 0.0
    for k in range(sets.numbers[N_VALID], size):
        sets.n_strata[k + 1] = extend_index(
            evidence, sets.members[k + 2], sets.n_strata[k], scratch, k
        )
    sets.numbers[N_VALID] = size
    return measure_table(
        evidence, rule, x, y, sets.n_strata[size], sets.nominal[size], scratch, size
    )


@helper(error_model="numpy")
def _is_weaker(rule, log_p, strength, best):
    """Return whether a dependence is weaker than the weakest one so far."""
    if rule.threshold >= 0.0 or log_p == best[LOG_P]:
        return strength < best[STRENGTH]
    return log_p > best[LOG_P]


@helper(error_model="numpy")
def _advance(positions, size, n_listed):
    """Advance to the next subset in lexicographic order.

    Return the first position that changed, or -1 after the last subset.
    """
    k = size - 1
    while k >= 0 and positions[k] == n_listed - size + k:
        k -= 1
    if k < 0:
        return -1
    positions[k] += 1
    for j in range(k + 1, size):
        positions[j] = positions[j - 1] + 1
    return k
