"""Rows on two principal components."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from manyminds.reports.shared.projection import project_rows


def test_rows_on_a_line_stay_on_a_line():
    placed, axes = project_rows(pd.DataFrame({"a": [0.0, 1, 2], "b": [5.0, 7, 9]}))
    assert_allclose(np.abs(placed[:, 0]), [np.sqrt(3), 0, np.sqrt(3)], atol=1e-12)
    assert_allclose(placed[:, 1], 0.0, atol=1e-12)
    assert axes[0] == "principal component 1 (100% of the variance)"


def test_units_do_not_matter(seed):
    X = pd.DataFrame(
        np.random.default_rng(seed).normal(size=(20, 3)), columns=list("abc")
    )
    one, _ = project_rows(X)
    other, _ = project_rows(X * [1.0, 1000.0, 0.01] + 5.0)
    assert_allclose(np.abs(one), np.abs(other), atol=1e-8)


def test_one_column_categories_and_missing_numbers():
    placed, axes = project_rows(pd.DataFrame({"a": [1.0, np.nan, 3.0]}))
    assert placed.shape == (3, 2) and axes[1] == "" and placed[1, 0] == 0.0
    colors = pd.DataFrame({"c": pd.Categorical(["x", "y", "x"])})
    placed, _ = project_rows(colors)
    assert_allclose(placed[0], placed[2], atol=1e-12)
