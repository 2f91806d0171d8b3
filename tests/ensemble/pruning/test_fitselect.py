"""Fitselect: the acceptance list of its specification, and what else is true of it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from manyminds.analysis import wilcoxon_signed_rank
from manyminds.ensemble import FitselectClassifier, RandomForestClassifier
from manyminds.ensemble.pruning.fitselect import order_by_fitness
from manyminds.ensemble.pruning.pool import Pool
from manyminds.ensemble.pruning.votes import member_accuracy, member_diversity

# Table 2 of the paper: RF, forward selection and Fitselect on nine data sets.
TABLE = {
    "accuracy": (
        (0.7322, 0.9639, 0.6883, 0.8919, 0.7423, 0.7786, 0.9166, 0.7727, 0.9544),
        (0.7029, 0.9624, 0.7078, 0.9189, 0.7231, 0.7682, 0.8979, 0.7701, 0.9544),
        (0.7657, 0.9663, 0.7208, 0.9459, 0.7408, 0.7865, 0.9183, 0.7781, 0.9719),
    ),
    "recall": (
        (0.6346, 0.9600, 0.5122, 0.6923, 0.6631, 0.5448, 0.9261, 0.1685, 0.9497),
        (0.5288, 0.9502, 0.3902, 0.7692, 0.6923, 0.5448, 0.9107, 0.2022, 0.9609),
        (0.6635, 0.9600, 0.5122, 0.8462, 0.6708, 0.5672, 0.9261, 0.2135, 0.9665),
    ),
    "f": (
        (0.6735, 0.9637, 0.4667, 0.8182, 0.7201, 0.6320, 0.8974, 0.2609, 0.9632),
        (0.6077, 0.9619, 0.4156, 0.8696, 0.7143, 0.6213, 0.8755, 0.2951, 0.9636),
        (0.7113, 0.9661, 0.4941, 0.9167, 0.7213, 0.6496, 0.8994, 0.3140, 0.9774),
    ),
    "auc": (
        (0.7953, 0.9883, 0.7086, 0.9792, 0.8080, 0.8463, 0.9675, 0.6366, 0.9899),
        (0.7574, 0.9840, 0.7127, 0.9744, 0.7865, 0.8241, 0.9598, 0.6481, 0.9921),
        (0.8278, 0.9886, 0.7182, 0.9812, 0.8077, 0.8569, 0.9690, 0.6439, 0.9931),
    ),
}
P_VALUES = {  # against RF and against forward selection
    "accuracy": (0.0129, 0.0092),
    "recall": (0.0360, 0.0440),
    "f": (0.0092, 0.0092),
    "auc": (0.0151, 0.0178),
}


def make_data(seed, n_samples=150, n_classes=2):
    return make_classification(
        n_samples, 6, n_informative=4, n_classes=n_classes, flip_y=0.1,
        random_state=seed,
    )  # fmt: skip


def test_item_2_extreme_alphas_and_scales(seed):
    rng = np.random.default_rng(seed)
    accuracy, diversity = rng.uniform(size=(2, 20))
    assert_array_equal(
        order_by_fitness(accuracy, diversity, 1.0), np.argsort(-accuracy)
    )
    assert_array_equal(
        order_by_fitness(accuracy, diversity, 0.0), np.argsort(-diversity)
    )
    for alpha in (0.0, 0.3, 1.0):
        order = order_by_fitness(accuracy, diversity, alpha)
        # Powers of two: exact, so that no rounding decides.
        assert_array_equal(order_by_fitness(4.0 * accuracy, diversity, alpha), order)
        assert_array_equal(order_by_fitness(accuracy, diversity / 8.0, alpha), order)


def _select_naively(labels, y, alpha, n_classes):
    """Algorithm 1 of the paper for one fold: kept trees and their accuracy."""
    n_trees = len(labels)
    a = [np.mean(tree == y) for tree in labels]
    d = [
        np.mean([np.mean(tree != labels[k]) for k in range(n_trees) if k != i])
        for i, tree in enumerate(labels)
    ]
    m_a, m_d = max(a), max(d)
    fitness = [alpha * a[i] / m_a + (1 - alpha) * d[i] / m_d for i in range(n_trees)]
    order = sorted(range(n_trees), key=lambda i: -round(fitness[i], 12))
    best, kept = -1.0, None
    for size in range(1, n_trees):  # all but one at most
        votes = [np.sum(labels[order[:size]] == c, axis=0) for c in range(n_classes)]
        score = np.mean(np.argmax(votes, axis=0) == y)
        if score > best:
            best, kept = score, order[:size]
    return kept, best


@pytest.mark.parametrize("n_classes", [2, 3])
def test_items_3_and_6_naive_twin_with_one_fitted_pool(n_classes, seed):
    X, y = make_data(seed, 200, n_classes)
    forest = RandomForestClassifier(15, random_state=seed).fit(X[:100], y[:100])
    model = FitselectClassifier(forest, prefit=True).fit(X[100:], y[100:])
    labels = forest.predict_all(X[100:])
    found = [
        _select_naively(labels, y[100:], alpha, n_classes)
        for alpha in np.arange(11) / 10
    ]
    assert_allclose(model.alpha_scores_, [score for _, score in found])
    last = max(range(11), key=lambda k: (found[k][1], k))
    assert model.alpha_ == last / 10
    assert sorted(model.selected_members_) == sorted(found[last][0])
    # Item 6: shares of the kept trees' votes.
    kept = labels[model.selected_members_]
    votes = np.stack([np.sum(kept == c, axis=0) for c in range(n_classes)], axis=1)
    assert_allclose(model.predict_proba(X[100:]) * len(kept), votes, atol=1e-9)
    assert_array_equal(model.predict(X[100:]), votes.argmax(axis=1))


def test_item_4_identical_members():
    X, y = make_data(0)
    for base in ([DummyClassifier()] * 5, [GaussianNB()] * 5):
        model = FitselectClassifier(base, random_state=0).fit(X, y)
        assert_array_equal(model.sizes_, [1, 1, 1])
        assert len(model.selected_members_) == 3
        assert np.isfinite(model.predict_proba(X)).all()
        assert model.alpha_ == 1.0  # all alphas tie


def test_item_5_wilcoxon_of_the_printed_table():
    for metric, (forest, forward, fitselect) in TABLE.items():
        for other, printed in zip((forest, forward), P_VALUES[metric]):
            found = wilcoxon_signed_rank(
                np.array(fitselect),
                np.array(other),
                zero_method="wilcox",
                method="normal",
                correction=True,
            )
            assert_allclose(found.p_value, printed, rtol=0, atol=6e-5)


def test_item_6_union_of_folds(seed):
    X, y = make_data(seed)
    model = FitselectClassifier(n_estimators=9, random_state=seed).fit(X, y)
    assert model.sizes_.sum() == len(model.selected_members_)
    assert model.n_members_ == 27
    assert_allclose(model.weights_, 1.0 / len(model.selected_members_))
    votes = model.predict_all(X)  # of the kept trees of all folds
    shares = np.stack([np.mean(votes == c, axis=0) for c in (0, 1)], axis=1)
    assert_allclose(model.predict_proba(X), shares, rtol=0, atol=1e-12)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_steps_and_limits():
    X, y = make_data(1)
    model = FitselectClassifier(n_estimators=35, step=10, random_state=0).fit(X, y)
    assert set(model.sizes_) <= {10, 20, 30}
    model.set_params(min_size=30, max_size=35, step=1).fit(X, y)
    assert ((model.sizes_ >= 30) & (model.sizes_ <= 35)).all()


def test_nested_ratings_are_less_optimistic():
    X, y = make_data(2, 240)
    plain = FitselectClassifier(n_estimators=20, random_state=0).fit(X, y)
    nested = FitselectClassifier(n_estimators=20, nested=True, random_state=0)
    nested.fit(X, y)
    assert nested.alpha_scores_.mean() < plain.alpha_scores_.mean()


def test_one_split_and_area_under_the_curve():
    X, y = make_data(3)
    model = FitselectClassifier(
        n_estimators=10, cv=1, scoring="roc_auc", random_state=0
    ).fit(X, y)
    assert model.sizes_.shape == (1,)
    with pytest.raises(ValueError, match="takes two classes; y has 3"):
        FitselectClassifier(scoring="roc_auc").fit(X, np.arange(len(y)) % 3)


def test_libraries_of_scikit_learn_with_labels_of_any_kind():
    X, y = make_data(4)
    names = np.array(["no", "yes"])[y]
    forest = TheirForest(8, random_state=0).fit(X[:75], names[:75])
    frozen = FitselectClassifier(FrozenEstimator(forest)).fit(X[75:], names[75:])
    kept = [forest.estimators_[t] for t in frozen.selected_members_]
    votes = np.mean([one.predict(X) == 1 for one in kept], axis=0)
    assert_allclose(frozen.predict_proba(X)[:, 1], votes)
    library = [DecisionTreeClassifier(max_depth=k) for k in (1, 2, 3)] + [GaussianNB()]
    assert FitselectClassifier(library, random_state=0).fit(X, names).score(X, names)


def test_a_fold_may_lack_a_class():
    X, y = make_data(5, 60)
    y[0] = 2
    model = FitselectClassifier(n_estimators=5, random_state=0).fit(X, y)
    assert model.predict_proba(X).shape == (60, 3)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_bad_alphas_are_refused():
    with pytest.raises(ValueError, match="alphas must be numbers between 0 and 1"):
        FitselectClassifier(alphas=[0.5, 2.0]).fit([[0.0], [1.0]], [0, 1])


def test_measures_of_one_fold_are_those_of_votes(seed):
    rng = np.random.default_rng(seed)
    labels, y = rng.integers(2, size=(4, 20)), rng.integers(2, size=20)
    assert_allclose(member_accuracy(labels, y), [np.mean(one == y) for one in labels])
    assert member_diversity(labels[:1]).tolist() == [0.0]


def test_item_8_members_predict_once_whatever_the_number_of_alphas(monkeypatch):
    X, y = make_data(6)
    calls = []
    labels = Pool.labels

    def count(self, *arguments):
        calls.append(len(self))
        return labels(self, *arguments)

    monkeypatch.setattr(Pool, "labels", count)
    for alphas in (None, [0.5]):
        calls.clear()
        model = FitselectClassifier(n_estimators=7, alphas=alphas, random_state=0)
        model.fit(X, y)
        assert calls == [7, 7, 7]


def test_weights_are_copies_for_fitted_members(seed):
    X, y = make_data(seed, 160)
    forest = RandomForestClassifier(9, random_state=seed).fit(X[:80], y[:80])
    weight = np.random.default_rng(seed).integers(1, 4, size=80)
    model = FitselectClassifier(forest, prefit=True)
    weighted = model.fit(X[80:], y[80:], sample_weight=weight).alpha_scores_
    repeated = model.fit(X[80:].repeat(weight, axis=0), y[80:].repeat(weight))
    assert_allclose(weighted, repeated.alpha_scores_)
    with pytest.raises(ValueError, match="sample_weight must be None for scoring"):
        model.set_params(scoring="roc_auc").fit(X[80:], y[80:], sample_weight=weight)


def test_ties_by_probability():
    # Two members that are each right about one half: every vote ties.
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] >= 20).astype(int)
    sure = DecisionTreeClassifier().fit(X, y)
    base = DummyClassifier(strategy="constant", constant=1).fit(X, y)
    model = FitselectClassifier([base, sure], prefit=True, min_size=2, max_size=2)
    assert model.fit(X, y).predict([[3.0]]) == [0]  # the first of the classes
    shy = DecisionTreeClassifier(max_depth=1, min_samples_leaf=18).fit(X, 1 - y)
    model = FitselectClassifier([shy, base], prefit=True, min_size=2, max_size=2)
    model.fit(X, y).set_params(ties="probability")
    votes, soft = model.predict_proba([[30.0]]), [shy.predict_proba([[30.0]])[0]]
    soft.append(base.predict_proba([[30.0]])[0])
    assert votes.tolist() == [[0.5, 0.5]]
    assert model.predict([[30.0]]) == [np.mean(soft, axis=0).argmax()]
