"""The sorted search for a threshold is the search over all candidates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import balanced_accuracy_score, f1_score

from manyminds.learners.thresholds import SCORES, find_threshold


def draw(seed, n_samples=40, n_values=12):
    """Return projections with ties, the class of each, and whole weights."""
    rng = np.random.default_rng(seed)
    is_first = rng.random(n_samples) < 0.4
    is_first[:2] = True, False
    projections = rng.integers(n_values, size=n_samples) + 3.0 * is_first
    return projections / 7.0, is_first, rng.integers(1, 4, size=n_samples) * 1.0


def rate(projections, is_first, weight, threshold, score):
    """Score one threshold by definition."""
    predicted = projections >= threshold
    if score == "accuracy":
        return weight[predicted == is_first].sum()
    if score == "balanced_accuracy":
        return balanced_accuracy_score(is_first, predicted, sample_weight=weight)
    smaller = weight[is_first].sum() <= weight[~is_first].sum()
    return f1_score(
        is_first, predicted, pos_label=smaller, sample_weight=weight, zero_division=0.0
    )


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("shift", range(20))
def test_sorted_search_is_brute_force(seed, shift, score):
    # Item 5 of the acceptance list: all candidates, ties and the mean of several.
    projections, is_first, weight = draw(seed + shift)
    candidates = np.unique(projections)
    scores = [rate(projections, is_first, weight, t, score) for t in candidates]
    best = candidates[np.isclose(scores, max(scores), rtol=1e-10)]
    found = find_threshold(
        projections, is_first, weight, rule="candidates", score=score
    )
    assert_allclose(found, best.mean())


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("shift", range(20))
def test_midpoint_is_the_widest_of_the_best_gaps(seed, shift, score):
    projections, is_first, weight = draw(seed + shift)
    projections = projections**2  # gaps of different widths
    values = np.unique(projections)
    middles = (values[1:] + values[:-1]) / 2.0
    scores = [rate(projections, is_first, weight, t, score) for t in middles]
    is_best = np.isclose(scores, max(scores), rtol=1e-10)
    width = np.where(is_best, np.diff(values), 0.0)
    expected = middles[np.argmax(np.isclose(width, width.max(), rtol=1e-10))]
    found = find_threshold(projections, is_first, weight, score=score)
    assert_allclose(found, expected)


def test_mean_of_several_maxima_need_not_be_one():
    # Error 7 of the paper. Thresholds 1 and 4 get a weight of 5 right, 2.5 only 4.
    projections = np.arange(6.0)
    is_first = np.array([False, True, False, False, True, False])
    weight = np.where(is_first, 2.0, 1.0)
    found = find_threshold(projections, is_first, weight, rule="candidates")
    assert found == 2.5
    assert rate(projections, is_first, weight, 1.0, "accuracy") == 5.0
    assert rate(projections, is_first, weight, found, "accuracy") == 4.0
    # The middle of a best gap is always as good.
    assert find_threshold(projections, is_first, weight) == 0.5


def test_separable_classes(seed):
    # The paper's rule ends at a sample of the first class, the midpoint between.
    rng = np.random.default_rng(seed)
    projections = np.concatenate([rng.uniform(2, 3, 30), rng.uniform(0, 1, 20)])
    is_first = np.arange(50) < 30
    low, high = projections[:30].min(), projections[30:].max()
    flat = np.ones(50)
    assert find_threshold(projections, is_first, flat, rule="candidates") == low
    assert_allclose(find_threshold(projections, is_first, flat), (low + high) / 2)
    middle = (projections[:30].mean() + projections[30:].mean()) / 2
    found = find_threshold(projections, is_first, flat, rule="class_means")
    assert_allclose(found, middle)


def test_balanced_score_does_not_give_up_the_smaller_class():
    # 2 of the first class among 20 of the second.
    projections = np.concatenate([[7.2, 9.4], np.arange(20) * 0.5])
    is_first = np.arange(22) < 2
    flat = np.ones(22)
    assert find_threshold(projections, is_first, flat) > 9.0
    balanced = find_threshold(projections, is_first, flat, score="balanced_accuracy")
    assert 7.0 < balanced < 7.2


def test_rounding_does_not_make_new_candidates():
    projections = np.array([1.0, 1.0 + 1e-15, 2.0, 0.0])
    is_first = np.array([True, True, False, False])
    weight = np.array([1.0, 1.0, 2.0, 1.0])
    merged = find_threshold(projections, is_first, weight, rule="candidates")
    exact = find_threshold(
        np.round(projections, 9), is_first, weight, rule="candidates"
    )
    assert_allclose(merged, exact)


@pytest.mark.parametrize("rule", ["midpoint", "candidates", "class_means"])
def test_one_position(rule):
    is_first = np.array([True, False, False])
    assert find_threshold(np.full(3, 2.0), is_first, np.ones(3), rule=rule) == 2.0
