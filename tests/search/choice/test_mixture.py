"""A mixture averages, scales and decides, in this order."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.search.choice.mixture import Mixture, average_predictions

P = np.array([[[0.8, 0.2]], [[0.6, 0.4]], [[0.0, 1.0]]])
WEIGHTS = np.array([0.5, 0.5, 0.0])


def test_the_mean_is_weighted():
    assert_allclose(average_predictions(WEIGHTS, P), [[0.7, 0.3]])
    assert_allclose(Mixture(WEIGHTS).average(P), [[0.7, 0.3]])
    assert_allclose(Mixture(WEIGHTS).decide(P), [[0.7, 0.3]])
    assert_allclose(Mixture(np.array([0.25, 0.75])).decide(np.array([[4.0], [8.0]])), 7)
    assert Mixture(WEIGHTS).n_members == 2


def test_a_temperature_is_of_the_mean():
    assert_allclose(Mixture(WEIGHTS, 0.5).average(P), [[49 / 58, 9 / 58]])


def test_weights_of_classes_decide_but_do_not_change_the_mean():
    mixture = Mixture(WEIGHTS, class_weights=np.array([1.0, 7.0]))
    assert_allclose(mixture.average(P), [[0.7, 0.3]])
    assert_allclose(mixture.decide(P), [[0.25, 0.75]])
