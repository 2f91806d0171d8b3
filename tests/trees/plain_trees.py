"""Trees to test with: scikit-learn's in our form, and a row's way through a tree."""

import numpy as np

from manyminds.trees.structure import Trees


def as_trees(*estimators):
    """Join fitted scikit-learn trees. Features must be exact in single precision."""
    return Trees.concatenate([_as_tree(estimator.tree_) for estimator in estimators])


def _as_tree(tree):
    # Number the nodes level by level: then the right child comes after the left one.
    order, left = [0], np.full(tree.node_count, -1, dtype=np.int32)
    for i, node in enumerate(order):
        if tree.children_left[node] >= 0:
            left[i] = len(order)
            order += [tree.children_left[node], tree.children_right[node]]
    return Trees(
        feature=np.where(left < 0, -1, tree.feature[order]).astype(np.int32),
        threshold=np.where(left < 0, np.nan, tree.threshold[order]),
        left=left,
        missing_left=tree.missing_go_to_left[order].astype(bool) & (left >= 0),
        category_set=np.full(tree.node_count, -1, dtype=np.int32),
        category_sets=np.zeros((0, 1), dtype=np.uint64),
        impurity=tree.impurity[order],
        weight=tree.weighted_n_node_samples[order],
        n_samples=tree.n_node_samples[order].astype(np.int32),
        value=np.ascontiguousarray(tree.value[order, 0, :]),
        starts=np.array([0, tree.node_count]),
        n_features=tree.n_features,
        max_categories=0,
    )


def path_of(trees, t, x):
    """List the nodes that a row passes in tree t."""
    passed = [trees.starts[t]]
    while trees.left[passed[-1]] >= 0:
        passed.append(next_node(trees, t, passed[-1], x))
    return passed


def next_node(trees, t, node, x):
    """Return the child to which a row goes at a node of tree t."""
    value = x[trees.feature[node]]
    if np.isnan(value):
        goes_left = trees.missing_left[node]
    elif trees.category_set[node] >= 0:
        word = trees.category_sets[trees.category_set[node], int(value) // 64]
        goes_left = bool(int(word) >> (int(value) % 64) & 1)
    else:
        goes_left = value <= trees.threshold[node]
    return trees.starts[t] + trees.left[node] + (not goes_left)
