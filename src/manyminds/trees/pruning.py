"""Pruning grown trees, by their cost in leaves or by their error on other rows."""

from dataclasses import replace

import numpy as np

from manyminds.kernels.pruning import (
    add_rows_to_values,
    cut_weakest_links,
    list_kept_nodes,
    mark_by_reduced_error,
)
from manyminds.trees.chunks import make_splits, map_chunks, predict_nodes, take_chunk
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import CART, QUINLAN_1987, cite


def keep(trees, becomes_leaf):
    """Return the trees after some nodes have become leaves.

    Parameters
    ----------
    trees : Trees
        Grown trees.
    becomes_leaf : ndarray of shape (n_nodes,), dtype=bool
        Which nodes become leaves. All nodes below them are removed; leaves stay
        leaves.

    Returns
    -------
    trees : Trees
        New trees, with the remaining nodes in their old order.
    """
    kept, left, starts = list_kept_nodes(trees.left, trees.starts, becomes_leaf)
    is_leaf = left < 0
    used = np.where(is_leaf, -1, trees.category_set[kept])
    sets, numbers = np.unique(used[used >= 0], return_inverse=True)
    category_set = np.full(len(kept), -1, dtype=np.int32)
    category_set[used >= 0] = numbers
    return replace(
        trees,
        feature=np.where(is_leaf, -1, trees.feature[kept]).astype(np.int32),
        threshold=np.where(is_leaf, np.nan, trees.threshold[kept]),
        left=left,
        missing_left=trees.missing_left[kept] & ~is_leaf,
        category_set=category_set,
        category_sets=trees.category_sets[sets],
        impurity=trees.impurity[kept],
        weight=trees.weight[kept],
        n_samples=trees.n_samples[kept],
        value=trees.value[kept],
        starts=starts,
    )


def cost_complexity_path(tree):
    """Prune a tree at its weakest links, one by one; return alphas and impurities.

    Parameters
    ----------
    tree : Trees
        A single tree.

    Returns
    -------
    ccp_alphas : ndarray of shape (n_steps,)
        Effective alpha of each pruned tree; the first is 0, that of the unpruned tree.
    impurities : ndarray of shape (n_steps,)
        Impurity of all leaves together, by their shares of the root's weight.
    """
    path = np.empty((len(tree.left) + 1, 2))
    n_cuts = cut_weakest_links(
        tree.left,
        tree.impurity,
        tree.weight,
        tree.starts,
        np.inf,
        np.zeros(len(tree.left), dtype=np.bool_),
        path,
    )
    ccp_alphas, impurities = path[: n_cuts + 1].T.copy()
    return ccp_alphas, impurities


@fill_docstring(references=cite(f"{CART}, chapter 3"))
def prune_cost_complexity(trees, ccp_alpha):
    """Return each tree after minimal cost-complexity pruning [1]_.

    The weakest link is cut while its effective alpha, the impurity that its branch
    saves per additional leaf, is at most ``ccp_alpha``. As in scikit-learn, 0 means
    that nothing is pruned, not even a branch that saves nothing.

    Parameters
    ----------
    trees : Trees
        Grown trees.
    ccp_alpha : float
        Price of a leaf, 0 or more.

    Returns
    -------
    trees : Trees
        The pruned trees.

    {references}
    """
    if ccp_alpha == 0.0:
        return trees
    becomes_leaf = np.zeros(len(trees.left), dtype=np.bool_)
    path = np.empty((np.diff(trees.starts).max() + 1, 2))
    cut_weakest_links(
        trees.left,
        trees.impurity,
        trees.weight,
        trees.starts,
        float(ccp_alpha),
        becomes_leaf,
        path,
    )
    return keep(trees, becomes_leaf)


@fill_docstring(references=cite(QUINLAN_1987))
def prune_reduced_error(
    trees,
    X,
    y,
    sample_weight=None,
    *,
    kind=None,
    balanced=False,
    backfit=False,
    n_jobs=None,
):
    """Return each tree after reduced-error pruning on other rows [1]_.

    From the bottom upwards, a branch becomes a leaf when the leaf's error on these
    rows is not larger than that of the branch, as pruned so far. A branch that none of
    the rows reaches has no error, and neither has its leaf: it is pruned.

    Parameters
    ----------
    trees : Trees
        Grown trees.
    X : ndarray of shape (n_rows, n_features)
        Rows to prune by, not those that the trees were grown on.
    y : ndarray of shape (n_rows,)
        Their targets, or the numbers of their classes.
    sample_weight : ndarray of shape (n_rows,) or (n_trees, n_rows) or callable, \
default=None
        Weights of the rows, for all trees or for each tree: a row with weight 0 is left
        out. A callable takes a slice of trees and returns their weights.
    kind : {"classification", "regression"}, default=None
        Error to count: weight that is misclassified, or weighted squared error. None
        stands for classification if the trees have several values in a leaf.
    balanced : bool, default=False
        Whether to count the mean over the classes of the error within each class,
        instead of the plain error. For classification only.
    backfit : bool, default=False
        Whether to add the rows to the values of the remaining nodes, as REPTree does.
        Only ``value`` changes: ``weight``, ``n_samples`` and ``impurity`` remain those
        of the rows that the tree was grown on.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.

    Returns
    -------
    trees : Trees
        The pruned trees.

    {references}
    """
    X = np.require(X, np.float64, "CW")
    y = np.require(y, np.float64, "CW")
    if sample_weight is None:
        sample_weight = np.ones(len(y))
    splits, (prediction, is_squared) = make_splits(trees), predict_nodes(trees, kind)
    becomes_leaf = np.zeros(len(trees.left), dtype=np.bool_)

    def mark(chunk):
        weights = take_chunk(sample_weight, chunk, np.float64)
        mark_by_reduced_error(
            splits,
            trees.starts[chunk.start : chunk.stop + 1],
            prediction,
            X,
            y,
            _balance(weights, y) if balanced else weights,
            is_squared,
            becomes_leaf,
        )

    for _ in map_chunks(mark, trees.n_trees, len(y), n_jobs):
        pass
    pruned = keep(trees, becomes_leaf)
    if backfit:
        _backfit(pruned, X, y, sample_weight, is_squared, n_jobs)
    return pruned


def _balance(weights, y):
    """Return weights by which all classes of a tree's rows have the same weight."""
    classes = y.astype(np.intp)
    is_class = classes[:, None] == np.arange(classes.max(initial=0) + 1)
    totals = (weights @ is_class)[:, classes]
    return np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)


def _backfit(trees, X, y, sample_weight, is_mean, n_jobs):
    """Add the rows to the values of the nodes that they pass, in place."""
    splits = make_splits(trees)

    def add(chunk):
        add_rows_to_values(
            splits,
            trees.starts[chunk.start : chunk.stop + 1],
            trees.weight,
            X,
            y,
            take_chunk(sample_weight, chunk, np.float64),
            is_mean,
            trees.value,
        )

    for _ in map_chunks(add, trees.n_trees, len(y), n_jobs):
        pass
