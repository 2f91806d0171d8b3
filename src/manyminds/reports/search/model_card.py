"""The card of a model: its data, honest score, weak slices, choice and limits."""

from dataclasses import dataclass
from typing import Any

from manyminds.datasets import Dataset
from manyminds.reports.search.sentences import (
    describe_coverage,
    describe_decisions,
    describe_folds,
    describe_honest_score,
    describe_importance,
    describe_model,
    describe_naive_score,
    describe_one_class,
    describe_trials,
)
from manyminds.reports.search.summary_types import SearchSummary
from manyminds.reports.search.weak_slices import Slice, find_weak_slices
from manyminds.reports.shared.formatting import format_number, format_value
from manyminds.utils.text import format_count, printable

__all__ = ["ModelCard", "make_model_card", "render_model_card"]

FEW_ROWS = 200  # below, scores vary much between tables of the same source
LOSSES = {
    "classification": "share of wrong rows",
    "regression": "mean absolute error",
    "multilabel": "share of wrong labels",
}


@dataclass(frozen=True)
class ModelCard:
    """What a user of a model should know of it.

    Parameters
    ----------
    summary : SearchSummary
        Data, scores and pipelines.
    slices : tuple of Slice
        Where the model is worse than elsewhere, out of fold.
    loss : str
        What is compared between slices.
    data, choice, limits : tuple of str
        Sentences on the data, on how the model was chosen, and on what it is not made
        for.
    license : str
        What is known of terms of use.
    onnx : str, default=""
        Whether the model can be exported to ONNX, as a sentence; empty if unknown.
    """

    summary: SearchSummary
    slices: tuple[Slice, ...]
    loss: str
    data: tuple[str, ...]
    choice: tuple[str, ...]
    limits: tuple[str, ...]
    license: str
    onnx: str = ""


def make_model_card(
    search: Any, data: Dataset, summary: SearchSummary, onnx: str = ""
) -> ModelCard:
    """Compute the card of a search's model.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset
    summary : SearchSummary
        See `summarize_search`.
    onnx : str, default=""
        Whether the model can be exported to ONNX, as a sentence; empty if unknown.

    Returns
    -------
    card : ModelCard

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.reports import make_model_card, summarize_search
    >>> from manyminds.search import ComplexModelSearchClassifier, default_space
    >>> data = load_dataset("iris")
    >>> space = default_space("classification").only("learner", "lda")
    >>> search = ComplexModelSearchClassifier(
    ...     None, n_trials=1, space=space, random_state=0
    ... ).fit(data.X, data.y)
    >>> card = make_model_card(search, data, summarize_search(search, data))
    >>> card.data[0]
    'iris: 150 rows, 4 columns (4 numeric, 0 categorical), 0.0% of the cells missing.'
    """
    return ModelCard(
        summary=summary,
        slices=find_weak_slices(search, data),
        loss=LOSSES[summary.task],
        data=_describe_data(summary, data),
        choice=_describe_choice(summary),
        limits=_describe_limits(summary),
        license=_describe_license(summary),
        onnx=onnx,
    )


def render_model_card(card: ModelCard) -> str:
    """Render a card as Markdown.

    Parameters
    ----------
    card : ModelCard
        See `make_model_card`.

    Returns
    -------
    text : str
    """
    summary = card.summary
    coverage = [one for one in (describe_coverage(summary),) if one]
    score = [describe_honest_score(summary), describe_naive_score(summary), *coverage]
    versions = ", ".join(f"{name} {one}" for name, one in summary.versions.items())
    sections = {
        "Data": _list(card.data),
        "Score on new rows": _list(score),
        "Where it is worse": describe_slices(card),
        "How it was chosen": _list(card.choice),
        "Export": _list([card.onnx]),
        "Limits": _list(card.limits),
        "License": card.license,
        "Made by": _list(
            [f"`{summary.command}`" if summary.command else "", summary.date, versions]
        ),
    }
    head = f"# Model of {summary.table.target_name} ({summary.table.name})"
    shown = [(title, text) for title, text in sections.items() if text]
    parts = [head, *(f"## {title}\n\n{text}" for title, text in shown)]
    return printable("\n\n".join(parts), keep="\n\t") + "\n"


def describe_slices(card: ModelCard) -> str:
    """Describe the weak slices as a table of Markdown, or say that there are none."""
    if not card.slices:
        return (
            "No quarter of a numeric column, level, missing value or class is "
            "significantly worse than the other rows."
        )
    lines = [f"| rows | number | {card.loss} | elsewhere |", "|---|---:|---:|---:|"]
    for one in card.slices:
        condition = printable(one.condition).replace("|", "\\|")
        values = f"{format_value(one.loss)} | {format_value(one.elsewhere)}"
        lines.append(f"| {condition} | {one.n_rows:,} | {values} |")
    return "\n".join(lines)


def _list(sentences: Any) -> str:
    return "\n".join(f"- {one}" for one in sentences if one)


def _describe_data(summary: SearchSummary, data: Dataset) -> tuple[str, ...]:
    table = summary.table
    n_cells = max(1, table.n_rows * table.n_columns)
    size = (
        f"{table.name}: {table.n_rows:,} rows, "
        f"{format_count(table.n_columns, 'column')} "
        f"({table.n_numbers:,} numeric, {table.n_categories:,} categorical), "
        f"{table.n_missing / n_cells:.1%} of the cells missing."
    )
    source = f"Source: {table.source}." if table.source else "Source: not stated."
    note = f"Note: {data.note}" if data.note else ""
    mark = f"Fingerprint of the content: {table.fingerprint}."
    return tuple(
        one for one in (size, _describe_target(summary), source, note, mark) if one
    )


def _describe_target(summary: SearchSummary) -> str:
    target, name = summary.table.target, summary.table.target_name
    if target.quantiles:
        values = target.quantiles.items()
        shown = ", ".join(f"{name} {format_number(value)}" for name, value in values)
        return f"Target {name}, a number: {shown}."
    counts = list(target.counts.items())
    kind = "labels" if summary.task == "multilabel" else "classes"
    return (
        f"Target {name}, {len(counts)} {kind}: {counts[0][0]} has {counts[0][1]:,} "
        f"rows, {counts[-1][0]} has {counts[-1][1]:,}."
    )


def _describe_choice(summary: SearchSummary) -> tuple[str, ...]:
    members = tuple(
        f"Member with {one.weight:.1%} of the vote: {one.pipeline}"
        for one in summary.members
    )
    return (
        f"{describe_model(summary)}.",
        *members,
        f"By {summary.metric} in {describe_folds(summary)}. {describe_trials(summary)}",
        describe_decisions(summary),
        describe_importance(summary),
    )


def _describe_limits(summary: SearchSummary) -> tuple[str, ...]:
    limits = [
        "The score holds for rows drawn as these were. Of rows from another time, "
        "place or way of measuring, it says nothing; `manyminds predict` marks rows "
        "unlike those of training.",
    ]
    if one_class := describe_one_class(summary):
        limits.insert(0, one_class)
    if summary.table.n_categories:
        limits.append("Categories unseen in training are read as missing values.")
    if not (summary.group or summary.time or summary.fold):
        limits.append(
            "Rows were assumed independent: no column of groups or times was named."
        )
    if summary.table.n_rows < FEW_ROWS:
        limits.append(
            f"There are only {summary.table.n_rows:,} rows: the interval is wide, and "
            "slices are too small to be compared."
        )
    if summary.honest.reason:
        limits.append(f"There is no honest score: {summary.honest.reason}.")
    limits.append("What it predicts is not what causes the target.")
    return tuple(limits)


def _describe_license(summary: SearchSummary) -> str:
    origin = summary.table.source or "their owner"
    return (
        "No license of the model is stated. Terms of the training data may extend to "
        f"it (data from: {origin}); manyminds itself is under BSD-3-Clause."
    )
