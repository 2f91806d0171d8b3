"""Stability selection counts what selectors find, and chooses by the counts."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, clone
from sklearn.decomposition import PCA
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SelectorMixin,
    VarianceThreshold,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from manyminds.feature_selection.base import rank_scores
from manyminds.feature_selection.stability import (
    nogueira_stability,
    paired_stability,
)
from manyminds.feature_selection.stability.resampling import draw_resamples
from manyminds.feature_selection.stability.stable_selector import StableSelector

WAYS = ["subsample", "bootstrap", "cv", "complementary_pairs"]


def draw(seed, n_samples=80, n_features=8):
    """Draw two classes; the first two features tell them apart, the others do not."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_samples) % 2)
    X = rng.normal(size=(n_samples, n_features))
    X[:, :2] += 1.5 * y[:, None]
    return X, y


@pytest.mark.parametrize("resampling", WAYS)
def test_plain_twin(seed, resampling):
    X, y = draw(seed)
    stable = StableSelector(
        SelectKBest(k=3), n_resamples=6, resampling=resampling, random_state=seed
    ).fit(X, y)
    # The same rows, from the same seed, each with a selector of its own.
    rng = np.random.default_rng(np.random.RandomState(seed).randint(2**31 - 1))
    resamples = draw_resamples(resampling, 6, y, 0.5, rng)
    fitted = [SelectKBest(k=3).fit(X[rows], y[rows]) for rows in resamples]
    masks = np.array([each.get_support() for each in fitted])
    assert_array_equal(stable.selections_, masks)
    assert_allclose(stable.selection_frequencies_, masks.mean(axis=0))
    assert_array_equal(stable.support_, masks.mean(axis=0) >= 0.6)
    assert_array_equal(stable.rankings_, [rank_scores(f.scores_) for f in fitted])
    assert_array_equal(stable.ranking_, rank_scores(masks.mean(axis=0)))
    # Half of the rows, or of the weights of a bootstrap sample, are those of another;
    # of six folds, two resamples of five have four in common; pairs share nothing.
    overlap = 0.8 if resampling == "cv" else 0.5
    estimate = nogueira_stability(masks, overlap=overlap)
    if resampling == "complementary_pairs":
        estimate = paired_stability(masks)
    assert stable.stability_ == estimate.stability
    assert stable.stability_interval_ == (estimate.low, estimate.high)


@pytest.mark.parametrize("resampling", WAYS)
def test_permuted_targets(seed, resampling):
    X, y = draw(seed)
    options = {"n_resamples": 6, "resampling": resampling, "random_state": seed}
    alone = StableSelector(SelectKBest(k=3), **options).fit(X, y)
    assert alone.null_stability_.shape == (0,)
    assert alone.null_frequencies_.shape == (0, 8)
    stable = StableSelector(SelectKBest(k=3), n_permutations=4, **options).fit(X, y)
    # What is found with the target is the same as without permuted ones.
    assert_array_equal(stable.selections_, alone.selections_)
    assert stable.null_stability_.shape == (4,)
    assert_allclose(stable.null_frequencies_.sum(axis=1), 3)
    # 1.5 standard deviations of the features are found with the target alone.
    real, null = stable.selection_frequencies_, stable.null_frequencies_
    assert real[:2].mean() > null[:, :2].mean() + 0.2


def test_permuted_targets_keep_their_classes(seed):
    class Counts(SelectKBest):
        def fit(self, X, y):
            assert_array_equal(np.bincount(y), [3, 12])
            return super().fit(X, y)

    X = np.random.default_rng(seed).normal(size=(30, 4))
    y = np.repeat([0, 1], [6, 24])
    StableSelector(Counts(k=1), n_resamples=4, n_permutations=3).fit(X, y)


def test_nothing_to_permute(seed):
    with pytest.raises(ValueError, match="n_permutations=2 needs a target"):
        StableSelector(VarianceThreshold(), n_permutations=2).fit(draw(seed)[0])


def test_number_of_features_instead_of_a_threshold(seed):
    X, y = draw(seed)
    options = {"n_resamples": 10, "random_state": 0}
    for count, expected in ((3, 3), (0.5, 4), (100, 8)):
        stable = StableSelector(
            SelectKBest(k=2), n_features_to_select=count, **options
        ).fit(X, y)
        assert stable.support_.sum() == expected
        assert_array_equal(stable.support_, stable.ranking_ <= expected)
        assert np.isnan(stable.expected_false_selections_)


@pytest.mark.parametrize(
    ("options", "bound"),
    [
        ({}, 4 / (0.2 * 8)),
        ({"threshold": 0.9}, 4 / (0.8 * 8)),
        ({"resampling": "complementary_pairs"}, 4 / (0.2 * 8)),
        ({"threshold": 0.5}, np.nan),
        ({"sample_share": 0.8}, np.nan),
        ({"resampling": "bootstrap"}, np.nan),
        ({"resampling": "cv"}, np.nan),
    ],
)
def test_bound_is_told_where_it_holds(seed, options, bound):
    X, y = draw(seed)
    stable = StableSelector(SelectKBest(k=2), n_resamples=4, **options).fit(X, y)
    assert_allclose(stable.expected_false_selections_, bound)


def test_pipelines_speak_of_the_columns_of_x(seed):
    X, y = draw(seed)
    options = {"n_resamples": 5, "random_state": 0}
    others = np.arange(8) != 3
    alone = StableSelector(SelectKBest(k=2), **options).fit(X[:, others], y)
    X[:, 3] = 7.0  # leaves with the first step
    steps = VarianceThreshold(), "passthrough", StandardScaler(), SelectKBest(k=2)
    nested = VarianceThreshold(), make_pipeline(SelectKBest(k=2))
    for pipeline in (make_pipeline(*steps), make_pipeline(*nested)):
        piped = StableSelector(pipeline, **options).fit(X, y)
        assert_array_equal(piped.selections_[:, others], alone.selections_)
        assert_array_equal(piped.rankings_[:, others], alone.rankings_)
        assert not piped.selections_[:, 3].any()
        assert np.all(piped.rankings_[:, 3] == 8)  # behind the seven others


@pytest.mark.parametrize(
    ("steps", "error", "says"),
    [
        ((PCA(3), SelectKBest(k=2)), ValueError, "'pca' of the pipeline"),
        ((SelectKBest(k=2), StandardScaler()), TypeError, "no selector"),
    ],
)
def test_pipelines_that_lose_the_columns_are_refused(seed, steps, error, says):
    X, y = draw(seed)
    with pytest.raises(error, match=says):
        StableSelector(make_pipeline(*steps), n_resamples=2).fit(X, y)


def test_selectors_of_many_kinds(seed):
    X, y = draw(seed)
    for selector in (
        None,
        RFE(LogisticRegression(), n_features_to_select=2),
        SelectFromModel(LogisticRegression()),
        make_pipeline(FunctionTransformer(), SelectKBest(k=2)),
    ):
        stable = StableSelector(selector, n_resamples=10, random_state=0).fit(X, y)
        assert set(np.argsort(stable.ranking_)[:2]) == {0, 1}
        assert stable.rankings_.shape == (10, 8)
    unsupervised = StableSelector(VarianceThreshold(), n_resamples=3).fit(X)
    assert unsupervised.support_.all() and not hasattr(unsupervised, "rankings_")
    assert np.isnan(unsupervised.stability_)


def test_numeric_target_and_missing_values(seed):
    X, _ = draw(seed)
    y = X[:, 0] + X[:, 1]
    X = pd.DataFrame(X, columns=list("abcdefgh"))
    X["a"] = X["a"].mask(np.arange(80) % 9 == 0)
    X["h"] = pd.Categorical(np.where(np.arange(80) % 2, "odd", "even"))
    stable = StableSelector(n_resamples=10, random_state=0).fit(X, y)
    assert {"a", "b"} <= set(stable.get_feature_names_out())
    assert list(stable.transform(X).shape) == [80, stable.support_.sum()]


def test_sparse_tables(seed):
    X, y = draw(seed)
    X[np.abs(X) < 0.5] = 0.0
    options = {"n_resamples": 5, "random_state": 0}
    dense = StableSelector(SelectKBest(k=2), **options).fit(X, y)
    sparse = StableSelector(SelectKBest(k=2), **options).fit(csr_array(X), y)
    assert_array_equal(sparse.selections_, dense.selections_)


class WeighedMeans(SelectorMixin, BaseEstimator):
    """Select the columns whose weighted mean is positive."""

    def fit(self, X, y=None, sample_weight=None):
        self.n_features_in_ = X.shape[1]
        self.support_ = np.average(X, axis=0, weights=sample_weight) > 0
        return self

    def _get_support_mask(self):
        return self.support_


def test_weights_are_given_on(seed):
    X = np.array([[1.0, -1.0], [-1.0, 1.0]] * 10)
    weight = np.tile([3.0, 1.0], 10)
    y = np.tile([0, 1], 10)  # each resample has both kinds of rows
    piped = make_pipeline(VarianceThreshold(), WeighedMeans())
    for selector in (WeighedMeans(), piped):
        stable = StableSelector(selector, n_resamples=4, random_state=seed)
        assert_array_equal(stable.fit(X, y, weight).support_, [True, False])
        assert_array_equal(stable.fit(X, y, 1 / weight).support_, [False, True])
    alone = clone(stable).fit(X[:18], y[:18])
    with_zeros = stable.fit(X, y, np.repeat([1.0, 0.0], [18, 2]))
    assert_array_equal(with_zeros.selections_, alone.selections_)
    with pytest.raises(ValueError, match="takes none in fit"):
        StableSelector(SelectKBest(k=1)).fit(X, y, weight)


def test_members_have_seeds_of_their_own(seed):
    class Blind(SelectorMixin, BaseEstimator):
        def __init__(self, random_state=0):
            self.random_state = random_state

        def fit(self, X, y=None):
            self.support_ = np.random.RandomState(self.random_state).rand(30) < 0.5
            return self

        def _get_support_mask(self):
            return self.support_

    X = np.random.default_rng(seed).normal(size=(10, 30))
    selections = StableSelector(Blind(), n_resamples=5).fit(X).selections_
    assert len(np.unique(selections, axis=0)) == 5


def test_wrong_settings_are_refused(seed):
    X, y = draw(seed)
    odd = StableSelector(n_resamples=5, resampling="complementary_pairs")
    with pytest.raises(ValueError, match="n_resamples must be even"):
        odd.fit(X, y)
    with pytest.raises(ValueError, match="n_resamples=81"):
        StableSelector(n_resamples=81, resampling="cv").fit(X, y)
    with pytest.raises(TypeError, match="no get_support"):
        StableSelector(StandardScaler(), n_resamples=2).fit(X, y)
