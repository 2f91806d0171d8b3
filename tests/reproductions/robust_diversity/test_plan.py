"""The tables on robust diversity: protocol, loading, judging, and orderings."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.datasets.generators import make_friedman_classes
from manyminds.ensemble.rotations.random_rotation import (
    RandomRotationClassifier,
)
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.rogers_2007 import (
    EnsembleMeasures,
)
from manyminds.reproductions.robust_diversity.plan import (
    CHEAPER_FEATURES,
    ERROR,
    ERROR_CLAIMS,
    REPRODUCTION,
    SETS,
    _load,
    _make_models,
)


def test_sets_have_the_shapes_of_the_thesis(shared_data):
    find = DataFolder(shared_data).load
    shapes = {name: _load(find, name).X.shape for name in SETS}
    assert shapes == {
        "breast-w": (683, 9),
        "sonar": (208, 60),
        "vote": (435, 16),
        "diabetes": (768, 8),
        "ionosphere": (351, 34),
        "friedman": (8000, 10),
    }
    assert not _load(find, "vote").X.isna().any(axis=None)


def test_tables_are_complete():
    for part in REPRODUCTION.parts[:3]:
        cells = part.table.cells
        assert len(cells) == 48
        assert {dataset for dataset, _ in cells} == set(SETS)
    printed = ERROR.table.cells["diabetes", "DIVBOOST W1"]
    assert printed.mean == 0.2383
    assert printed.std == pytest.approx(np.sqrt(0.0023), abs=1e-4)
    named = {name for pair in ERROR_CLAIMS.values() for name in pair}
    assert named <= set(_make_models("full", 1))


def record(dataset, method, repeat, error):
    key = f"{dataset} {method} {repeat}"
    values = {"error": error, "base_error": 0.2, "q": 0.1}
    return Record(key, dataset, method, repeat, 0, values)


def judge_divboost(gain):
    """Judge where DIVBOOST W1 is better than AdaBoost by so much, give or take 0.01."""
    records = [
        record(name, method, repeat, 0.2 - gain * lower + 0.01 * (-1) ** (k + repeat))
        for k, name in enumerate(SETS)
        for method, lower in (("AdaBoost", 0), ("DIVBOOST W1", 1), ("Bagging", 0))
        for repeat in range(40)
    ]
    return {claim.text: claim for claim in judge(ERROR, records).claims}


@pytest.mark.parametrize(("gain", "verdict"), [(0.1, "holds"), (0.0, "does not hold")])
def test_a_method_without_gain_is_not_called_better(gain, verdict):
    claims = judge_divboost(gain)
    claim = claims["DIVBOOST W1 has a lower error than AdaBoost"]
    assert claim.verdict == verdict
    assert claim.n == 6 and claim.effect == pytest.approx(gain)
    noisy = claims[
        "DIVBOOST W1 has a lower error than AdaBoost on diabetes, which is noisy"
    ]
    assert noisy.verdict == verdict and noisy.n == 40
    # Nothing is recorded of the others.
    assert not any("Rotation" in text for text in claims)


def test_another_price_of_features_is_not_counted():
    found = judge(CHEAPER_FEATURES, [record("sonar", "Bagging", 0, 0.2)])
    assert all(cell.apart for cell in found.cells) and not found.claims


def test_quick_and_full_outlines():
    assert len(ERROR.outline(quick=True)) == 3 * 8 * 3
    assert len(ERROR.outline()) == 6 * 8 * 40
    assert len(CHEAPER_FEATURES.outline()) == 6 * 5 * 20


def measure(model, seed, n_draws=4):
    """Mean error, members' error and Q over a few samples, on many new rows."""
    found = []
    for i in range(n_draws):
        X, y = make_friedman_classes(180, random_state=seed + i)
        X_new, y_new = make_friedman_classes(1000, random_state=seed + 1000 + i)
        frame = pd.DataFrame(np.r_[X, X_new])
        data = Dataset("friedman", frame, np.r_[y, y_new], "classification")
        split = Split(0, 0, np.arange(180), np.arange(180, 1180))
        fitted = model.set_params(random_state=i)
        found.append(EnsembleMeasures()(fitted, Fold(data, split, i)))
    return {name: np.mean([one[name] for one in found]) for name in found[0]}


@pytest.mark.slow
def test_orderings_of_the_thesis_on_friedman(seed):
    # Spec items 6 and 7, on the set that needs no file; the plan has the others. In 14
    # sets of four samples Q was 0.50 to 0.69 for bagging and at most 0.38 for the other
    # two; errors of members differed by 0.015 or more, errors of ensembles by 0.025.
    models = _make_models("full", 30)
    names = ("Bagging", "Random Subspace", "Random Forest", "DIVBOOST W1")
    bagging, subspace, forest, div = (measure(models[name], seed) for name in names)
    assert bagging["q"] > subspace["q"] and bagging["q"] > forest["q"]
    assert bagging["base_error"] < subspace["base_error"] < forest["base_error"]
    assert div["q"] < bagging["q"]
    assert div["error"] < bagging["error"]


def test_rotation_in_the_plan_is_literal():
    models = _make_models("index", 5)
    rotation = models["Random Rotation"]
    assert isinstance(rotation, RandomRotationClassifier)
    assert rotation.scale is None and rotation.estimator.feature_cost == "index"
