"""Advantages of one method's errors over another's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.advantage import relative_advantage, win_rate


def test_worked_examples():
    a, b = [1.0, 2.0, 0.0, 0.0, 3.0], [2.0, 1.0, 0.0, 4.0, 3.0]
    assert_allclose(relative_advantage(a, b), [0.5, -0.5, 0.0, 1.0, 0.0])
    assert win_rate(a, b) == (2 + 2 / 2) / 5


def test_turning_round_and_units(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, 10, 4))
    assert_allclose(relative_advantage(a, b), -relative_advantage(b, a))
    assert_allclose(relative_advantage(7 * a, 7 * b), relative_advantage(a, b))
    assert_allclose(win_rate(a, b) + win_rate(b, a), 1.0)
    assert_array_equal(win_rate(a, b) > 0.5, np.median(a < b, axis=0) > 0.5)


def test_errors_below_zero_are_refused():
    with pytest.raises(ValueError, match="0 or more"):
        relative_advantage([-1.0], [1.0])
    with pytest.raises(ValueError, match="same shape"):
        win_rate([1.0], [1.0, 2.0])
