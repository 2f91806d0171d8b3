"""Check the trees of a loaded model: a forged one could read outside of its arrays."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.tree import BaseDecisionTree

from manyminds.trees import Trees

__all__ = ["check_trees", "list_parts"]

NODE_TYPES = {
    "feature": np.int32,
    "threshold": np.float64,
    "left": np.int32,
    "missing_left": np.bool_,
    "category_set": np.int32,
}
BOOSTED = (GradientBoostingClassifier, GradientBoostingRegressor)
BINNED = (HistGradientBoostingClassifier, HistGradientBoostingRegressor)
N_WORDS = 8  # of 32 bits, in a set of the 256 categories that a bin can have


def check_trees(model: Any) -> None:
    """Raise if a tree of a model has nodes, columns or sets that do not exist.

    Compiled loops walk trees without looking whether a child is there.

    Parameters
    ----------
    model : object
        Estimator with any number of trees of ours or of scikit-learn inside it.

    Raises
    ------
    ValueError
        If a tree is not valid.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from manyminds.persistence.model_trees import check_trees
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    >>> check_trees(model)
    >>> model.tree_ = replace(model.tree_, left=model.tree_.left + 1)
    >>> check_trees(model)
    Traceback (most recent call last):
    ...
    ValueError: a tree has a child that does not exist.
    """
    for part in list_parts(model):
        if isinstance(part, Trees):
            _check_ours(part)
        elif isinstance(part, BaseDecisionTree) and hasattr(part, "tree_"):
            _check_theirs(part.tree_, part.n_features_in_)
        elif isinstance(part, BOOSTED) and hasattr(part, "estimators_"):
            _check_boosted(part)
        elif isinstance(part, BINNED) and hasattr(part, "_predictors"):
            _check_binned(part)


def list_parts(model: Any) -> Iterator[Any]:
    """Yield all objects inside a model, without recursion."""
    waiting, seen = [model], {id(model)}
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, dict):
            inside = list(part.values())
        elif isinstance(part, list | tuple | set):
            inside = list(part)
        elif isinstance(part, np.ndarray):
            inside = part.ravel().tolist() if part.dtype == object else []
        else:
            inside = list(getattr(part, "__dict__", {}).values())
        for one in inside:
            if id(one) not in seen and not isinstance(one, str | int | float):
                seen.add(id(one))
                waiting.append(one)


def _check_ours(trees: Trees) -> None:
    left, starts = trees.left, trees.starts
    n_nodes = len(left)
    for name, dtype in NODE_TYPES.items():
        values = getattr(trees, name)
        if values.dtype != dtype or values.shape != (n_nodes,):
            raise ValueError(f"a tree has {name} of type {values.dtype}.")
    if len(trees.value) != n_nodes or trees.value.ndim != 2:
        raise ValueError("a tree has nodes without values.")
    if starts.dtype != np.int64 or starts[0] != 0 or starts[-1] != n_nodes:
        raise ValueError("a tree has no root.")
    n_nodes_of = np.diff(starts)
    if np.any(n_nodes_of < 1):
        raise ValueError("a tree has no nodes.")
    place = np.arange(n_nodes) - np.repeat(starts[:-1], n_nodes_of)
    inner = left != -1
    # Children come after their parent, so there are no circles.
    inside = (left > place) & (left + 1 < np.repeat(n_nodes_of, n_nodes_of))
    if not np.all(inside[inner]):
        raise ValueError("a tree has a child that does not exist.")
    _check_columns(trees.feature[inner], trees.n_features)
    sets = trees.category_set
    if np.any((sets < -1) | (sets >= len(trees.category_sets))):
        raise ValueError("a tree has a set of categories that does not exist.")


def _check_theirs(tree: Any, n_features: int) -> None:
    left, right = tree.children_left, tree.children_right
    _check_children(left != -1, left, right)
    if tree.n_features != n_features:  # by which samples are checked
        raise ValueError("a tree has another number of columns than its model.")
    _check_columns(tree.feature[left != -1], n_features)


def _check_boosted(model: Any) -> None:
    """Check what boosting does not, as it walks its trees without their estimators."""
    if model.estimators_.shape[1] != model.n_trees_per_iteration_:
        raise ValueError("a tree has no output.")
    for tree in model.estimators_.ravel():
        if not isinstance(tree, BaseDecisionTree):
            raise ValueError("a tree has another type.")
        _check_theirs(tree.tree_, model.n_features_in_)


def _check_binned(model: Any) -> None:
    """Check the trees of boosting with histograms."""
    n_features = model.n_features_in_
    if model._bin_mapper.is_categorical_.shape != (n_features,):
        raise ValueError("a tree has another number of columns than its model.")
    for tree in (one for stage in model._predictors for one in stage):
        nodes = tree.nodes
        inner = nodes["is_leaf"] == 0
        _check_children(inner, nodes["left"], nodes["right"])
        _check_columns(nodes["feature_idx"][inner], n_features)
        used = nodes["bitset_idx"][inner & (nodes["is_categorical"] != 0)]
        for sets in (tree.raw_left_cat_bitsets, tree.binned_left_cat_bitsets):
            if sets.shape != (len(sets), N_WORDS) or np.any(used >= len(sets)):
                raise ValueError("a tree has a set of categories that does not exist.")


def _check_children(inner: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
    """Raise if a child does not exist, or comes before its parent."""
    n_nodes, place = len(inner), np.arange(len(inner))
    if n_nodes < 1:
        raise ValueError("a tree has no nodes.")
    for child in (left, right):
        if not np.all((child > place)[inner] & (child < n_nodes)[inner]):
            raise ValueError("a tree has a child that does not exist.")


def _check_columns(feature: np.ndarray, n_features: int) -> None:
    if np.any((feature < 0) | (feature >= n_features)):
        raise ValueError("a tree has a column that does not exist.")
