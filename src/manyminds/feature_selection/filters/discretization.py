"""Discretize numeric columns: by description length, quantiles, width or spread."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

from manyminds.feature_selection.associations import CodeTable
from manyminds.kernels.bundles import HAS_MISSING
from manyminds.kernels.describing import (
    FEATURE,
    NO_COST,
    THRESHOLD,
    grow_described_tree,
)
from manyminds.trees.binning import MAX_BINS, bin_table

_BLOCK_CELLS = 2**18  # cells that are discretized at a time: they stay in cache
_NO_LIMIT = 2**62
_MAX_LOGS = 2**16  # entries of the table of n log2 n
_FEW_CUTS = 32  # comparing with each of them is faster than a binary search
_MAX_LEVELS = 2**16  # of codes of two bytes


def make_code_table(
    X, is_categorical=None, y=None, method="mdl", n_bins=10, *, sample_weight=None,
    n_jobs=None,
):  # fmt: skip
    r"""Discretize the numeric columns of a table.

    Category codes stay as they are. Numeric columns are split at cuts, a value on a cut
    belonging to the level below it. Missing values are a level of their own.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Float64, NaN where missing; codes 0, 1, ... in categorical columns.
    is_categorical : ndarray of bool of shape (n_features,), default=None
        Mask of the categorical columns; None: no column.
    y : ndarray of int64 of shape (n_samples,), default=None
        Codes 0, 1, ... of the target; needed by "mdl".
    method : {"mdl", "quantile", "uniform", "mean_std"} or None, default="mdl"
        How to discretize:

        - "mdl": split recursively where the class entropy decreases most, as long as
          this shortens the description of the classes [1]_; see
          :class:`~manyminds.trees.MDLTreeClassifier` for the rule. A column without
          information about the classes is not split.
        - "quantile": ``n_bins`` levels with about equally many samples; a level for
          each value where there are no more values than that.
        - "uniform": ``n_bins`` levels of equal width.
        - "mean_std": three levels, cut at the mean plus and minus half a standard
          deviation, as is common for gene expressions.
        - None: each value is a level.
    n_bins : int, default=10
        Number of levels of "quantile" and "uniform".
    sample_weight : ndarray of shape (n_samples,), default=None
        Sample weights: a weight of 2 counts as two samples.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    table : CodeTable
        One byte per cell; two if some column has more than 256 levels.

    Notes
    -----
    In the rule [1]_ the position of a cut costs :math:`\log_2 (n - 1)` bits. Some
    programs use the logarithm of the number of distinct values minus one instead, and
    split columns with many ties more often.

    References
    ----------
    .. [1] Fayyad and Irani, "Multi-interval discretization of continuous-valued
       attributes for classification learning", IJCAI, 1993.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.filters.discretization import make_code_table
    >>> X = np.array([[1.0, 7.0], [2.0, 9.0], [3.0, np.nan], [4.0, 8.0]])
    >>> make_code_table(X, method="uniform", n_bins=2).codes
    array([[0, 0, 1, 1],
           [0, 1, 2, 0]], dtype=uint8)
    """
    if method == "mdl" and y is None:
        raise ValueError("method='mdl' needs class codes y; got None.")
    n_samples, n_features = X.shape
    if is_categorical is None:
        is_categorical = np.zeros(n_features, dtype=bool)
    weight = np.ones(n_samples) if sample_weight is None else sample_weight
    counts = weight > 0.0  # samples without weight do not influence the cuts
    y = None if y is None else np.require(y[counts], np.int64, "CW")
    codes = np.empty((n_features, n_samples), dtype=np.uint8)
    n_levels = np.empty(n_features, dtype=np.int64)
    size = max(1, _BLOCK_CELLS // n_samples)
    X = X.tocsc() if issparse(X) else X

    def code_block(first):
        block = slice(first, first + size)
        values = X[:, block].toarray() if issparse(X) else X[:, block]
        values = np.ascontiguousarray(values.T)
        counted = values if counts.all() else np.ascontiguousarray(values[:, counts])
        cuts = _CUTTERS[method](counted, weight[counts], y, n_bins)
        wide = _write_codes(values, cuts, is_categorical[block], n_levels[block])
        if n_levels[block].max() > 256:
            return block, wide
        codes[block] = wide
        return None

    run = Parallel(n_jobs=n_jobs, require="sharedmem")
    done = run(delayed(code_block)(first) for first in range(0, n_features, size))
    wide_blocks = [one for one in done if one is not None]
    if wide_blocks:  # some columns have too many levels for a byte
        codes = codes.astype(np.uint16)
        for block, wide in wide_blocks:
            codes[block] = wide
    return CodeTable(codes, n_levels)


def code_target(y, classes, n_bins=10, sample_weight=None):
    """Turn a target of ``read_target`` into codes; return them and their number.

    Numeric targets get ``n_bins`` levels with about equally many samples.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.filters.discretization import code_target
    >>> code_target(np.array([0.1, 0.9, 0.4, 0.5]), None, n_bins=2)
    (array([0, 1, 0, 1]), 2)
    """
    if classes is not None:
        return y, len(classes)
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    counts = weight > 0.0
    cuts = _cut_by_quantiles(y[None, counts], weight[counts], None, n_bins)[0]
    cuts = cuts[cuts < np.inf]
    return np.searchsorted(cuts, y).astype(np.int64), len(cuts) + 1


def _write_codes(values, cuts, is_categorical, n_levels):
    """Return the codes of a block of columns; write the number of levels of each."""
    codes, missing = np.zeros(values.shape, dtype=np.uint16), np.isnan(values)
    n = np.isfinite(cuts).sum(axis=1) + 1
    if cuts.shape[1] <= _FEW_CUTS:
        for cut in cuts.T:
            codes += values > cut[:, None]
    else:
        for j, x in enumerate(values):
            codes[j] = np.searchsorted(cuts[j], x)
    for j in np.flatnonzero(is_categorical):
        n[j] = int(np.max(values[j], where=~missing[j], initial=-1.0)) + 1
        codes[j] = np.where(missing[j], 0.0, values[j])
    np.copyto(codes, n[:, None], where=missing, casting="unsafe")
    n_levels[:] = n + missing.any(axis=1)
    if n_levels.max() > _MAX_LEVELS:
        raise ValueError(
            f"A column must have at most {_MAX_LEVELS} levels; got {n_levels.max()}. "
            "Discretize into fewer levels, or merge rare categories."
        )
    return codes


# ---------------------------------------------------------------- cuts
#
# Each function takes numeric columns as rows, positive sample weights, the classes and
# the number of bins. It returns an array with the increasing cuts of each column in a
# row, padded with infinity.


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
