"""A booster: calls of some rounds each, threads that all take part."""

import threading

import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.trees.binned import make_binned_table
from manyminds.trees.boosting import Booster, GrowthOptions, run_team


def make_booster(seed, n=300, **options):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = X[:, 0] * X[:, 1] + rng.normal(size=n)
    rows = np.arange(n, dtype=np.uint32)
    growth = GrowthOptions(max_leaf_nodes=8, min_samples_leaf=5)
    arguments = y, np.zeros((1, n)), "squared_error", growth, rows, rows[:0]
    return X, Booster(make_binned_table(X), *arguments, **options)


def test_calls_of_few_rounds_equal_one_of_many(seed):
    options = {"sampling": ("without_replacement", 150)}
    _, once = make_booster(seed, **options)
    _, often = make_booster(seed, **options)
    once.run(6)
    for n_rounds in (1, 2, 3):
        often.run(n_rounds)
    assert once.n_done == often.n_done == 6
    assert_array_equal(once.raw, often.raw)
    assert_array_equal(once.get_trees().value, often.get_trees().value)


def test_first_trees_are_those_of_fewer_rounds(seed):
    X, booster = make_booster(seed)
    booster.run(5)
    trees, some = booster.get_trees(), booster.get_trees(2)
    assert (trees.n_trees, some.n_trees) == (5, 2)
    assert_array_equal(some.value, trees.select([0, 1]).value)
    assert_array_equal(trees.sum_values(X, [0.0]).T, booster.raw)


def test_watch_is_called_between_calls(seed):
    seen = []
    make_booster(seed)[1].run(4, seen.append)
    assert seen[-1] == 4 and seen == sorted(set(seen))


def test_gains_of_nodes_are_what_importances_read(seed):
    X, booster = make_booster(seed)
    booster.run(1)
    tree = booster.get_trees()
    y = booster.y
    # What the splits of a tree gain is the fall of the loss without a learning rate.
    leaf = tree.apply(X)[:, 0]
    means = np.array([y[leaf == node].mean() if (leaf == node).any() else 0.0
                      for node in range(len(tree.left))])  # fmt: skip
    fall = 0.5 * (np.sum((y - y.mean()) ** 2) - np.sum((y - means[leaf]) ** 2))
    assert np.isclose(tree.weight[0] * tree.impurity[0], fall, rtol=1e-6)


def test_every_thread_calls_once():
    called = []
    run_team(lambda *arguments: called.append(arguments), ("a",), 3)
    assert sorted(called) == [("a", (0, 3)), ("a", (1, 3)), ("a", (2, 3))]


def test_one_thread_runs_when_the_system_has_no_more(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    called = []
    run_team(lambda *arguments: called.append(arguments), (), 3)
    assert called == [((0, 1),)]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="one thread without compiled code")
def test_small_work_has_one_thread(seed):
    assert make_booster(seed, n_jobs=4)[1]._n_threads == 1
    assert make_booster(seed, n=40_000, n_jobs=2)[1]._n_threads == 2
