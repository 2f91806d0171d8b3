"""Gains of rows: a worked example, a naive twin, and the laws that they obey."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble import ExtraTreesClassifier, RandomForestClassifier
from manyminds.ensemble.local.local_gains import (
    average_gains,
    check_forest,
    count_draws,
    make_uniform_forest,
    read_forest_rows,
    sum_gains,
)
from manyminds.trees.growing import list_draws


def draw(seed, n_samples=60, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 4))
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=n_samples)
    return X, np.digitize(
        score, np.quantile(score, np.arange(1, n_classes) / n_classes)
    )


def list_gains(forest, X, label):
    """List (tree, node, feature, row, drawn, gain) straight from the definition."""
    found = []
    for t in range(forest.trees_.n_trees):
        tree, drawn = forest.trees_.tree(t), count_draws(forest, slice(t, t + 1))[0]
        passes = tree.decision_path(X).toarray() == 1
        for node in np.flatnonzero(~tree.is_leaf):
            for i in np.flatnonzero(passes[:, node] & (drawn > 0)):
                left = tree.left[node]
                child = left if passes[i, left] else left + 1
                before, after = (
                    -np.log2(_share_of_class(passes[:, k], drawn, label, label[i]))
                    for k in (node, child)
                )
                gain = before - after
                found.append((t, node, tree.feature[node], i, drawn[i], gain))
    return found


def _share_of_class(inside, drawn, label, c):
    return (drawn * inside * (label == c)).sum() / (drawn * inside).sum()


@pytest.mark.no_jit
def test_worked_example():
    # One feature, classes 0 0 0 1: every tree without a bootstrap splits them apart.
    # Share of class 0 from 3/4 to 1, of class 1 from 1/4 to 1.
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 0, 1]
    forest = RandomForestClassifier(2, bootstrap=False, random_state=0).fit(X, y)
    total, n_seen = sum_gains(forest, *read_forest_rows(forest, X, y))
    assert_allclose(total[:, 0], 2 * np.log2([4 / 3, 4 / 3, 4 / 3, 4]))
    assert_array_equal(n_seen[:, 0], [2, 2, 2, 2])


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
def test_sums_equal_those_of_a_naive_twin(seed, kind):
    X, y = draw(seed)
    forest = kind(7, max_features=1, bootstrap=True, random_state=seed).fit(X, y)
    expected, n_expected = np.zeros(X.shape), np.zeros(X.shape, dtype=int)
    for _, _, f, i, _, gain in list_gains(forest, X, y):
        expected[i, f] += gain
        n_expected[i, f] += 1
    total, n_seen = sum_gains(forest, *read_forest_rows(forest, X, y))
    assert_allclose(total, expected, atol=1e-10)
    assert_array_equal(n_seen, n_expected)


def test_mean_gain_of_a_node_is_its_information_gain(seed):
    # Acceptance item 1: bag multiplicities count, to 1e-12.
    X, y = draw(seed)
    forest = make_uniform_forest(n_estimators=5, random_state=seed).fit(X, y)
    nodes = {}
    for t, node, _, _, drawn, gain in list_gains(forest, X, y):
        nodes.setdefault((t, node), []).append((drawn, gain))
    assert len(nodes) == np.count_nonzero(~forest.trees_.is_leaf)
    for (t, node), pairs in nodes.items():
        tree, (drawn, gain) = forest.trees_.tree(t), np.array(pairs).T
        loss, left = tree.weight * tree.impurity, tree.left[node]
        fall = (loss[node] - loss[left] - loss[left + 1]) / tree.weight[node]
        assert_allclose(np.average(gain, weights=drawn), fall, atol=1e-12)


def test_gains_of_a_row_add_up_to_the_surprise_of_its_class(seed):
    # Acceptance item 2: leaves are pure, so a row's gains in a tree come to minus the
    # logarithm of its class's share at the root; a row that was not drawn gains 0.
    X, y = draw(seed)
    forest = make_uniform_forest(n_estimators=8, random_state=seed).fit(X, y)
    at_root = -np.log2(forest.trees_.value[forest.trees_.starts[:-1]])
    drawn = count_draws(forest, slice(0, 8)) > 0
    for t in range(8):
        alone = make_uniform_forest(n_estimators=8, random_state=seed).fit(X, y)
        alone.trees_ = forest.trees_.tree(t)
        alone._seeds = forest._seeds[t : t + 1]
        total, _ = sum_gains(alone, X, y)
        assert_allclose(total.sum(axis=1), drawn[t] * at_root[t, y], atol=1e-12)
    total, _ = sum_gains(forest, X, y)
    assert_allclose(total.sum(axis=1), (drawn * at_root[:, y]).sum(axis=0), atol=1e-10)


def test_threads_and_blocks_of_trees_do_not_matter(seed, monkeypatch):
    X, y = draw(seed, 300)
    forest = make_uniform_forest(n_estimators=400, random_state=seed).fit(X, y)
    one, n_one = sum_gains(forest, X, y, n_jobs=1)
    monkeypatch.setattr("manyminds.ensemble.local.local_gains._BLOCK_LEAVES", 3000)
    two, n_two = sum_gains(forest, X, y, n_jobs=2)
    assert_array_equal(one, two)
    assert_array_equal(n_one, n_two)


def test_draws_are_those_that_the_trees_grew_from(seed):
    X, y = draw(seed)
    forest = make_uniform_forest(n_estimators=3, random_state=seed).fit(X, y)
    drawn = count_draws(forest, slice(1, 3))
    assert_array_equal(drawn, list_draws(forest._seeds[1:3], 60, 60, np.empty(0)))
    assert_array_equal(
        np.repeat(np.arange(60), drawn[0]), forest.estimators_samples_[1]
    )


def test_features_that_a_row_never_meets():
    total = np.array([[2.0, 0.0], [6.0, 0.0]])
    n_seen = np.array([[4, 0], [0, 0]])
    assert_allclose(average_gains(total, n_seen), [[0.5, 0.0], [0.0, 0.0]])
    total[1] = [0.0, 3.0]
    n_seen[1] = [0, 2]
    means = average_gains(total, n_seen, unseen="mean")
    assert_allclose(means, [[0.5, 1.5], [0.5, 1.5]])


def test_wrong_forests_and_rows():
    X, y = draw(0)
    with pytest.raises(ValueError, match="estimator must be a forest classifier"):
        check_forest("estimator", "forest")
    forest = make_uniform_forest(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="60 rows that the forest was fitted"):
        read_forest_rows(forest, X[:5], y[:5])
    with pytest.raises(ValueError, match="has not seen"):
        read_forest_rows(forest, X, y + 5)
