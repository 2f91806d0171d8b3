"""Cut numeric columns into intervals: by description length, quantiles, width."""

import numpy as np

from manyminds.kernels.bundles import HAS_MISSING
from manyminds.kernels.describing import (
    FEATURE,
    NO_COST,
    THRESHOLD,
    grow_described_tree,
)
from manyminds.trees.binning import MAX_BINS, bin_table

_NO_LIMIT = 2**62
_MAX_LOGS = 2**16  # entries of the table of n log2 n
_FEW_CUTS = 32  # comparing with each of them is faster than a binary search


def find_cuts(values, weight, y=None, method="mdl", n_bins=10):
    """Return the cuts of numeric columns.

    Parameters
    ----------
    values : ndarray of shape (n_columns, n_samples)
        The columns as rows, C order; NaN where missing.
    weight : ndarray of shape (n_samples,)
        Positive sample weights.
    y : ndarray of int64 of shape (n_samples,), default=None
        Codes of the classes; needed by "mdl".
    method : {"mdl", "quantile", "uniform", "mean_std"} or None, default="mdl"
        See :func:`~manyminds.feature_selection.make_code_table`.
    n_bins : int, default=10
        Number of intervals of "quantile" and "uniform".

    Returns
    -------
    cuts : ndarray of shape (n_columns, max_cuts)
        Increasing cuts of each column, padded with infinity. A value on a cut belongs
        to the interval below it.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.trees.cuts import find_cuts
    >>> find_cuts(
    ...     np.array([[1.0, 2.0, 3.0, 5.0]]), np.ones(4), method="uniform", n_bins=2
    ... )
    array([[3.]])
    """
    if len(values) == 0:
        return np.empty((0, 0))
    return _CUTTERS[method](values, weight, y, n_bins)


def apply_cuts(values, cuts):
    """Return the interval of each value as uint16; 0 for missing values.

    Parameters
    ----------
    values : ndarray of shape (n_columns, n_samples)
    cuts : ndarray of shape (n_columns, max_cuts)
        As `find_cuts` returns them.

    Returns
    -------
    codes : ndarray of uint16 of shape (n_columns, n_samples)
    """
    codes = np.zeros(values.shape, dtype=np.uint16)
    if cuts.shape[1] <= _FEW_CUTS:
        for cut in cuts.T:
            codes += values > cut[:, None]
        return codes
    for j, x in enumerate(values):
        codes[j] = np.where(np.isnan(x), 0, np.searchsorted(cuts[j], x))
    return codes


# Each function takes what ``find_cuts`` takes, and returns what it returns.


def _cut_by_description(values, weight, y, n_bins):
    """Grow a tree on each column by itself: its thresholds are the cuts."""
    n_samples, rules = len(weight), np.array([NO_COST, 0, _NO_LIMIT])
    n = np.arange(1.0, min(int(weight.sum()) + 1, _MAX_LOGS) + 1.0)
    logs = np.append(0.0, n * np.log2(n))
    table = bin_table(values.T, max_bins=min(max(n_samples, 2), MAX_BINS))
    codes = table.codes.astype(np.uint16, copy=False).reshape(values.shape)
    max_nodes = 2 * n_samples + 1
    ints, floats = np.empty((7, max_nodes), np.int64), np.empty((3, max_nodes))
    shares, leaves = np.empty((max_nodes, y.max() + 1)), np.empty(n_samples, np.int64)
    cuts = []
    for j, column in enumerate(table.columns):
        known = weight
        if column[HAS_MISSING]:  # missing values do not influence the cuts
            known = np.where(np.isnan(values[j]), 0.0, weight)
        n_nodes = grow_described_tree(
            codes[j], table.columns[j : j + 1], table.edges, y, known, logs, rules,
            ints, floats, shares, leaves,
        )  # fmt: skip
        if n_nodes > 1:
            is_split = ints[FEATURE, :n_nodes] >= 0
            cuts.append((j, np.sort(floats[THRESHOLD, :n_nodes][is_split])))
    return _pad(len(values), cuts)


def _cut_by_quantiles(values, weight, y, n_bins):
    """Cut at the weighted quantiles 1 / n_bins, 2 / n_bins, ..."""
    order = np.argsort(values, axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    known = np.where(np.isnan(ordered), 0.0, weight[order])
    sums = np.cumsum(known, axis=1)
    # Sums of weights that equal a quantile must not miss it by rounding.
    total, each = sums[:, -1] * (1.0 - 1e-12), np.arange(len(values))
    cuts = np.empty((len(values), n_bins - 1))
    for k in range(1, n_bins):
        n_below = (sums < (k / n_bins * total)[:, None]).sum(axis=1)
        cuts[:, k - 1] = ordered[each, n_below]
    largest = ordered[each, np.maximum((known > 0.0).sum(axis=1) - 1, 0)]
    is_double = np.diff(cuts, axis=1) == 0.0
    cuts[:, 1:][is_double] = np.inf
    cuts[cuts >= largest[:, None]] = np.inf
    cuts.sort(axis=1)
    differs = np.diff(ordered, axis=1) > 0.0
    for j in np.flatnonzero(differs.sum(axis=1) < n_bins):  # a level for each value
        found = ordered[j, :-1][differs[j]]
        cuts[j, : len(found)], cuts[j, len(found) :] = found, np.inf
    return cuts


def _cut_by_width(values, weight, y, n_bins):
    """Cut the range of each column into intervals of equal width."""
    known = ~np.isnan(values)
    low = np.min(values, axis=1, where=known, initial=np.inf)
    high = np.max(values, axis=1, where=known, initial=-np.inf)
    cuts = np.full((len(values), n_bins - 1), np.inf)
    varies = low < high
    inner = np.arange(1, n_bins) / n_bins
    cuts[varies] = low[varies, None] + (high - low)[varies, None] * inner
    return cuts


def _cut_by_spread(values, weight, y, n_bins):
    """Cut half a standard deviation below and above the mean."""
    missing = np.isnan(values)
    known = np.where(missing, 0.0, weight)
    numbers, total = np.where(missing, 0.0, values), known.sum(axis=1)
    total[total == 0.0] = 1.0
    mean = (known * numbers).sum(axis=1) / total
    variance = (known * (numbers - mean[:, None]) ** 2).sum(axis=1) / total
    half = 0.5 * np.sqrt(variance)
    cuts = np.column_stack([mean - half, mean + half])
    cuts[half <= 1e-14 * np.abs(mean)] = np.inf
    return cuts


def _cut_everywhere(values, weight, y, n_bins):
    """Cut between any two values."""
    return _pad(
        len(values),
        [(j, np.unique(x[~np.isnan(x)])[:-1]) for j, x in enumerate(values)],
    )


def _pad(n_columns, cuts):
    """Put cuts of different numbers into one array, padded with infinity."""
    longest = max((len(found) for _, found in cuts), default=0)
    filled = np.full((n_columns, longest), np.inf)
    for j, found in cuts:
        filled[j, : len(found)] = found
    return filled


_CUTTERS = {
    "mdl": _cut_by_description,
    "quantile": _cut_by_quantiles,
    "uniform": _cut_by_width,
    "mean_std": _cut_by_spread,
    None: _cut_everywhere,
}
