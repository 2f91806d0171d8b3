"""Out-of-fold predictions are calibrated by task; rows without one are ignored."""

from types import SimpleNamespace

import numpy as np
import pytest

from manyminds.analysis import ConformalIntervals, ConformalSets
from manyminds.search.choice.calibration import (
    calibrate,
    check_calibration,
    describe_dependence,
)
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


def test_rows_of_a_group_or_of_a_block_of_time_depend_on_each_other():
    weight, codes = np.ones(40), np.arange(40)
    rows = SimpleNamespace(sample_weight=weight, groups=None, time=None)
    assert describe_dependence(rows) == {"sample_weight": weight, "groups": None}
    rows.groups = codes
    assert describe_dependence(rows)["groups"] is codes
    rows.groups, rows.time = None, codes
    assert describe_dependence(rows)["groups"].tolist() == (codes // 4).tolist()
