"""The tables on forest relevance: tables, plans, loading, claims."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.datasets.generators import make_simple
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split
from manyminds.reproductions.forest_relevance.plan import (
    COUNTS,
    ERROR,
    LEVELS,
    MADELON_COUNTS,
    MADELON_ERROR,
    NOISE_ERROR,
    NOISE_NODES,
    REAL,
    REPRODUCTION,
    SETS,
    _load,
    _make_models,
    _make_noisy_models,
)
from manyminds.reproductions.forest_relevance.protocol import (
    ForestMeasures,
)
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.rogers_2007 import (
    SIMPLE_ROWS,
    make_simple_population,
)


def make_fold(seed, n_rows=270, n_new=1000):
    X, y = make_simple(n_rows + n_new, random_state=seed)
    data = Dataset("simple", pd.DataFrame(X), y, "classification")
    rows = Split(0, 0, np.arange(n_rows), np.arange(n_rows, n_rows + n_new))
    return Fold(data, rows, 0)


def test_noise_raises_error_and_swells_trees(seed):
    # Acceptance item 7, on a set that needs no file; the plan has the five others. In
    # 24 draws the error rose by 0.07 or more, trees grew by 29 nodes or more.
    error, nodes = np.zeros(2), np.zeros(2)
    for i in range(2):
        fold = make_fold(seed + i)
        for k, model in enumerate(_make_noisy_models().values()):
            values = ForestMeasures()(model.set_params(random_state=i), fold)
            error[k] += values["error"]
            nodes[k] += values["n_nodes"]
    assert error[1] > error[0]
    assert nodes[1] > nodes[0]


def test_tables_are_complete():
    assert {dataset for dataset, _ in ERROR.table.cells} == set(SETS)
    assert len(ERROR.table.cells) == 7 * 8
    assert {method for _, method in ERROR.table.cells} == set(_make_models())
    assert len(COUNTS.table.cells) == 7 * 4
    assert COUNTS.table.cells["sonar", "RF HT"].mean == 40.47
    for part in (NOISE_ERROR, NOISE_NODES):
        assert {dataset for dataset, _ in part.table.cells} == set(REAL)
        assert len(part.table.cells) == 10
    printed = ERROR.table.cells["simple", "CI WS"]
    assert (printed.mean, printed.std) == (0.0387, pytest.approx(0.0010**0.5, abs=1e-4))
    levels = [f"{level:g}" for level in LEVELS]
    assert [method for _, method in MADELON_COUNTS.table.cells] == levels


def test_quick_and_full_outlines():
    assert len(ERROR.outline()) == 7 * 8 * 100
    assert len(ERROR.outline(quick=True)) == 2 * 8 * 3
    assert len(NOISE_ERROR.outline()) == 5 * 2 * 100
    assert len(MADELON_ERROR.outline()) == 7 * 3
    for part in REPRODUCTION.parts:
        assert len(part.outline(quick=True)) > 0


def records_of(part, values):
    """Return each place of a part all its folds, with what ``values`` says of it."""
    plan = part.outline()
    return [
        Record(f"{source.name} {method.name} {i}", source.name, method.name, i, 0, one)
        for source in plan.datasets
        for method in plan.methods
        for i in range(len(plan.splits))
        if (one := dict(values(source.name, method.name)))
    ]


@pytest.mark.parametrize(("rise", "verdict"), [(0.03, "holds"), (0, "does not hold")])
def test_noise_without_effect_is_told(rise, verdict):
    def values(name, method):
        return {"error": 0.1 + rise * (method == "30 noise features")}

    (claim,) = judge(NOISE_ERROR, records_of(NOISE_ERROR, values)).claims
    assert claim.verdict == verdict and claim.n == 5


def test_counts_that_the_unit_was_fitted_to_are_not_counted():
    found = judge(MADELON_COUNTS, [])
    assert all("chosen so" in cell.apart for cell in found.cells)
    assert "agrees or is undecided" in MADELON_ERROR.rule


def test_a_strict_test_is_judged_over_runs():
    def values(name, method):
        return {"error": 0.18 if method == "1e-09" else 0.38}

    (claim,) = judge(MADELON_ERROR, records_of(MADELON_ERROR, values)).claims
    assert claim.verdict == "holds" and claim.n == 3
    assert judge(MADELON_ERROR, []).claims == ()


def test_simple_is_drawn_as_in_the_thesis():
    data = make_simple_population(2 * SIMPLE_ROWS)
    assert data.X.shape == (600, 9)
    assert 0.4 < np.mean(data.y) < 0.6


def test_sets_have_the_shapes_of_the_thesis(shared_data):
    find = DataFolder(shared_data).load
    shapes = {name: _load(find, name).X.shape for name in (*SETS, "madelon")}
    assert shapes == {
        "breast-w": (683, 9),
        "diabetes": (768, 8),
        "sonar": (208, 60),
        "ionosphere": (351, 34),
        "vote": (435, 16),
        "friedman": (20_000, 10),
        "simple": (30_000, 9),
        "madelon": (2600, 500),
    }
