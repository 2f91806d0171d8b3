"""Stability from the overlap of pairs: Jaccard, Kuncheva, Lustgarten."""

import numpy as np
from scipy.sparse import csr_array, issparse

from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.stability.selection_matrix import (
    count_by_feature,
    count_by_selection,
    read_selections,
)
from manyminds.utils.docstrings import fill_docstring

_BLOCK_CELLS = 2**22  # mask cells that are converted to floats at a time: 16 MB
_SPARSE_STEP = 500  # cost of a step of a sparse product, in dense steps


@fill_docstring(**PARAMETERS)
def jaccard_stability(selections, n_features=None):
    """Average the Jaccard index of all pairs of selections.

    The Jaccard index of two sets is the size of their intersection divided by that of
    their union. It is between 0 and 1 and is not corrected for chance: the more
    features are selected, the larger it is for random selections.

    Parameters
    ----------
    {selections}

    Returns
    -------
    stability : float
        1 for identical selections. Two empty selections are identical.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import jaccard_stability
    >>> jaccard_stability([[0, 1], [0, 2], [0, 1]], n_features=10)
    0.555
    """
    selections = read_selections(selections, n_features)
    sizes = count_by_selection(selections)
    shared = _intersect_pairs(selections)
    union = sizes[:, None] + sizes - shared
    index = np.divide(shared, union, out=np.ones(shared.shape), where=union > 0)
    n_selections = len(sizes)
    total = (index.sum() - n_selections) / 2.0
    return float(total / (n_selections * (n_selections - 1) / 2.0))


def kuncheva_stability(selections, n_features=None):
    r"""Average Kuncheva's consistency index of all pairs of selections of one size.

    Two selections of k out of p features that share r have the index

    .. math:: \frac{r - k^2 / p}{k - k^2 / p} :

    1 if they are identical, 0 if they share as many as expected of random selections
    [1]_. Its mean over pairs depends only on the frequencies of the features.

    Parameters
    ----------
    selections : array-like, sparse matrix or list of array-like of int
        A mask for each selection, of shape (n_selections, n_features); or, with
        ``n_features``, the positions of the features of each selection. All must have
        the same size.
    n_features : int, default=None
        Number of features, needed with positions.

    Returns
    -------
    stability : float
        Between -1 and 1; NaN if the selections are empty or have all features.

    See Also
    --------
    lustgarten_stability : For selections of several sizes.
    nogueira_stability : The same with a confidence interval; also for several sizes.

    References
    ----------
    .. [1] Kuncheva, "A stability index for feature selection", Artificial Intelligence
       and Applications, 2007.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import kuncheva_stability
    >>> kuncheva_stability([[0, 1], [0, 2], [0, 1]], n_features=10)
    0.583
    """
    selections = read_selections(selections, n_features)
    sizes = count_by_selection(selections)
    if np.any(sizes != sizes[0]):
        raise ValueError(
            "kuncheva_stability takes selections of one size; these have between "
            f"{sizes.min()} and {sizes.max()} features. Use lustgarten_stability or "
            "nogueira_stability."
        )
    n_selections, n_features = selections.shape
    size = int(sizes[0])
    if size in (0, n_features):
        return float("nan")
    counts = count_by_feature(selections)
    shared = (counts * (counts - 1)).sum() / (n_selections * (n_selections - 1))
    expected = size * size / n_features
    return float((shared - expected) / (size - expected))


@fill_docstring(**PARAMETERS)
def lustgarten_stability(selections, n_features=None):
    r"""Average Lustgarten's index of all pairs of selections, of whatever sizes.

    Two selections of k and l out of p features that share r have the index

    .. math:: \frac{r - kl / p}{\min(k, l) - \max(0, k + l - p)} :

    the overlap minus its expectation for random selections, divided by its range [1]_.
    Selections of different sizes cannot reach 1. The scale differs from that of
    `kuncheva_stability`: identical selections have 1 - k / p or k / p, whichever is
    larger, and not 1.

    Parameters
    ----------
    {selections}

    Returns
    -------
    stability : float
        Between -1 and 1; NaN if some selection holds no feature or all of them: its
        overlaps follow from the sizes alone.

    References
    ----------
    .. [1] Lustgarten, Gopalakrishnan and Visweswaran, "Measuring stability of feature
       selection in biomedical datasets", AMIA Annual Symposium, 2009.

    Examples
    --------
    >>> from manyminds.feature_selection.stability import lustgarten_stability
    >>> lustgarten_stability([[0, 1], [0, 2, 3], [0, 1]], n_features=10)
    0.4
    """
    selections = read_selections(selections, n_features)
    n_features = selections.shape[1]
    sizes, group, n_members = np.unique(
        count_by_selection(selections), return_inverse=True, return_counts=True
    )
    if sizes[0] == 0 or sizes[-1] == n_features:
        return float("nan")
    least, most = np.minimum(sizes[:, None], sizes), sizes[:, None] + sizes - n_features
    room = least - np.maximum(0, most)
    # Pairs of the same two sizes have the same range: only their sum is needed.
    n_pairs = n_members[:, None] * n_members - np.diag(n_members)
    shared = _intersect_groups(selections, group, sizes * n_members)
    expected = n_pairs * (sizes[:, None] * sizes / n_features)
    return float(((shared - expected) / room).sum() / n_pairs.sum())


def _intersect_pairs(selections):
    """Count the features that each two selections share, as a square float matrix."""
    counts = count_by_feature(selections)
    used = np.flatnonzero(counts)
    n_selections = selections.shape[0]
    n_steps_dense = len(used) * float(n_selections) ** 2
    if _SPARSE_STEP * np.square(counts, dtype=np.float64).sum() < n_steps_dense:
        some = csr_array(selections).astype(np.int32)
        return (some @ some.T).toarray().astype(np.float64)
    if 2 * len(used) < selections.shape[1]:
        selections = selections[:, used]
    selections = selections.tocsc() if issparse(selections) else selections
    shared = np.zeros((n_selections, n_selections))
    width = max(1, _BLOCK_CELLS // n_selections)
    for first in range(0, selections.shape[1], width):
        block = selections[:, first : first + width]
        block = block.toarray() if issparse(block) else block
        block = block.astype(np.float32)  # exact for integers up to 16 million
        shared += block @ block.T
    return shared


def _intersect_groups(selections, group, n_selected):
    """Sum the overlaps of ordered pairs of different selections by their groups."""
    n_groups = len(n_selected)
    counts = np.zeros((n_groups, selections.shape[1]))
    for g in range(n_groups):
        counts[g] = count_by_feature(selections[group == g])
    return counts @ counts.T - np.diag(n_selected)
