"""Summarize a fitted search."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isnan
from typing import Any

import numpy as np
from scipy.sparse import issparse

from manyminds.analysis import CoverageEstimate, measure_coverage
from manyminds.datasets import Dataset
from manyminds.reports.search.complexity_map import map_complexity
from manyminds.reports.search.decisions import find_one_class, list_class_weights
from manyminds.reports.search.prediction_errors import (
    measure_class_errors,
    measure_diversity,
    measure_label_errors,
    measure_number_errors,
)
from manyminds.reports.search.summary_types import (
    ImportantColumn,
    LabelRow,
    MemberRow,
    PipelineRow,
    SearchDetails,
    SearchedTable,
    SearchSummary,
    SelectedFeature,
    TracePoint,
)
from manyminds.reports.shared.table import summarize_target
from manyminds.search.choice.class_weights import decide_by
from manyminds.search.choice.importance import MAX_COLUMNS
from manyminds.search.evaluation.folds import list_tested, place_tests
from manyminds.search.study.prediction_store import open_prediction_store
from manyminds.utils.hashing import list_versions

MAX_FEATURES = 1_000  # in search.json; selection.csv has all of them


def summarize_search(
    search: Any,
    data: Dataset,
    *,
    seed: int = 0,
    seconds: float = 0.0,
    command: str = "",
    row_columns: Mapping[str, str] | None = None,
) -> SearchSummary:
    """Summarize a search: scores, pipelines, committee, selected columns.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset
    seed : int, default=0
        Random seed of the search.
    seconds : float, default=0.0
        Time of the search.
    command : str, default=""
        The command that ran it.
    row_columns : mapping of str to str, default=None
        Columns of "group", "time", "fold" and "weight", where there are any.

    Returns
    -------
    summary : SearchSummary

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.reports import summarize_search
    >>> from manyminds.search import ComplexModelSearchClassifier, default_space
    >>> data = load_dataset("iris")
    >>> space = default_space("classification").only("learner", "lda")
    >>> search = ComplexModelSearchClassifier(
    ...     None, n_trials=1, space=space, random_state=0
    ... )
    >>> summary = summarize_search(search.fit(data.X, data.y), data)
    >>> summary.table.n_rows, summary.metric, summary.leaderboard[0].learner
    (150, 'accuracy', 'lda')
    """
    rows = search.leaderboard_
    measure = search._measure
    stability = float(search.selection_stability_)
    labels: tuple[LabelRow, ...] = ()
    measures: dict[str, float] = {}
    tested = list_tested(search.folds_)
    if data.task == "multilabel":
        labels, measures, _ = measure_label_errors(
            search.oof_predictions_[tested],
            data.y.to_numpy()[tested],
            list(data.y.columns),
        )
    return SearchSummary(
        table=_summarize_table(data),
        task=data.task,
        metric=search.metric_,
        higher_is_better=measure.show(1.0) > measure.show(0.0),
        n_folds=len(search.folds_),
        seed=seed,
        honest=search.honest_score_,
        best=name_best(search),
        members=_list_members(search),
        leaderboard=tuple(_read_row(row) for row in rows.to_dict(orient="records")),
        n_trials=len(search.trace_),
        outcomes={
            str(state): int(n)
            for state, n in search.trace_["state"].value_counts().items()
        },
        selection=_list_selection(search),
        n_selected=len(search.selection_),
        n_always=int((search.selection_["frequency"] == 1.0).sum()),
        n_selectable=_count_selectable(search, data),
        stability=None if isnan(stability) else stability,
        importance=tuple(
            ImportantColumn(*row) for row in search.importance_.itertuples(index=False)
        ),
        seconds=float(seconds),
        command=command,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=list_versions(),
        labels=labels,
        measures=measures,
        coverage=_measure_coverage(search, data, seed),
        n_tested=len(tested),
        class_weights=list_class_weights(search),
        one_class=find_one_class(search, data),
        importance_note=_explain_no_importance(search, data),
        **(row_columns or {}),
    )


def detail_search(
    search: Any,
    data: Dataset,
    *,
    member_predictions: Sequence[np.ndarray] = (),
    seed: int = 0,
) -> SearchDetails:
    """Compute what only the page shows: errors, diversity and complexity.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset
    member_predictions : sequence of ndarray, default=()
        Out-of-fold predictions of the committee's members, in the order of
        ``search.weights_``; see `read_member_predictions`.
    seed : int, default=0
        Seed of the sample of rows that is shown.

    Returns
    -------
    details : SearchDetails
    """
    tested, members = list_tested(search.folds_), _list_members(search)
    predictions = search.oof_predictions_[tested]
    classes = numbers = complexity = diversity = cardinalities = None
    if data.task == "classification":
        codes = np.searchsorted(search.classes_, data.y[tested])
        weights = search.class_weights_
        classes = measure_class_errors(predictions, codes, search.classes_, weights)
        predictions = decide_by(predictions, weights)
        wrong = predictions.argmax(axis=1) != codes
        favorites = list(search.selection_["feature"])
        complexity = map_complexity(data, wrong, favorites, rows=tested, seed=seed)
    elif data.task == "multilabel":
        labels, names = data.y.to_numpy(), list(data.y.columns)
        codes = labels[tested]
        cardinalities = measure_label_errors(predictions, codes, names)[2]
        placed = place_tests(search.folds_)
        member_predictions = [
            search._measure.adapt(one, labels, placed) for one in member_predictions
        ]
    else:
        codes = np.asarray(data.y, dtype=np.float64)[tested]
        numbers = measure_number_errors(predictions, codes, rows=tested, seed=seed)
    if len(members) > 1 and len(member_predictions) == len(members):
        measure = search._measure
        diversity = measure_diversity(
            members, member_predictions, predictions, codes, measure
        )
    return SearchDetails(
        _list_trace(search), classes, numbers, diversity, complexity, cardinalities
    )


def read_member_predictions(search: Any) -> list[np.ndarray]:
    """Read the out-of-fold predictions of a committee's members.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted with a ``storage``, where predictions are stored.

    Returns
    -------
    predictions : list of ndarray
        Of the rows that were tested, in the order of ``search.weights_``; empty without
        a committee or a storage.
    """
    if search.storage is None or search.committee_ is None:
        return []
    board = search.leaderboard_.drop_duplicates("pipeline")
    rows = board.set_index("pipeline")["trial"]
    pipelines = [pipeline for pipeline, _ in search.weights_]
    if not all(pipeline in rows.index for pipeline in pipelines):
        return []
    trials = [int(rows[pipeline]) for pipeline in pipelines]
    store = open_prediction_store(str(search.storage), search.study_name)
    try:
        stored = store.read(trials)
    finally:
        store.close()
    if not all(trial in stored for trial in trials):
        return []
    return [stored[trial].predictions for trial in trials]


def _measure_coverage(
    search: Any, data: Dataset, seed: int
) -> tuple[CoverageEstimate, ...]:
    """Measure the coverage of intervals or sets on the out-of-fold predictions.

    Weighted as they are calibrated, and of new groups where the search has groups.
    """
    if search.calibration_ is None:
        return ()
    y = np.asarray(data.y)
    if data.task == "classification":
        y = np.searchsorted(search.classes_, y)
    known = search._coverage_rows
    return measure_coverage(search.oof_predictions_, y, random_state=seed, **known)


def _summarize_table(data: Dataset) -> SearchedTable:
    n_categories = len(data.categorical)
    return SearchedTable(
        name=data.name,
        source=data.source,
        fingerprint=data.fingerprint,
        n_rows=data.n_samples,
        n_columns=data.n_features,
        n_numbers=data.n_features - n_categories,
        n_categories=n_categories,
        n_missing=data.n_missing,
        sparse=issparse(data.X),
        target_name=data.target_name,
        target=summarize_target(data),
    )


def name_best(search: Any) -> str:
    """Return the best pipeline; alone, it is the model, also if others are too slow."""
    if search.committee_ is None:
        return str(search.weights_[0][0])
    return str(search.leaderboard_["pipeline"].iloc[0])


def _list_members(search: Any) -> tuple[MemberRow, ...]:
    if search.committee_ is None:
        return ()
    return tuple(MemberRow(str(c), float(weight)) for c, weight in search.weights_)


def _list_selection(search: Any) -> tuple[SelectedFeature, ...]:
    shown = search.selection_.head(MAX_FEATURES)
    return tuple(
        SelectedFeature(str(name), float(share))
        for name, share in zip(shown["feature"], shown["frequency"])
    )


def _count_selectable(search: Any, data: Dataset) -> int | None:
    if issparse(data.X):
        return data.n_features
    known = {str(name) for name in data.X.columns}
    is_column = search.selection_["feature"].astype(str).isin(known)
    return data.n_features if is_column.all() else None


def _explain_no_importance(search: Any, data: Dataset) -> str:
    """Explain why a search has no importance of columns; empty if it has."""
    if len(search.importance_):
        return ""
    if getattr(search, "budget", None) is None:
        reason = "it could not be measured"
    else:
        reason = "no time was left for it"
    if data.n_features > MAX_COLUMNS:
        reason += (
            f", or the model uses more than {MAX_COLUMNS} columns in all folds, of "
            "which single ones hardly matter"
        )
    return f"The importance of columns is unknown: {reason}."


def _read_row(row: Mapping[Any, Any]) -> PipelineRow:
    return PipelineRow(
        rank=int(row["rank"]),
        score=float(row["score"]),
        low=float(row["low"]),
        high=float(row["high"]),
        learner=str(row["learner"]),
        pipeline=str(row["pipeline"]),
        stage=str(row["stage"]),
        seconds=float(row["seconds"]),
        trial=int(row["trial"]),
    )


def _list_trace(search: Any) -> tuple[TracePoint, ...]:
    """List trials in the order in which they started.

    Their number, not their time, is the axis: a resumed search restarts its clock.
    """
    return tuple(
        TracePoint(
            int(row["trial"]),
            str(row["stage"]),
            str(row["state"]),
            float(row["score"]),
            float(row["best"]),
        )
        for row in search.trace_.to_dict(orient="records")
    )
