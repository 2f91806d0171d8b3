"""Turns scikit-learn's trees into ours."""

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
