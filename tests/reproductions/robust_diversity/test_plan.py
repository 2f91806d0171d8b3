"""The tables on robust diversity: protocol, loading, judging, and orderings."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

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
    ThesisForest,
    Trials,
    code_votes,
    drop_incomplete,
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
from manyminds.reproductions.robust_diversity.protocol import SubspaceMember
from manyminds.trees.mdl_tree import MDLTreeClassifier


def test_trials_of_tables_and_of_populations():
    small = list(Trials(3, 0.1).split(np.zeros(208), True))
    assert [len(trial.test) for trial in small] == [21, 21, 21]
    for trial in small:
        rows = np.sort(np.r_[trial.train, trial.test])
        assert_array_equal(rows, np.arange(208))
    one, other = list(Trials(2).split(np.zeros(4000), True))
    assert len(one.train) == 180 and len(one.test) == 20
    assert len(np.intersect1d(one.train, other.train)) < 60
    assert len(Trials(7)) == 7


def test_worked_example_of_the_measures():
    # Three members on four rows; the first two agree in all, the third is their mirror.
    class Fixed:
        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.array([1, 1, 1, 0])

        def predict_all(self, X):
            return np.array([[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1]])

    X = pd.DataFrame({"x": np.arange(8.0)})
    data = Dataset("toy", X, np.ones(8, dtype=int), "classification")
    split = next(Trials(1, 0.5).split(data.y, True))
    values = EnsembleMeasures()(Fixed(), Fold(data, split, 0))
    assert values["error"] == 0.25
    assert_allclose(values["base_error"], (1 + 1 + 3) / 12)
    assert_allclose(values["q"], (1 - 1 - 1) / 3)


def test_votes_are_coded_and_gaps_dropped():
    X = pd.DataFrame({"bill": pd.Categorical(["y", "n", None])})
    data = Dataset("vote", X, np.array(["a", "b", "a"], dtype=object), "classification")
    assert_array_equal(code_votes(data).X["bill"], [1.0, -1.0, 0.0])
    assert drop_incomplete(data).n_samples == 2


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


def test_a_constant_feature_makes_a_leaf():
    # One feature of two is constant: half of the roots draw it and stay leaves.
    X = np.c_[np.arange(40.0), np.zeros(40)]
    y = (X[:, 0] > 19).astype(int)
    forest = ThesisForest(200, random_state=0).fit(X, y)
    share = np.mean(forest.trees_.node_counts == 1)
    assert 0.35 < share < 0.65
    votes = forest.predict_all(X).mean(axis=0)
    assert_allclose(forest.predict_proba(X)[:, 1], votes)


def test_subspace_members_see_half_of_the_features(seed):
    X, y = make_friedman_classes(100, random_state=seed)
    member = SubspaceMember(MDLTreeClassifier(), random_state=seed).fit(X, y)
    assert len(np.unique(member.features_)) == 5
    assert_array_equal(
        member.predict(X), member.estimator_.predict(X[:, member.features_])
    )


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
