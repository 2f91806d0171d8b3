"""SSV ranks by the paper's formula, one feature at a time or by a tree."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.feature_selection.filters.ssv import SSVSelector
from manyminds.trees import DecisionTreeClassifier


def cut_scores(labels):
    """Score every cut of a row of letters by the paper's formula."""
    labels = np.array(list(labels))
    scores = []
    for n_left in range(1, len(labels)):
        L, R = labels[:n_left], labels[n_left:]
        score = 0.0
        for c in np.unique(labels):
            score += 2 * np.sum(L == c) * np.sum(R != c)
            score -= min(np.sum(L == c), np.sum(R == c))
        scores.append(score)
    return scores


def column(labels, value):
    """Make a feature whose one cut lies after ``value`` of the rows."""
    return (np.arange(len(labels)) >= value).astype(float)


def table(seed, n_rows=60, n_features=6, n_classes=3):
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(n_classes), rng.integers(0, n_classes, n_rows - n_classes)]
    return rng.normal(size=(n_rows, n_features)) + 0.5 * y[:, None], y


# ---------------------------------------------------------------- the formula


def test_worked_example():  # acceptance 1
    # A cut between three rows of one class and two of another separates 3 * 2 pairs.
    X = [[1, 0], [2, 1], [3, 0], [4, 1], [5, 0]]
    assert SSVSelector().fit(X, [0, 0, 0, 1, 1]).scores_[0] == 12


def test_formula_and_lexicographic_preference_disagree():  # acceptance 1, error 2
    labels = "cbbbabbbbb"
    assert cut_scores(labels)[0] == 18 and cut_scores(labels)[4] == 17
    X, y = np.column_stack([column(labels, 1), column(labels, 5)]), list(labels)
    by_formula = SSVSelector(1).fit(X, y)
    assert_array_equal(by_formula.scores_, [18, 17])
    assert_array_equal(by_formula.ranking_, [1, 2])
    by_pairs = SSVSelector(1, lexicographic=True).fit(X, y)
    assert_array_equal(by_pairs.scores_, [18, 20])  # 9 pairs and 10, each twice
    assert_array_equal(by_pairs.ranking_, [2, 1])


def test_two_cuts_that_tie():  # acceptance 1
    labels = "cbbabbbb"
    scores = cut_scores(labels)
    assert scores[0] == scores[3] == max(scores) == 14
    X = np.column_stack([column(labels, 1), column(labels, 4)])
    assert_array_equal(SSVSelector().fit(X, list(labels)).scores_, [14, 14])


def test_torn_classes_settle_ties_of_pairs():
    # Both features part 8 of 16 pairs; the second tears no row of class 0.
    y = [0] * 4 + [1] * 4
    first = [0, 0, 1, 1, 0, 0, 1, 1]
    second = [0, 0, 0, 0, 0, 0, 1, 1]
    X = np.column_stack([first, second])
    ranker = SSVSelector(1, lexicographic=True).fit(X, y)
    assert_array_equal(ranker.scores_, [16, 16])
    assert_array_equal(ranker.ranking_, [2, 1])


def test_trees_prefer_as_rankings_do():
    labels = "cbbbabbbbb"
    X, y = np.arange(10.0)[:, None], list(labels)
    for lexicographic, cut in ((False, 0.5), (True, 4.5)):
        selector = SSVSelector(1, method="tree", lexicographic=lexicographic)
        assert selector.fit(X, y).tree_.tree_.threshold[0] == cut


@pytest.mark.parametrize("balanced", [False, True])
def test_units_order_of_rows_and_signs_do_not_matter(seed, balanced):  # acceptance 1
    X, y = table(seed)
    scores = SSVSelector(balanced=balanced).fit(X, y).scores_
    for changed in (np.exp(X), -(X**3), X * 1e-6 + 1e3):
        assert_allclose(SSVSelector(balanced=balanced).fit(changed, y).scores_, scores)
    order = np.random.default_rng(seed).permutation(len(y))
    shuffled = SSVSelector(balanced=balanced).fit(X[order], y[order])
    assert_allclose(shuffled.scores_, scores)


def test_agrees_with_the_trees_first_split(seed):
    # Another program's answer: the split that the tree engine finds for one column.
    X, y = table(seed)
    scores = SSVSelector().fit(X, y).scores_
    for j in range(X.shape[1]):
        tree = DecisionTreeClassifier(criterion="ssv", max_depth=1, max_bins=1000)
        n_left = int(tree.fit(X[:, [j]], y).tree_.n_samples[1])
        labels = y[np.argsort(X[:, j])].astype(str)
        assert_allclose(cut_scores(labels)[n_left - 1], scores[j])


def test_balanced_score_is_the_fall_of_balanced_error():
    # One row of class 1 beside nine of class 0: the best cut gets all of class 1 right
    # and eight ninths of class 0; one class for all rows would get half right.
    y = [0] * 9 + [1]
    x = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    selector = SSVSelector(balanced=True).fit(np.column_stack([x, np.ones(10)]), y)
    assert_allclose(selector.scores_, [(1 + 8 / 9) / 2 - 1 / 2, 0.0])


# ---------------------------------------------------------------- kinds of tables


def test_sparse_tables_and_blocks_of_columns(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.3, size=(50, 40)) * rng.choice([-1.0, 1.0], size=(50, 40))
    y = rng.integers(0, 2, size=50)
    dense = SSVSelector().fit(X, y)
    assert_array_equal(SSVSelector().fit(csr_matrix(X), y).scores_, dense.scores_)
    monkeypatch.setattr("manyminds.feature_selection.filters.ssv._BLOCK_CELLS", 64)
    for table_ in (X, csr_matrix(X)):
        again = SSVSelector(n_jobs=2).fit(table_, y)
        assert_array_equal(again.scores_, dense.scores_)


def test_all_splits_of_a_few_categories(seed):
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, 5, size=40), np.r_[0, 1, 2, rng.integers(0, 3, size=37)]
    present = np.unique(codes)
    best = 0.0
    for bits in range(1, 2 ** len(present) - 1):
        left = np.isin(codes, present[(bits >> np.arange(len(present))) & 1 == 1])
        pairs = np.sum(left[:, None] & ~left & (y[:, None] != y))
        sides = [np.bincount(y[side], minlength=3) for side in (left, ~left)]
        torn = np.minimum(*sides).sum()
        best = max(best, 2 * pairs - torn)
    frame = pd.DataFrame({"c": pd.Categorical(codes)})
    assert_allclose(SSVSelector().fit(frame, y).scores_, best)


def test_many_categories_are_cut_in_the_order_of_a_class(seed):
    # Each category is of one class only: ordering by class separates them exactly.
    rng = np.random.default_rng(seed)
    codes = np.repeat(rng.permutation(20), 3)
    y = (codes % 2).astype(int)
    frame = pd.DataFrame({"c": pd.Categorical(codes), "x": rng.normal(size=60)})
    assert SSVSelector().fit(frame, y).scores_[0] == 2 * 30 * 30
    assert_allclose(SSVSelector(balanced=True).fit(frame, y).scores_[0], 0.5)


def test_missing_category_is_a_category():
    frame = pd.DataFrame({"c": pd.Categorical(["a", None, "b", None])})
    assert SSVSelector().fit(frame, [0, 1, 0, 1]).scores_[0] == 2 * 2 * 2


def test_weights_count_rows(seed):
    X, y = table(seed, n_rows=30)
    counts = np.random.default_rng(seed).integers(0, 3, size=30)
    counts[:3] = 1
    for options in ({}, {"balanced": True}, {"lexicographic": True}):
        weighted = SSVSelector(**options).fit(X, y, counts).scores_
        repeated = SSVSelector(**options).fit(
            np.repeat(X, counts, axis=0), np.repeat(y, counts)
        )
        assert_allclose(weighted, repeated.scores_)


# ---------------------------------------------------------------- trees and choices


def xor_with_a_lean(rng, n_noise=8):
    """Draw an XOR whose corners are of different sizes, so that a first cut shows."""
    corners = np.repeat([[1, 1], [1, -1], [-1, 1], [-1, -1]], [80, 10, 70, 10], axis=0)
    y = (corners[:, 0] * corners[:, 1] < 0).astype(int)
    return np.column_stack([corners, rng.normal(size=(len(y), n_noise))]), y


def test_tree_finds_both_features_of_an_xor(seed):  # acceptance 3
    rng = np.random.default_rng(seed)
    X, y = xor_with_a_lean(rng)
    selector = SSVSelector(None, method="tree", random_state=seed).fit(X, y)
    assert_array_equal(selector.get_support(indices=True), [0, 1])
    assert_array_equal(selector.scores_, [2, 1] + [0] * 8)
    assert_array_equal(selector.ranking_, [1, 2] + [3] * 8)  # unused ones: rank 0
    # Some labels are wrong: noise gets into the tree, but leaves it first.
    wrong = rng.permutation(len(y))[:4]
    y[wrong] = 1 - y[wrong]
    ranking = SSVSelector(method="tree", random_state=seed).fit(X, y).ranking_
    assert set(ranking[:2]) == {1, 2}


def test_an_even_xor_of_numbers_leaves_the_root_to_noise(seed):
    # Acceptance 3 does not hold here. The feature of the root leaves the tree last, so
    # that it ranks first; and no cut of all rows shows an XOR whose corners are alike.
    # Measured over 200 draws: both features first in 46 of them. A correct build gets
    # more than 18 of 30 less than once in 100,000 runs.
    rng, wins = np.random.default_rng(seed), 0
    for _ in range(30):
        X = rng.uniform(-1.0, 1.0, size=(300, 8))
        y = (X[:, 0] > 0.0) ^ (X[:, 1] > 0.0)
        selector = SSVSelector(None, method="tree", random_state=0).fit(X, y)
        root = selector.tree_.tree_.feature[0]
        assert selector.scores_[root] == selector.scores_.max()
        wins += set(selector.ranking_[:2]) == {1, 2}
    assert wins <= 18


def test_order_of_features_does_not_matter_to_the_tree(seed):  # acceptance 3
    rng = np.random.default_rng(seed)
    X, y = xor_with_a_lean(rng)
    order = rng.permutation(X.shape[1])
    ranking = SSVSelector(method="tree", random_state=0).fit(X, y).ranking_
    permuted = SSVSelector(method="tree", random_state=1).fit(X[:, order], y)
    assert_array_equal(permuted.ranking_, ranking[order])


def test_tree_selects_no_more_than_it_uses(seed):
    X, y = xor_with_a_lean(np.random.default_rng(seed))
    assert SSVSelector(5, method="tree").fit(X, y).get_support().sum() == 2
    assert SSVSelector(1, method="tree").fit(X, y).get_support().sum() == 1
    assert SSVSelector(5).fit(X, y).get_support().sum() == 5


def test_balanced_tree_looks_after_a_rare_class(seed):
    # Feature 0 separates the rare class from the others, feature 1 the second class.
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], [100, 96, 4])
    X = np.column_stack([y == 2, y == 1, rng.random(200)]).astype(float)
    selector = SSVSelector(method="tree", balanced=True, random_state=seed).fit(X, y)
    assert_array_equal(np.sort(selector.ranking_[:2]), [1, 2])
    assert selector.tree_.criterion == "balanced_error"
    # Each split saves a third of the balanced error, and both leave in one round or
    # two; of single errors the rare class's split would save 4, the other 96.
    assert selector.scores_[2] == 0 and (selector.scores_[:2] > 0).all()


def test_none_keeps_what_is_better_than_no_split():
    X = np.array([[0, 7, 0], [0, 7, 1], [1, 7, 0], [1, 7, 1]], dtype=float)
    selector = SSVSelector(None, balanced=True).fit(X, [0, 0, 1, 1])
    assert_array_equal(selector.get_support(), [True, False, False])
    selector = SSVSelector(None).fit(X, [0, 0, 1, 1])
    assert_array_equal(
        selector.get_support(), [True, False, True]
    )  # separates some pairs


def test_says_what_does_not_go_together():
    X, y = [[1.0], [2.0]], [0, 1]
    with pytest.raises(ValueError, match="exclude each other"):
        SSVSelector(balanced=True, lexicographic=True).fit(X, y)
    with pytest.raises(ValueError, match="two classes"):
        SSVSelector().fit(X, [1, 1])
