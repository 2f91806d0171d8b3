"""Classification by a network: the acceptance list's item 3."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from manyminds.networks import BayesianNetworkClassifier, NaiveBayesClassifier


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_item_3_without_arcs_it_is_gaussian_naive_bayes(load):
    X, y = load(return_X_y=True)
    ours = BayesianNetworkClassifier([], prior_count=0.0, var_smoothing=0.0).fit(X, y)
    theirs = GaussianNB(var_smoothing=0.0).fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)


def test_with_all_arcs_it_is_quadratic_discriminant_analysis():
    X, y = load_iris(return_X_y=True)
    arcs = [(u, v) for v in range(4) for u in range(v)]
    ours = BayesianNetworkClassifier(arcs, prior_count=0.0, var_smoothing=0.0).fit(X, y)
    theirs = QuadraticDiscriminantAnalysis().fit(X, y)
    # Theirs divides by one row less.
    agree = ours.predict(X) == theirs.predict(X)
    assert agree.mean() > 0.98
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=0.1)


def test_missing_columns_are_summed_out():
    # Column 3 has no children: without it, the classifier is that of the others.
    X, y = load_iris(return_X_y=True)
    arcs = [(0, 1), (2, 3)]
    model = BayesianNetworkClassifier(arcs).fit(X, y)
    less = BayesianNetworkClassifier([(0, 1)]).fit(X[:, :3], y)
    rows = X.copy()
    rows[:, 3] = np.nan
    assert_allclose(model.predict_proba(rows), less.predict_proba(X[:, :3]), atol=1e-9)


def test_missing_training_values_run_em(seed):
    X, y = load_iris(return_X_y=True)
    holes = X.copy()
    holes[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    model = BayesianNetworkClassifier([(2, 3)]).fit(holes, y)
    assert len(model.log_likelihoods_) > 1
    assert model.score(X, y) > 0.93


def test_learned_class_arcs_leave_noise_out(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=300)
    X = np.column_stack([y + 0.5 * rng.normal(size=300), rng.normal(size=(300, 2))])
    model = BayesianNetworkClassifier([], class_arcs="learned").fit(X, y)
    assert model.parents_[0] == (3,)
    # BIC takes a noise column for informative in less than 2 % of draws.
    assert sum(parents == (3,) for parents in model.parents_[1:3]) <= 1


def test_categories_have_tables(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(200, 3)).astype(float)
    y = ((X[:, 0] + rng.integers(2, size=200)) % 2).astype(int)
    every = [0, 1, 2]
    model = BayesianNetworkClassifier([], categorical_features=every).fit(X, y)
    naive = NaiveBayesClassifier(smoothing=3.0, categorical_features=every).fit(X, y)
    ratio = model.predict_proba(X) / naive.predict_proba(X)
    assert np.abs(np.log(ratio)).max() < 0.05  # they differ in the class prior only
    assert model.score_samples(X).shape == (200,)
