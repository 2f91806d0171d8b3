"""Forest proximity: a worked example, a naive twin, and what a kernel must be."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier as TheirForest

from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.local import proximity
from manyminds.ensemble.local.proximity import (
    forest_neighbors,
    forest_proximity,
    list_proximities,
)


def draw(seed, n_samples=50):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 3))
    return X, (X[:, 0] + 0.5 * rng.normal(size=n_samples) > 0).astype(int)


def test_worked_example():
    leaves, others = np.array([[1, 2], [3, 4]]), np.array([[1, 4], [3, 4], [0, 0]])
    ((rows, near),) = list_proximities(leaves, others)
    assert (rows.start, rows.stop) == (0, 2)
    assert_array_equal(near.toarray(), [[0.5, 0.0, 0.0], [0.5, 1.0, 0.0]])


def test_it_equals_a_naive_twin_in_any_blocks(seed, monkeypatch):
    X, y = draw(seed)
    for kind in (RandomForestClassifier, TheirForest):
        forest = kind(12, max_depth=4, random_state=seed % 2**31).fit(X, y)
        a, b = forest.apply(X[:20]), forest.apply(X)
        twin = np.array([[np.mean(one == other) for other in b] for one in a])
        assert_allclose(forest_proximity(forest, X[:20], X), twin, atol=1e-12)
        monkeypatch.setattr(proximity, "_BLOCK_CELLS", 70)
        assert_allclose(forest_proximity(forest, X[:20], X), twin, atol=1e-12)


def test_equal_rows_have_a_proximity_of_exactly_one():
    leaves = np.zeros((1, 49), np.int64)  # 49 * (1 / 49) is below 1
    ((_, near),) = list_proximities(leaves, leaves)
    assert near.toarray() == 1.0


def test_it_is_a_kernel(seed):
    # Acceptance item 8: 1 on the diagonal, symmetric, positive semidefinite.
    X, y = draw(seed)
    near = forest_proximity(RandomForestClassifier(30, random_state=seed).fit(X, y), X)
    assert_array_equal(np.diag(near), np.ones(len(X)))
    assert_array_equal(near, near.T)
    assert np.linalg.eigvalsh(near).min() > -1e-9


def test_neighbors_are_the_highest_proximities(seed, monkeypatch):
    X, y = draw(seed)
    forest = RandomForestClassifier(12, max_depth=4, random_state=seed % 2**31)
    whole = forest_proximity(forest.fit(X, y), X)
    np.fill_diagonal(whole, 0.0)
    order = np.argsort(-whole, axis=1, kind="stable")[:, :4]  # the first of equal ones
    expected = np.zeros_like(whole)
    np.put_along_axis(expected, order, np.take_along_axis(whole, order, 1), 1)
    for n_rows, n_jobs in ((2**20, 1), (7, 1), (7, 2)):
        monkeypatch.setattr(proximity, "_BLOCK_ROWS", n_rows)
        graph = forest_neighbors(forest.set_params(n_jobs=n_jobs), X, n_neighbors=4)
        assert graph.has_canonical_format
        assert_array_equal(graph.toarray(), expected)
    other = forest_neighbors(forest, X[:5], X, n_neighbors=50).toarray()
    assert_allclose(other, forest_proximity(forest, X[:5], X))


def test_neighbors_among_drawn_rows_only(seed):
    X, y = draw(seed)
    forest = RandomForestClassifier(12, max_depth=3, random_state=0).fit(X, y)
    options = {"n_neighbors": 50, "max_samples": 20, "random_state": seed % 2**32}
    graph = forest_neighbors(forest, X, **options)
    columns = np.unique(graph.indices)
    whole = forest_proximity(forest, X)
    np.fill_diagonal(whole, 0.0)
    assert len(columns) <= 20 and graph.shape == (50, 50)
    assert_allclose(graph.toarray()[:, columns], whole[:, columns])
    with pytest.raises(ValueError, match="n_neighbors must be at least 1; got 0"):
        forest_neighbors(forest, X, n_neighbors=0)
