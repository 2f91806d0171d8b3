"""Stability of scores and rankings: the mean correlation of pairs."""

import numpy as np
from scipy.stats import rankdata

_BLOCK_CELLS = 2**22  # cells that are standardized at a time: 32 MB


def pearson_stability(scores):
    """Average Pearson's correlation of all pairs of rows.

    For masks of selections of one size, it is Kuncheva's index; for masks of several
    sizes, it is corrected for chance, too [1]_. It is computed from the squared length
    of the sum of the standardized rows.

    Parameters
    ----------
    scores : array-like of shape (n_selections, n_features)
        Scores or ranks of the features in each selection, or masks.

    Returns
    -------
    stability : float
        Between -1 and 1; NaN if some row is constant.

    References
    ----------
    .. [1] Nogueira and Brown, "Measuring the stability of feature selection", European
       Conference on Machine Learning, 2016.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import pearson_stability
    >>> pearson_stability([[0.1, 0.2, 0.9], [0.0, 0.3, 0.8], [0.2, 0.1, 1.0]])
    0.943
    """
    return _mean_correlation(_read_scores(scores), lambda block: block)


def spearman_stability(scores):
    """Average Spearman's correlation of all pairs of rows: that of their ranks.

    Parameters
    ----------
    scores : array-like of shape (n_selections, n_features)
        Scores or ranks of the features in each selection. Equal scores share their mean
        rank.

    Returns
    -------
    stability : float
        Between -1 and 1; NaN if some row is constant.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import spearman_stability
    >>> spearman_stability([[1, 2, 3], [1, 3, 2], [1, 2, 3]])
    0.666
    """
    return _mean_correlation(
        _read_scores(scores), lambda block: rankdata(block, axis=1)
    )


def _read_scores(scores):
    scores = np.asarray(scores)
    if scores.ndim != 2 or scores.dtype.kind not in "biuf":
        raise ValueError(
            "scores must be numbers of shape (n_selections, n_features); got an array "
            f"of shape {scores.shape}."
        )
    if scores.shape[0] < 2 or scores.shape[1] < 1:
        raise ValueError(
            "scores must have two rows or more and one column or more; it has shape "
            f"{scores.shape}."
        )
    if not np.all(np.isfinite(scores)):
        raise ValueError("scores must be finite; got NaN or infinity.")
    return scores


def _mean_correlation(scores, transform):
    n_rows, n_features = scores.shape
    total = np.zeros(n_features)
    n_at_a_time = max(1, _BLOCK_CELLS // n_features)
    for first in range(0, n_rows, n_at_a_time):
        block = transform(scores[first : first + n_at_a_time]).astype(np.float64)
        if np.any(block.min(axis=1) == block.max(axis=1)):
            return float("nan")
        block -= block.mean(axis=1, keepdims=True)
        # Divided by the largest first: squares of large scores could overflow.
        block /= np.abs(block).max(axis=1, keepdims=True)
        block /= np.linalg.norm(block, axis=1, keepdims=True)
        total += block.sum(axis=0)
    return float((total @ total - n_rows) / (n_rows * (n_rows - 1)))
