"""Surrogate splits, and how far one feature masks another."""

from typing import NamedTuple

import numpy as np

from manyminds.kernels.bundles import IS_CATEGORICAL, N_BINS
from manyminds.kernels.surrogates import (
    AGREEMENT,
    ASSOCIATION,
    CATEGORY_SET,
    FEATURE,
    FLIPPED,
    THRESHOLD,
    Found,
    find_surrogates,
)
from manyminds.trees.chunks import make_splits, map_chunks, take_chunk
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import CART, cite


class Surrogates(NamedTuple):
    """The best surrogate of each split of some trees.

    Attributes
    ----------
    node : ndarray of shape (n_splits,)
        Numbers of the nodes that split, counted through all trees.
    feature : ndarray of shape (n_splits,), dtype=int32
        Feature of the surrogate; -1 where none is better than sending all rows to the
        larger side.
    threshold : ndarray of shape (n_splits,)
        A row goes left if its value is at most the threshold; NaN for categories.
    flipped : ndarray of shape (n_splits,), dtype=bool
        Whether it is the other way round: right if at most the threshold.
    category_set : ndarray of shape (n_splits,), dtype=int32
        Row of ``category_sets``; -1 unless the surrogate is categorical.
    category_sets : ndarray of shape (n_sets, n_words), dtype=uint64
        Bit c is set: category code c goes left. Categories that the node has not seen
        follow the majority of its rows.
    association : ndarray of shape (n_splits,)
        Predictive association, between 0 and 1.
    agreement : ndarray of shape (n_splits,)
        Share of the weight that goes to the same side by both splits.
    association_by_feature : ndarray of shape (n_splits, n_candidates) or None
        Association of the best split on every candidate; 0 for the feature of the
        split itself.
    """

    node: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    flipped: np.ndarray
    category_set: np.ndarray
    category_sets: np.ndarray
    association: np.ndarray
    agreement: np.ndarray
    association_by_feature: np.ndarray | None


@fill_docstring(references=cite(f"{CART}, section 5.3"))
def surrogate_splits(
    trees, table, weights, *, features=None, all_features=False, n_jobs=None
):
    """Find the split on another feature that best imitates each split of the trees.

    Only those rows of a node count that have a value of the other feature. The cut of
    its values, in either orientation, is chosen whose sides agree on the largest share
    p of their weight; each category goes to the side of most of its weight. With m, the
    smaller of the shares that the split itself sends left and right, the predictive
    association [1]_ is

        (m - (1 - p)) / m,

    1 for a perfect imitation and 0 for one that is no better than to send all rows to
    the larger side, which replaces it then: no association is negative. Of equal
    associations, the one on more weight is better, then the lower feature.

    Cuts are between bins, as those of the trees: a column with more distinct values
    than bins may imitate another one less well than its values could.

    Parameters
    ----------
    trees : Trees
        Trees grown on the table.
    table : Table
        Binned training rows.
    weights : ndarray of shape (n_rows,) or (n_trees, n_rows) or callable
        Weights of the rows, for all trees or for each tree: how often it has drawn
        them. A callable takes a slice of trees and returns their weights.
    features : array of int, default=None
        Features of the surrogates, the candidates; all if None.
    all_features : bool, default=False
        Whether to return the associations of all candidates, too.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.

    Returns
    -------
    surrogates : Surrogates
        The best surrogate of each split.

    {references}
    """
    candidates = _list_candidates(features, table)
    node = np.flatnonzero(trees.left >= 0)
    found = _make_found(len(node), table, candidates)
    associations = np.zeros((len(node) if all_features else 0, len(candidates)))
    is_wanted = np.ones(len(table.columns), dtype=np.bool_)
    _search(
        trees,
        table,
        weights,
        candidates,
        is_wanted,
        np.zeros(len(trees.left)),
        found,
        associations,
        0,
        n_jobs,
    )
    ints, reals, sets = found
    category_set = ints[:, CATEGORY_SET].copy()
    used = np.flatnonzero(category_set >= 0)
    category_set[used] = np.arange(len(used))
    return Surrogates(
        node=node,
        feature=ints[:, FEATURE].copy(),
        threshold=reals[:, THRESHOLD].copy(),
        flipped=ints[:, FLIPPED] == 1,
        category_set=category_set,
        category_sets=sets[used],
        association=reals[:, ASSOCIATION].copy(),
        agreement=reals[:, AGREEMENT].copy(),
        association_by_feature=associations if all_features else None,
    )


def masking_matrix(
    trees, table, weights, *, features=None, primaries=None, decrease=None, n_jobs=None
):
    """Compute how far each feature is masked by another that the trees split on.

    Feature j is masked by feature i as far as j could have replaced i: the decreases of
    impurity by the splits on i, each times the predictive association with the best
    split on j in the same node, summed over a tree and averaged over the trees [1]_.
    This is at most the impurity importance of i, and as much if j is a copy of i.

    Parameters
    ----------
    trees : Trees
        Trees grown on the table.
    table : Table
        Binned training rows.
    weights : ndarray of shape (n_rows,) or (n_trees, n_rows) or callable
        As in ``surrogate_splits``.
    features : array of int, default=None
        Features j that may be masked; all if None.
    primaries : array of int, default=None
        Features i that may mask; all if None. Splits on others cost little time.
    decrease : ndarray of shape (n_nodes,), default=None
        Decrease of impurity by each split. None: that of the training rows, weighted by
        the node's share of the root's weight.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.

    Returns
    -------
    masking : ndarray of shape (n_features, n_candidates)
        By how much feature i masks the j-th of ``features``; 0 if they are the same,
        and in the rows of features that are not among ``primaries``.

    References
    ----------
    .. [1] Tuv, Borisov, Runger and Torkkola, "Feature selection with ensembles,
       artificial variables, and redundancy elimination", Journal of Machine Learning
       Research 10, 2009.
    """
    n_features, candidates = len(table.columns), _list_candidates(features, table)
    is_wanted = np.ones(n_features, dtype=np.bool_)
    if primaries is not None:
        is_wanted[:] = False
        is_wanted[np.asarray(primaries, dtype=np.intp)] = True
    if decrease is None:
        decrease = impurity_decreases(trees)
    found = _make_found(np.count_nonzero(trees.left >= 0), table, candidates)
    masking = _search(
        trees,
        table,
        weights,
        candidates,
        is_wanted,
        np.require(decrease, np.float64, "CW"),
        found,
        np.zeros((0, len(candidates))),
        n_features,
        n_jobs,
    )
    return masking / trees.n_trees


def impurity_decreases(trees):
    """Return by how much each split decreases the impurity of its tree; 0 in a leaf.

    Impurities count by the nodes' shares of the root's weight, so that the decreases of
    a tree add up to that of the whole tree.
    """
    tree = np.repeat(np.arange(trees.n_trees), np.diff(trees.starts))
    cost = trees.weight * trees.impurity / trees.weight[trees.starts[tree]]
    splits = np.flatnonzero(trees.left >= 0)
    child = trees.starts[tree[splits]] + trees.left[splits]
    decrease = np.zeros(len(trees.left))
    decrease[splits] = cost[splits] - cost[child] - cost[child + 1]
    return decrease


def _list_candidates(features, table):
    """Return the numbers of the candidate features."""
    if features is None:
        features = np.arange(len(table.columns))
    return np.require(features, np.int64, "CW")


def _make_found(n_splits, table, candidates):
    """Allocate the records of the best surrogates, with none found yet."""
    ints = np.full((n_splits, 3), -1, dtype=np.int32)
    ints[:, FLIPPED] = 0
    reals = np.full((n_splits, 3), np.nan)
    reals[:, ASSOCIATION] = 0.0
    columns = table.columns[candidates]
    n_categories = columns[columns[:, IS_CATEGORICAL] == 1, N_BINS].max(initial=0)
    n_words = max(1, -(-int(n_categories) // 64))
    sets = np.zeros((n_splits if n_categories else 0, n_words), dtype=np.uint64)
    return Found(ints, reals, sets)


def _search(
    trees, table, weights, candidates, is_wanted, decrease, found, associations,
    n_masking, n_jobs,
):  # fmt: skip
    """Fill ``found`` and ``associations``; return the sum of the masking matrices."""
    splits, numbers = make_splits(trees), np.cumsum(trees.left >= 0) - 1

    def search_some(chunk):
        masking = np.zeros((n_masking, len(candidates)))
        find_surrogates(
            table,
            splits,
            trees.starts[chunk.start : chunk.stop + 1],
            take_chunk(weights, chunk, np.float64),
            candidates,
            is_wanted,
            numbers,
            decrease,
            found,
            associations,
            masking,
        )
        return masking

    n_rows = len(table.codes) // len(table.columns)  # or twice that
    total = np.zeros((n_masking, len(candidates)))
    for masking in map_chunks(search_some, trees.n_trees, n_rows, n_jobs):
        total += masking
    return total
