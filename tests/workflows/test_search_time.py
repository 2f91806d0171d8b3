"""Time that is left for writing."""

from time import monotonic

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset, load_dataset
from manyminds.workflows.search_time import (
    MIN_SECONDS,
    estimate_writing_seconds,
    leave_time,
)


def make(n_rows, n_columns, n_classes):
    X = pd.DataFrame(np.zeros((n_rows, n_columns)))
    X.columns = [f"x{place}" for place in range(n_columns)]
    return Dataset("made", X, np.arange(n_rows) % n_classes, "classification")


@pytest.mark.parametrize("larger", [(4_000, 5, 2), (400, 9, 2), (400, 5, 40)])
def test_more_rows_columns_and_classes_take_longer_to_write(larger):
    small = estimate_writing_seconds(60.0, make(400, 5, 2))
    assert estimate_writing_seconds(60.0, make(*larger)) > small
    without = estimate_writing_seconds(60.0, make(400, 5, 2), with_page=False)
    assert without < small < estimate_writing_seconds(600.0, make(400, 5, 2))


def test_what_is_over_is_left_out_and_a_search_has_a_second():
    data = load_dataset("iris")
    assert leave_time(None, 0.0, data, with_page=True) is None
    left = leave_time(60.0, monotonic() - 20.0, data, with_page=True)
    assert left == pytest.approx(40.0 - estimate_writing_seconds(60.0, data), abs=1.0)
    assert leave_time(5.0, monotonic() - 20.0, data, with_page=True) == MIN_SECONDS
