"""Combiners: the acceptance list's items 5 and 6."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.networks import MeanCombiner, TableCombiner, WeightedVote
from manyminds.networks.combining.combiners import smooth_mean


def draw(seed, n_samples=300):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    p = 0.5 + 0.2 * (2 * y - 1)[:, None] + 0.2 * rng.normal(size=(n_samples, 2))
    return np.clip(p, 0.0, 1.0), y


def smooth_naively(table):
    out = np.empty_like(table)
    for a, b in np.ndindex(table.shape):
        part = table[max(a - 1, 0) : a + 2, max(b - 1, 0) : b + 2]
        out[a, b] = part.mean()
    return out


def test_item_5_counts_and_frequencies(seed):
    p, y = draw(seed)
    table = TableCombiner(smooth=None).fit(p, y)
    assert table.counts_.sum() == len(y)
    cell = np.minimum((p * 8).astype(int), 7)
    for a, b in np.ndindex(8, 8):
        rows = (cell == [a, b]).all(axis=1)
        assert table.counts_[a, b] == rows.sum()
        expected = y[rows].mean() if rows.any() else 0.0
        assert_allclose(table.cpd_[a, b], expected)
    assert_allclose(table.combine(p), table.cpd_[cell[:, 0], cell[:, 1]])


def test_item_5_smoothing(seed):
    p, y = draw(seed)
    table = TableCombiner().fit(p, y)
    assert_allclose(table.cpd_, smooth_naively(table.raw_cpd_), atol=1e-12)
    assert_allclose(smooth_mean(np.full((8, 8), 0.3), 3), 0.3)
    by_counts = TableCombiner(smooth="counts").fit(p, y)
    positive = smooth_naively(table.raw_cpd_ * table.counts_)
    total = smooth_naively(table.counts_)
    expected = np.divide(positive, total, out=np.zeros((8, 8)), where=total > 1e-12)
    assert_allclose(by_counts.cpd_[total > 1e-12], expected[total > 1e-12], atol=1e-9)


@pytest.mark.parametrize("smooth", ["probabilities", "counts", None])
def test_item_5_perfect_outputs_separate(smooth):
    y = np.arange(40) % 2
    p = np.column_stack([0.95 * y + 0.02, 0.95 * y + 0.02])
    for one in (
        TableCombiner(smooth=smooth),
        MeanCombiner(TableCombiner(smooth=smooth)),
    ):
        found = one.fit(p, y).combine(p)
        assert found[y == 1].min() > found[y == 0].max()


def test_item_5_accuracy_weighted_is_exactly_the_mean(seed):
    p, y = draw(seed)
    table, vote = TableCombiner().fit(p, y), WeightedVote().fit(p, y)
    mean = MeanCombiner().fit(p, y)
    assert_array_equal(mean.combine(p), 0.5 * (table.combine(p) + vote.combine(p)))


def test_item_6_equal_accuracies_are_the_plain_mean():
    p = np.array([[0.2, 0.4], [0.3, 0.1], [0.9, 0.6], [0.7, 0.8]])
    vote = WeightedVote().fit(p, [0, 0, 1, 1])
    assert_allclose(vote.combine(p), p.mean(axis=1))


def test_item_6_scale_of_weights_does_not_matter(seed):
    p, y = draw(seed)
    vote = WeightedVote().fit(p, y)
    before = vote.combine(p)
    vote.weights_ = 7.0 * vote.weights_
    assert_allclose(vote.combine(p), before)


def test_accuracy_at_half_or_at_the_best_threshold():
    p = np.array([[0.1], [0.2], [0.3], [0.4]])
    y = [0, 0, 1, 1]
    assert_allclose(WeightedVote(0.5).fit(p, y).weights_, [0.5])
    assert_allclose(WeightedVote().fit(p, y).weights_, [1.0])


def test_quantile_states_have_equal_rows(seed):
    p, y = draw(seed)
    table = TableCombiner(4, bins="quantile").fit(p, y)
    assert_allclose(table.counts_.sum(axis=1), 75, atol=15)
