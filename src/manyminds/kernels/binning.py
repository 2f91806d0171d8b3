"""Binning columns: the bins of a sorted column, and the code of every value in it."""

from math import inf, isnan

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import ONE, ZERO
from manyminds.kernels.bundles import (
    FIRST_BIN,
    HAS_MISSING,
    HIGH,
    IS_CATEGORICAL,
    LOW,
    N_BINS,
)

START, HAS_HEAVY = range(2)  # cuts

_NONE = -1
_TOGETHER = 64  # values that are searched for at a time
_WIDE = 0.25  # share of the range around it above which a gap between values is wide
_CLEARLY = 2.0  # factor by which a gap must exceed that at the quantile to move an edge
_EQUAL = 1.0 + 1e-9  # gaps of equal width differ by rounding


@helper(nogil=True, error_model="numpy")
def _count_distinct(ordered, start, end, n_zeros, distinct, counts):
    """List the distinct values of ``ordered[start:end]``, and of zeros left out there.

    NaNs, which come last, are skipped, and -0.0 is 0.0. Returns the number of distinct
    values and of all values; ``counts`` receives how often each value occurs. If no
    zeros are left out, ``distinct`` may be the memory of ``ordered[start:end]``.
    """
    n_distinct, n_values, n_out = np.uint64(0), np.int64(n_zeros), np.int64(n_zeros)
    last = inf
    for i in range(np.uint64(start), np.uint64(end)):
        value = ordered[i] + 0.0
        if isnan(value):
            break
        n_values += 1
        if n_out > 0 and value >= 0.0:
            distinct[n_distinct], counts[n_distinct] = 0.0, n_out
            n_distinct += ONE
            n_out, last = 0, 0.0
        if value == last:
            counts[n_distinct - ONE] += 1
        else:
            distinct[n_distinct], counts[n_distinct] = value, 1
            n_distinct += ONE
            last = value
    if n_out > 0:
        distinct[n_distinct], counts[n_distinct] = 0.0, n_out
        n_distinct += ONE
    return np.int64(n_distinct), n_values


@helper(nogil=True, error_model="numpy")
def _find_heavy(counts, n_distinct, n_values, max_bins):
    """Find which values are heavy: those that deserve a bin of their own.

    A value is heavy that has more rows than the light values have per bin left to
    them. Taking heavy values out makes that bound smaller, until no more are found.
    Returns (the bound, number of heavy values, number of rows of light values, number
    of runs of light values).
    """
    bound, n_heavy, n_light, found = n_values // max_bins, 0, n_values, True
    while found:
        n_before, n_heavy, n_light = n_heavy, 0, 0
        for i in range(np.uint64(n_distinct)):
            heavy = counts[i] > bound
            n_heavy += heavy
            n_light += 0 if heavy else np.int64(counts[i])
        found = n_heavy > n_before
        if found:
            bound = n_light // (max_bins - n_heavy)
    n_runs = np.int64(counts[0] <= bound)
    if n_heavy > 0:
        for i in range(np.uint64(1), np.uint64(n_distinct)):
            n_runs += counts[i] <= bound and counts[i - ONE] > bound
    return bound, n_heavy, n_light, n_runs


@helper(nogil=True, error_model="numpy")
def _cut_bins(distinct, counts, n_distinct, n_values, max_bins, cuts):
    """Divide the distinct values into at most ``max_bins`` bins; return how many.

    One bin for each value if there are enough. Else a bin for each heavy value, and
    about equally many rows in the others; only where there are too many runs of light
    values for that, those of less than half a bin join the heavy value next to them.
    ``cuts`` receives the start of each bin among the distinct values, and whether it
    holds a heavy value.
    """
    bound, n_heavy, n_light, n_runs = n_values, 0, n_values, 1
    if n_distinct > max_bins:
        bound, n_heavy, n_light, n_runs = _find_heavy(
            counts, n_distinct, n_values, max_bins
        )
    pure = n_heavy + n_runs <= max_bins
    n_runs = n_runs if pure else 0
    # n_heavy, n_light and n_runs count what is to come; n_bins_left includes the open
    # bin. An open bin of light values holds ``held`` rows and takes what brings it
    # nearer to its share, total / n_sharing. Whole numbers: divisions are slow.
    at, n_bins_left, n_sharing, total = 0, max_bins, 1, 0
    held, open_is_heavy = 0, True
    for i in range(np.uint64(n_distinct)):
        count, n_left = np.int64(counts[i]), n_distinct - np.int64(i)
        heavy = count > bound
        if held == 0 or n_left < n_bins_left:
            full = True
        elif heavy:
            full = pure or open_is_heavy or 2 * held * n_sharing >= total
        elif open_is_heavy:
            full = pure or n_bins_left - 1 > n_heavy
        else:
            full = (2 * held + count) * n_sharing > 2 * total and (
                n_bins_left - 1 > n_heavy + n_runs
            )
        if pure and open_is_heavy and not heavy:
            n_runs -= 1
        if full:
            if held > 0:
                at += 1
                n_bins_left -= 1
            cuts[START, at], cuts[HAS_HEAVY, at] = np.int64(i), 0
            held, open_is_heavy = 0, False
            n_sharing, total = max(n_bins_left - n_heavy, 1), n_light
        held += count
        if heavy:
            n_heavy -= 1
            open_is_heavy = True
            cuts[HAS_HEAVY, at] = 1
        else:
            n_light -= count
    return at + 1 if n_distinct > 0 else 0


@helper(nogil=True, error_model="numpy")
def _find_wide_gap(distinct, cut, low, high):
    """Return the cut in the widest gap within ``distinct[low:high + 1]``.

    That is ``cut`` itself unless a gap is wide: more than a quarter of the range of
    these values, and more than twice the gap at ``cut``. Ties: the nearest one.
    """
    quantile_gap = distinct[cut] - distinct[cut - 1]
    widest, below = 0.0, distinct[low]
    for i in range(np.uint64(low + 1), np.uint64(high + 1)):
        widest, below = max(widest, distinct[i] - below), distinct[i]
    range_here = below - distinct[low]
    if widest <= max(_WIDE * range_here, _CLEARLY * quantile_gap):
        return cut
    for step in range(1, high - low):
        for other in (cut - step, cut + step):
            if low < other <= high:
                gap = distinct[other] - distinct[other - 1]
                if gap * _EQUAL >= widest:
                    return other
    return cut


@helper(nogil=True, error_model="numpy")
def _move_cuts(distinct, n_distinct, n_bins, cuts):
    """Move the cuts between bins of light values into wide gaps nearby.

    A cut moves by half a bin at most, so that bins stay about equally filled, but at
    the ends of a run of light values as far as the run goes: no wide gap is missed.
    """
    last_middle = _NONE
    for b in range(1, n_bins):
        start, cut = cuts[START, b - 1], cuts[START, b]
        end = cuts[START, b + 1] if b + 1 < n_bins else n_distinct
        if cuts[HAS_HEAVY, b - 1] or cuts[HAS_HEAVY, b]:
            last_middle = _NONE
            continue
        ends_run = b + 1 == n_bins or cuts[HAS_HEAVY, b + 1]
        low = start if last_middle == _NONE else last_middle
        high = end - 1 if ends_run else (cut + end - 1) // 2
        cuts[START, b] = _find_wide_gap(distinct, cut, low, high)
        last_middle = high


@helper(nogil=True, error_model="numpy")
def _make_bins(distinct, counts, n_distinct, n_values, max_bins, cuts, edges, first):
    """Write the bins of the distinct values to ``edges``; return how many."""
    n_bins = _cut_bins(distinct, counts, n_distinct, n_values, max_bins, cuts)
    if n_distinct > max_bins:
        _move_cuts(distinct, n_distinct, n_bins, cuts)
    for b in range(n_bins):
        end = cuts[START, b + 1] if b + 1 < n_bins else n_distinct
        edges[LOW, first + b] = distinct[cuts[START, b]]
        edges[HIGH, first + b] = distinct[end - 1]
    return n_bins


@helper(nogil=True, error_model="numpy")
def _set_bounds(edges, first, n_bins, bounds):
    """Copy the bins' greatest values to ``bounds``, filled up for halving searches.

    Returns the first step of a search; there are twice as many bounds, less one.
    """
    step = 1
    while 2 * step <= n_bins:
        step *= 2
    for b in range(2 * step):
        bounds[b] = edges[HIGH, first + b] if b < n_bins else inf
    return np.uint64(step)


@helper(nogil=True, error_model="numpy")
def _write_codes(values, start, end, bounds, step, n_bins, found, codes, at):
    """Write the code of each of ``values[start:end]``: how many bounds it lies beyond.

    NaN lies beyond all, so that its code is ``n_bins``. Many values go through each
    step of the search together, so that the steps need not wait for one another.
    """
    greatest, together = np.uint64(n_bins), np.uint64(len(found))
    first, last, to = np.uint64(start), np.uint64(end), np.uint64(at)
    while first < last:
        n_found = min(together, last - first)
        for k in range(n_found):
            found[k] = ZERO
        half = step
        while half > ZERO:
            middle = half - ONE
            for k in range(n_found):
                code = found[k]
                beyond = not values[first + k] <= bounds[code + middle]
                found[k] = code + (half if beyond else ZERO)
            half >>= ONE
        for k in range(n_found):
            codes[to + k] = min(found[k], greatest)
        first += n_found
        to += n_found


@helper(nogil=True, error_model="numpy")
def _number_categories(n_categories, edges, first):
    """Make a bin of each category code; return how many."""
    for b in range(n_categories):
        edges[LOW, first + b], edges[HIGH, first + b] = b, b
    return n_categories


@kernel(nogil=True, error_model="numpy")
def bin_columns(
    values, ordered, n_samples, n_categories, max_bins, first_column, first_bin,
    columns, edges, codes,
):  # fmt: skip
    """Bin columns one after the other.

    values        (n_columns * n_samples,)  float64, column after column
    ordered       (n_columns * n_samples,)  float64, the same with each column sorted;
                  overwritten
    n_samples     int
    n_categories  (n_features,)  int64; a categorical column holds codes below it; -1:
                  not a categorical column
    max_bins      int, largest number of bins of another column
    first_column  int, number of the first of these columns among all features
    first_bin     int, where the first bin of these columns goes in ``edges``
    columns       (n_features, 4)  int64, written
    edges         (2, room for all bins)  float64, written
    codes         (n_features * n_samples or more,)  uint8 or uint16, written

    Returns where the bins of the next column go in ``edges``.
    """
    n_columns, most_bins = len(values) // n_samples, max_bins
    for j in range(len(n_categories)):
        most_bins = max(most_bins, n_categories[j])
    counts, cuts = np.empty(n_samples, np.uint32), np.empty((2, max_bins), np.int64)
    bounds, found = np.empty(2 * most_bins + 1), np.empty(_TOGETHER, np.uint64)
    for j in range(n_columns):
        column, start, end = first_column + j, j * n_samples, (j + 1) * n_samples
        distinct = ordered[start:end]
        n_distinct, n_values = _count_distinct(ordered, start, end, 0, distinct, counts)
        categorical = n_categories[column] >= 0
        if categorical:
            n_bins = _number_categories(n_categories[column], edges, first_bin)
        else:
            n_bins = _make_bins(
                distinct, counts, n_distinct, n_values, max_bins, cuts, edges, first_bin
            )
        columns[column, N_BINS], columns[column, FIRST_BIN] = n_bins, first_bin
        columns[column, HAS_MISSING] = n_values < n_samples
        columns[column, IS_CATEGORICAL] = categorical
        step = _set_bounds(edges, first_bin, n_bins, bounds)
        to = column * n_samples
        _write_codes(values, start, end, bounds, step, n_bins, found, codes, to)
        first_bin += n_bins
    return first_bin


@kernel(nogil=True, error_model="numpy")
def bin_sparse_columns(
    data, ordered, rows, starts, n_samples, max_bins, first_column, first_bin, columns,
    edges, codes,
):  # fmt: skip
    """Bin columns of which only some values are stored; all others are 0.

    data          (n_stored,)  float64, column after column
    ordered       (n_stored,)  float64, the same with each column sorted
    rows          (n_stored,)  int64, rows of the values
    starts        (n_columns + 1,)  int64; column j is ``starts[j]:starts[j + 1]``

    The other arguments, and what is returned, are those of ``bin_columns``.
    """
    n_columns, most = len(starts) - 1, 0
    for j in range(n_columns):
        most = max(most, starts[j + 1] - starts[j])
    distinct, counts = np.empty(most + 1), np.empty(most + 1, np.uint32)
    cuts = np.empty((2, max_bins), np.int64)
    bounds, found = np.empty(2 * max_bins + 1), np.empty(_TOGETHER, np.uint64)
    zero, stored = np.zeros(1), np.empty(most + 1, codes.dtype)
    for j in range(n_columns):
        column, start, end = first_column + j, starts[j], starts[j + 1]
        n_zeros, to = n_samples - (end - start), column * n_samples
        n_distinct, n_values = _count_distinct(
            ordered, start, end, n_zeros, distinct, counts
        )
        n_bins = _make_bins(
            distinct, counts, n_distinct, n_values, max_bins, cuts, edges, first_bin
        )
        columns[column, N_BINS], columns[column, FIRST_BIN] = n_bins, first_bin
        columns[column, HAS_MISSING] = n_values < n_samples
        columns[column, IS_CATEGORICAL] = 0
        step = _set_bounds(edges, first_bin, n_bins, bounds)
        _write_codes(zero, 0, 1, bounds, step, n_bins, found, stored, 0)
        for i in range(n_samples):
            codes[to + i] = stored[0]
        _write_codes(data, start, end, bounds, step, n_bins, found, stored, 0)
        for i in range(end - start):
            codes[to + rows[start + i]] = stored[i]
        first_bin += n_bins
    return first_bin
