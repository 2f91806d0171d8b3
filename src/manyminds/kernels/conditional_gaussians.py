"""Tests of independence given others: numeric columns, and mixtures with codes."""

import math

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.conditional_tables import extend_index

_SINGULAR = 1e-10  # variances below this share of the whole are rounding errors
_MIN_SHARE = 0.5  # of the rows must be in strata with enough rows


@helper(error_model="numpy")
def measure_correlation(evidence, members, n_members, work):
    """Return the statistic, its degrees of freedom and the information of Fisher's z.

    members  (..,)  int64, the two columns, then those of the conditioning set
    work     (n, n) float64, n is ``n_members`` or more
    """
    n_given = n_members - 2
    for i in range(n_members):  # the conditioning set first
        a = members[(i + 2) % n_members]
        for j in range(n_members):
            b = members[(j + 2) % n_members]
            work[i, j] = evidence.correlation[a, b]
    for k in range(n_given):
        if work[k, k] < _SINGULAR:  # the others determine this column
            continue
        for i in range(k + 1, n_members):
            factor = work[i, k] / work[k, k]
            for j in range(k + 1, n_members):
                work[i, j] -= factor * work[k, j]
    x, y = n_given, n_given + 1
    dof = evidence.total - n_given - 3.0
    if dof <= 0.0:  # too few rows
        return 0.0, -1.0, 0.0
    if work[x, x] < _SINGULAR or work[y, y] < _SINGULAR:
        return 0.0, 0.0, 0.0
    squared = work[x, y] ** 2 / (work[x, x] * work[y, y])
    squared = min(squared, 1.0 - 1e-15)
    z = math.atanh(math.sqrt(squared))
    return dof * z * z, 1.0, -0.5 * math.log1p(-squared)


@kernel(nogil=True, error_model="numpy")
def measure_mixture(evidence, members, n_members, scratch):
    """Return the statistic, degrees of freedom and information of mixed columns.

    In each cell of the codes the numbers are normal, with a mean and a covariance of
    their own. The statistic compares the likelihoods of the four sets of columns: all,
    without the one, without the other, and the conditioning set alone. Strata with too
    few rows for a covariance are left out; if that is most of the rows, the degrees of
    freedom are -1.

    members  (..,)    int64, the two columns, then those of the conditioning set
    scratch  Scratch  of depth 1 or more
    """
    n_samples = scratch.index.shape[1]
    n_numbers = 0
    for k in range(n_members):
        n_numbers += evidence.n_levels[members[k]] == 0
    n_strata = _index_members(evidence, members, n_members, -1, -1, scratch)
    counts = np.zeros(n_strata)
    for i in range(n_samples):
        counts[scratch.index[0, i]] += _weigh(evidence, i)
    kept, total = np.zeros(n_samples), 0.0
    for i in range(n_samples):
        if n_numbers == 0 or counts[scratch.index[0, i]] >= n_numbers + 2.0:
            kept[i] = _weigh(evidence, i)
            total += kept[i]
    if total < _MIN_SHARE * evidence.total:
        return 0.0, -1.0, 0.0
    statistic, dof = 0.0, _count_table_dof(evidence, members, n_members, kept, scratch)
    for without_x in range(2):
        for without_y in range(2):
            sign = 1.0 if without_x == without_y else -1.0
            left_out = (0 if without_x == 1 else -1), (1 if without_y == 1 else -1)
            n_strata = _index_members(
                evidence, members, n_members, left_out[0], left_out[1], scratch
            )
            likelihood, n_parameters = _fit_strata(
                evidence, members, n_members, left_out, n_strata, kept, scratch
            )
            statistic += sign * 2.0 * likelihood
            dof += sign * n_parameters
    statistic = max(statistic, 0.0)
    return statistic, max(dof, 0.0), 0.5 * statistic / evidence.total


@kernel(nogil=True, error_model="numpy")
def _count_table_dof(evidence, members, n_members, kept, scratch):
    """Return the degrees of freedom of the codes: those of tables within strata."""
    x, y = members[0], members[1]
    n_x, n_y = evidence.n_levels[x], evidence.n_levels[y]
    if n_x == 0 or n_y == 0:
        return 0.0
    n_strata = _index_members(evidence, members, n_members, 0, 1, scratch)
    has_x, has_y = np.zeros((n_strata, n_x)), np.zeros((n_strata, n_y))
    for i in range(len(kept)):
        if kept[i] > 0.0:
            has_x[scratch.index[0, i], evidence.codes[x, i]] = 1.0
            has_y[scratch.index[0, i], evidence.codes[y, i]] = 1.0
    dof = 0.0
    for s in range(n_strata):
        if has_x[s].sum() > 0.0:
            dof += (has_x[s].sum() - 1.0) * (has_y[s].sum() - 1.0)
    return dof


@helper(error_model="numpy")
def _weigh(evidence, i):
    """Return the weight of a row."""
    return evidence.weight[i] if len(evidence.weight) > 0 else 1.0


@helper(error_model="numpy")
def _index_members(evidence, members, n_members, first_out, second_out, scratch):
    """Number the strata of the members with codes, in ``scratch.index[0]``."""
    n_strata, n_samples = 1, scratch.index.shape[1]
    for i in range(n_samples):
        scratch.index[0, i] = 0
    for k in range(n_members):
        if k != first_out and k != second_out and evidence.n_levels[members[k]] > 0:
            n_strata = extend_index(evidence, members[k], n_strata, scratch, 0)
            for i in range(n_samples):
                scratch.index[0, i] = scratch.index[1, i]
    return n_strata


@kernel(nogil=True, error_model="numpy")
def _fit_strata(evidence, members, n_members, left_out, n_strata, kept, scratch):
    """Return the maximal log-likelihood of a set of columns, and its normal parameters.

    Terms that are the same for all four sets together are left out.
    """
    numbers = np.empty(n_members, np.int64)
    n_numbers = 0
    for k in range(n_members):
        is_in = k != left_out[0] and k != left_out[1]
        if is_in and evidence.n_levels[members[k]] == 0:
            numbers[n_numbers] = members[k]
            n_numbers += 1
    counts = np.zeros(n_strata)
    sums = np.zeros((n_strata, n_numbers))
    squares = np.zeros((n_strata, n_numbers, n_numbers))
    for i in range(len(kept)):
        weight, s = kept[i], scratch.index[0, i]
        if weight > 0.0:
            counts[s] += weight
            for a in range(n_numbers):
                value = weight * evidence.values[numbers[a], i]
                sums[s, a] += value
                for b in range(a + 1):
                    squares[s, a, b] += value * evidence.values[numbers[b], i]
    likelihood, n_full = 0.0, 0
    for s in range(n_strata):
        if counts[s] > 0.0:
            n_full += 1
            likelihood += counts[s] * math.log(counts[s])
            for a in range(n_numbers):
                for b in range(a + 1):
                    mean = sums[s, a] * sums[s, b] / counts[s]
                    squares[s, a, b] = (squares[s, a, b] - mean) / counts[s]
            spread = _log_determinant(squares, s, n_numbers)
            likelihood -= 0.5 * counts[s] * spread
    return likelihood, n_full * 0.5 * n_numbers * (n_numbers + 3.0)


@helper(error_model="numpy")
def _log_determinant(matrices, s, n):
    """Return the log-determinant of a covariance, whose lower triangle is replaced."""
    total = 0.0
    for a in range(n):
        for b in range(a + 1):
            value = matrices[s, a, b]
            for k in range(b):
                value -= matrices[s, a, k] * matrices[s, b, k]
            if a == b:
                value = max(value, _SINGULAR)
                total += math.log(value)
                matrices[s, a, a] = math.sqrt(value)
            else:
                matrices[s, a, b] = value / matrices[s, b, b]
    return total
