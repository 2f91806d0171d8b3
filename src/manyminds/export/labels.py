"""Learners of many labels, and their committees: a score for each label."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from manyminds.ensemble import (
    BinaryRelevanceClassifier,
    ClassifierChain,
    EnsembleOfChainsClassifier,
    MLkNNClassifier,
    MultiLabelForestClassifier,
    RAkELClassifier,
)
from manyminds.ensemble.multilabel.label_powerset import DIGITS
from manyminds.export.graph import ExportError, Graph
from manyminds.export.learners import convert_learner, place_classes
from manyminds.export.neighbors import convert_label_neighbors
from manyminds.export.table import Table, refuse_rotated
from manyminds.export.trees import (
    average_leaves,
    average_trees,
    find_leaves,
    read_codes,
    replace_sets,
)
from manyminds.search.choice.label_committee import LabelCommittee
from manyminds.trees import Trees

__all__ = ["choose_labels"]

# Scores of trees and neighbors are ours to the last digit: a score may be the threshold
# itself, and chains decide by the scores of the labels before.


def choose_labels(graph: Graph, model: Any, scores: str) -> str:
    """Return which labels each row has.

    Parameters
    ----------
    graph : Graph
    model : classifier of many labels
        Fitted.
    scores : str
        Its scores.

    Returns
    -------
    labels : str
        Integers of shape (n_rows, n_labels): 0 and 1, or the two values that a column
        of the target has.
    """
    values = np.asarray(model.classes_)
    if values.dtype.kind not in "biuf" or (values != np.rint(values)).any():
        raise ExportError(
            "Labels that are no whole numbers cannot be converted to ONNX; 0 and 1 can."
        )
    while isinstance(model, Pipeline):
        model = model.steps[-1][1]
    threshold = graph.row(getattr(model, "threshold", 0.5), len(values))
    has = graph.add("Greater", scores, threshold)
    no, yes = (graph.constant(one[np.newaxis]) for one in values.astype(np.int64).T)
    return graph.add("Where", has, yes, no)


def _refuse_others(model: Any) -> None:
    """Raise for single labels, and for votes that are no mean of scores."""
    if model._is_flat:
        raise ExportError(
            f"{type(model).__name__} of a target of one dimension cannot be converted "
            "to ONNX; that of several labels can."
        )
    if getattr(model, "voting", "soft") != "soft":
        raise ExportError(
            f"{type(model).__name__} with voting={model.voting!r} cannot be converted "
            'to ONNX; voting="soft" can.'
        )


# ---------------------------------------------------------------- single learners


@convert_learner.register
def _(model: MultiLabelForestClassifier, graph: Graph, table: Table) -> str:
    _refuse_others(model)
    matrix = _read_matrix(model, graph, table)
    return average_trees(graph, matrix, model.trees_, len(table.columns))


@convert_learner.register
def _(model: MLkNNClassifier, graph: Graph, table: Table) -> str:
    _refuse_others(model)
    refuse_rotated(table, model)
    return convert_label_neighbors(model, graph, table)


# ---------------------------------------------------------------- members


@convert_learner.register
def _(model: BinaryRelevanceClassifier, graph: Graph, table: Table) -> str:
    _refuse_others(model)
    members = model._relevance.members
    if isinstance(members[0], Trees):
        forests = _join(members)
        leaf = _find_member_leaves(model, graph, table, forests)
        return _average_members(graph, leaf, forests, len(members))
    parts = []
    for member in members:
        made = convert_learner(member, graph, table)
        made = place_classes(graph, made, member.classes_, np.arange(2))
        parts.append(graph.take_columns(made, [1]))
    return graph.add("Concat", *parts, axis=1)


@convert_learner.register
def _(model: RAkELClassifier, graph: Graph, table: Table) -> str:
    _refuse_others(model)
    members = model._members
    _require_trees(model, [one.member for one in members])
    # Sets of labels differ in number, and so do the values of leaves.
    joined = Trees.concatenate(
        [replace(one.member, value=one.member.value[:, :1]) for one in members]
    )
    leaf = _find_member_leaves(model, graph, table, joined)
    columns: list[list[int]] = [[] for _ in range(model.n_labels_)]
    parts, first, n_columns = [], 0, 0
    for labels, one in zip(model.labelsets_, members, strict=True):
        last = first + one.member.n_trees
        some = graph.take_columns(leaf, range(first, last))
        parts.append(_score_sets(graph, some, one))
        for k, label in enumerate(labels):
            columns[label].append(n_columns + k)
        first, n_columns = last, n_columns + len(labels)
    votes = graph.add("Concat", *parts, axis=1)
    return _average_columns(graph, votes, n_columns, columns)


def _score_sets(graph: Graph, leaf: str, powerset: Any) -> str:
    """Return the sums of the probabilities of the sets that have a label."""
    mean = average_leaves(graph, leaf, powerset.member)
    mean = graph.add("Squeeze", mean, graph.constant(np.array([1])))
    n_labels = powerset.sets.shape[1]
    sums = graph.multiply(mean, powerset.sets)
    # Else onnxruntime fuses this product and that with one factor, as float32.
    sums = graph.take_columns(sums, range(n_labels))
    unit = graph.row(10.0**DIGITS, n_labels)
    rounded = graph.add("Round", graph.add("Mul", sums, unit))
    rounded = graph.add("Div", rounded, unit)
    return graph.add("Min", rounded, graph.row(1.0, n_labels))


def _average_columns(
    graph: Graph, matrix: str, n_columns: int, columns: Sequence[Sequence[int]]
) -> str:
    """Return means of some columns of a matrix, for each label; 0 of none."""
    n_most = max(map(len, columns))
    # The column after all others is zero.
    padded = [[*places, *[n_columns] * (n_most - len(places))] for places in columns]
    first = graph.take_columns(matrix, [0])
    zero = graph.add("Sub", first, first)
    matrix = graph.add("Concat", matrix, zero, axis=1)
    total = graph.sum_in_order(graph.take_columns(matrix, padded), 2)
    counts = [max(1, len(places)) for places in columns]
    return graph.add("Div", total, graph.row(counts, len(columns)))


# ---------------------------------------------------------------- chains


@convert_learner.register(ClassifierChain)
@convert_learner.register(EnsembleOfChainsClassifier)
def _(model: Any, graph: Graph, table: Table) -> str:
    """Run all chains side by side: a step for each place in the order."""
    _refuse_others(model)
    is_single = isinstance(model, ClassifierChain)
    chains = [model._chain] if is_single else model._members
    _require_trees(model, [one for chain in chains for one in chain.members])
    n_labels, n_chains = model.n_labels_, len(chains)
    forests = [_join([one.members[k] for one in chains]) for k in range(n_labels)]
    matrix, forests = _prepare(model, graph, table, forests, n_chains)
    scores = []
    for k, forest in enumerate(forests):
        leaf = find_leaves(graph, matrix, forest)
        scores.append(_average_members(graph, leaf, forest, n_chains))
        if k < n_labels - 1:
            is_more = graph.add("Greater", scores[-1], graph.row(0.5, n_chains))
            has = graph.add("Cast", is_more, to=11)  # double
            matrix = graph.add("Concat", matrix, has, axis=1)
    place = np.argsort([one.order for one in chains], axis=1)  # of labels in chains
    columns = place.T * n_chains + np.arange(n_chains)
    made = graph.add("Concat", *scores, axis=1)
    return _average_columns(graph, made, n_labels * n_chains, columns.tolist())


def _prepare(
    model: Any, graph: Graph, table: Table, forests: list[Trees], n_chains: int
) -> tuple[str, list[Trees]]:
    """Return the matrix of the first step, and trees that read those of all steps.

    The trees of chain ``c`` read the label in place ``k`` of its order from column
    ``k * n_chains + c`` after those of the table.
    """
    n_columns = len(table.columns)
    joined = Trees.concatenate(forests)
    place = joined.feature - n_columns  # of a label in the order
    matrix = _read_matrix(model, graph, table)
    matrix, joined, n_wide = replace_sets(graph, matrix, joined, n_columns)
    n_trees = forests[0].n_trees // n_chains
    tree = np.repeat(np.arange(joined.n_trees), joined.node_counts)
    chain = tree // n_trees % n_chains
    feature = np.where(place >= 0, n_wide + place * n_chains + chain, joined.feature)
    joined = replace(joined, feature=feature.astype(np.int32))
    steps = np.arange(joined.n_trees).reshape(len(forests), -1)
    return matrix, [joined.select(step) for step in steps]


# ---------------------------------------------------------------- trees of members


def _require_trees(model: Any, members: Sequence[Any]) -> None:
    for member in members:
        if not isinstance(member, Trees):
            raise ExportError(
                f"{type(model).__name__} of {type(member).__name__} cannot be "
                "converted to ONNX; that of trees and forests of manyminds can."
            )


def _join(members: Sequence[Trees]) -> Trees:
    """Return the trees of members of two classes, with shares of the second one."""
    return Trees.concatenate(
        [replace(one, value=np.ascontiguousarray(one.value[:, 1:])) for one in members]
    )


def _read_matrix(model: Any, graph: Graph, table: Table) -> str:
    refuse_rotated(table, model)
    return read_codes(graph, table, model)


def _find_member_leaves(model: Any, graph: Graph, table: Table, trees: Trees) -> str:
    matrix = _read_matrix(model, graph, table)
    matrix, trees, _ = replace_sets(graph, matrix, trees, len(table.columns))
    return find_leaves(graph, matrix, trees)


def _average_members(graph: Graph, leaf: str, trees: Trees, n_members: int) -> str:
    """Return the mean share of the second class in each forest: (n_rows, n_members)."""
    mean = average_leaves(graph, leaf, trees, n_members)
    return graph.add("Squeeze", mean, graph.constant(np.array([2])))


# ---------------------------------------------------------------- committees


@convert_learner.register
def _(model: LabelCommittee, graph: Graph, table: Table) -> str:
    parts, n_labels = [], len(model.classes_)
    members = zip(model.estimators_, model.weights, model.thresholds, strict=True)
    for one, weight, threshold in members:
        made = _center(graph, convert_learner(one, graph, table), threshold, n_labels)
        parts.append(graph.add("Mul", made, graph.row(weight, n_labels)))
    return graph.total(parts)


def _center(graph: Graph, scores: str, threshold: Any, n_labels: int) -> str:
    """Stretch scores so that thresholds are at 0.5; see `center_thresholds`."""
    threshold = np.broadcast_to(np.asarray(threshold, dtype=np.float64), n_labels)
    place, half = graph.row(threshold, n_labels), graph.row(0.5, n_labels)
    is_zero = threshold == 0.0
    below = graph.add("Div", scores, graph.row(2.0 * threshold + is_zero, n_labels))
    below = graph.add("Mul", below, graph.row(~is_zero, n_labels))
    below = graph.add("Min", below, half)
    rest = graph.row(2.0 * (1.0 - threshold), n_labels)
    above = graph.add("Div", graph.add("Sub", scores, place), rest)
    above = graph.add("Add", half, above)
    above = graph.add("Max", above, graph.row(np.nextafter(0.5, 1.0), n_labels))
    return graph.add("Where", graph.add("Greater", scores, place), above, below)
