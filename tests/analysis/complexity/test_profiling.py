"""Profiles: probes of neighborhoods, and means of the nearest."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.complexity import (
    MultiResolutionComplexity,
)
from manyminds.analysis.complexity.gathering import Reference
from manyminds.analysis.complexity.profiling import Profiler, average_nearest


def make_case(seed, n_samples=70, n_features=4, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_samples)
    return rng.normal(size=(n_samples, n_features)) + y[:, None], y


def test_a_probe_of_ones_own_is_asked_about_every_neighborhood(seed):
    X, y = make_case(seed, 30)
    names = np.array(["a", "b", "c"])[y]

    def share(x, label, X_near, labels_near):
        assert X_near.shape == (len(labels_near), 4)
        return 2 * np.mean(labels_near == label) - 1

    for include_self in (True, False):
        ours = MultiResolutionComplexity(n_radii=3, include_self=include_self)
        theirs = MultiResolutionComplexity(share, n_radii=3, include_self=include_self)
        expected = ours.fit(X, names).profiles_
        assert_allclose(theirs.fit(X, names).profiles_, expected)
    candidates = theirs.profile_candidates(X[:5])
    assert_allclose(candidates, ours.profile_candidates(X[:5]))


def make_line(probe="imbalance", radii=(1.0, 3.0), **options):
    """Return a profiler of four points on a line: 0, 1, 2 and 5, of two classes."""
    points, labels = np.array([[0.0], [1.0], [2.0], [5.0]]), np.array([0, 0, 1, 1])
    options = {"covariance": "global", "shrinkage": 0.0, **options}
    return Profiler(
        Reference(points, labels, 2), np.array(radii), probe,
        chance_corrected=False, classes=np.array(["a", "b"]), **options,
    )  # fmt: skip


def test_worked_example_of_imbalance():
    # Around 0, within 1, are 0 and 1, both of class 0; within 3 also 2, of class 1.
    centers = np.array([[0.0]])
    found = make_line().profile(centers, np.array([[0, 1]]))
    assert_allclose(found, [[[1.0, 1 / 3], [-1.0, -1 / 3]]])
    found = make_line().profile(
        centers, np.array([[0]]), own=np.array([0]), leave_out=True
    )
    assert_allclose(found, [[[1.0, 0.0]]])


def test_a_callable_probe_gets_labels_as_they_are():
    asked = []

    def probe(x, label, X_near, labels_near):
        asked.append((x[0], label, X_near.ravel().tolist(), labels_near.tolist()))
        return len(asked)

    found = make_line(probe).profile(np.array([[5.0], [9.0]]), np.array([[1], [0]]))
    # Nobody is within 3 of 9: the probe is not called, and the profile is 0.
    assert asked == [(5.0, "b", [5.0], ["b"]), (5.0, "b", [2.0, 5.0], ["b", "b"])]
    assert_allclose(found[:, 0], [[1.0, 2.0], [0.0, 0.0]])


def test_nearest_profiles_are_averaged_with_all_ties():
    # The nearest of 1 among 0, 2 and 5 are 0 and 2, equally far; n_neighbors is 1.
    points = np.array([[0.0], [2.0], [5.0]])
    reference = Reference(points, np.zeros(3, dtype=int), 1)
    profiles = np.array([[1.0], [3.0], [8.0]])
    centers = np.array([[1.0], [4.9]])
    assert_allclose(average_nearest(reference, centers, profiles, 1), [[2.0], [8.0]])
    everyone = average_nearest(reference, centers, profiles, 99)
    assert_allclose(everyone, [[4.0], [4.0]])


def test_matrices_that_do_not_fit_are_refused():
    points = np.zeros((2, 3000))
    with pytest.raises(ValueError, match="covariance='local' needs 15 matrices of"):
        Profiler(
            Reference(points, np.array([0, 1]), 2), np.arange(1.0, 16.0),
            "linear_boundary", covariance="local", shrinkage=0.0,
            chance_corrected=False, classes=np.arange(2),
        )  # fmt: skip
