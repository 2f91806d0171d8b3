import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.feature_selection import scree_test


def test_acceptance_4_worked_example():
    assert_array_equal(scree_test([10, 9, 8, 1, 0.5, 0.4]), [1, 1, 1, 0, 0, 0])
    assert_array_equal(scree_test([0.4, 9, 1, 10, 0.5, 8]), [0, 1, 0, 1, 0, 1])


def test_equals_the_formula(seed):
    values = np.random.default_rng(seed).random(12)
    f = np.concatenate([[np.nan], np.sort(values)[::-1]])  # counted from 1
    bends = [f[i - 1] - 2 * f[i] + f[i + 1] for i in range(2, 12)]
    n_kept = int(np.argmax(bends)) + 2 - 1
    assert scree_test(values).sum() == n_kept
    assert values[scree_test(values)].min() >= np.sort(values)[-n_kept]


def test_ties_and_few_features():
    assert_array_equal(scree_test([3, 2, 1, 0]), [1, 0, 0, 0])
    assert_array_equal(scree_test([1, 2]), [0, 1])
    assert_array_equal(scree_test([0.0]), [1])


@pytest.mark.parametrize("wrong", [[], [[1.0]], [1.0, np.nan, 0.0]])
def test_wrong_importances(wrong):
    with pytest.raises(ValueError, match="importances must"):
        scree_test(wrong)
