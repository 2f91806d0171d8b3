"""Descriptions of experts, comparisons with one model, and their picture."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.naive_bayes import GaussianNB

from manyminds.ensemble import (
    ClusterLocalClassifier,
    HMRPEClassifier,
    MRPEClassifier,
    PartitionBlendClassifier,
    RandomSubsetLocalClassifier,
    compare_with_one_model,
    describe_experts,
    measure_probabilities,
    plot_experts,
)
from manyminds.ensemble.experts.report import make_one_model

matplotlib.use("agg")


def two_rules(seed, n_samples=400):
    """Draw two groups: column a decides in one, column b in the other."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_samples, 3)), columns=["a", "b", "group"])
    right = np.arange(n_samples) % 2 == 1
    X["group"] += np.where(right, 20.0, 0.0)
    y = np.where(np.where(right, X["b"], X["a"]) > 0.0, "yes", "no")
    return X, y


def test_measures_agree_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    q, y = rng.uniform(0.01, 0.99, size=50), rng.integers(2, size=50)
    p = np.column_stack([1 - q, q])
    found = measure_probabilities(y, p, [0, 1])
    assert_allclose(found["soft"], np.abs(y - q).mean())
    assert_allclose(found["zero_one"], np.mean((q > 0.5) != y))
    assert_allclose(found["log_loss"], log_loss(y, q))
    assert_allclose(found["brier"], brier_score_loss(y, q))
    with pytest.raises(ValueError, match="p must have shape"):
        measure_probabilities(y, p[:, :1], [0, 1])
    with pytest.raises(ValueError, match=r"classes \[7\], which p lacks"):
        measure_probabilities([7], [[1.0, 0.0]], [0, 1])


def test_regions_and_top_columns_are_found(seed):
    X, y = two_rules(seed)
    local = ClusterLocalClassifier(n_regions=2, random_state=0)
    local.fit(X.iloc[::3], y[::3])
    rest, truth = X.drop(X.index[::3]), np.delete(y, np.s_[::3])
    one = LogisticRegression().fit(X.iloc[::3], y[::3])
    table = describe_experts(local, rest, truth, one, n_top=1)
    right = int(local.route(rest[rest["group"] > 10.0])[0])
    assert table.loc[right, "top_columns"] == "b"
    assert table.loc[1 - right, "top_columns"] == "a"
    assert table["rows"].sum() == len(rest) and table["share"].sum() == 1.0
    assert (table["zero_one"] < 0.1).all() and (table["one_model"] > 0.1).all()
    for e, row in table.iterrows():
        own = local.route(rest) == e
        assert_allclose(row["zero_one"], 1 - local.score(rest[own], truth[own]))
    ax = plot_experts(local, rest, truth, one)
    assert len(ax.patches) == 2
    assert_allclose([bar.get_height() for bar in ax.patches], table["zero_one"])


@pytest.mark.parametrize("estimator", [None, GaussianNB()])
def test_mixtures_are_described_by_their_gates(estimator):
    X, y = two_rules(0, 100)
    model = HMRPEClassifier(2, estimator=estimator, max_iter=5, random_state=0)
    table = describe_experts(model.fit(X, y), X, y)
    assert len(table) == 4
    assert_allclose(table["rows"], np.bincount(model.route(X), minlength=4))


def test_several_partitions_are_refused():
    X, y = load_breast_cancer(return_X_y=True)
    blend = PartitionBlendClassifier(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="describe one of its estimators_"):
        describe_experts(blend, X, y)


def test_splitting_pays_only_where_rules_differ(seed):
    X, y = two_rules(seed)
    pays = compare_with_one_model(
        ClusterLocalClassifier(n_regions=2, random_state=0), X, y
    )
    assert (pays["low"] > 0.0).all()
    # The null control: random subsets, each with a quarter of the rows, gain nothing.
    control = compare_with_one_model(RandomSubsetLocalClassifier(random_state=0), X, y)
    assert (control["high"] < pays["low"]).all()
    assert control.loc["log_loss", "gain"] < 0.02
    assert_allclose(pays["gain"], pays["one_model"] - pays["local"])


def test_one_model_is_a_single_expert():
    assert make_one_model(HMRPEClassifier()).get_params()["n_modules"] == 1
    static = MRPEClassifier(2, strategy="static", eta=[0.2, 0.8])
    assert make_one_model(static).get_params()["eta"] is None
    assert isinstance(
        make_one_model(MRPEClassifier(estimator=GaussianNB())), GaussianNB
    )
