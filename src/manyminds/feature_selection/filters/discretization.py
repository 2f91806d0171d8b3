"""Discretize numeric columns: by description length, quantiles, width or spread."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

from manyminds.feature_selection.associations import CodeTable
from manyminds.trees.cuts import apply_cuts, find_cuts

_BLOCK_CELLS = 2**18  # cells that are discretized at a time: they stay in cache
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
        cuts = find_cuts(counted, weight[counts], y, method, n_bins)
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
    cuts = find_cuts(y[None, counts], weight[counts], None, "quantile", n_bins)[0]
    cuts = cuts[cuts < np.inf]
    return np.searchsorted(cuts, y).astype(np.int64), len(cuts) + 1


def _write_codes(values, cuts, is_categorical, n_levels):
    """Return the codes of a block of columns; write the number of levels of each."""
    codes, missing = apply_cuts(values, cuts), np.isnan(values)
    n = np.isfinite(cuts).sum(axis=1) + 1
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
