"""Trees as one operator of ONNX, with doubles, category sets and missing values."""

from typing import Any

import numpy as np

from manyminds.export.graph import ExportError, Graph
from manyminds.export.table import Table, recode
from manyminds.trees import Trees

__all__ = ["average_trees", "read_codes", "sum_trees"]

LEQ, MEMBER = 0, 6  # modes of nodes
SUM = 1  # how the values of trees are combined
MAX_FLOAT = 2**24  # whole numbers that a float32 holds
BLOCK = 256  # leaf values of a row in memory at once


def average_trees(graph: Graph, matrix: str, trees: Trees) -> str:
    """Return the mean of the leaf values of all trees: (n_rows, n_values).

    The operator computes the leaf of each tree; the values of leaves are looked up.

    Parameters
    ----------
    graph : Graph
    matrix : str
        Numbers and category codes, as the trees read them.
    trees : Trees

    Returns
    -------
    mean : str
    """
    leaf_values = trees.value[trees.is_leaf]
    n_values = leaf_values.shape[1]
    leaf = _find_leaves(graph, matrix, trees)
    table, axis = graph.constant(leaf_values), graph.constant(np.array([1]))
    n_block = max(1, BLOCK // n_values)
    parts = []
    for first in range(0, trees.n_trees, n_block):
        last = min(first + n_block, trees.n_trees)
        some = graph.take_columns(leaf, range(first, last))
        values = graph.add("Gather", table, some, axis=0)
        parts.append(graph.add("ReduceSum", values, axis, keepdims=0))
    n_trees = graph.constant(np.array([float(trees.n_trees)]))
    return graph.add("Div", graph.total(parts), n_trees)


def sum_trees(graph: Graph, matrix: str, trees: Trees, baseline: np.ndarray) -> str:
    """Return baseline and sum of leaf values: (n_rows, n_outputs).

    Parameters
    ----------
    graph : Graph
    matrix : str
    trees : Trees
        Tree ``t`` belongs to output ``t % n_outputs``.
    baseline : ndarray of shape (n_outputs,)

    Returns
    -------
    raw : str
    """
    n_outputs = len(baseline)
    values = trees.value[trees.is_leaf, 0]
    start = graph.constant(baseline[np.newaxis])
    if graph.ml_opset < 5:
        leaf = _find_leaves(graph, matrix, trees)
        made = graph.add("Gather", graph.constant(values), leaf)
        shape = graph.constant(np.array([-1, trees.n_trees // n_outputs, n_outputs]))
        made = graph.add("Reshape", made, shape)
        axis = graph.constant(np.array([1]))
        return graph.add("Add", graph.add("ReduceSum", made, axis, keepdims=0), start)
    output = np.arange(trees.n_trees) % n_outputs
    of_output = np.repeat(output, trees.n_leaves)
    total = _walk(graph, matrix, trees, values, of_output, n_outputs)
    return graph.add("Add", total, start)


def read_codes(graph: Graph, table: Table, model: Any) -> str:
    """Return the matrix that the trees of a fitted model read.

    Parameters
    ----------
    graph : Graph
    table : Table
    model : TreeModel
        Its levels have codes of their own: only those of its training rows, and rare
        ones may share one.

    Returns
    -------
    matrix : str
    """
    codes = {}
    for j, known in model._encoder.categories.items():
        new = np.full(len(table.columns[j].levels or ()) + 1, np.nan)
        place = {str(level): code for code, level in enumerate(known)}
        for k, level in enumerate(table.columns[j].levels or ()):
            new[k] = place.get(level, np.nan)
        if j in model._level_codes:
            is_known = ~np.isnan(new)
            new[is_known] = model._level_codes[j][new[is_known].astype(np.intp)]
        codes[j] = new
    return recode(graph, table, codes)


def _find_leaves(graph: Graph, matrix: str, trees: Trees) -> str:
    """Return the leaf of each row in each tree, counted over all trees."""
    of_tree = np.repeat(np.arange(trees.n_trees), trees.n_leaves)
    numbers = np.arange(len(of_tree), dtype=np.float64)
    if graph.ml_opset < 5:
        leaf = _walk_in_opset_3(graph, matrix, trees)
    else:
        leaf = _walk(graph, matrix, trees, numbers, of_tree, trees.n_trees)
    return graph.add("Cast", leaf, to=7)  # int64


def _walk_in_opset_3(graph: Graph, matrix: str, trees: Trees) -> str:
    """Add the older operator; what it returns are floats, which hold 2**24 leaves."""
    is_leaf = trees.is_leaf
    if (trees.category_set >= 0).any():
        raise ExportError("Splits by sets of categories need ai.onnx.ml 5.")
    if trees.n_leaves.sum() > MAX_FLOAT:
        raise ExportError(f"Trees of more than {MAX_FLOAT:,} leaves need ai.onnx.ml 5.")
    tree = np.repeat(np.arange(trees.n_trees), trees.node_counts)
    node = np.arange(len(tree)) - trees.starts[tree]
    return graph.add(
        "TreeEnsembleRegressor",
        matrix,
        domain="ai.onnx.ml",
        n_targets=int(trees.n_trees),
        nodes_treeids=_join(tree, []),
        nodes_nodeids=_join(node, []),
        nodes_featureids=_join(np.maximum(trees.feature, 0), []),
        nodes_modes=["LEAF" if leaf else "BRANCH_LEQ" for leaf in is_leaf],
        nodes_values_as_tensor=np.where(is_leaf, 0.0, trees.threshold),
        nodes_truenodeids=_join(np.maximum(trees.left, 0), []),
        nodes_falsenodeids=_join(np.maximum(trees.right, 0), []),
        nodes_missing_value_tracks_true=_join(trees.missing_left, []),
        target_treeids=_join(tree[is_leaf], []),
        target_nodeids=_join(node[is_leaf], []),
        target_ids=_join(tree[is_leaf], []),
        target_weights_as_tensor=np.arange(is_leaf.sum(), dtype=np.float64),
    )


def _walk(
    graph: Graph,
    matrix: str,
    trees: Trees,
    leaf_values: np.ndarray,
    leaf_targets: np.ndarray,
    n_targets: int,
) -> str:
    """Add the operator: sums of the leaf values of each target."""
    is_leaf, starts = trees.is_leaf, trees.starts
    place = np.where(is_leaf, np.cumsum(is_leaf), np.cumsum(~is_leaf)) - 1
    tree = np.repeat(np.arange(trees.n_trees), trees.node_counts)
    inner = np.flatnonzero(~is_leaf)
    left = starts[tree[inner]] + trees.left[inner]
    roots = starts[:-1]
    bare = np.flatnonzero(is_leaf[roots])  # trees of a leaf: a node of two equal leaves
    only = place[roots[bare]]
    root = place[roots].copy()
    root[bare] = len(inner) + np.arange(len(bare))
    modes, splits, members = _list_splits(trees, inner)
    zeros = np.zeros(len(bare), dtype=np.int64)
    return graph.add(
        "TreeEnsemble",
        matrix,
        domain="ai.onnx.ml",
        n_targets=int(n_targets),
        aggregate_function=SUM,
        post_transform=0,
        nodes_featureids=_join(trees.feature[inner], zeros),
        nodes_modes=np.append(modes, zeros).astype(np.uint8),
        nodes_splits=np.append(splits, zeros),
        nodes_truenodeids=_join(place[left], only),
        nodes_falsenodeids=_join(place[left + 1], only),
        nodes_trueleafs=_join(is_leaf[left], zeros + 1),
        nodes_falseleafs=_join(is_leaf[left + 1], zeros + 1),
        nodes_missing_value_tracks_true=_join(trees.missing_left[inner], zeros),
        leaf_targetids=_join(leaf_targets, []),
        leaf_weights=np.asarray(leaf_values, dtype=np.float64),
        tree_roots=_join(root, []),
        **({"membership_values": members} if len(members) else {}),
    )


def _list_splits(
    trees: Trees, inner: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return modes, thresholds and the members of all category sets, ended by NaN."""
    number = trees.category_set[inner]
    modes = np.where(number >= 0, MEMBER, LEQ)
    splits = np.where(number >= 0, 0.0, trees.threshold[inner])
    members: list[np.ndarray] = []
    for node in np.flatnonzero(number >= 0):
        words = trees.category_sets[number[node]]
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
        left = np.flatnonzero(bits).astype(np.float64)
        if len(left) == 0:  # only missing values go left
            modes[node], splits[node] = LEQ, -np.inf
            continue
        members.append(np.append(left, np.nan))
    return modes, splits, np.concatenate(members) if members else np.empty(0)


def _join(values: Any, more: Any) -> list[int]:
    return [int(one) for one in (*values, *more)]
