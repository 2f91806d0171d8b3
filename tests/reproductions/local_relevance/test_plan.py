"""The tables on local relevance: tables, plans, loading, claims."""

import numpy as np
import pytest

from manyminds.datasets.folder import DataFolder
from manyminds.experiments.record import Record
from manyminds.feature_selection.embedded.forest_gain_test import ForestGainTestSelector
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.local_relevance.plan import (
    BASE_ERROR,
    DESCRIBED,
    DIVERSITY,
    ERROR,
    REPRODUCTION,
    SETS,
    _load,
    _make_models,
)
from manyminds.reproductions.protocols.rogers_2007 import ThesisForest


def test_sets_have_the_shapes_of_the_thesis(shared_data):
    find = DataFolder(shared_data).load
    shapes = {name: _load(find, name).X.shape for name in SETS}
    assert shapes == {
        "breast-w": (683, 9),
        "sonar": (208, 60),
        "vote": (435, 16),
        "diabetes": (768, 8),
        "ionosphere": (351, 34),
        "friedman": (20_000, 10),
        "simple": (30_000, 9),
    }


def test_tables_are_complete():
    assert len(ERROR.table.cells) == 7 * 6
    for part in (BASE_ERROR, DIVERSITY):
        assert len(part.table.cells) == 7 * 3
        assert {method for _, method in part.table.cells} == set(DESCRIBED)
    printed = ERROR.table.cells["diabetes", "RF LOCAL"]
    assert printed.mean == 0.2283
    assert printed.std == pytest.approx(np.sqrt(0.0020), abs=1e-4)
    assert ERROR.table.cells["ionosphere", "RF HT + RF LOCAL"].mean == 0.0575
    assert DIVERSITY.table.cells["vote", "RF LOCAL"].mean == 0.6475
    assert BASE_ERROR.table.cells["simple", "DIVBOOST W2"].mean == 0.1123
    assert {method for _, method in ERROR.table.cells} == set(_make_models(1))


def test_quick_and_full_outlines():
    assert len(ERROR.outline(quick=True)) == 3 * 6 * 3
    assert len(ERROR.outline()) == 7 * 6 * 100
    assert len(DIVERSITY.outline()) == 7 * 3 * 100
    names = [part.name for part in REPRODUCTION.parts]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("part", [ERROR, BASE_ERROR], ids=lambda part: part.name)
@pytest.mark.parametrize(("gain", "verdict"), [(0.1, "holds"), (0.0, "does not hold")])
def test_a_method_without_gain_is_not_called_better(part, gain, verdict):
    records = [
        Record(
            f"{dataset} {method} {repeat}",
            dataset,
            method,
            repeat,
            0,
            {"error": error, "base_error": error, "q": 0.1},
        )
        for dataset in SETS
        for repeat in range(100)
        for method, lower in (("RF", 0), ("RF LOCAL", 1))
        if (error := 0.2 - gain * lower + 0.001 * (repeat % 7))
    ]
    (claim,) = judge(part, records).claims
    assert claim.verdict == verdict and claim.effect == pytest.approx(gain)
    n_lower = 7 if gain else 0
    assert f"positive on {n_lower} of 7 data sets" in claim.remark


def test_literal_settings():
    # A node whose feature is constant is a leaf in all forests of the thesis.
    models = _make_models(5)
    local, both = models["RF LOCAL"], models["RF HT + RF LOCAL"]
    assert isinstance(local.estimator, ThesisForest) and not local.redraw_constant
    assert isinstance(both.selector, ForestGainTestSelector)
    assert both.selector.gamma == 0.025 and both.selector.on_constant == "leaf"
    assert models["RF DYN INT"].exponent == 3.0
