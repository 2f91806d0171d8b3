"""The common rule: cells, columns, reasons, and what is missing."""

import numpy as np
import pytest

from manyminds.experiments import (
    CrossValidation,
    DataSource,
    Plan,
    Record,
)
from manyminds.reproductions.judging.measurements import (
    measure_cells,
)
from manyminds.reproductions.judging.verdicts import (
    judge,
    judge_pairs,
)
from manyminds.reproductions.published import (
    Part,
    PublishedTable,
    PublishedValue,
    Tolerance,
)
from manyminds.trees import DecisionTreeClassifier

METHODS = ("tree", "stump")


def make_plan(find, quick):
    return Plan(
        "toy (quick)" if quick else "toy",
        [DataSource(name, lambda name=name: find(name)) for name in ("a", "b")],
        {
            "tree": DecisionTreeClassifier(),
            "stump": DecisionTreeClassifier(max_depth=1),
        },
        splits=CrossValidation(2, 1 if quick else 5),
    )


def make_part(cells, limit=None, **options):
    table = PublishedTable("toys", "a paper", "accuracy", cells, scale=100.0)
    tolerance = Tolerance(1.0, "so said", limit=limit)
    return Part("toy", "toys", make_plan, tolerance, table, **options)


def records_of(dataset, method, *accuracies):
    """Two folds to a repetition, in the order of the accuracies."""
    return [
        Record(f"{dataset}{method}{i}", dataset, method, *divmod(i, 2), {"accuracy": a})
        for i, a in enumerate(accuracies)
    ]


def judge_one(published, *accuracies, **options):
    part = make_part({("a", "tree"): PublishedValue(published)}, **options)
    (cell,) = judge(part, records_of("a", "tree", *accuracies)).cells
    return cell


def test_worked_example_of_a_cell():
    # Five repetitions have means 79, 80, 81, 82 and 83: their standard deviation is
    # sqrt(2.5), the mean 81, and three standard errors of a difference of two such
    # means are 3 * sqrt(2.5) * sqrt(2 / 5) = 3. The tolerance is 1, its cap 2.
    means = (79, 80, 81, 82, 83)
    accuracies = [(mean + shift) / 100 for mean in means for shift in (-1, 1)]
    for published, verdict in (
        (82.0, "agrees"),
        (80.0, "agrees"),
        (82.1, "within random variation"),
        (82.9, "within random variation"),
        (83.9, "undecided"),
        (84.1, "differs"),
        (77.9, "differs"),
    ):
        cell = judge_one(published, *accuracies, limit=2.0)
        assert cell.verdict == verdict, published
        assert cell.margin == pytest.approx(3.0)
        assert cell.mean == pytest.approx(81.0)
        assert cell.std == pytest.approx(100 * np.std(accuracies, ddof=1))
        assert cell.difference == pytest.approx(81.0 - published)
        assert cell.n == 10


def test_reasons_are_looked_up_from_the_particular_to_the_general():
    far = [0.5] * 10
    assert judge_one(90.0, *far).why == "no reason known"
    assert judge_one(90.0, *far, notes={"a": "of a"}).why == "of a"
    notes = {"a": "of a", ("a", "tree"): "of both", "b": "of b"}
    assert judge_one(90.0, *far, notes=notes).why == "of both"
    assert judge_one(50.2, *far, notes=notes).why == ""


def test_few_repetitions_do_not_excuse_a_difference():
    part = make_part({("a", "tree"): PublishedValue(90.0)})
    near = judge(part, records_of("a", "tree", 0.9, 0.9), quick=True)
    far = judge(part, records_of("a", "tree", 0.7, 0.7), quick=True)
    assert near.cells[0].verdict == "agrees"
    assert far.cells[0].verdict == "undecided"
    assert far.quick and "quick" in far.overall


def test_what_is_not_there_is_told():
    cells = {(d, m): PublishedValue(80.0, 2.0) for d in ("a", "b") for m in METHODS}
    records = records_of("a", "tree", 0.8, 0.8)
    failed = Record("k", "a", "stump", 0, 0, error="ValueError: no")
    found = judge(make_part(cells), [*records, failed], missing={"b": "long story"})
    why = {(cell.dataset, cell.method): cell.why for cell in found.cells}
    assert {cell.verdict for cell in found.cells} == {"not run"}
    assert why["a", "tree"] == "2 of 10 folds are recorded"
    assert why["a", "stump"] == "1 of 10 folds failed: ValueError: no"
    assert why["b", "tree"] == "the data set was not found"
    assert found.n_run == 0 and found.cells[0].reference_std == 2.0

    absent = judge(make_part(cells, absent={"b": "lost"}), [])
    assert [cell.why for cell in absent.cells[2:]] == ["lost", "lost"]
    assert absent.cells[0].why == "no folds are recorded"


def test_columns_count_and_average():
    cells = {(d, "tree"): PublishedValue(80.0) for d in ("a", "b")}
    records = records_of("a", "tree", *[0.83] * 10) + records_of(
        "b", "tree", *[0.8] * 10
    )
    found = judge(make_part(cells), records)
    (column,) = found.columns
    assert column.mean_difference == pytest.approx(1.5)
    assert column.counts["differs"] == column.counts["agrees"] == 1
    assert found.overall == "2 cells: agrees 1, differs 1."


def test_records_of_other_places_and_printed_cells_of_other_methods_are_left_aside():
    cells = {("a", "tree"): PublishedValue(80.0), ("a", "svm"): PublishedValue(81.0)}
    records = records_of("a", "tree", *[0.8] * 10) + records_of(
        "c", "tree", *[0.1] * 10
    )
    found = judge(make_part(cells), records)
    assert [(cell.dataset, cell.method) for cell in found.cells] == [("a", "tree")]
    measured = measure_cells(make_plan(None, False), records, "accuracy")
    assert list(measured) == [(d, m) for d in ("a", "b") for m in METHODS]


def test_part_without_table_and_judge_is_refused():
    part = Part("toy", "toys", make_plan, Tolerance(1.0, "so said"))
    with pytest.raises(ValueError, match="'toy' has neither a table nor a judge"):
        judge(part, [])


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_effects_of_pairs_are_positive_where_the_first_is_better(lower_is_better):
    # On a, trees have 90 and stumps 80; of b there are no stumps.
    records = [
        *records_of("a", "tree", *[0.9] * 10),
        *records_of("a", "stump", *[0.8] * 10),
        *records_of("b", "tree", *[0.9] * 10),
    ]
    (claim,) = judge_pairs(
        make_plan(None, False), records, "accuracy",
        {"trees are better": ("tree", "stump")},
        unit="points", margin=1.0, scale=100.0, lower_is_better=lower_is_better,
    )  # fmt: skip
    sign = -1.0 if lower_is_better else 1.0
    assert claim.effects == (pytest.approx(10.0 * sign),)
    assert (claim.text, claim.margin) == ("trees are better", 1.0)


def test_pairs_without_records_make_no_claim():
    pairs = {"trees are better": ("tree", "stump")}
    plan = make_plan(None, False)
    assert judge_pairs(plan, [], "accuracy", pairs, unit="", margin=1.0) == []


def test_a_part_that_is_no_evidence_is_shown_and_not_counted():
    cells = {("a", "tree"): PublishedValue(80.0)}
    part = make_part(cells, apart="made from the print")
    found = judge(part, records_of("a", "tree", *[0.8] * 10))
    assert found.cells[0].apart == "made from the print"
    assert sum(found.columns[0].counts.values()) == 0
    assert found.overall == "1 cells are shown apart, not counted."
