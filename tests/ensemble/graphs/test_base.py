"""Members of pairs: who is fitted to what, in which order, with which weights."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import DecisionDAGClassifier, MaxWinsClassifier


def table(seed, n_classes=5, n_samples=100):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = 4.0 * rng.normal(size=(n_classes, 3))[y] + rng.normal(size=(n_samples, 3))
    return X, np.array(list("abcdefgh"))[y]


def test_one_member_for_each_pair(seed):
    # Item 6 of the acceptance list, second part.
    X, y = table(seed)
    model = MaxWinsClassifier(DecisionTreeClassifier()).fit(X, y)
    assert len(model.estimators_) == 5 * 4 // 2
    assert model.pairs_.tolist() == [[i, j] for i in range(5) for j in range(i + 1, 5)]
    for pair, member in zip(model.pairs_, model.estimators_):
        assert_array_equal(member.classes_, pair)
        own = np.isin(y, model.classes_[pair])
        assert member.score(X[own], np.searchsorted(model.classes_, y[own])) == 1.0
        assert_array_equal(model._decide(pair, X), member.predict(X) == pair[0])


def test_members_see_the_weights_of_their_samples(seed):
    X, y = table(seed, 3, 60)
    weight = np.random.default_rng(seed).integers(0, 3, size=60)
    model = DecisionDAGClassifier(make_pipeline(StandardScaler(), LogisticRegression()))
    weighted = model.fit(X, y, sample_weight=weight).estimators_
    repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).estimators_
    for one, other in zip(weighted, repeated):
        np.testing.assert_allclose(one[-1].coef_, other[-1].coef_, rtol=1e-3)


def test_weights_that_a_member_cannot_take_are_refused(seed):
    X, y = table(seed)
    model = DecisionDAGClassifier(KNeighborsClassifier())
    assert model.fit(X, y).score(X, y) > 0.8
    with pytest.raises(ValueError, match="takes no sample_weight"):
        model.fit(X, y, sample_weight=np.ones(len(y)))


def test_regressors_are_refused():
    with pytest.raises(ValueError, match="estimator must be a classifier; got Ridge"):
        DecisionDAGClassifier(Ridge()).fit([[0.0], [1.0]], [0, 1])


def test_missing_values_where_the_member_takes_them(seed):
    X, y = table(seed)
    X[::7, 0] = np.nan
    assert DecisionDAGClassifier(DecisionTreeClassifier()).fit(X, y).score(X, y) == 1.0
    with pytest.raises(ValueError, match="NaN"):
        DecisionDAGClassifier().fit(X, y)


@pytest.mark.parametrize("n_classes", [1, 2])
def test_few_classes(seed, n_classes):
    X, y = table(seed, n_classes)
    for model in (DecisionDAGClassifier(), MaxWinsClassifier()):
        model.fit(X, y)
        assert len(model.estimators_) == n_classes - 1
        assert set(model.predict(X)) <= set(y)


def test_members_have_seeds_of_their_own(seed):
    X, y = table(seed)
    tree = DecisionTreeClassifier(splitter="random")
    seeds = {
        member.random_state
        for member in MaxWinsClassifier(tree, random_state=seed).fit(X, y).estimators_
    }
    assert len(seeds) == 10
