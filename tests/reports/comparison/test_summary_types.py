"""A summary of a comparison is plain values that can be stored and compared."""

from dataclasses import FrozenInstanceError, replace

import pytest

from manyminds.reports.comparison.summary_types import (
    AgainstBest,
    Cell,
    Failure,
    PairOverDatasets,
)
from manyminds.reports.shared.plain import from_plain, to_plain

CELL = Cell("iris", "rf", 3, 0, 0.9, 0.1, 0.5, 1.0, True, (0.8, 0.9, 1.0))


def test_scores_of_folds_are_not_printed_with_a_cell():
    assert "scores" not in repr(CELL) and "mean=0.9" in repr(CELL)
    assert CELL != replace(CELL, scores=())


@pytest.mark.parametrize(
    "value",
    [
        CELL,
        Cell("iris", "rf", 0, 3, None, None, 0.5, None, False),
        AgainstBest("iris", "rf", "tree", 0.1, 0.02, 0.04, 0.9, 0.1, 0.0, 10),
        PairOverDatasets("rf", "tree", 3, 1, 0, 0.25, 0.25, 0.8, 0.1, 0.1),
        Failure("iris", "rf", 1, 10, "ValueError: no"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_plain_values_give_the_same_object_back(value):
    assert from_plain(type(value), to_plain(value)) == value


def test_results_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        CELL.mean = 1.0
