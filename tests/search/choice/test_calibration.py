"""Out-of-fold predictions are calibrated by task; rows without one are ignored."""

import numpy as np
import pytest

from manyminds.analysis import ConformalIntervals, ConformalSets
from manyminds.search.choice.calibration import calibrate, check_calibration
from manyminds.utils.errors import InputError


def test_numbers_and_classes():
    numbers = calibrate(
        "regression", np.array([1.0, np.nan]), np.array([2.0, 3.0]), None
    )
    assert isinstance(numbers, ConformalIntervals) and numbers.n_rows == 1
    shares = np.array([[0.8, 0.2], [np.nan, np.nan]])
    classes = calibrate("classification", shares, np.array([0, 1]), np.ones(2))
    assert isinstance(classes, ConformalSets) and classes.n_rows == 1


def test_nothing_to_calibrate():
    labels = np.array([[0.8, 0.2]])
    assert calibrate("multilabel", labels, np.array([[1, 0]]), None) is None
    assert calibrate("regression", np.array([np.nan]), np.array([1.0]), None) is None
    with pytest.raises(InputError, match="sets are for classes, and intervals for num"):
        check_calibration(None)
