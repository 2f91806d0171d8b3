"""RF LOCAL: draws by relevance, the uniform case, selectors, categories, threads."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from scipy.stats import chisquare
from sklearn.feature_selection import SelectKBest

from manyminds.datasets import make_friedman_classes, make_simple
from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.local.local_gains import make_uniform_forest
from manyminds.ensemble.local.rf_local import (
    RFLocalClassifier,
    _round_gains,
)


def split_shares(trees):
    """Share of each tree's splits that are by each feature."""
    shares = []
    for t in range(trees.n_trees):
        feature = trees.tree(t).feature
        counts = np.bincount(feature[feature >= 0], minlength=trees.n_features)
        shares.append(counts / max(counts.sum(), 1))
    return np.array(shares)


def test_equal_relevance_draws_as_a_plain_forest_does(seed):
    # Acceptance item 3. Roots draw all features alike: a correct build has a chi-square
    # p-value below 1e-6 once in a million runs. Over whole trees, mean shares of the
    # splits differ by chance only: five standard errors for five features.
    X, y = make_friedman_classes(100, n_features=5, random_state=seed)
    forest = make_uniform_forest(n_estimators=500, random_state=seed).fit(X, y)
    model = RFLocalClassifier(500, random_state=seed + 1).fit(X, y)
    trees = model._grow_trees(X, y.astype(np.int64), np.full(X.shape, 0.1))
    roots = np.bincount(trees.feature[trees.starts[:-1]], minlength=5)
    assert chisquare(roots).pvalue > 1e-6
    ours, theirs = split_shares(trees), split_shares(forest.trees_)
    error = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / 500)
    assert (abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 5 * error).all()


def test_features_are_drawn_where_they_are_relevant(seed):
    # Two halves of the space, each with a feature of its own, and the gains say so:
    # below the root, which may draw either, a node never draws the other half's.
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(200, 3))
    side = X[:, 0] > 0.5
    y = np.where(side, X[:, 1] > 0.5, X[:, 2] > 0.5) ^ (rng.uniform(size=200) < 0.2)
    relevance = np.zeros((200, 3))
    relevance[side, 1] = relevance[~side, 2] = 1.0
    model = RFLocalClassifier(20, random_state=seed).fit(X, y)
    trees = model._grow_trees(X, y.astype(np.int64), relevance)
    path = trees.decision_path(X).toarray() > 0
    pure = [path[side].any(axis=0) & ~path[~side].any(axis=0)]
    pure.append(path[~side].any(axis=0) & ~path[side].any(axis=0))
    inner = ~trees.is_leaf
    assert set(trees.feature[inner & pure[0]]) <= {1}
    assert set(trees.feature[inner & pure[1]]) <= {2}


def test_relevance_of_the_first_forest_is_what_draws(seed):
    # Of nine features, two matter; blind draws use them in 2/9 of the splits.
    X, y = make_simple(300, random_state=seed)
    model = RFLocalClassifier(random_state=seed).fit(X, y)
    local, blind = (
        split_shares(trees).mean(axis=0)[:2].sum()
        for trees in (model.trees_, model.forest_.trees_)
    )
    assert blind < 0.35 and local > 1.5 * blind


def test_members_are_better_than_those_of_a_plain_forest(seed):
    # The part of acceptance item 6 that needs no file; the plan has the seven sets.
    X, y = make_simple(300, random_state=seed)
    X_new, y_new = make_simple(1000, random_state=seed + 1)
    model = RFLocalClassifier(random_state=seed).fit(X, y)
    plain = make_uniform_forest(random_state=seed).fit(X, y)
    errors = [np.mean(one.predict_all(X_new) != y_new) for one in (model, plain)]
    assert errors[0] < errors[1] - 0.05


def test_probabilities_are_shares_of_votes(seed):
    X, y = make_simple(100, random_state=seed)
    model = RFLocalClassifier(7, redraw_constant=False, random_state=seed).fit(X, y)
    assert_allclose(model.predict_proba(X)[:, 1], model.predict_all(X).mean(axis=0))


@pytest.mark.slow
def test_a_selector_limits_the_second_forest(seed):
    X, y = make_simple(150, random_state=seed)
    selector = SelectKBest(k=3)
    model = RFLocalClassifier(20, selector=selector, random_state=seed).fit(X, y)
    kept = SelectKBest(k=3).fit(X, y).get_support()
    assert_array_equal(model.support_, kept)
    assert set(np.unique(model.trees_.feature)) - {-1} <= set(np.flatnonzero(kept))
    assert not hasattr(selector, "scores_")
    assert model.trees_.n_features == 9
    # The same trees as on these columns alone, with the same relevances.
    fewer = np.ascontiguousarray(X[:, kept])
    alone = RFLocalClassifier(20, random_state=seed).fit(fewer, y)
    alone._seeds = model._seeds
    relevance = np.random.default_rng(seed).uniform(size=X.shape)
    some = model._grow_trees(X, y.astype(np.int64), relevance)
    relevance = np.ascontiguousarray(relevance[:, kept])
    same = alone._grow_trees(fewer, y.astype(np.int64), relevance)
    assert_array_equal(some.threshold, same.threshold)
    inner = ~some.is_leaf
    assert_array_equal(some.feature[inner], np.flatnonzero(kept)[same.feature[inner]])


class KeepNothing(SelectKBest):
    def _get_support_mask(self):
        return np.zeros(self.n_features_in_, dtype=bool)


def test_a_selector_that_keeps_nothing_is_overruled():
    X, y = make_simple(60, random_state=0)
    model = RFLocalClassifier(3, selector=KeepNothing(k=3), random_state=0)
    with pytest.warns(UserWarning, match="keeps no feature"):
        model.fit(X, y)
    assert model.support_.all()


def test_threads_batches_and_sparse_tables_do_not_matter(seed):
    X, y = make_friedman_classes(300, random_state=seed)
    X[X < 0.3] = 0.0
    options = {"n_estimators": 60, "random_state": seed}
    model = RFLocalClassifier(n_jobs=1, **options).fit(X, y)
    other = RFLocalClassifier(n_jobs=2, **options).fit(csr_matrix(X), y)
    assert_array_equal(model.trees_.threshold, other.trees_.threshold)
    assert_array_equal(model.trees_.feature, other.trees_.feature)
    assert_array_equal(model.predict_proba(X), other.predict_proba(csr_matrix(X)))


def test_categories_and_gaps_of_a_frame(seed):
    # The class is a set of categories, or that the number is missing.
    rng = np.random.default_rng(seed)
    letters = rng.choice(list("abcdef"), size=200)
    number = np.where(rng.uniform(size=200) < 0.2, np.nan, rng.normal(size=200))
    y = np.isin(letters, ["a", "d", "e"]) | np.isnan(number)
    X = pd.DataFrame({"letter": pd.Categorical(letters), "number": number})
    model = RFLocalClassifier(30, random_state=seed).fit(X, y)
    assert model.score(X, y) == 1.0
    assert (model.trees_.category_set >= 0).any()
    new = pd.DataFrame(
        {"letter": ["a", "b", "z", None], "number": [0.0, 0.0, 0.0, 0.0]}
    )
    assert_array_equal(model.predict(new)[:2], [True, False])


def test_rows_without_weight_are_never_drawn(seed):
    X, y = make_simple(80, random_state=seed)
    weight = (np.arange(80) < 50).astype(float)
    model = RFLocalClassifier(10, random_state=seed).fit(X, y, sample_weight=weight)
    assert max(rows.max() for rows in model.estimators_samples_) < 50
    roots = model.trees_.starts[:-1]
    assert_array_equal(model.trees_.weight[roots], np.full(10, 50.0))  # draws


def test_bags_and_shares_agree_with_the_record(seed):
    # The roots' shares of the classes are those of the rows drawn again from the seeds.
    X, y = make_simple(80, random_state=seed)
    model = RFLocalClassifier(5, max_samples=40, random_state=seed).fit(X, y)
    for t, rows in enumerate(model.estimators_samples_):
        assert len(rows) == 40
        assert_allclose(model.trees_.tree(t).value[0, 1], y[rows].mean())


def test_rounded_gains_keep_their_sums_exact():
    gains = _round_gains(np.array([[0.5, -1.0], [1 / 3, 0.0]]), 10)
    assert gains.dtype == np.float32
    assert_array_equal(gains, np.rint(gains))
    assert_allclose(gains / 2.0**24, [[0.5, -1.0], [1 / 3, 0.0]], atol=1e-7)
    assert abs(_round_gains(np.ones((1, 1000)), 10**9)).max() * 1e12 < 2.0**53
    assert not _round_gains(np.zeros((2, 2)), 10).any()


def test_the_first_forest_may_be_any_of_ours(seed):
    X, y = make_simple(80, random_state=seed)
    first = RandomForestClassifier(5, max_depth=2)
    model = RFLocalClassifier(3, estimator=first, random_state=seed).fit(X, y)
    assert model.forest_.trees_.n_trees == 5 and model.forest_.max_depth == 2
    with pytest.raises(ValueError, match="estimator must be a forest classifier"):
        from sklearn.ensemble import RandomForestClassifier as Theirs

        RFLocalClassifier(estimator=Theirs()).fit(X, y)
