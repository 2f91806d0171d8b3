"""The quantile scaler as a search tree, a line on each piece, and a normal quantile."""

from typing import Any

import numpy as np

from manyminds.export.graph import ExportError, Graph
from manyminds.export.table import Table

__all__ = ["convert_quantiles"]

EDGE = 1e-7  # shares of rows, and distances from the outermost quantiles, below which
# numbers count as outermost, as in scikit-learn
CENTRAL = 0.425  # shares up to this far from a half have a polynomial of their own

# Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied
# Statistics 37, 1988: ratios of polynomials, which err by 1e-16.
CENTER = (
    (
        2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
        4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
        1.3314166789178437745e2, 3.3871328727963666080e0,
    ),
    (
        5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4,
        2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2,
        4.2313330701600911252e1, 1.0,
    ),
)  # fmt: skip
TAIL = (
    (
        7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
        1.27045825245236838258e0, 3.64784832476320460504e0, 5.76949722146069140550e0,
        4.63033784615654529590e0, 1.42343711074968357734e0,
    ),
    (
        1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
        1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e0,
        2.05319162663775882187e0, 1.0,
    ),
)  # fmt: skip


def convert_quantiles(step: Any, graph: Graph, table: Table) -> Table:
    """Transform columns to a normal distribution by their quantiles, in doubles.

    Parameters
    ----------
    step : QuantileTransformer
        Fitted, with output_distribution="normal".
    graph : Graph
    table : Table

    Returns
    -------
    table : Table
    """
    if step.output_distribution != "normal":
        raise ExportError(
            "QuantileTransformer with output_distribution="
            f"{step.output_distribution!r} cannot be converted to ONNX; "
            '"normal" can.'
        )
    matrix, n_columns = table.matrix, len(table.columns)
    share = _interpolate(graph, matrix, step.quantiles_, step.references_)
    edge = graph.row(EDGE, n_columns)
    low, high = (graph.row(step.quantiles_[k], n_columns) for k in (0, -1))
    is_high = graph.add("Greater", graph.add("Add", matrix, edge), high)
    is_low = graph.add("Less", graph.add("Sub", matrix, edge), low)
    share = graph.add("Where", is_high, graph.row(1.0, n_columns), share)
    share = graph.add("Where", is_low, graph.row(0.0, n_columns), share)
    made = _compute_normal_quantile(graph, share)
    made = graph.add("Where", graph.add("IsNaN", matrix), matrix, made)
    return Table(made, table.columns)


# ---------------------------------------------------------------- shares of rows


def _interpolate(
    graph: Graph, matrix: str, quantiles: np.ndarray, references: np.ndarray
) -> str:
    """Return the share of rows below each number: (n_rows, n_columns)."""
    pieces = [_find_pieces(column, references) for column in quantiles.T]
    place = _find_places(graph, matrix, [thresholds for thresholds, _ in pieces])
    # A missing value falls through to the last leaf, beyond all pieces.
    n_leaves = [_count_leaves(thresholds) for thresholds, _ in pieces]
    lines = [
        np.pad(one, ((0, 0), (0, n - one.shape[1])), mode="edge")
        for (_, one), n in zip(pieces, n_leaves, strict=True)
    ]
    first = graph.constant((np.cumsum(n_leaves) - n_leaves)[np.newaxis])
    place = graph.add("Add", place, first)
    start, share, slope = (
        graph.add("Gather", graph.constant(values), place)
        for values in np.hstack(lines)
    )
    more = graph.add("Mul", graph.add("Sub", matrix, start), slope)
    return graph.add("Add", share, more)


def _find_pieces(
    quantiles: np.ndarray, references: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the thresholds between the pieces of a column, and a line on each.

    Several equal quantiles are a piece of their own, a single number, with the mean of
    their references.

    Returns
    -------
    thresholds : ndarray of shape (n_pieces - 1,)
        The last numbers of all pieces but the last.
    lines : ndarray of shape (3, n_pieces)
        Start of each piece, the share there, and its slope.
    """
    values, first, count = np.unique(quantiles, return_index=True, return_counts=True)
    below, above = references[first], references[first + count - 1]
    rise, run = below[1:] - above[:-1], np.diff(values)
    lines = np.array([values, above, np.append(rise / run, 0.0)])
    tied = np.flatnonzero(count > 1)
    means = 0.5 * (below + above)[tied]
    single = np.array([values[tied], means, np.zeros(len(tied))])
    thresholds = np.insert(values, tied, np.nextafter(values[tied], -np.inf))
    lines = np.insert(lines, tied, single, axis=1)
    outside = [[values[0]], [below[0]], [0.0]]
    return thresholds, np.hstack([outside, lines])


def _count_leaves(thresholds: np.ndarray) -> int:
    """Return the number of leaves of a full tree: a power of two."""
    return 1 << len(thresholds).bit_length()


def _find_places(graph: Graph, matrix: str, columns: list[np.ndarray]) -> str:
    """Return the number of thresholds below each number, by a full tree per column.

    Nodes are numbered level by level. The rest of a tree has infinite thresholds.
    """
    tree, node, threshold = [], [], []
    for j, thresholds in enumerate(columns):
        n_leaves = _count_leaves(thresholds)
        padded = np.pad(
            thresholds, (0, n_leaves - 1 - len(thresholds)), constant_values=np.inf
        )
        for n_level in 2 ** np.arange(n_leaves.bit_length() - 1):
            step = n_leaves // n_level
            threshold.append(padded[step // 2 - 1 :: step])
        threshold.append(np.full(n_leaves, np.nan))
        node.append(np.arange(2 * n_leaves - 1))
        tree.append(np.full(2 * n_leaves - 1, j))
    return _add_trees(graph, matrix, *map(np.concatenate, (tree, node, threshold)))


def _add_trees(
    graph: Graph, matrix: str, tree: np.ndarray, node: np.ndarray, threshold: np.ndarray
) -> str:
    """Return the leaf of each number, counted from the left: (n_rows, n_trees)."""
    is_leaf = np.isnan(threshold)
    first = np.bincount(tree[is_leaf]) - 1  # a tree has one node less than leaves
    leaf = graph.add(
        "TreeEnsembleRegressor",
        matrix,
        domain="ai.onnx.ml",
        n_targets=int(tree[-1]) + 1,
        nodes_treeids=tree.tolist(),
        nodes_nodeids=node.tolist(),
        nodes_featureids=tree.tolist(),
        nodes_modes=["LEAF" if one else "BRANCH_LEQ" for one in is_leaf],
        nodes_values_as_tensor=np.where(is_leaf, 0.0, threshold),
        nodes_truenodeids=np.where(is_leaf, 0, 2 * node + 1).tolist(),
        nodes_falsenodeids=np.where(is_leaf, 0, 2 * node + 2).tolist(),
        target_treeids=tree[is_leaf].tolist(),
        target_nodeids=node[is_leaf].tolist(),
        target_ids=tree[is_leaf].tolist(),
        target_weights_as_tensor=(node - first[tree])[is_leaf].astype(np.float64),
    )
    return graph.add("Cast", leaf, to=7)  # int64


# ---------------------------------------------------------------- normal quantiles


def _compute_normal_quantile(graph: Graph, share: str) -> str:
    """Return the number below which a share of a normal distribution is."""
    ends = (EDGE - np.spacing(1.0), 1.0 - (EDGE - np.spacing(1.0)))
    share = graph.add("Clip", share, *(graph.constant(np.float64(end)) for end in ends))
    half, one = (graph.constant(np.array([value])) for value in (0.5, 1.0))
    away = graph.add("Sub", share, half)
    square = graph.add("Mul", away, away)
    rest = graph.add("Sub", graph.constant(np.array([CENTRAL**2])), square)
    center = graph.add("Mul", away, _divide_polynomials(graph, rest, CENTER))
    smaller = graph.add("Min", share, graph.add("Sub", one, share))
    root = graph.add("Sqrt", graph.add("Neg", graph.add("Log", smaller)))
    root = graph.add("Sub", root, graph.constant(np.array([1.6])))
    tail = _divide_polynomials(graph, root, TAIL)
    tail = graph.add("Mul", tail, graph.add("Sign", away))
    limit = graph.constant(np.array([CENTRAL]))
    is_central = graph.add("LessOrEqual", graph.add("Abs", away), limit)
    return graph.add("Where", is_central, center, tail)


def _divide_polynomials(graph: Graph, x: str, ratio: tuple[Any, Any]) -> str:
    """Return a ratio of two polynomials, each from its highest coefficient down."""
    values = []
    for highest, *others in ratio:
        value = graph.constant(np.array([highest]))
        for coefficient in others:
            term = graph.add("Mul", value, x)
            value = graph.add("Add", term, graph.constant(np.array([coefficient])))
        values.append(value)
    return graph.add("Div", *values)
