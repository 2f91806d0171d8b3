"""Compute what there is to say about a fitted search."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isnan
from typing import Any

import numpy as np
from scipy.sparse import issparse

from manyminds.datasets import Dataset
from manyminds.reports.data.summary import summarize_target
from manyminds.reports.search.errors import (
    measure_class_errors,
    measure_diversity,
    measure_number_errors,
)
from manyminds.reports.search.map import map_complexity
from manyminds.reports.search.parts import (
    ChainRow,
    HonestFacts,
    ImportantColumn,
    MemberRow,
    SearchDetails,
    SearchSummary,
    SelectedFeature,
    TableFacts,
    TracePoint,
)
from manyminds.utils.hashing import list_versions

MAX_FEATURES = 1_000  # of search.json; selection.csv has all of them


def summarize_search(
    search: Any,
    data: Dataset,
    *,
    target_name: str = "target",
    seed: int = 0,
    seconds: float = 0.0,
    command: str = "",
) -> SearchSummary:
    """Return what a search found: scores, chains, committee, selected columns.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset
    target_name : str, default="target"
        Name of what is predicted.
    seed : int, default=0
        What the search drew from.
    seconds : float, default=0.0
        That it took.
    command : str, default=""
        The command that made it.

    Returns
    -------
    summary : SearchSummary

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.reports import summarize_search
    >>> from manyminds.search import ComplexModelSearchClassifier, default_space
    >>> data = load_dataset("iris")
    >>> space = default_space("classification").only("learner", "discriminant")
    >>> search = ComplexModelSearchClassifier(
    ...     None, n_trials=1, space=space, random_state=0
    ... )
    >>> summary = summarize_search(search.fit(data.X, data.y), data)
    >>> summary.table.n_rows, summary.metric, summary.leaderboard[0].learner
    (150, 'accuracy', 'discriminant')
    """
    honest = search.honest_score_
    rows = search.leaderboard_
    measure = search._measure
    stability = float(search.selection_stability_)
    return SearchSummary(
        table=_tell_table(data, target_name),
        task=data.task,
        metric=search.metric_,
        higher_is_better=measure.show(1.0) > measure.show(0.0),
        n_folds=len(search.folds_),
        seed=seed,
        honest=HonestFacts(
            honest.score,
            honest.low,
            honest.high,
            honest.naive,
            honest.level,
            honest.n_candidates,
            honest.method,
            honest.reason,
        ),
        best=str(rows["pipeline"].iloc[0]),
        members=_list_members(search),
        leaderboard=tuple(_read_chain(row) for row in rows.to_dict(orient="records")),
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
    )


def detail_search(
    search: Any,
    data: Dataset,
    *,
    member_predictions: Sequence[np.ndarray] = (),
    seed: int = 0,
) -> SearchDetails:
    """Measure what a page shows besides: errors, differences of members, hard rows.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset
    member_predictions : sequence of ndarray, default=()
        Out-of-fold predictions of the committee's members, in the order of
        ``search.weights_``; see `read_member_predictions`.
    seed : int, default=0
        Draws the rows that are shown.

    Returns
    -------
    details : SearchDetails
    """
    made, members = search.oof_predictions_, _list_members(search)
    classes = numbers = complexity = diversity = None
    if data.task == "classification":
        codes = np.searchsorted(search.classes_, data.y)
        classes = measure_class_errors(made, codes, search.classes_)
        wrong = made.argmax(axis=1) != codes
        favorites = list(search.selection_["feature"])
        complexity = map_complexity(data, wrong, favorites, seed=seed)
    else:
        codes = np.asarray(data.y, dtype=np.float64)
        numbers = measure_number_errors(made, codes, seed=seed)
    if len(members) > 1 and len(member_predictions) == len(members):
        measure = search._measure
        diversity = measure_diversity(members, member_predictions, made, codes, measure)
    return SearchDetails(_list_trace(search), classes, numbers, diversity, complexity)


def read_member_predictions(search: Any) -> list[np.ndarray]:
    """Read what the members of a committee predicted out of fold.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted with a ``storage``, where predictions are kept.

    Returns
    -------
    predictions : list of ndarray
        In the order of ``search.weights_``; empty without a committee or a storage.
    """
    from manyminds.search.study.prediction_store import open_prediction_store

    if search.storage is None or search.committee_ is None:
        return []
    rows = search.leaderboard_.drop_duplicates("pipeline").set_index("pipeline")[
        "trial"
    ]
    chains = [chain for chain, _ in search.weights_]
    if not all(chain in rows.index for chain in chains):
        return []
    trials = [int(rows[chain]) for chain in chains]
    store = open_prediction_store(str(search.storage), search.study_name)
    try:
        kept = store.read(trials)
    finally:
        store.close()
    if not all(trial in kept for trial in trials):
        return []
    return [kept[trial].predictions for trial in trials]


def _tell_table(data: Dataset, target_name: str) -> TableFacts:
    n_categories = len(data.categorical)
    return TableFacts(
        name=data.name,
        source=data.source,
        fingerprint=data.fingerprint,
        n_rows=data.n_samples,
        n_columns=data.n_features,
        n_numbers=data.n_features - n_categories,
        n_categories=n_categories,
        n_missing=data.n_missing,
        sparse=issparse(data.X),
        target_name=target_name,
        target=summarize_target(data),
    )


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


def _read_chain(row: Mapping[Any, Any]) -> ChainRow:
    return ChainRow(
        rank=int(row["rank"]),
        score=float(row["score"]),
        low=float(row["low"]),
        high=float(row["high"]),
        learner=str(row["learner"]),
        chain=str(row["pipeline"]),
        stage=str(row["stage"]),
        seconds=float(row["seconds"]),
        trial=int(row["trial"]),
    )


def _list_trace(search: Any) -> tuple[TracePoint, ...]:
    """List trials in the order in which they were begun.

    Their order, not their second, is the axis: a search that was resumed counts
    seconds anew.
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
