"""Columns are standardized, or named if their squares overflow."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.utils.scaling import fit_standard_scaler


def test_weights_count():
    scaler = fit_standard_scaler(np.array([[0.0], [4.0]]), np.array([3.0, 1.0]))
    assert_allclose([scaler.mean_[0], scaler.var_[0]], [1.0, 3.0])


def test_the_column_that_overflows_is_named():
    X = np.array([[1.0, 2.0], [3.0, -4e200]])
    with pytest.raises(ValueError, match=r"column 1 of X overflow:.* reach 4e\+200"):
        fit_standard_scaler(X, None)
