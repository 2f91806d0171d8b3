"""DECOC: information by definition, all splits of few classes, shape of the code."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits, make_blobs

from manyminds.ensemble import discriminant_tree_code
from manyminds.ensemble.codes.discriminant_tree import (
    _class_potentials,
    _information_after_change,
    _split_classes,
)
from manyminds.ensemble.codes.distances import check_code


def information(X, label, group):
    """Quadratic mutual information of rows and two groups of classes, by loops."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    width, n = 0.5 * X.var(axis=0).sum(), len(X)
    inside = np.isin(label, group)
    total = within = all_pairs = between = 0.0
    share = {g: np.mean(inside == g) for g in (False, True)}
    for i, k in product(range(n), repeat=2):
        value = np.exp(-((X[i] - X[k]) ** 2).sum() / (4.0 * width)) / n**2
        total += value
        within += value * (inside[i] == inside[k])
        between += value * share[inside[i]]
    all_pairs = total * sum(s**2 for s in share.values())
    return within + all_pairs - 2.0 * between


def test_information_equals_loops(seed):
    rng = np.random.default_rng(seed)
    X, label = rng.normal(size=(24, 3)), np.arange(24) % 4
    potentials, prior = _class_potentials(X, label)
    found = _information_after_change(potentials, prior, np.array([1.0, 0, 0, 0]))
    for c, group in ((1, [0, 1]), (2, [0, 2]), (3, [0, 3])):
        assert_allclose(found[c], information(X, label, group), rtol=1e-9, atol=1e-14)
    assert found[0] == -np.inf  # no class would be left in the group


def test_search_finds_two_clouds(seed):
    centers = np.array([[0, 0], [0, 1], [9, 0], [9, 1], [0, 2.0]])
    X, y = make_blobs(200, centers=centers, cluster_std=0.3, random_state=seed)
    group = _split_classes(*_class_potentials(X, y))
    assert set(np.flatnonzero(group)) in ({2, 3}, {0, 1, 4})


def test_of_tied_changes_the_first_class_leads():
    # Of two classes, both changes make the same two groups; rounding decides otherwise.
    potentials, prior = np.array([[0.3, 0.1], [0.1, 0.5]]), np.array([0.4, 0.6])
    seen = set()
    for error in (0.0, 1e-15, -1e-15):
        for place in np.ndindex(2, 2):
            moved = potentials.copy()
            moved[place] += error
            gains = _information_after_change(moved, prior, np.zeros(2))
            seen.add(int(gains.argmax()))
            assert_array_equal(_split_classes(moved, prior), [True, False])
    assert seen == {0, 1}  # so that the test can fail


def test_code_is_a_tree():
    X, y = load_digits(return_X_y=True)
    code = discriminant_tree_code(X[::3], y[::3])
    check_code(code, 10)
    assert code.shape == (10, 9)
    assert (code[:, 0] != 0).all()
    groups = {tuple(np.flatnonzero(c == s)) for c in code.T for s in (1, -1)}
    for column in code.T[1:]:  # each node is a group of another
        assert tuple(np.flatnonzero(column)) in groups


def test_few_rows_are_enough(seed):
    X, y = make_blobs(300, centers=6, random_state=seed)
    few = discriminant_tree_code(X, y, max_samples=2, random_state=seed)
    assert few.shape == (6, 5)
    shift = discriminant_tree_code(7.0 * X - 3.0, y)
    assert_array_equal(shift, discriminant_tree_code(X, y))


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="max_samples must be an integer"):
        discriminant_tree_code([[0.0], [1.0]], [0, 1], max_samples=0)
    with pytest.raises(ValueError, match="two classes or more"):
        discriminant_tree_code([[0.0], [1.0]], [1, 1])
