"""The map of a table: hard rows are where errors are, and samples are named."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from manyminds.datasets import Dataset, from_arrays
from manyminds.reports.search.complexity_map import map_complexity


def test_hard_rows_are_where_errors_are(seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=400)
    y = np.where(x < 0.5, "low", "high")
    flipped = (np.abs(x - 0.5) < 0.1) & (rng.random(400) < 0.5)
    y = np.where(flipped, np.where(y == "low", "high", "low"), y)
    data = from_arrays(x[:, None], y, name="toy")
    found = map_complexity(data, flipped, max_rows=300, seed=seed)
    assert len(found.mri) == 300 and found.axes[1] == ""
    assert "300 of the 400 rows" in found.note
    assert found.area > 0.8


def test_places_do_not_depend_on_units(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 2
    wrong = np.arange(30) == 4
    found = map_complexity(from_arrays(X, y), wrong)
    scaled = map_complexity(from_arrays(X * [1.0, 1e3, 1e-3], y), wrong)
    assert_allclose(np.abs(scaled.x), np.abs(found.x), atol=1e-9)
    assert found.wrong == scaled.wrong == tuple(wrong)
    assert found.note == "" and found.axes[0].startswith("principal component 1 (")


def test_one_column_has_one_axis():
    # Standardized, the places of four equidistant rows are -3, -1, 1, 3 over sqrt(5).
    data = from_arrays(np.arange(4.0)[:, None], [0, 0, 1, 1])
    found = map_complexity(data, np.zeros(4, dtype=bool))
    assert_allclose(np.abs(found.x), np.array([3, 1, 1, 3]) / 5**0.5)
    assert found.y == (0.0,) * 4
    assert found.axes == ("principal component 1 (100% of the variance)", "")
    assert found.area is None


@pytest.mark.parametrize("sparse", [False, True])
def test_favorites_are_preferred_if_columns_are_too_many(seed, sparse):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 6)) * [1, 1, 1, 1, 1, 9], np.arange(30) % 2
    X[:, 2] = 100.0 + 5.0 * y  # little spread for its size
    data = from_arrays(csr_array(X) if sparse else X, y)
    wrong = np.zeros(30, dtype=bool)
    chosen = map_complexity(data, wrong, ["x2"], max_columns=1)
    assert chosen.note == "1 of the 6 columns" and max(chosen.mri) == 0.0
    others = map_complexity(data, wrong, max_columns=1)
    assert max(others.mri) > 0.0


def test_without_a_column_or_a_second_class_there_is_no_map():
    X = pd.DataFrame({"flat": np.ones(60), "id": pd.Categorical(map(str, range(60)))})
    data = Dataset("flat", X, np.arange(60) % 2, "classification")
    assert map_complexity(data, np.zeros(60, dtype=bool)) is None
    one = from_arrays(np.arange(4.0)[:, None], [0, 0, 0, 0])
    assert map_complexity(one, np.zeros(4, dtype=bool)) is None
