"""MMM: the blend of three partitions, and the acceptance list of its paper's table."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import (
    ClasswiseClusterLocalClassifier,
    ClusterLocalClassifier,
    FeatureSliceLocalClassifier,
    PartitionBlendClassifier,
    RandomSubsetLocalClassifier,
    measure_probabilities,
)


def measure(model, X, y):
    return measure_probabilities(y, model.predict_proba(X), model.classes_)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_items_2_and_8_linearity_and_convexity(load):
    X, y = load(return_X_y=True)
    blend = PartitionBlendClassifier(random_state=0).fit(X[::2], y[::2])
    X, y = X[1::2], y[1::2]
    whole = measure(blend, X, y)
    parts = [measure(local, X, y) for local in blend.estimators_]
    mean = {name: np.mean([part[name] for part in parts]) for name in whole}
    assert_allclose(whole["soft"], mean["soft"], rtol=0, atol=1e-15)
    assert whole["brier"] <= mean["brier"] + 1e-15
    assert whole["log_loss"] <= mean["log_loss"] + 1e-12


def test_hard_votes_and_parts():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    soft = PartitionBlendClassifier(random_state=0, n_regions=9, feature="mean area")
    soft.fit(X, y)
    hard = PartitionBlendClassifier(
        random_state=0, n_regions=9, feature="mean area", voting="hard"
    ).fit(X, y)
    votes = soft.predict_all(X)
    assert_allclose(hard.predict_proba(X)[:, 1], votes.mean(axis=0))
    assert_array_equal(hard.predict(X), (votes.sum(axis=0) >= 2).astype(int))
    assert soft.route(X).shape == (len(X), 3)
    assert [c.n_clusters for c in soft.estimators_[1].clusterers_] == [3, 3]
    assert soft.estimators_[2].feature_ == 3
    with pytest.raises(ValueError, match="feature='area' is not a column"):
        PartitionBlendClassifier(feature="area").fit(X, y)


# Table 1 of the paper: soft errors of the single methods, in percent.
TABLE = {
    4: {"CLU": 10.6, "CL2": 13.9, "FEA": 17.1, "RSS": 49.7, "ALL": 49.7},
    9: {"CLU": 12.1, "CL2": 14.3, "FEA": 14.1, "RSS": 49.8, "ALL": 49.8},
}


@pytest.mark.slow
def test_items_5_and_6_toy_table(toy, logistic):
    (X, y), (X_new, y_new) = toy
    soft, hard = {}, {}
    for k, inside in ((4, 2), (9, 3)):
        run = {"prior_correction": "paper-run", "random_state": 0}
        models = {
            "CLU": ClusterLocalClassifier(logistic, k, scale=None, **run),
            "CL2": ClasswiseClusterLocalClassifier(logistic, inside, scale=None, **run),
            "FEA": FeatureSliceLocalClassifier(logistic, k, **run),
            "RSS": RandomSubsetLocalClassifier(logistic, k, **run),
            "ALL": logistic,
        }
        for name, model in models.items():
            found = measure(model.fit(X, y), X_new, y_new)
            soft[k, name], hard[k, name] = 100 * found["soft"], 100 * found["zero_one"]
            assert abs(soft[k, name] - TABLE[k][name]) <= 0.6, (k, name)
        # The hard average of the three, that the paper most likely printed as MMM. Over
        # six training sets it was 10.1 to 10.2 (k = 4) and 10.0 to 10.7 (k = 9).
        average = np.mean([hard[k, name] for name in ("CLU", "CL2", "FEA")])
        assert 10.0 < average < 10.8
        plain = PartitionBlendClassifier(logistic, k, scale=None, random_state=0)
        blend = measure(plain.fit(X, y), X_new, y_new)
        assert 100 * blend["zero_one"] < 13.0
        locals_ = [hard[k, name] for name in ("CLU", "CL2", "FEA")]
        assert max(locals_) < 13.0 and hard[k, "ALL"] > 45.0
    assert soft[9, "FEA"] < soft[4, "FEA"] - 2.0


def test_item_6_bayes_error_of_the_toy(toy):
    centers = np.array([[0.0, 0.0], [4.5, 3.0], [1.0, 3.0], [3.0, 0.1]])
    _, (X, y) = toy
    density = np.exp(-0.5 * ((X[:, None] - centers) ** 2).sum(axis=2))
    wrong = (density[:, :2].sum(axis=1) < density[:, 2:].sum(axis=1)) != (y == 1)
    # 20,000 rows: a standard error of 0.21 points around 9.65.
    assert abs(100 * wrong.mean() - 9.65) < 0.85


def test_correction_that_the_paper_prints_does_harm_on_clusters(toy):
    (X, y), (X_new, y_new) = toy
    error = {}
    for how in ("none", "king-zeng"):
        local = ClusterLocalClassifier(
            LogisticRegression(), prior_correction=how, scale=None, random_state=0
        ).fit(X[::4], y[::4])
        error[how] = 1.0 - local.score(X_new, y_new)
    assert error["none"] < 0.11 and error["king-zeng"] > 0.25
