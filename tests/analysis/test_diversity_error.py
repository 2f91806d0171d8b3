"""Diversity-error diagrams: all pairs by hand, and what is drawn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.diversity_error import (
    measure_diversity_error,
    plot_diversity_error,
)


def test_worked_example():
    # Members 0 and 1 differ by (2, 0): root of the mean square 2. Their errors are 1
    # and 1. Member 2 is right.
    result = measure_diversity_error([0.0, 0.0], [[1.0, 1.0], [-1.0, 1.0], [0.0, 0.0]])
    assert_allclose(result.diversity, [np.sqrt(2.0), 1.0, 1.0])
    assert_allclose(result.error, [1.0, 0.5, 0.5])
    assert_allclose(result.mean_diversity, (np.sqrt(2.0) + 2.0) / 3.0)
    assert_allclose(result.mean_error, 2.0 / 3.0)


def test_equals_a_naive_twin(seed):
    rng = np.random.default_rng(seed)
    y, predictions = rng.normal(size=30), rng.normal(size=(7, 30))
    result, pairs = measure_diversity_error(y, predictions), []
    for i in range(7):
        for j in range(i + 1, 7):
            apart = np.sqrt(np.mean((predictions[i] - predictions[j]) ** 2))
            errors = [np.sqrt(np.mean((predictions[k] - y) ** 2)) for k in (i, j)]
            pairs.append((apart, np.mean(errors)))
    assert_allclose(np.column_stack([result.diversity, result.error]), pairs)


def test_equal_members_have_no_diversity(seed):
    y = np.random.default_rng(seed).normal(size=50)
    result = measure_diversity_error(y, np.tile(y[::-1] + 1e3, (3, 1)))
    assert_allclose(result.diversity, 0.0, atol=1e-4)


def test_wrong_shapes_are_told():
    with pytest.raises(ValueError, match="n_members, n_samples"):
        measure_diversity_error([1.0, 2.0], [[1.0, 2.0, 3.0]] * 2)
    with pytest.raises(ValueError, match="two members or more; got 1"):
        measure_diversity_error([1.0, 2.0], [[1.0, 2.0]])


def test_clouds_and_centres_are_drawn(seed):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    rng = np.random.default_rng(seed)
    y = rng.normal(size=20)
    results = {
        name: measure_diversity_error(y, rng.normal(size=(4, 20)))
        for name in ("plain", "oracle")
    }
    ax = plot_diversity_error(results)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(results)
    cloud, center = ax.collections[:2]
    assert len(cloud.get_offsets()) == 6
    expected = results["plain"].mean_diversity, results["plain"].mean_error
    assert_allclose(center.get_offsets()[0], expected)
    assert plot_diversity_error(results, ax=ax) is ax
