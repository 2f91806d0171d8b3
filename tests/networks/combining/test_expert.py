"""A hidden class: names of states, supervised limit, independence of labels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.mixture import GaussianMixture

from manyminds.networks import BayesianNetworkClassifier, ExpertNetworkClassifier


def draw(seed, n_samples=200):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    X = rng.normal(size=(n_samples, 3)) + 4.0 * y[:, None]
    X[:, 2] *= -1.0
    return X, y


def test_anchor_names_the_states(seed):
    X, y = draw(seed)
    for anchor, sign in ((0, 1), (2, -1)):
        model = ExpertNetworkClassifier(
            [(0, 1)], anchor_feature=anchor, anchor_sign=sign, random_state=seed
        )
        assert model.fit(X).score(X, y) > 0.97
        swapped = ExpertNetworkClassifier(
            [(0, 1)], anchor_feature=anchor, anchor_sign=-sign, random_state=seed
        )
        assert swapped.fit(X).score(X, y) < 0.03


def test_labels_name_the_states_and_nothing_else(seed):
    X, y = draw(seed)
    model = ExpertNetworkClassifier(random_state=seed)
    names = np.where(y == 1, "a", "b")
    one = model.fit(X, names).predict_proba(X)
    assert model.score(X, names) > 0.97
    flipped = names.copy()
    flipped[:20] = np.where(names[:20] == "a", "b", "a")
    assert_allclose(model.fit(X, flipped).predict_proba(X), one)


def test_supervised_is_the_plain_network(seed):
    X, y = draw(seed)
    one = ExpertNetworkClassifier([(0, 1)], supervised=True).fit(X, y)
    two = BayesianNetworkClassifier([(0, 1)]).fit(X, y)
    assert_allclose(one.predict_proba(X), two.predict_proba(X))
    with pytest.raises(ValueError, match="requires y"):
        ExpertNetworkClassifier(supervised=True).fit(X)


def test_without_arcs_it_is_a_mixture(seed):
    X, _ = draw(seed)
    ours = ExpertNetworkClassifier(
        anchor_feature=0, prior_count=0.0, tol=1e-9, random_state=seed
    ).fit(X)
    theirs = GaussianMixture(
        2, covariance_type="diag", tol=1e-9, max_iter=500, n_init=3, random_state=seed
    ).fit(X)
    assert_allclose(ours.score_samples(X).mean(), theirs.score(X), atol=1e-4)


def test_unknown_anchor_is_named():
    X, _ = draw(0)
    with pytest.raises(ValueError, match="anchor_feature has 'x'"):
        ExpertNetworkClassifier(anchor_feature="x").fit(X)
