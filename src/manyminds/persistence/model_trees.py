"""Check the trees of a loaded model: a forged one could read outside of its arrays."""

from collections.abc import Iterator
from typing import Any

import numpy as np
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
            _check_theirs(part.tree_)


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
    feature = trees.feature[inner]
    if np.any((feature < 0) | (feature >= trees.n_features)):
        raise ValueError("a tree has a column that does not exist.")
    sets = trees.category_set
    if np.any((sets < -1) | (sets >= len(trees.category_sets))):
        raise ValueError("a tree has a set of categories that does not exist.")


def _check_theirs(tree: Any) -> None:
    n_nodes, left, right = tree.node_count, tree.children_left, tree.children_right
    inner, place = left != -1, np.arange(n_nodes)
    for child in (left, right):
        if not np.all((child > place)[inner] & (child < n_nodes)[inner]):
            raise ValueError("a tree has a child that does not exist.")
    feature = tree.feature[inner]
    if np.any((feature < 0) | (feature >= tree.n_features)):
        raise ValueError("a tree has a column that does not exist.")
