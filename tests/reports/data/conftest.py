"""What tests of reports on data share: a summary, made by hand."""

import pytest

from manyminds.reports.data.summary_types import (
    ClusterSummary,
    ColumnSummary,
    ComplexitySummary,
    DataSummary,
    HardRow,
)
from manyminds.reports.shared.table import TargetSummary


@pytest.fixture
def summary():
    """Return the summary of a table of two classes and three columns."""
    return DataSummary(
        name="cats & dogs",
        source="animals.csv",
        n_rows=80,
        n_columns=3,
        n_missing=24,
        n_duplicates=0,
        target=TargetSummary("classification", {"dog": 60, "cat": 20}, {}),
        columns=(
            ColumnSummary("noise", "number", 0, 80, -1.5, 0.0, 2.0, None, 0.01, ()),
            ColumnSummary("<b>&$x$", "category", 24, 2, None, None, None, "red", None,
                          ("odd",)),
            ColumnSummary("size", "number", 0, 9, 0.0, 4.0, 9.0, None, 0.625, ()),
        ),
        score=0.7,
        complexity=ComplexitySummary(
            0.25,
            {"dog": 0.2, "cat": 0.4},
            (0.5, 1.0),
            (
                ClusterSummary(8, 0.75, (-0.5, 0.0), (-0.75, -0.25), (-0.25, 0.25)),
                ClusterSummary(72, 0.125, (0.5, 1.0), (0.25, 0.75), (0.75, 1.0)),
            ),
            (HardRow(17, "cat", 0.9), HardRow(3, "dog", 0.8)),
            80,
        ),
        notes=("look at it",),
    )  # fmt: skip
