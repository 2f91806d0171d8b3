"""Sample weights of learners are checked once, before anything is computed."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.neighbors import KNeighborsClassifier

from manyminds.learners import ELMRegressor
from manyminds.utils.weights import pass_weights, read_weights

X = np.zeros((3, 2))


def test_weights_are_floats_or_none():
    assert read_weights(None, X) is None
    weights = read_weights([1, 0, 2], X)
    assert weights.dtype == np.float64
    assert_array_equal(weights, [1.0, 0.0, 2.0])


def test_weights_are_passed_to_those_that_take_them():
    weights = np.ones(3)
    assert pass_weights(ELMRegressor(), weights)["sample_weight"] is weights
    assert pass_weights(ELMRegressor(), None) == {}
    assert pass_weights(KNeighborsClassifier(), weights) == {}


@pytest.mark.parametrize(
    "wrong, message",
    [
        ([0, 0, 0], r"no positive weight|non-zero"),
        ([1, -1, 1], "[Nn]egative"),
        ([1, 1], "shape"),
        ([1, np.nan, 1], "NaN"),
    ],
)
def test_what_is_no_weight_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        read_weights(wrong, X)


def test_weights_without_a_positive_one_are_refused():
    with pytest.raises(ValueError, match=r"no positive weight|non-zero"):
        ELMRegressor().fit([[0.0], [1.0]], [0, 1], sample_weight=[0, 0])
