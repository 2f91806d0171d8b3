"""CSEP: items 1 and 3 of the weighted-code acceptance list."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.codes.separability import csep_counts, csep_weights


def draw(seed, n_classes=4, n_columns=6, n_samples=40):
    rng = np.random.default_rng(seed)
    bits = rng.integers(2, size=(n_classes, n_columns))
    label = rng.permutation(np.arange(n_samples) % n_classes)
    hard = np.where(rng.uniform(size=(n_samples, n_columns)) < 0.7, bits[label], 0)
    return hard, bits, label


def test_item_1_closed_form_equals_the_loops(seed):
    hard, bits, label = draw(seed)
    expected = np.zeros(bits.shape)
    for c in range(len(bits)):
        for i in np.flatnonzero(label == c):
            for j in np.flatnonzero(label != c):
                for k in range(bits.shape[1]):
                    first = hard[i, k] == bits[c, k]
                    second = hard[j, k] == bits[label[j], k]
                    expected[c, k] += first and second
                    expected[c, k] -= not first and not second
    counts, _ = csep_counts(hard, bits, label)
    assert_array_equal(counts, expected)


def test_item_3_right_random_and_reversed_columns():
    bits = np.array([[0, 0, 0], [1, 1, 1]])
    label = np.repeat([0, 1], 10)
    right = bits[label][:, 0]
    half = np.where(np.arange(20) % 2, right, 1 - right)
    hard = np.column_stack([right, half, 1 - right])
    counts, n_pairs = csep_counts(hard, bits, label)
    assert_allclose(counts / n_pairs[:, None], [[1, 0, -1], [1, 0, -1]])
    assert_allclose(csep_weights(hard, bits, label), [[1, 0, 0], [1, 0, 0]])


def test_item_3_rows_add_up_and_repetitions_do_not_matter(seed):
    hard, bits, label = draw(seed)
    weights = csep_weights(hard, bits, label)
    assert_allclose(weights.sum(axis=1), 1.0)
    twice = csep_weights(np.tile(hard, (2, 1)), bits, np.tile(label, 2))
    assert_allclose(twice, weights)
    counts = np.arange(len(label)) % 3
    repeated = csep_weights(hard.repeat(counts, axis=0), bits, label.repeat(counts))
    assert_allclose(csep_weights(hard, bits, label, counts), repeated)


def test_a_class_that_no_column_separates_weighs_all_equally():
    bits, label = np.array([[0, 0], [1, 1]]), np.array([0, 1])
    assert_allclose(csep_weights(1 - bits, bits, label), np.full((2, 2), 0.5))
