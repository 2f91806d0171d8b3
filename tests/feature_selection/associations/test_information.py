"""Information between columns of codes: by hand, and as scikit-learn has it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import mutual_info_score

from manyminds.feature_selection.associations import (
    CodeTable,
    entropy,
    gain_ratio,
    information_gain,
    mutual_information,
    symmetrical_uncertainty,
)

MEASURES = (mutual_information, information_gain, gain_ratio, symmetrical_uncertainty)


def draw(rng, n_samples=60):
    codes = np.stack([rng.integers(0, n, n_samples) for n in (2, 3, 5, 20)])
    table = CodeTable(codes.astype(np.uint8), [2, 3, 5, 20])
    return table, rng.integers(0, 4, n_samples)


def test_worked_example():
    # y has 1 bit. x0 = y; x1 splits y's zeros from half of its ones: H(x1) = 1 bit
    # of (4, 4), and the joint counts 4 and 2, 2 ... are worked out below.
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    x1 = np.array([0, 0, 0, 0, 0, 0, 1, 1])
    table = CodeTable(np.stack([y, x1, 0 * y]).astype(np.uint8), [2, 2, 1])
    h_x1 = -(0.75 * np.log2(0.75) + 0.25 * np.log2(0.25))
    gain = 1.0 - 0.75 * -(2 / 3 * np.log2(2 / 3) + 1 / 3 * np.log2(1 / 3))
    assert_allclose(entropy(table), [1.0, h_x1, 0.0])
    assert_allclose(mutual_information(table, y, 2), [1.0, gain, 0.0])
    assert_allclose(gain_ratio(table, y, 2), [1.0, gain / h_x1, 0.0])
    expected = [1.0, 2.0 * gain / (1.0 + h_x1), 0.0]
    assert_allclose(symmetrical_uncertainty(table, y, 2), expected)


def test_two_constants_have_nothing_in_common():
    table = CodeTable(np.zeros((1, 5), dtype=np.uint8), [1])
    for measure in MEASURES:
        assert measure(table, np.zeros(5, dtype=int), 1) == 0.0


def test_mutual_information_is_scikit_learns(seed):
    table, y = draw(np.random.default_rng(seed))
    expected = [mutual_info_score(x, y) / np.log(2.0) for x in table.codes]
    assert_allclose(mutual_information(table, y, 4), expected, atol=1e-12)
    assert_allclose(information_gain(table, y, 4), expected, atol=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_weights_are_repetitions(seed, measure):
    rng = np.random.default_rng(seed)
    table, y = draw(rng)
    weight = rng.integers(0, 4, len(y))
    long = CodeTable(np.repeat(table.codes, weight, axis=1), table.n_levels)
    expected = measure(long, np.repeat(y, weight), 4)
    found = measure(table, y, 4, sample_weight=weight.astype(float))
    assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_some_features_are_those_of_all(seed, measure):
    table, y = draw(np.random.default_rng(seed))
    some = measure(table, y, 4, features=[3, 1])
    assert (some == measure(table, y, 4)[[3, 1]]).all()
