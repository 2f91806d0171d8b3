"""Rank features by the pruning rounds that they survive in a tree."""

import numpy as np

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GRABCZEWSKI_2006, cite

_ROUNDING = 1e-10  # share of all samples; errors that differ by less are equal


@fill_docstring(references=cite(GRABCZEWSKI_2006))
def rank_by_pruning(tree, class_weight):
    """Prune a tree round by round; rank each feature by the rounds it survives.

    The gain of a split is the number of training samples that its node misclassifies
    minus those that its children do. Each round prunes the splits above two leaves with
    the smallest gain, then, repeatedly, those without gain [1]_. The rank of a feature
    is the number of rounds after which the tree no longer uses it.

    Parameters
    ----------
    tree : Trees
        One grown classification tree.
    class_weight : ndarray of shape (n_classes,)
        Weight of a misclassified sample of each class.

    Returns
    -------
    rank : ndarray of shape (n_features,)
        Number of rounds; 0 for features that the tree does not use.
    saved : ndarray of shape (n_features,)
        Sum of the gains of each feature's splits, to break ties.

    Notes
    -----
    The paper can be read as pruning splits without gain once in a round. Splits without
    gain that come above two leaves only then would survive until the next round; here
    the step is repeated.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection.filters.ssv_tree import rank_by_pruning
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(criterion="ssv", max_depth=2).fit(X, y).tree_
    >>> rank, saved = rank_by_pruning(tree, [1, 1, 1])
    >>> int(rank.max()), int(saved.sum())
    (2, 93)
    """
    gain, left = _gain(tree, class_weight), tree.left
    saved = np.zeros(tree.n_features)
    splits = np.flatnonzero(left >= 0)
    np.add.at(saved, tree.feature[splits], gain[splits])

    rank = np.zeros(tree.n_features, dtype=np.int64)
    is_split = left >= 0
    n_rounds = 0
    while is_split.any():
        n_rounds += 1
        used = np.unique(tree.feature[is_split])
        rank[used] = n_rounds
        final = _find_final(is_split, left)
        is_split[final[gain[final] == gain[final].min()]] = False
        useless = final
        while len(useless):
            final = _find_final(is_split, left)
            useless = final[gain[final] == 0.0]
            is_split[useless] = False
    return rank, saved


def _gain(tree, class_weight):
    """Return the decrease of misclassified weight by each split, 0 in leaves.

    Rounded, so that the order of summation does not matter.
    """
    counts = tree.value * tree.weight[:, None] * np.asarray(class_weight)
    error = counts.sum(axis=1) - counts.max(axis=1)
    is_split = tree.left >= 0
    gain = np.zeros(len(error))
    children = tree.left[is_split]
    gain[is_split] = error[is_split] - error[children] - error[children + 1]
    grain = _ROUNDING * counts[0].sum()
    return np.rint(gain / grain) * grain


def _find_final(is_split, left):
    """List the splits whose two children are leaves."""
    splits = np.flatnonzero(is_split)
    children = left[splits]
    return splits[~(is_split[children] | is_split[children + 1])]
