"""Measurements: folds, repetitions, and what is missing."""

import pytest
from numpy.testing import assert_allclose

from manyminds.experiments import CrossValidation, DataSource, Plan, Record
from manyminds.reproductions.judging.measurements import (
    Measured,
    list_differences,
    measure_cells,
)
from manyminds.trees import DecisionTreeClassifier


def make_plan(n_splits=2, n_repeats=2):
    return Plan(
        "toy",
        [DataSource(name, lambda: None) for name in ("b", "a")],
        {method: DecisionTreeClassifier() for method in ("tree", "stump")},
        splits=CrossValidation(n_splits, n_repeats),
    )


def make_records(dataset, method, *values):
    """Two folds to a repetition, in the order of the values."""
    return [
        Record(f"{dataset}{method}{i}", dataset, method, *divmod(i, 2), {"error": one})
        for i, one in enumerate(values)
    ]


def test_worked_example_of_measured_folds():
    # Repetitions have means 0.2 and 0.6; the mean is 0.4, and the squares of
    # deviations are 0.09, 0.01, 0.01 and 0.09: their sum over three is 0.2 / 3.
    records = make_records("a", "tree", 0.1, 0.3, 0.5, 0.7)
    found = measure_cells(make_plan(), records[::-1], "error", 100.0)["a", "tree"]
    assert found.n == 4 and found.mean == pytest.approx(40.0)
    assert found.std == pytest.approx(100.0 * (0.2 / 3) ** 0.5)
    assert_allclose(found.repeats, [20.0, 60.0])


def test_places_are_those_of_the_plan_in_its_order():
    records = make_records("c", "tree", 0.1, 0.1, 0.1, 0.1)
    found = measure_cells(make_plan(), records, "error")
    assert list(found) == [(d, m) for d in ("b", "a") for m in ("tree", "stump")]
    assert set(found.values()) == {""}  # nothing is recorded of them


def test_folds_that_are_missing_or_failed_are_counted():
    records = make_records("a", "tree", 0.1, 0.1, 0.1)
    failed = Record("k", "a", "stump", 0, 0, error="ValueError: no")
    good = make_records("a", "stump", 0.1, 0.1, 0.1, 0.1)[1:]
    found = measure_cells(make_plan(), [*records, failed, *good], "error")
    assert found["a", "tree"] == "3 of 4 folds are recorded"
    assert found["a", "stump"] == "1 of 4 folds failed: ValueError: no"


def test_differences_need_both_methods_and_follow_the_plan():
    one = Measured(4, 5.0, 1.0, None)
    found = {
        ("a", "tree"): one,
        ("a", "stump"): Measured(4, 3.0, 1.0, None),
        ("b", "tree"): one,
        ("b", "stump"): "1 of 4 folds failed: ValueError: no",
    }
    plan = make_plan()
    assert list_differences(plan, found, "tree", "stump") == {"a": 2.0}
    found["b", "stump"] = Measured(4, 10.0, 1.0, None)
    ratios = list_differences(plan, found, "tree", "stump", lambda x, y: x / y)
    assert list(ratios.items()) == [("b", 0.5), ("a", pytest.approx(5 / 3))]
