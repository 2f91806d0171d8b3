"""Probes: imbalance, linear boundary and discriminant, by hand and by naive twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from manyminds.analysis.complexity import MultiResolutionComplexity
from manyminds.analysis.complexity.gathering import Neighborhoods, Reference, gather
from manyminds.analysis.complexity.probes import (
    invert_global,
    measure_discriminant,
    measure_linear_boundary,
    solve,
)


def look(points, labels, center=0, needs="scatter", n_classes=2):
    """Gather one neighborhood of all points around one of them."""
    points = np.asarray(points, dtype=float)
    reference = Reference(points, np.asarray(labels), n_classes)
    rings = reference.make_rings(np.array([1e3]))
    own = np.array([center])
    return gather(reference, points[own], rings, own=own, needs=needs)


def beta(points, labels, center=0, **options):
    near = look(points, labels, center)
    asked = np.array([[labels[center]]])
    return measure_linear_boundary(near, asked, **options)[0, 0, 0]


def naive_beta(Z, y, i, radius, inverse=None):
    """The linear boundary straight from its formulas."""
    near = np.linalg.norm(Z - Z[i], axis=1) <= radius
    same, other = Z[near & (y == y[i])], Z[near & (y != y[i])]
    if len(other) == 0:
        return 1.0
    a, b = same.mean(axis=0), other.mean(axis=0)
    if inverse is None:
        pooled = (same - a).T @ (same - a) + (other - b).T @ (other - b)
        pooled /= max(len(same) + len(other) - 2, 1)
        inverse = np.linalg.pinv(pooled, rcond=1e-10, hermitian=True)
    n = inverse @ (a - b)
    if np.linalg.norm(n) == 0:
        return 0.0
    n /= np.linalg.norm(n)
    x = n @ Z[i] - 0.5 * n @ (a + b)
    return 2.0 / (1.0 + np.exp(-x)) - 1.0


def test_worked_example_of_the_linear_boundary():
    # Own class at -1 and -3, the other one at 1 and 3, alike across: the boundary is at
    # 0, and the row at -1 is one from it, on the right side.
    points = [[-1, 0], [-3, 1], [-1, 1], [-3, 0], [1, 0], [3, 1], [1, 1], [3, 0]]
    labels = [0] * 4 + [1] * 4
    assert beta(points, labels) == pytest.approx(np.tanh(0.5))
    assert beta(points, labels, inverse=np.eye(2)) == pytest.approx(np.tanh(0.5))


def test_the_sign_changes_when_the_groups_swap(seed):
    # Item 5 of the acceptance list: only the label of the row itself would spoil it,
    # so it is asked about both labels.
    rng = np.random.default_rng(seed)
    points, labels = rng.normal(size=(20, 3)), np.arange(20) % 2
    near = look(points, labels)
    both = measure_linear_boundary(near, np.array([[0, 1]]))[0, :, 0]
    assert_allclose(both[0], -both[1])
    shifted = look(points + 50.0, labels)  # translation
    again = measure_linear_boundary(shifted, np.array([[0, 1]]))[0, :, 0]
    assert_allclose(again, both, atol=1e-9)


def test_means_on_both_sides_at_equal_distance_give_zero():
    # Item 5: the center is the mid-point of the two means.
    points = [[0, 0], [2, 1], [2, -1], [-4 / 3, 1], [-4 / 3, -1]]
    assert beta(points, [0, 0, 0, 1, 1]) == pytest.approx(0.0, abs=1e-12)


def test_edges_of_the_linear_boundary():
    assert beta([[0.0], [1.0]], [0, 0]) == 1.0  # nobody else
    assert beta([[0.0], [0.0]], [0, 1]) == 0.0  # no direction
    assert beta([[0.0], [1.0]], [0, 1]) == 0.0  # no scatter to divide by
    assert beta([[0.0], [1.0]], [0, 1], inverse=np.eye(1)) > 0.0
    # No scatter but that of rounding, which is no direction.
    third = [[0.1, 0.7]] * 3 + [[1.3, 0.2]] * 3
    for shrinkage in (0.0, 0.5):
        assert beta(third, [0] * 3 + [1] * 3, shrinkage=shrinkage) == 0.0
        assert beta(third, [0] * 3 + [1] * 3, 4, shrinkage=shrinkage) == 0.0
    counts = np.array([[[0, 3], [0, 0]]])  # no member with the label; nobody
    near = Neighborhoods(counts, np.zeros((1, 2, 2, 1)), np.zeros((1, 2, 1, 1)))
    found = measure_linear_boundary(near, np.array([[0]]))
    assert_array_equal(found, [[[-1.0, 0.0]]])


@pytest.mark.slow
@pytest.mark.parametrize("covariance", ["local", "global", "identity"])
@pytest.mark.parametrize("n_features", [2, 40])
def test_linear_boundary_equals_its_naive_twin(seed, covariance, n_features):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 60)
    X = rng.normal(size=(60, n_features)) + y[:, None]
    model = MultiResolutionComplexity(
        "linear_boundary", covariance=covariance, n_radii=4
    ).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    inverse = None
    if covariance != "local":
        inverse = invert_global(Z, covariance)
    expected = [
        [naive_beta(Z, y, i, radius, inverse) for radius in model.radii_]
        for i in range(60)
    ]
    assert_allclose(model.profiles_, expected, atol=1e-6)


def test_discriminant_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 90)
    X = rng.normal(size=(90, 3)) + y[:, None]
    model = MultiResolutionComplexity(
        "discriminant", smallest=60, largest=80, n_radii=2, statistic="max"
    ).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    distance = cdist(Z, Z)
    for i in range(0, 90, 9):
        near = distance[i] <= model.radii_[0] * (1 + 1e-9)
        lda = LinearDiscriminantAnalysis(solver="lsqr").fit(Z[near], y[near])
        share = lda.predict_proba(Z[[i]])[0, list(lda.classes_).index(y[i])]
        assert model.profiles_[i, 0] == pytest.approx(2 * share - 1, abs=1e-6)


def test_edges_of_the_discriminant():
    near = look([[0.0], [1.0]], [0, 0])
    found = measure_discriminant(near, np.array([[0, 1]]))
    assert_allclose(found[0, :, 0], [1.0, -1.0])
    # No scatter within the classes: the shares of the classes are all there is.
    near = look([[0.0], [0.0], [2.0], [2.0], [2.0], [2.0]], [0, 0, 1, 1, 1, 1])
    found = measure_discriminant(near, np.array([[0]]))
    assert_allclose(found[0, 0, 0], 2 * (2 / 6) - 1)
    nobody = Neighborhoods(
        np.zeros((1, 1, 2), dtype=int), np.zeros((1, 1, 2, 1)), np.zeros((1, 1, 1, 1))
    )
    assert measure_discriminant(nobody, np.array([[0]]))[0, 0, 0] == 0.0


def test_shrinkage_leads_from_the_local_matrix_to_none(seed):
    rng = np.random.default_rng(seed)
    points, labels = rng.normal(size=(15, 3)), np.arange(15) % 2
    identity = beta(points, labels, inverse=np.eye(3))
    assert beta(points, labels, shrinkage=1.0) == pytest.approx(identity)
    assert beta(points, labels, shrinkage=1e-9) == pytest.approx(beta(points, labels))


def test_solve_inverts(seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(5, 4, 4))
    matrices, right = root @ root.swapaxes(1, 2) + np.eye(4), rng.normal(size=(5, 2, 4))
    expected = right @ np.linalg.inv(matrices)
    assert_allclose(solve(matrices, right), expected, atol=1e-9)


def test_global_matrix_leaves_out_directions_without_variance():
    # Two equal columns of variance 3: the matrix is 6 along (1, 1), and 0 across.
    points = np.array([[1.0, 1.0], [-2.0, -2.0], [1.0, 1.0]])
    assert_allclose(invert_global(points, "global"), np.full((2, 2), 1 / 12))
    assert_array_equal(invert_global(points, "identity"), np.eye(2))


def test_global_matrix_is_around_the_mean_of_all_numbers(seed):
    points = np.random.default_rng(seed).normal(size=(30, 3)) + np.array(
        [0.0, 1.0, 5.0]
    )
    seen = points - points.mean()
    expected = np.linalg.inv(seen.T @ seen / 29)
    assert_allclose(invert_global(points, "global"), expected, atol=1e-9)
