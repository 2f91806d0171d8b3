"""Stability of selections on complementary halves, and without signal."""

from math import inf, nan, sqrt

import numpy as np
from scipy.sparse import issparse
from scipy.stats import t

from manyminds.feature_selection.stability.nogueira import StabilityEstimate
from manyminds.feature_selection.stability.selection_matrix import (
    count_by_feature,
    count_by_selection,
    read_selections,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import NADEAU_2003, cite


@fill_docstring(references=cite(NADEAU_2003))
def paired_stability(selections, n_features=None, *, confidence_level=0.95):
    r"""Estimate the stability between disjoint halves of the samples.

    Selections come in pairs: the first and second were made on the two halves of one
    split of the samples, the third and fourth on those of another one, and so on. Only
    the selections of a pair are compared, by the formula of `nogueira_stability`, with
    the mean size of all selections. Random halves share half of their samples and
    their random variation; the halves of a pair are independent. So the stability is 0
    on average if the target is independent of the features and no feature is preferred,
    whatever the number of samples.

    Parameters
    ----------
    selections : array-like, sparse matrix or list of array-like of int
        A mask for each selection, of shape (n_selections, n_features); or, with
        ``n_features``, the positions of the features of each selection. An even number,
        the two of a pair next to each other.
    n_features : int, default=None
        Number of features, needed with positions.
    confidence_level : float, default=0.95
        Coverage of the interval for the stability between two new samples of the same
        size. All splits are of the same samples: the variance of their mean is
        estimated as :math:`1 / n + 1` times that of a pair, for n pairs [1]_.

    Returns
    -------
    estimate : StabilityEstimate
        Stability, variance and interval, between -1 and 1. All are NaN if every
        selection is empty, or every one has all features.

    {references}

    Examples
    --------
    >>> from manyminds.feature_selection.stability import paired_stability
    >>> pairs = [[0, 1], [0, 2]], [[0, 1], [0, 1]], [[0, 3], [0, 1]]
    >>> found = paired_stability(sum(pairs, []), n_features=10)
    >>> round(found.stability, 3)
    0.583
    """
    selections = read_selections(selections, n_features)
    n_selections, n_features = selections.shape
    if n_selections % 2:
        raise ValueError(
            f"selections must be pairs, an even number; got {n_selections}."
        )
    mean_size = count_by_feature(selections).sum() / (n_selections * n_features)
    expected = mean_size * (1.0 - mean_size)
    if expected <= 0.0:
        return StabilityEstimate(nan, nan, nan, nan, n_selections)

    stabilities = 1.0 - _count_differences(selections) / (2 * n_features * expected)
    n_pairs, stability = len(stabilities), stabilities.mean()
    variance = reach = inf  # unknown for a single pair
    if n_pairs > 1:
        variance = stabilities.var(ddof=1) * (1.0 / n_pairs + 1.0)
        reach = t.ppf(0.5 + confidence_level / 2.0, n_pairs - 1) * sqrt(variance)
    return StabilityEstimate(
        float(stability),
        float(variance),
        float(max(stability - reach, -1.0)),
        float(min(stability + reach, 1.0)),
        n_selections,
    )


def null_interval(null_stability, *, confidence_level=0.95):
    """Compute an interval for the stability if the target is independent of features.

    Parameters
    ----------
    null_stability : array-like of shape (n_permutations,)
        Stability for each of some permuted targets, such as the ``null_stability_`` of
        a `StableSelector`; NaN is ignored.
    confidence_level : float, default=0.95
        Coverage for the stability of one more permuted target, if it is normally
        distributed.

    Returns
    -------
    low, high : float
        Between -1 and 1; NaN with fewer than two permutations.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import null_interval
    >>> low, high = null_interval([0.1, 0.0, -0.1, 0.05, -0.05])
    >>> print(f"{low:.2f} to {high:.2f}")
    -0.24 to 0.24
    """
    values = np.asarray(null_stability, dtype=np.float64)
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return nan, nan
    quantile = t.ppf(0.5 + confidence_level / 2.0, len(values) - 1)
    reach = quantile * values.std(ddof=1) * sqrt(1.0 + 1.0 / len(values))
    mean = values.mean()
    return float(max(mean - reach, -1.0)), float(min(mean + reach, 1.0))


def _count_differences(selections):
    """Count, for each pair, the features that only one of its selections has."""
    first, second = selections[::2], selections[1::2]
    both = first.multiply(second) if issparse(first) else first & second
    sizes = count_by_selection(first) + count_by_selection(second)
    return sizes - 2 * np.ravel(both.sum(axis=1))
