"""A wrapper's scores are cross-validations of the learner on base set and feature."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from manyminds.feature_selection.committees.wrapper import WrapperSelector


def table(seed):
    return make_classification(60, 7, n_informative=3, random_state=seed % 2**31)


@pytest.mark.slow
@pytest.mark.parametrize("base", [[], [2], [5, 0]])
def test_equals_naive_twin(seed, base):
    X, y = table(seed)
    others = [f for f in range(7) if f not in base]
    scores = {
        f: cross_val_score(GaussianNB(), X[:, [*base, f]], y, cv=5).mean()
        for f in others
    }
    wrapper = WrapperSelector(
        GaussianNB(), base_features=base, n_features_to_select=4
    ).fit(X, y)
    assert_allclose(wrapper.scores_[others], list(scores.values()))
    best = sorted(others, key=lambda f: -scores[f])[: 4 - len(base)]
    assert_array_equal(wrapper.get_support(indices=True), sorted([*base, *best]))
    assert_array_equal(wrapper.ranking_[base], 1)
    assert_array_equal(np.argsort(wrapper.ranking_[others])[0], others.index(best[0]))


def test_base_score(seed):
    X, y = table(seed)
    wrapper = WrapperSelector(GaussianNB(), base_features=[1, 3]).fit(X, y)
    alone = cross_val_score(GaussianNB(), X[:, [1, 3]], y, cv=5).mean()
    assert_allclose(wrapper.base_score_, alone)
    # With no feature, the learner could do no better than to name one class.
    y = np.repeat([0, 1], [45, 15])
    assert_allclose(WrapperSelector(GaussianNB()).fit(X, y).base_score_, 0.75)


def test_only_features_that_improve_enough():
    # Feature 0 is fully informative; feature 1 is not, nor does 2, which is constant.
    y = np.tile([0, 1], 20)
    X = np.column_stack([y, np.repeat([0, 1], 20), np.ones(40)]).astype(float)
    folds = StratifiedKFold(4)
    wrapper = WrapperSelector(
        KNeighborsClassifier(), n_features_to_select=None, min_improvement=0.2, cv=folds
    ).fit(X, y)
    assert_array_equal(wrapper.get_support(), [True, False, False])
    assert wrapper.scores_[0] == 1.0 and wrapper.base_score_ == 0.5
    wrapper.set_params(base_features=[0]).fit(X, y)  # nothing is left to improve
    assert_array_equal(wrapper.get_support(), [True, False, False])


def test_base_set_is_kept_and_counted(seed):
    X, y = table(seed)
    for n, expected in ((1, 2), (2, 2), (3, 3), (0.5, 3)):
        wrapper = WrapperSelector(
            GaussianNB(), base_features=[0, 6], n_features_to_select=n
        ).fit(X, y)
        assert wrapper.get_support().sum() == expected
        assert wrapper.get_support()[[0, 6]].all()


@pytest.mark.slow
def test_base_set_by_name_position_or_mask(seed):
    X, y = table(seed)
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    mask = np.isin(np.arange(7), [1, 4])
    scores = [
        WrapperSelector(GaussianNB(), base_features=base).fit(frame, y).scores_
        for base in (["b", "e"], [1, 4], mask)
    ]
    assert_array_equal(scores[0], scores[1])
    assert_array_equal(scores[0], scores[2])
    for wrong in (["z"], [7], [-1], np.ones(3, dtype=bool)):
        with pytest.raises(ValueError, match="base_features must have positions"):
            WrapperSelector(GaussianNB(), base_features=wrong).fit(frame, y)


def test_numbers_and_scores_of_ones_own(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    y = 3 * X[:, 2] + rng.normal(size=60) * 0.1
    folds, metric = KFold(3), "neg_mean_absolute_error"
    wrapper = WrapperSelector(Ridge(), cv=folds, scoring=metric, n_features_to_select=1)
    assert_array_equal(wrapper.fit(X, y).get_support(indices=True), [2])
    one = cross_val_score(Ridge(), X[:, [0]], y, cv=folds, scoring=metric).mean()
    assert_allclose(wrapper.scores_[0], one)
    neighbors = WrapperSelector(n_features_to_select=1).fit(X, y)  # by default
    assert_array_equal(neighbors.get_support(indices=True), [2])


@pytest.mark.slow
def test_n_jobs_and_kinds_of_tables_do_not_matter(seed):
    X, y = table(seed)
    wrapper = WrapperSelector(ExtraTreesClassifier(3), random_state=seed % 2**31)
    scores = [
        wrapper.set_params(n_jobs=n).fit(data, y).scores_
        for n, data in ((1, X), (2, X), (1, csr_matrix(X)), (1, pd.DataFrame(X)))
    ]
    for others in scores[1:]:
        assert_array_equal(others, scores[0])


def test_polars_frames(seed):
    polars = pytest.importorskip("polars")
    X, y = table(seed)
    frame = polars.DataFrame(X, schema=list("abcdefg"))
    wrapper = WrapperSelector(GaussianNB(), base_features=["c"])
    plain = WrapperSelector(GaussianNB(), base_features=[2])
    assert_array_equal(wrapper.fit(frame, y).scores_, plain.fit(X, y).scores_)
