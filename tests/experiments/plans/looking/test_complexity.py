"""The tables on complexity: protocol, loading, judging, and iris to the decimals."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import Dataset, load_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments import open_store
from manyminds.experiments.judging import judge
from manyminds.experiments.measures import Fold
from manyminds.experiments.plans.looking.complexity import (
    NOT_AT_HAND,
    PARTS,
    REPRODUCTION,
    SETS,
    SINGULAR,
    SMALL,
    TABLES,
)
from manyminds.experiments.plans.looking.complexity_judging import (
    count_successes,
)
from manyminds.experiments.plans.looking.complexity_protocol import (
    CLUSTERERS,
    CLUSTERS,
    SMALLEST,
    Agreements,
    find_errors,
    load_as_in_thesis,
    load_old_iris,
    make_complexity,
    name_configuration,
    name_value,
)
from manyminds.experiments.published import read_printed_rows
from manyminds.experiments.record import Record
from manyminds.experiments.reproducing import reproduce
from manyminds.experiments.splits import WholeData

IMBALANCE, BOUNDARY, SUCCESSES, CLAIMS, IRIS, LOCAL, IDENTITY = PARTS


def test_tables_are_complete():
    for probe, successes in (("imbalance", 137), ("linear boundary", 99)):
        assert len(TABLES[probe].cells) == 34 * 5
        table = "mrca_3_4" if probe == "imbalance" else "mrca_3_5"
        assert sum(int(row["success"]) for row in read_printed_rows(table)) == successes
    counts = [
        int(row["successes"])
        for row in read_printed_rows("mrca_3_2")
        if row["probe"] == "imbalance"
    ]
    assert len(counts) == 125 and max(counts) == 264
    assert np.mean(counts) == pytest.approx(243.2, abs=0.05)
    assert set(SMALL) < set(SETS) and set(NOT_AT_HAND) < set(SETS)


def test_iris_comes_out_as_printed(tmp_path):
    store = open_store(str(tmp_path / "records.sqlite"))
    only_iris = type(REPRODUCTION)(
        *(getattr(REPRODUCTION, name) for name in ("name", "title", "source", "shows")),
        (IRIS,),
        1.0,
        0.1,
    )
    (done,) = reproduce(only_iris, load_dataset, store)
    store.close()
    assert not done.outcome.failed
    assert [cell.verdict for cell in done.verdicts.cells] == ["agrees"] * 10


def test_old_iris_differs_in_three_numbers():
    X, _ = load_iris(return_X_y=True)
    differs = load_old_iris(load_dataset).X.to_numpy() != X
    assert_array_equal(np.argwhere(differs), [[34, 3], [37, 1], [37, 2]])


def test_errors_are_those_of_five_folds_in_order(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(25, 2)), np.repeat([0, 1], [20, 5])
    is_error = find_errors(DecisionTreeClassifier(), X, y, 0)
    # The first fold has the first four rows of class 0 and the first of class 1.
    first = np.r_[0:4, 20]
    rest = np.setdiff1d(np.arange(25), first)
    tree = DecisionTreeClassifier(random_state=0).fit(X[rest], y[rest])
    assert_array_equal(is_error[first], tree.predict(X[first]) != y[first])


def test_agreements_have_all_their_names(seed):
    X, y = load_iris(return_X_y=True)
    data = Dataset("iris", pd.DataFrame(X), y, "classification")
    split = next(WholeData().split(y, True))
    name = name_configuration("imbalance")
    measure = Agreements(((name, make_complexity("imbalance")),), n_seeds=2)
    tree = DecisionTreeClassifier(max_depth=2)
    values = measure(tree, Fold(data, split, seed % 1000))
    for clusterer in CLUSTERERS:
        for s in CLUSTERS:
            for i in range(2):
                r = values[name_value(name, clusterer, s, "r", i)]
                n = values[name_value(name, clusterer, s, "clusters", i)]
                assert -1.0 <= r <= 1.0 and 1 <= n <= s
    assert 0.0 < values["error"] < 0.2
    assert 0.5 < values[f"auc of {name}"] <= 1.0


def values_with(r, n):
    """Values as `Agreements` gives them, with the same r and n everywhere."""
    names = [
        name_configuration(probe, smallest)
        for probe in ("imbalance", "linear boundary")
        for smallest in SMALLEST
    ]
    values = {f"auc of {name}": 0.7 for name in names}
    values["auc of five neighbours"] = 0.8
    for name in names:
        for clusterer in CLUSTERERS:
            for s in CLUSTERS:
                for i in range(2):
                    values[name_value(name, clusterer, s, "r", i)] = r
                    values[name_value(name, clusterer, s, "clusters", i)] = float(n)
    return values


def record(dataset, values):
    return Record(dataset, dataset, "Random Forest", 0, 0, values)


def test_judging_of_cells_and_vacuous_ones():
    records = [record("iris", values_with(0.9, 3)), record("glass", values_with(1, 2))]
    verdicts = judge(IMBALANCE, records, quick=True)
    cells = {(cell.dataset, cell.method): cell for cell in verdicts.cells}
    assert cells["iris", "s=5"].mean == pytest.approx(81.0)
    assert cells["iris", "s=5"].verdict == "agrees"  # 80.20 in print
    assert cells["iris", "s=3"].verdict == "differs"  # 90.33
    assert "few errors" in cells["iris", "s=3"].why
    assert "says nothing" in cells["glass", "s=2"].why
    assert cells["zoo", "s=2"].verdict == "not run"
    remarks = {column.method: column.remark for column in verdicts.columns}
    assert "2 in print, 2.0 here, 1.0 over three" in remarks["s=4"]


def test_successes_and_claims():
    found = {"a": values_with(0.9, 3), "b": values_with(0.9, 2)}
    name = name_configuration("imbalance")
    assert count_successes(found, name, "manual") == (10.0, 5.0, 10)
    records = [record(name, values) for name, values in found.items()]
    counts = judge(SUCCESSES, records, quick=True)
    assert len(counts.cells) == 10
    assert {cell.mean for cell in counts.cells} == {100.0}
    assert "50.0 % if two clusters" in counts.cells[0].why
    claims = judge(CLAIMS, records, quick=True)
    assert [cell.verdict for cell in claims.cells] == ["differs"] * 3  # all are equal
    assert "0.700" in claims.columns[0].remark
    nothing = judge(CLAIMS, [], quick=True)
    assert {cell.verdict for cell in nothing.cells} == {"not run"}


def test_parts_that_judge_the_same_fits_have_the_same_measure():
    plans = [part.outline() for part in (IMBALANCE, BOUNDARY, SUCCESSES, CLAIMS)]
    names = {tuple(name for name, _ in plan.measure.complexities) for plan in plans}
    assert len(names) == 1 and len(plans[0]) == 34
    assert len(LOCAL.outline()) == len(IDENTITY.outline()) == len(SMALL)


def test_sets_without_an_inverse_are_known(shared_data):
    find, singular = DataFolder(shared_data).load, set()
    for name in set(SETS) - set(NOT_AT_HAND):
        data = load_as_in_thesis(find, name)
        X = data.X.to_numpy()
        assert not np.isnan(X).any()
        scale = X.std(axis=0)
        Z = (X - X.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
        values = np.linalg.eigvalsh(Z.T @ Z)
        if values[0] < 1e-10 * values[-1]:
            singular.add(name)
        assert name not in SMALL or len(X) <= 1000
    assert singular == set(SINGULAR)
