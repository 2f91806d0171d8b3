"""The tables on fast ensembles of mRMR: formulas, counts, plans."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split, WholeData
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.mrmr_ensembles.plan import (
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


@pytest.mark.parametrize("part", [FORMULAS, ESTIMATE, PLAIN], ids=lambda p: p.name)
def test_what_is_derived_from_the_print_is_not_counted(part):
    assert all(cell.apart for cell in judge(part, []).cells)


def test_outlines():
    assert len(FORMULAS.outline()) == 54 * 2
    assert len(ESTIMATE.outline()) == 36
    assert len(COUNTS.outline()) == 4 * 15
    assert len(PLAIN.outline()) == 4 * 5 * 10
    assert len(STABILITY.outline()) == 9 * 3 * 10
    assert len(INNER.outline()) == 5 * 2 * 10
    assert isinstance(PLAIN.outline().splits, WholeData)
    assert {dataset for dataset, _ in PLAIN.table.cells} == set(N_FEATURES)
