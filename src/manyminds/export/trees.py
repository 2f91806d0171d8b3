"""Trees as one operator of ONNX: doubles, missing values and category sets."""

from dataclasses import replace
from typing import Any

import numpy as np

from manyminds.export.graph import ExportError, Graph, refuse_large
from manyminds.export.table import Table, index_levels, recode
from manyminds.trees import Trees

__all__ = [
    "average_leaves",
    "average_rotated_trees",
    "average_trees",
    "find_leaves",
    "read_codes",
    "replace_sets",
    "sum_trees",
]

BLOCK = 64  # leaf values of a row in memory at once
NODE_BYTES = 40  # of a node in the file, at least: half of the nodes are leaves
MANY_VALUES = 8  # of a leaf: from here on, equal leaves are stored once


def average_trees(graph: Graph, matrix: str, trees: Trees, n_columns: int) -> str:
    """Return the mean of the leaf values of all trees: (n_rows, n_values).

    Parameters
    ----------
    graph : Graph
    matrix : str
        Numbers and category codes, as the trees read them.
    trees : Trees
    n_columns : int
        Of the matrix.

    Returns
    -------
    mean : str
    """
    matrix, trees, _ = replace_sets(graph, matrix, trees, n_columns)
    leaf = find_leaves(graph, matrix, trees)
    mean = average_leaves(graph, leaf, trees)
    return graph.add("Squeeze", mean, graph.constant(np.array([1])))


def average_leaves(graph: Graph, leaf: str, trees: Trees, n_members: int = 1) -> str:
    """Return the mean of the leaf values of each of some forests of one size.

    The values of leaves are looked up, as the operator of trees would return them as
    float32. They are added tree by tree, as ours are, so that no digit differs.

    Parameters
    ----------
    graph : Graph
    leaf : str
        From `find_leaves`: (n_rows, n_trees).
    trees : Trees
        The trees of all forests, one forest after the other.
    n_members : int, default=1
        Number of forests.

    Returns
    -------
    means : str
        Of shape (n_rows, n_members, n_values).
    """
    values, n_trees = trees.value[trees.is_leaf], trees.n_trees // n_members
    table, rows = _store_leaves(graph, values)
    before = _count_leaves_before(trees)
    place = np.arange(trees.n_trees).reshape(n_members, n_trees)
    n_block, total = max(1, BLOCK // (n_members * values.shape[1])), ""
    for first in range(0, n_trees, n_block):
        some = place[:, first : first + n_block]
        number = graph.take_columns(leaf, some)
        number = graph.add("Add", number, graph.constant(before[some][np.newaxis]))
        if rows:
            number = graph.add("Gather", rows, number)
        part = graph.add("Gather", table, number, axis=0)
        if total:
            axis = graph.constant(np.array([2]))
            total = graph.add("Unsqueeze", total, axis)
            part = graph.add("Concat", total, part, axis=2)
        total = graph.sum_in_order(part, 2)
    return graph.add("Div", total, graph.constant(np.array([float(n_trees)])))


def _store_leaves(graph: Graph, values: np.ndarray) -> tuple[str, str]:
    """Return a table of leaf values, and the row of each leaf if equal rows are one.

    Many leaves of many labels, or classes, hold the same ones.
    """
    if values.shape[1] >= MANY_VALUES:
        distinct, row = np.unique(values, axis=0, return_inverse=True)
        if distinct.size + row.size < values.size:
            return graph.constant(distinct), graph.constant(row.ravel())
    return graph.constant(values), ""


def average_rotated_trees(graph: Graph, matrix: str, model: Any) -> str:
    """Return the mean of the leaf values of trees that see rotated columns.

    Rotations add in another order than ours. So a row that is nearer to a threshold
    than the rounding error, some 1e-16, may change sides.

    Parameters
    ----------
    graph : Graph
    matrix : str
        Numbers; NaN is a missing value.
    model : RotationForestClassifier or RotationForestRegressor
        Fitted to columns of numbers.

    Returns
    -------
    mean : str
    """
    n_columns = model.n_features_in_
    if len(model._turned) < n_columns:
        raise ExportError(
            f"{type(model).__name__} of category columns cannot be converted to ONNX; "
            "one of encoded columns can."
        )
    matrix = graph.add("Sub", matrix, graph.row(model.center_, n_columns))
    matrix = graph.add("Div", matrix, graph.row(model.scale_, n_columns))
    is_missing, parts = graph.add("IsNaN", matrix), []
    for t, rotation in enumerate(model.rotations_):
        fill = graph.row(rotation.fill, n_columns)
        seen = _rotate(graph, graph.add("Where", is_missing, fill, matrix), rotation)
        parts.append(average_trees(graph, seen, model.trees_.tree(t), n_columns))
    n_values = model.trees_.value.shape[1]
    return graph.add("Div", graph.total(parts), graph.row(len(parts), n_values))


def _rotate(graph: Graph, matrix: str, rotation: Any) -> str:
    """Multiply blocks of columns by their matrices, all of one size at once."""
    parts = []
    for features, matrices in zip(rotation.features, rotation.matrices, strict=True):
        n_blocks, size = features.shape
        part = graph.take_columns(matrix, features.ravel())
        shape = graph.constant(np.array([-1, n_blocks, size]))
        part = graph.add("Reshape", part, shape)
        turns = graph.constant(np.ascontiguousarray(matrices))
        part = graph.add("Einsum", part, turns, equation="rbi,bij->rbj")
        shape = graph.constant(np.array([-1, n_blocks * size]))
        parts.append(graph.add("Reshape", part, shape))
    order = np.concatenate([features.ravel() for features in rotation.features])
    return graph.take_columns(graph.add("Concat", *parts, axis=1), np.argsort(order))


def sum_trees(
    graph: Graph, matrix: str, trees: Trees, n_columns: int, baseline: np.ndarray
) -> str:
    """Return baseline and sum of leaf values: (n_rows, n_outputs).

    Parameters
    ----------
    graph : Graph
    matrix : str
    trees : Trees
        Tree ``t`` belongs to output ``t % n_outputs``.
    n_columns : int
        Of the matrix.
    baseline : ndarray of shape (n_outputs,)

    Returns
    -------
    raw : str
    """
    n_outputs = len(baseline)
    values = graph.constant(trees.value[trees.is_leaf, 0])
    matrix, trees, _ = replace_sets(graph, matrix, trees, n_columns)
    leaf = find_leaves(graph, matrix, trees)
    before = graph.constant(_count_leaves_before(trees)[np.newaxis])
    made = graph.add("Gather", values, graph.add("Add", leaf, before))
    shape = graph.constant(np.array([-1, trees.n_trees // n_outputs, n_outputs]))
    made, axis = graph.add("Reshape", made, shape), graph.constant(np.array([1]))
    total = graph.add("ReduceSum", made, axis, keepdims=0)
    return graph.add("Add", total, graph.row(baseline, n_outputs))


def read_codes(graph: Graph, table: Table, model: Any) -> str:
    """Return the matrix that the trees, or the net, of a fitted model read.

    Parameters
    ----------
    graph : Graph
    table : Table
    model : TreeModel or RealMLP
        Its levels have codes of their own: only those of its training rows, and rare
        ones may share one.

    Returns
    -------
    matrix : str

    Raises
    ------
    ExportError
        If the model reads categories from a column of numbers.
    """
    codes, merged = {}, getattr(model, "_level_codes", {})
    for j, known in model._encoder.categories.items():
        levels = table.columns[j].levels
        if levels is None:
            raise ExportError(
                f"{type(model).__name__} reads the numbers of column {j} as "
                "categories: it cannot be converted to ONNX; one of a table with "
                "category columns can, by manyminds.export.to_onnx."
            )
        place = {str(level): code for code, level in enumerate(known)}
        new = np.array([*(place.get(level, np.nan) for level in levels), np.nan])
        if j in merged:
            is_known = ~np.isnan(new)
            new[is_known] = merged[j][new[is_known].astype(np.intp)]
        codes[j] = new
    return recode(graph, table, codes)


def find_leaves(graph: Graph, matrix: str, trees: Trees) -> str:
    """Return the leaf of each row in each tree, counted within the tree.

    Parameters
    ----------
    graph : Graph
    matrix : str
        The columns that trees without category sets read.
    trees : Trees
        From `replace_sets`.

    Returns
    -------
    leaf : str
        Integers of shape (n_rows, n_trees).

    Raises
    ------
    ExportError
        If the nodes alone are larger than a file of ONNX can be.
    """
    is_leaf = trees.is_leaf
    refuse_large(NODE_BYTES * len(is_leaf))  # before lists of them fill the memory
    if graph.is_trial:
        return graph.add("TreeEnsembleRegressor", matrix)
    tree = np.repeat(np.arange(trees.n_trees), trees.node_counts)
    node = np.arange(len(tree)) - trees.starts[tree]
    number = np.arange(is_leaf.sum()) - _count_leaves_before(trees)[tree[is_leaf]]
    leaf = graph.add(
        "TreeEnsembleRegressor",
        matrix,
        domain="ai.onnx.ml",
        n_targets=int(trees.n_trees),
        nodes_treeids=tree.tolist(),
        nodes_nodeids=node.tolist(),
        nodes_featureids=np.maximum(trees.feature, 0).tolist(),
        nodes_modes=["LEAF" if one else "BRANCH_LEQ" for one in is_leaf],
        nodes_values_as_tensor=np.where(is_leaf, 0.0, trees.threshold),
        nodes_truenodeids=np.maximum(trees.left, 0).tolist(),
        nodes_falsenodeids=np.maximum(trees.right, 0).tolist(),
        nodes_missing_value_tracks_true=trees.missing_left.astype(int).tolist(),
        target_treeids=tree[is_leaf].tolist(),
        target_nodeids=node[is_leaf].tolist(),
        target_ids=tree[is_leaf].tolist(),
        target_weights_as_tensor=number.astype(np.float64),
    )
    return graph.add("Cast", leaf, to=7)  # int64


def _count_leaves_before(trees: Trees) -> np.ndarray:
    """Return the number of leaves of the trees before each tree."""
    return np.asarray(np.cumsum(trees.n_leaves) - trees.n_leaves)


def replace_sets(
    graph: Graph, matrix: str, trees: Trees, n_columns: int
) -> tuple[str, Trees, int]:
    """Append a column for each category set: 0 in it, 1 outside, NaN if missing.

    Parameters
    ----------
    graph : Graph
    matrix : str
        Numbers and category codes, as the trees read them.
    trees : Trees
    n_columns : int
        Of the matrix.

    Returns
    -------
    matrix : str
        With more columns.
    trees : Trees
        The same, with thresholds in place of category sets.
    n_columns : int
        Of the wider matrix.
    """
    feature, threshold = trees.feature.copy(), trees.threshold.copy()
    by_set = np.flatnonzero(trees.category_set >= 0)
    parts = [matrix]
    for j in np.unique(feature[by_set]):
        nodes = by_set[trees.feature[by_set] == j]
        sets = trees.category_sets[trees.category_set[nodes]]
        sets, place = np.unique(sets, axis=0, return_inverse=True)
        bits = sets.astype("<u8").view(np.uint8)
        inside = np.unpackbits(bits, axis=1, bitorder="little")  # (n_sets, n_codes)
        lookup = np.vstack([1.0 - inside.T, np.full(len(sets), np.nan)])
        code = index_levels(graph, matrix, int(j), inside.shape[1])
        parts.append(graph.add("Gather", graph.constant(lookup), code, axis=0))
        feature[nodes] = n_columns + place.ravel()
        threshold[nodes] = 0.5
        n_columns += len(sets)
    if len(parts) > 1:
        matrix = graph.add("Concat", *parts, axis=1)
    no_set = np.full_like(trees.category_set, -1)
    trees = replace(trees, feature=feature, threshold=threshold, category_set=no_set)
    return matrix, trees, n_columns
