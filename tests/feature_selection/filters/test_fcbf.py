"""FCBF: worked example, naive twin, what holds of every result, LUCAS."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.feature_selection.filters.fcbf import FCBFSelector


def entropy(*columns):
    _, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    share = counts / counts.sum()
    return float(-(share * np.log2(share)).sum())


def uncertainty(x, y):
    both = entropy(x) + entropy(y)
    return 2.0 * (both - entropy(x, y)) / both if both > 0.0 else 0.0


def filter_naively(X, y, threshold=0.0):
    """The textbook loop: the list of relevant features, pruned from its head."""
    scores = [uncertainty(x, y) for x in X.T]
    order = sorted(range(X.shape[1]), key=lambda j: -round(scores[j], 10))
    left = [j for j in order if scores[j] > threshold + 1e-10]
    kept = []
    while left:
        best = left.pop(0)
        kept.append(best)
        left = [j for j in left if uncertainty(X[:, j], X[:, best]) < scores[j] - 1e-10]
    return kept


def draw_codes(seed, n_samples=120, n_features=12):
    """Columns that are noisy copies of the class, of each other, and noise."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n_samples)
    X = rng.integers(4, size=(n_samples, n_features))
    for j in range(n_features - 3):
        source = y if j % 2 else X[:, rng.integers(j + 1)]
        copied = rng.uniform(size=n_samples) < rng.uniform(0.2, 0.9)
        X[copied, j] = source[copied]
    return X, y


# Spec 03, item 1: the measure itself.
def test_uncertainty_of_copies_noise_and_constants(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 20)
    permuted = rng.permutation(3)[y]  # a bijection of the classes
    apart = np.tile([0, 1], 30)  # independent of them
    X = np.column_stack([permuted, apart, np.zeros(60), rng.integers(5, size=60)])
    scores = FCBFSelector(discretize=None).fit(X, y).scores_
    assert_allclose(scores[:3], [1.0, 0.0, 0.0], atol=1e-12)
    assert 0.0 <= scores[3] <= 1.0
    assert_allclose(scores[3], uncertainty(X[:, 3], y), atol=1e-12)
    turned = FCBFSelector(discretize=None).fit(y[:, None], X[:, 3]).scores_[0]
    assert_allclose(turned, scores[3], atol=1e-12)  # it is symmetric


def test_worked_example():
    # c is the class in full; b is a copy of c with one row wrong; a is independent.
    a = [0, 1, 0, 1, 0, 1, 0, 1]
    b = [0, 0, 0, 1, 1, 1, 1, 1]
    c = [0, 0, 0, 0, 1, 1, 1, 1]
    selector = FCBFSelector(discretize=None).fit(np.column_stack([a, b, c]), c)
    assert_allclose(selector.scores_[2], 1.0)
    assert_allclose(selector.scores_[1], uncertainty(b, c))
    assert_array_equal(selector.support_, [False, False, True])
    assert_array_equal(selector.ranking_, [2, 2, 1])
    assert_array_equal(selector.blankets_, [-1, 2, -1])


@pytest.mark.parametrize("threshold", [0.0, 0.05])
def test_agrees_with_naive_twin(seed, threshold):
    for i in range(5):
        X, y = draw_codes(seed + i)
        selector = FCBFSelector(threshold, discretize=None).fit(X, y)
        kept = filter_naively(X, y, threshold)
        assert_array_equal(
            np.argsort(selector.ranking_, kind="stable")[: len(kept)], kept
        )
        assert selector.support_.sum() == len(kept)


# Spec 03, item 2: no kept feature has an approximate Markov blanket among the kept.
def test_no_kept_feature_has_a_blanket(seed):
    X, y = draw_codes(seed)
    selector = FCBFSelector(discretize=None).fit(X, y)
    kept = np.flatnonzero(selector.support_)
    for i in kept:
        for j in kept:
            if i != j and selector.scores_[j] >= selector.scores_[i]:
                assert uncertainty(X[:, i], X[:, j]) < selector.scores_[i]
    for i in np.flatnonzero(selector.blankets_ >= 0):
        j = selector.blankets_[i]
        assert selector.support_[j] and not selector.support_[i]
        assert uncertainty(X[:, i], X[:, j]) >= selector.scores_[i] - 1e-9


# Spec 03, item 2, and spec 07, item 7: a copy is dropped, once.
def test_a_copy_is_dropped(seed):
    X, y = draw_codes(seed)
    plain = FCBFSelector(discretize=None).fit(X, y).support_
    twice = FCBFSelector(discretize=None).fit(np.hstack([X, X]), y).support_
    assert_array_equal(twice[: X.shape[1]], plain)
    assert not twice[X.shape[1] :].any()


# Spec 03, item 2: names of levels do not matter.
def test_names_of_levels_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, y = draw_codes(seed)
    renamed = np.column_stack([rng.permutation(4)[x] for x in X.T])
    labels = np.array(["b", "c", "a"])[y]
    plain = FCBFSelector(discretize=None).fit(X, y).support_
    assert_array_equal(
        FCBFSelector(discretize=None).fit(renamed, labels).support_, plain
    )
    frame = pd.DataFrame(renamed).astype(str).astype("category")
    assert_array_equal(FCBFSelector().fit(frame, labels).support_, plain)


# Spec 07, item 7: the order of the columns matters for ties only.
def test_order_of_columns_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, y = draw_codes(seed, n_samples=211)
    order = rng.permutation(X.shape[1])
    plain = FCBFSelector(discretize=None).fit(X, y)
    if len(np.unique(plain.scores_.round(9))) == X.shape[1]:
        moved = FCBFSelector(discretize=None).fit(X[:, order], y).support_
        assert_array_equal(moved, plain.support_[order])


def test_constant_columns_and_gaps(seed):
    rng = np.random.default_rng(seed)
    X, y = draw_codes(seed)
    X = np.column_stack([X, np.ones(len(X))]).astype(float)
    assert not FCBFSelector(discretize=None).fit(X, y).support_[-1]
    X[rng.uniform(size=X.shape) < 0.2] = np.nan
    filled = np.where(np.isnan(X), 9.0, X)
    assert_array_equal(
        FCBFSelector(discretize=None).fit(X, y).support_,
        FCBFSelector(discretize=None).fit(filled, y).support_,
    )


def test_a_number_of_features_is_a_limit(seed):
    X, y = draw_codes(seed)
    every = FCBFSelector(discretize=None).fit(X, y).ranking_
    two = FCBFSelector(n_features_to_select=2, discretize=None).fit(X, y)
    assert_array_equal(two.support_, every <= 2)


@pytest.mark.parametrize("association", ["information_gain", "gain_ratio"])
def test_other_associations(seed, association):
    X, y = draw_codes(seed)
    selector = FCBFSelector(association=association, discretize=None).fit(X, y)
    gain = entropy(X[:, 0]) + entropy(y) - entropy(X[:, 0], y)
    scale = entropy(X[:, 0]) if association == "gain_ratio" else 1.0
    assert_allclose(selector.scores_[0], gain / scale, atol=1e-12)
    assert selector.support_[selector.scores_.argmax()]


def test_numbers_and_a_numeric_target(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 5))
    X[:, 1] = X[:, 0]
    y = X[:, 0] + 0.1 * rng.normal(size=200)
    selector = FCBFSelector(n_features_to_select=1).fit(X, y)
    assert_array_equal(selector.get_support(indices=True), [0])
    assert selector.blankets_[1] == 0


def test_threads_do_not_matter(seed):
    X, y = draw_codes(seed)
    one, two = (FCBFSelector(discretize=None, n_jobs=n).fit(X, y) for n in (1, 2))
    assert_array_equal(one.scores_, two.scores_)
    assert_array_equal(one.support_, two.support_)


# Spec 03, item 5: three features on most draws of LUCAS, as printed for the original.
def test_lucas_has_three_features(seed):
    # Measured over 1,000 draws: 3 in 72 % of them. The median of 101 is above
    # 3 less than once in 100,000 runs.
    counts = []
    for i in range(101):
        X, y = make_lucas(random_state=seed + i)
        support = FCBFSelector(discretize=None).fit(X, y).support_
        counts.append(support.sum())
        assert support[LUCAS_FEATURES.index("Coughing")]
    assert np.median(counts) == 3


def test_lucas_of_the_folder(shared_data):
    frame = pd.read_csv(shared_data / "lucas.csv.gz")
    X, y = frame.drop(columns="target"), frame["target"]
    selector = FCBFSelector(discretize=None).fit(X, y)
    assert set(selector.get_feature_names_out()) == {"Smoking", "Genetics", "Coughing"}


def test_the_best_features_are_kept_where_too_few_are_relevant():
    # All columns but the second are constant; no column has information.
    X = np.zeros((60, 4))
    X[:, 1] = np.arange(60)
    y = np.arange(60) % 2
    assert not FCBFSelector().fit(X, y).get_support().any()
    kept = FCBFSelector(min_features_to_select=2).fit(X, y)
    assert kept.get_support().sum() == 2
    # Features that were selected stay in front, then the others by their scores.
    X[:, 2] = y
    kept = FCBFSelector(min_features_to_select=1).fit(X, y)
    assert kept.get_support(indices=True).tolist() == [2]
