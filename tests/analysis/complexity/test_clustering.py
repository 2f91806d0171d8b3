"""Index, weights and centroids of profiles."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.complexity import (
    make_profile_centroids,
    multi_resolution_index,
)
from manyminds.analysis.complexity.clustering import assign, make_weights

CENTROID_INDICES = {  # at 15 radii with linear weights
    2: (0.9822, 0.0025),
    3: (0.9822, 0.2919, 0.0025),
    4: (0.9822, 0.5664, 0.1098, 0.0025),
    5: (0.9822, 0.7220, 0.2919, 0.0555, 0.0025),
    6: (0.9822, 0.8086, 0.4471, 0.1708, 0.0338, 0.0025),
}


@pytest.mark.parametrize("weights", ["linear", "harmonic", "drawn"])
def test_index_of_a_constant_profile(seed, weights):
    # Item 2 of the acceptance list.
    rng = np.random.default_rng(seed)
    weights = rng.random(7) if weights == "drawn" else weights
    a = rng.uniform(-1, 1)
    assert_allclose(multi_resolution_index(np.full((1, 7), a), weights), (1 - a) / 2)


@pytest.mark.parametrize("n_radii", [2, 5, 15])
def test_linear_weights_sum_to_half_of_one_more(n_radii):
    # Item 2 of the acceptance list.
    assert_allclose(make_weights("linear", n_radii).sum(), (n_radii + 1) / 2)
    assert_allclose(make_weights("harmonic", n_radii), 1 / np.arange(1, n_radii + 1))


@pytest.mark.parametrize("n_clusters", CENTROID_INDICES)
def test_centroids_are_antisymmetric_and_have_known_indices(n_clusters):
    # Item 3 of the acceptance list.
    centroids = make_profile_centroids(n_clusters, 15)
    assert_allclose(centroids, -centroids[::-1, ::-1], atol=1e-12)
    assert centroids[0, 0] == pytest.approx(-0.8483, abs=1e-4)
    assert centroids[-1, -1] == pytest.approx(0.8483, abs=1e-4)
    found = multi_resolution_index(centroids)
    assert_allclose(found, CENTROID_INDICES[n_clusters], atol=5e-5)


def test_worked_example_of_the_centroids():
    # Formula 3.25 for the second of three, at the first, middle and last radius.
    found = make_profile_centroids(3, 3)[1]
    sigmoid = [2 / (1 + np.exp(10 * (p - 0.75 + 0.25))) - 1 for p in (0, 0.5, 1)]
    assert_allclose(found, sigmoid, atol=1e-12)


def test_a_single_centroid_is_in_the_middle():
    assert_allclose(make_profile_centroids(1, 15), make_profile_centroids(3, 15)[1:2])


def test_ties_go_to_the_first_centroid():
    centroids = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert_array_equal(assign(np.array([[0.5, 0.5], [0.0, 2.0]]), centroids), [0, 1])


def test_what_cannot_be():
    with pytest.raises(ValueError, match="n_radii must be at least 2; got 1"):
        make_profile_centroids(3, 1)
    with pytest.raises(ValueError, match="n_clusters must be at least 1; got 0"):
        make_profile_centroids(0, 3)
    with pytest.raises(ValueError, match="profiles must have shape"):
        multi_resolution_index([1.0, 0.0])
