"""The tables on fast ensembles of mRMR: formulas, counts, stability, judging."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments.judging import judge
from manyminds.experiments.measures import Fold
from manyminds.experiments.plans.selection.mrmr_ensembles import (
    CLAIMS,
    ESTIMATES,
    PASSES,
    REPRODUCTION,
    SWEPT,
    _load,
)
from manyminds.experiments.plans.selection.mrmr_ensembles_protocol import (
    N_FEATURES,
    ComputeFormula,
    CountPasses,
    Formula,
    PaperMRMR,
    SelectionStability,
    make_row,
)
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split, WholeData
from manyminds.feature_selection.filters.mrmr import MRMRSelector

FORMULAS, ESTIMATE, COUNTS, PLAIN, STABILITY, INNER = REPRODUCTION.parts


def whole(data, seed=0):
    return Fold(data, Split(0, 0, np.arange(len(data.y)), np.arange(0)), seed)


@pytest.mark.parametrize("name", dict.fromkeys(row for row, _ in PASSES))
def test_every_printed_row_follows_from_the_formulas(name):
    fold = whole(make_row(name, SWEPT, ESTIMATES))
    for method in "Fast", "Standard":
        found = ComputeFormula()(Formula(method), fold)["passes"]
        assert found == PASSES[name, method].mean
    found = ComputeFormula()(Formula("Estimated"), fold)["passes"]
    printed = 100.0 * ESTIMATES[name, "Estimated"].mean / PASSES[name, "Standard"].mean
    assert_allclose(found, printed, rtol=0.0025)


@pytest.mark.parametrize("k, e", [(10, 5), (20, 20), (50, 10)])
def test_counts_on_lung_are_those_of_the_paper(shared_data, k, e):
    data = DataFolder(shared_data).load("lung-d")
    found = CountPasses()(PaperMRMR(k, "fast", e), whole(data))["passes"]
    assert found == COUNTS.table.cells["lung-d", f"k={k}, e={e}"].mean


def test_sets_have_the_shapes_of_the_paper(shared_data):
    folder = DataFolder(shared_data)
    assert _load(folder.load, "optdigits").X.shape == (3823, 64)
    for name, n_features in N_FEATURES.items():
        assert folder.index.loc[name, "features"] == n_features


def draw(seed, nominal):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 15)), np.arange(60) % 2
    X[:, :5] += y[:, None]
    if nominal:
        X = 2.0 * (np.digitize(X, [-0.5, 0.5]) - 1.0)
    return Dataset("toy", pd.DataFrame(X), y, "classification")


@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize("ensemble", ["none", "inner", "fast", "bagged"])
def test_shorter_lists_are_those_of_shorter_searches(seed, nominal, ensemble):
    data = draw(seed, nominal)
    X, y = data.X.to_numpy(), data.y
    long = PaperMRMR(8, ensemble, 5, random_state=seed).fit(X, y)
    short = PaperMRMR(3, ensemble, 5, random_state=seed).fit(X, y)
    assert_array_equal(long.list_first(3), short.selector_.selected_)
    measure = "mutual_information" if nominal else "f"
    assert long.selector_.measures_[0] == measure


def test_three_bins_keep_three_levels(seed):
    data = draw(seed, nominal=True)
    X, y = data.X.to_numpy(), data.y
    expected = MRMRSelector(8, relevance="mutual_information", discretise=None)
    assert_array_equal(
        PaperMRMR(8).fit(X, y).list_first(8), expected.fit(X, y).selected_
    )


def test_stability_is_the_mean_jaccard_index_of_all_pairs(seed):
    # Who chooses all features always chooses the same. The five columns that go with
    # the class are not the only ones chosen among eight.
    fold = whole(draw(seed, nominal=False), seed)
    values = SelectionStability((8,))(PaperMRMR(15), fold)
    assert values["k=15"] == values["stability"] == 1.0
    assert 0.2 < values["k=8"] < 1.0


def record(dataset, method, repeat, value):
    key = f"{dataset} {method} {repeat}"
    return Record(key, dataset, method, repeat, 0, {"k=10": value, "k=20": value})


def test_claims_are_tested_over_runs(seed):
    rng = np.random.default_rng(seed)
    records = []
    for repeat in range(2):
        plain = 0.3 + 0.001 * rng.random()
        records += [
            record("lung-d", "Plain", repeat, plain),
            record("lung-d", "Fast", repeat, plain + 0.2),
            record("lung-d", "Bagged", repeat, plain + 0.4 - 1e-6 * repeat),
        ]
    verdicts = judge(STABILITY, records, quick=True)
    found = {(c.dataset, c.method): c for c in verdicts.cells}
    cell = found["lung-d", "Fast against Plain, k=10"]
    assert cell.verdict == "agrees" and cell.reference == 4.1e-7 and cell.mean < 0.05
    assert found["lung-d", "Fast against Bagged, k=20"].verdict == "differs"
    assert found["sonar", "Fast against Plain, k=10"].verdict == "not run"
    assert set(CLAIMS) == {claim for _, claim in found}


def test_outlines():
    assert len(FORMULAS.outline()) == 54 * 2
    assert len(ESTIMATE.outline()) == 36
    assert len(COUNTS.outline()) == 4 * 15
    assert len(PLAIN.outline()) == 4 * 5 * 10
    assert len(STABILITY.outline()) == 9 * 3 * 10
    assert len(INNER.outline()) == 5 * 2 * 10
    assert isinstance(PLAIN.outline().splits, WholeData)
    assert {dataset for dataset, _ in PLAIN.table.cells} == set(N_FEATURES)
