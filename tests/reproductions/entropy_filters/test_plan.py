"""Counts and errors of FCBF and CFS: protocol, tables, judging."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_selection import VarianceThreshold

from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from manyminds.reproductions.entropy_filters.judging import (
    ALL,
)
from manyminds.reproductions.entropy_filters.plan import (
    ABSENT_SETS,
    COUNTS,
    LUCAS,
    REPRODUCTION,
    THESIS_SETS,
    _load_lucas,
    _load_thesis,
)
from manyminds.reproductions.entropy_filters.protocol import (
    CountSelected,
    FilteredErrors,
    Samples,
    number_columns,
)
from manyminds.reproductions.judging.verdicts import judge


def make_data(seed, n_samples=60):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    X = pd.DataFrame(rng.normal(size=(n_samples, 3)) + np.outer(y, [5, 0, 0]))
    X.columns = ["a", "b", "c"]
    return Dataset("toy", X, y, "classification")


def test_samples_of_tables_and_of_populations():
    small = list(Samples(3).split(np.zeros(200), True))
    assert all(len(one.train) == 200 and len(one.test) == 0 for one in small)
    first, second = Samples(2).split(np.zeros(10_000), True)
    assert len(np.intersect1d(first.train, second.train)) == 0
    assert len(Samples(7)) == 7


def test_counts_and_errors(seed):
    data = make_data(seed)
    split = Split(0, 0, np.arange(40), np.arange(40, 60))
    fold = Fold(data, split, 0)
    assert CountSelected()(FCBFSelector(), fold) == {"n_selected": 1.0}
    values = FilteredErrors(n_members=3)(FCBFSelector(), fold)
    assert set(values) == {"n_selected", "naive_bayes", "tree", "bagging"}
    assert values["naive_bayes"] <= 0.2
    assert FilteredErrors(3)(VarianceThreshold(), fold)["n_selected"] == 3.0


def test_a_filter_that_keeps_nothing_gives_its_best_feature(seed):
    data = make_data(seed)
    fold = Fold(data, Split(0, 0, np.arange(40), np.arange(40, 60)), 0)
    values = FilteredErrors(n_members=3)(FCBFSelector(threshold=1.0), fold)
    assert values["n_selected"] == 1.0
    assert values["naive_bayes"] <= 0.2


def test_tables_are_complete():
    assert len(LUCAS.table.cells) == 14 and len(COUNTS.table.cells) == 7
    assert LUCAS.table.cells["sido", "FCBF"].mean == 23
    assert COUNTS.table.cells["sonar", "CFS"].mean == 14.61
    assert set(LUCAS.absent) == set(ABSENT_SETS)
    assert {dataset for dataset, _ in COUNTS.table.cells} == set(THESIS_SETS)


def test_quick_and_full_outlines():
    for part in REPRODUCTION.parts:
        quick, full = part.outline(quick=True), part.outline()
        assert 0 < len(quick) < len(full)
        assert full.name == part.name


def record(dataset, method, repeat, fold, error):
    values = {"n_selected": 4.0, "naive_bayes": error, "tree": 0.1, "bagging": 0.1}
    return Record(f"{dataset} {method} {fold}", dataset, method, repeat, fold, values)


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [(0.1, "does not hold"), (0.02, "cannot be told"), (0.005, "holds")],
)
def test_losses_are_judged_over_data_sets(loss, verdict):
    # FCBF loses so much, give or take a point; CFS gains one everywhere.
    part, records = REPRODUCTION.parts[2], []
    for k, source in enumerate(part.outline().datasets):
        more = {ALL: 0.0, "FCBF": loss + 0.01 * (-1) ** k, "CFS": -0.01}
        records += [
            record(source.name, method, i // 10, i % 10, 0.3 + add + 0.001 * i)
            for method, add in more.items()
            for i in range(30)
        ]
    verdicts = judge(part, records)
    fcbf, cfs = verdicts.claims
    assert fcbf.verdict == verdict and fcbf.n == 12
    assert fcbf.effect == pytest.approx(2.0 - 100 * loss)
    assert cfs.verdict == "holds" and "mean loss -1.00 points" in cfs.remark
    # Ours beside ours: shown, not counted.
    assert all(cell.apart for cell in verdicts.cells)
    cell = verdicts.cells[0]
    assert "4.0 features kept" in cell.why and part.reference == ALL


def test_other_readings_of_a_printed_count_are_not_counted():
    counted = {
        (cell.dataset, cell.method)
        for cell in judge(LUCAS, []).cells
        if not cell.apart and cell.dataset not in ABSENT_SETS
    }
    assert counted == {("lucas", "FCBF"), ("lucas", "CFS")}


def test_absent_sets_are_told():
    verdicts = judge(LUCAS, [])
    whys = {cell.dataset: cell.why for cell in verdicts.cells}
    assert "could not be loaded" in whys["reged"]


def test_categories_become_numbers():
    X = pd.DataFrame({"a": pd.Categorical(["0", "1", "0"])})
    data = Dataset("toy", X, np.array([0, 1, 0]), "classification")
    assert_array_equal(number_columns(data).X["a"], [0.0, 1.0, 0.0])


def test_sets_have_the_published_shapes(shared_data):
    find = DataFolder(shared_data).load
    assert _load_lucas(find, "lucas").X.shape == (2000, 11)
    shapes = {name: _load_thesis(find, name).X.shape[1] for name in THESIS_SETS}
    assert list(shapes.values()) == [9, 8, 60, 34, 16, 10, 9]


def test_printed_count_of_lucas_is_found(shared_data):
    plan = LUCAS.outline()
    data = _load_lucas(DataFolder(shared_data).load, "lucas")
    split = next(plan.splits.split(data.y, True))
    methods = {method.name: method.estimator for method in plan.methods}
    found = CountSelected()(methods["FCBF"], Fold(data, split, 0))
    assert found["n_selected"] == pytest.approx(LUCAS.table.cells["lucas", "FCBF"].mean)
