"""Added error: the ends of its scale, a plain twin, and a simulated ensemble."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.diversity import added_error


def draw_scores(seed, shared, n_members=5, n_samples=4000):
    """Draw scores whose errors have a correlation of ``shared``."""
    rng = np.random.default_rng(seed)
    posterior = rng.dirichlet(np.ones(3), size=n_samples)
    common = rng.normal(size=(1, n_samples, 3)) * np.sqrt(shared)
    own = rng.normal(size=(n_members, n_samples, 3)) * np.sqrt(1 - shared)
    uniform = rng.random((n_samples, 1))
    y = (uniform > np.cumsum(posterior, axis=1)).sum(axis=1).clip(max=2)
    return y, posterior + 0.1 * (common + own), posterior


@pytest.mark.parametrize("shared", [0.0, 0.5, 1.0])
def test_simulated_correlation_is_found(seed, shared):
    # A single correlation of 4,000 samples has a standard error of 0.016 at most, the
    # mean of ten pairs in three classes of less than half of that.
    y, scores, posterior = draw_scores(seed, shared)
    found = added_error(y, scores, posterior=posterior)
    assert_allclose(found.correlation, shared, atol=0.05)
    assert_allclose(found.factor, (1 + 4 * found.correlation) / 5)


def test_plain_twin_with_labels_for_probabilities(seed):
    y, scores, _ = draw_scores(seed, 0.3, n_members=3, n_samples=50)
    expected = 0.0
    for c in range(3):
        target = y == c
        pairs = [
            np.corrcoef(scores[t, :, c] - target, scores[u, :, c] - target)[0, 1]
            for t in range(3)
            for u in range(3)
            if t != u
        ]
        expected += target.mean() * np.mean(pairs)
    assert_allclose(added_error(y, scores).correlation, expected)


def test_errors_that_never_change_have_no_correlation():
    scores = np.full((2, 4, 2), 0.5)
    posterior = np.full((4, 2), 0.5)
    assert np.isnan(added_error([0, 1, 0, 1], scores, posterior=posterior).factor)
    zero = added_error([0, 1, 0, 1], scores, posterior=posterior, undefined="zero")
    assert zero.correlation == 0.0 and zero.factor == 0.5


@pytest.mark.parametrize(
    ("y", "shape", "posterior", "message"),
    [
        ([0, 1], (2, 2), None, "scores must have shape"),
        ([0, 1], (1, 2, 2), None, "two members or more"),
        ([0, 1, 1], (2, 2, 2), None, "one class for each of the 2"),
        ([0, 2], (2, 2, 2), None, "integers from 0 to 1"),
        ([0, 1], (2, 2, 2), [[1.0, 0.0]], r"posterior must have shape \(2, 2\)"),
    ],
)
def test_what_does_not_fit_is_refused(y, shape, posterior, message):
    with pytest.raises(ValueError, match=message):
        added_error(y, np.zeros(shape), posterior=posterior)
