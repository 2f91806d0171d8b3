"""Stability from the overlaps of pairs: Jaccard, Kuncheva, Lustgarten."""

import numpy as np
from scipy.sparse import csr_array, issparse

from manyminds.feature_selection.stability.selection_matrix import (
    count_by_feature,
    count_by_selection,
    read_selections,
)

_BLOCK_CELLS = 2**22  # floats that are made of masks at a time: 16 MB
_SPARSE_STEP = 500  # dense steps in the time of one step of a sparse product


def jaccard_stability(selections, n_features=None):
    """Average the Jaccard index of all pairs of selections.

    The Jaccard index of two sets is the size of their intersection by that of their
    union. It is between 0 and 1 and knows nothing of chance: the more features are
    selected, the larger it is for selections made at random.

    Parameters
    ----------
    selections : array-like, sparse matrix or list of array-like of int
        A mask for each selection, of shape (n_selections, n_features); or, with
        ``n_features``, the positions that each selection holds.
    n_features : int, default=None
        How many features there were to choose from.

    Returns
    -------
    stability : float
        1 for selections that are all the same. Two empty selections are the same.

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

    1 if they are the same, 0 if they share as many as by chance [1]_. Its mean over
    pairs needs only how often each feature is selected.

    Parameters
    ----------
    selections : array-like, sparse matrix or list of array-like of int
        A mask for each selection, of shape (n_selections, n_features); or, with
        ``n_features``, the positions that each selection holds. All are of one size.
    n_features : int, default=None
        How many features there were to choose from.

    Returns
    -------
    stability : float
        Between -1 and 1; NaN if the selections hold no feature or all of them: then
        they could not differ.

    See Also
    --------
    lustgarten_stability : For selections of several sizes.
    nogueira_stability : The same number, and how sure it is; also for several sizes.

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
    by_chance = size * size / n_features
    return float((shared - by_chance) / (size - by_chance))


def lustgarten_stability(selections, n_features=None):
    r"""Average Lustgarten's index of all pairs of selections, of whatever sizes.

    Two selections of k and l out of p features that share r have the index

    .. math:: \frac{r - kl / p}{\min(k, l) - \max(0, k + l - p)} :

    the overlap beyond chance, in units of the range that the overlap can have [1]_.
    Selections of different sizes cannot reach 1. For selections of one size, the unit
    is not that of `kuncheva_stability`: the same selections have 1 - k / p or k / p,
    whichever is larger, and not 1.

    Parameters
    ----------
    selections : array-like, sparse matrix or list of array-like of int
        A mask for each selection, of shape (n_selections, n_features); or, with
        ``n_features``, the positions that each selection holds.
    n_features : int, default=None
        How many features there were to choose from.

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
    # Pairs of the same two sizes have the same unit: only their sum is needed.
    n_pairs = n_members[:, None] * n_members - np.diag(n_members)
    shared = _intersect_groups(selections, group, sizes * n_members)
    by_chance = n_pairs * (sizes[:, None] * sizes / n_features)
    return float(((shared - by_chance) / room).sum() / n_pairs.sum())


def _intersect_pairs(selections):
    """Count what each two selections share: (n_selections, n_selections) floats."""
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
        block = block.astype(np.float32)  # holds whole numbers up to 16 millions
        shared += block @ block.T
    return shared


def _intersect_groups(selections, group, n_selected):
    """Sum what the ordered pairs of different selections share, by their groups."""
    n_groups = len(n_selected)
    counts = np.zeros((n_groups, selections.shape[1]))
    for g in range(n_groups):
        counts[g] = count_by_feature(selections[group == g])
    return counts @ counts.T - np.diag(n_selected)
