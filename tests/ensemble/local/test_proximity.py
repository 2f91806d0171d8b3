"""Forest proximity: a worked example, a naive twin, and what a kernel must be."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier as TheirForest

from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.local import proximity
from manyminds.ensemble.local.proximity import (
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


def test_it_is_a_kernel(seed):
    # Acceptance item 8: 1 on the diagonal, symmetric, positive semidefinite.
    X, y = draw(seed)
    near = forest_proximity(RandomForestClassifier(30, random_state=seed).fit(X, y), X)
    assert_array_equal(np.diag(near), np.ones(len(X)))
    assert_array_equal(near, near.T)
    assert np.linalg.eigvalsh(near).min() > -1e-9
