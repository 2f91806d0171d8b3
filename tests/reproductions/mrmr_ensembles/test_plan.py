"""The tables on fast ensembles of mRMR: formulas, counts, stability, judging."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split, WholeData
from manyminds.reproductions.judging.controls import control
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.mrmr_ensembles.plan import (
    CLAIMS,
    ESTIMATES,
    PASSES,
    REPRODUCTION,
    SWEPT,
    _load,
)
from manyminds.reproductions.mrmr_ensembles.protocol import (
    N_FEATURES,
    ComputeFormula,
    CountPasses,
    Formula,
    PaperMRMR,
    make_row,
)

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


def record(dataset, method, repeat, value):
    key = f"{dataset} {method} {repeat}"
    return Record(key, dataset, method, repeat, 0, {"k=10": value, "k=20": value})


@pytest.mark.parametrize(("gain", "verdict"), [(0.2, "holds"), (0.0, "does not hold")])
def test_stability_is_judged_over_data_sets(gain, verdict):
    records = []
    for k, source in enumerate(STABILITY.outline().datasets):
        for repeat in range(10):
            plain = 0.3 + 0.01 * k + 0.001 * repeat
            found = {"Plain": 0.0, "Fast": gain + 0.001 * (-1) ** k, "Bagged": 0.5}
            records += [
                record(source.name, method, repeat, plain + more)
                for method, more in found.items()
            ]
    verdicts = judge(STABILITY, records)
    claims = {claim.text: claim for claim in verdicts.claims}
    claim = claims["Fast ensembles are more stable than single searches, k=10"]
    assert claim.verdict == verdict and claim.n == 9
    claim = claims["Fast ensembles are more stable than bagging, k=20"]
    assert claim.verdict == "does not hold"
    assert len(claims) == len(CLAIMS)
    # P-values are no cells; what is shown are the stabilities.
    assert all(cell.apart for cell in verdicts.cells)
    cells = {(c.dataset, c.method): c for c in verdicts.cells}
    cell = cells["lung-d", "Fast against Plain, k=10"]
    assert cell.difference == pytest.approx(gain, abs=0.002)
    assert "printed p = 4.1e-07" in cell.why


@pytest.mark.parametrize("part", [FORMULAS, ESTIMATE, PLAIN], ids=lambda p: p.name)
def test_what_is_derived_from_the_print_is_not_counted(part):
    assert all(cell.apart for cell in judge(part, []).cells)


def test_a_count_that_is_off_by_one_differs():
    # Nothing is random here: one run is enough to tell.
    records = [
        Record(
            f"{place}", *place, 0, 0, {"passes": value.mean + (place[0] == "colon-d")}
        )
        for place, value in COUNTS.table.cells.items()
    ]
    found = judge(COUNTS, records)
    verdicts = {(cell.dataset, cell.verdict) for cell in found.cells}
    assert ("colon-d", "differs") in verdicts and ("lung-d", "agrees") in verdicts
    assert not any(verdict == "undecided" for _, verdict in verdicts)
    null = control([(COUNTS, found.cells)])
    assert null.share > 70.0 and null.null_share < 40.0


def test_outlines():
    assert len(FORMULAS.outline()) == 54 * 2
    assert len(ESTIMATE.outline()) == 36
    assert len(COUNTS.outline()) == 4 * 15
    assert len(PLAIN.outline()) == 4 * 5 * 10
    assert len(STABILITY.outline()) == 9 * 3 * 10
    assert len(INNER.outline()) == 5 * 2 * 10
    assert isinstance(PLAIN.outline().splits, WholeData)
    assert {dataset for dataset, _ in PLAIN.table.cells} == set(N_FEATURES)
