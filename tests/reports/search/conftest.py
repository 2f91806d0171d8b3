"""What tests of search reports share: a summary and its details, made by hand."""

import numpy as np
import pytest

from manyminds.reports.search.prediction_errors import (
    measure_class_errors,
    measure_number_errors,
)
from manyminds.reports.search.summary_types import (
    ComplexityMap,
    ImportantColumn,
    PipelineRow,
    SearchDetails,
    SearchedTable,
    SearchSummary,
    SelectedFeature,
    TracePoint,
)
from manyminds.reports.shared.table import TargetSummary
from manyminds.search import HonestScore


@pytest.fixture
def summary():
    """Return the summary of a search of four trials, two of them complete."""
    target = TargetSummary("classification", {"a": 6, "b": 4}, {})
    table = SearchedTable(
        name="toy", source="toy.csv", n_rows=1_200, n_columns=3, n_missing=0,
        target=target, fingerprint="f", n_numbers=2, n_categories=1, sparse=False,
        target_name="kind",
    )  # fmt: skip
    return SearchSummary(
        table=table,
        task="classification",
        metric="accuracy",
        higher_is_better=True,
        n_folds=2,
        seed=0,
        honest=HonestScore(0.75, 0.5, 0.875, 0.8, 0.95, 2, "bootstrap"),
        best="scaled > logistic",
        members=(),
        leaderboard=(
            PipelineRow(1, 0.8, 0.7, 0.9, "logistic", "scaled > logistic", "x", 1.5, 2),
            PipelineRow(2, 0.7, 0.6, 0.75, "nb", "nb [red]", "x", 0.5, 0),
        ),
        n_trials=4,
        outcomes={"complete": 2, "pruned": 1, "failed": 1},
        selection=(SelectedFeature("size", 1.0), SelectedFeature("hue", 0.5)),
        n_selected=2,
        n_always=1,
        n_selectable=3,
        stability=0.4,
        importance=(
            ImportantColumn("size", 0.2, 0.05),
            ImportantColumn("hue", -0.1, float("nan")),
        ),
        seconds=3.0,
        command="manyminds search toy.csv",
        date="2024-01-01T00:00:00+00:00",
        versions={"manyminds": "1.0"},
    )


@pytest.fixture
def details():
    """Return details of four rows and of four trials."""
    told = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]])
    nan = float("nan")
    return SearchDetails(
        trace=(
            TracePoint(0, "x", "complete", 0.7, 0.7),
            TracePoint(1, "x", "pruned", 0.5, 0.7),
            TracePoint(2, "x", "complete", 0.8, 0.8),
            TracePoint(3, "x", "failed", nan, 0.8),
        ),
        classes=measure_class_errors(
            told, np.array([0, 1, 1, 0]), np.array(["a", "b"])
        ),
        numbers=measure_number_errors(told[:, 0], np.array([1.0, 0.0, 0.5, 0.0])),
        diversity=None,
        complexity=ComplexityMap(
            x=(0.0, 1.0, 2.0),
            y=(1.0, 0.0, 3.0),
            mri=(0.9, 0.1, 0.5),
            wrong=(True, False, False),
            axes=("first", "second"),
            area=1.0,
            note="",
        ),
    )
