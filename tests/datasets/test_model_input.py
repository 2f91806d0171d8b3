"""Users' tables and targets are brought to forms that chains take, or refused."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from manyminds.datasets.model_input import as_table, as_target, read_many_labels
from manyminds.utils.errors import InputError


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (None, r"missing in 1 of 5 rows, first in row 4"),
        (np.nan, r"missing in 1 of 5 rows, first in row 4"),
        (["a", "b"], r"classes or numbers; got a list in row 4"),
    ],
)
def test_odd_cells_of_targets_are_named(changed, message):
    cells = ["a", "b", "a", changed, "b"]
    forms = [cells] if isinstance(changed, list) else [cells, np.array(cells, object)]
    for y in [*forms, pd.Series(cells)]:
        with pytest.raises(ValueError, match=message):
            as_target(y)


def test_infinite_targets_are_named():
    with pytest.raises(ValueError, match=r"'y' holds 1 infinite value, first in row 2"):
        as_target([0.5, np.inf, 1.5])


def test_two_spellings_of_a_class_are_told():
    with pytest.warns(UserWarning, match="two spellings"):
        as_target(["caf\u00e9", "cafe\u0301", "tea"])


def test_dates_are_found_once_and_known_later():
    frame = pd.DataFrame({"day": ["2024-01-31", "2024-02-29"], "code": ["a", "b"]})
    assert as_table(frame)["day"].dtype == "datetime64[us]"
    later = frame.assign(code="2024-01-31")
    found = as_table(later, dates=["day"])
    assert found["code"].dtype == "category"
    with pytest.raises(ValueError, match="'day' must hold dates"):
        as_table(frame.assign(day="soon"), dates=["day"])


def test_names_that_occur_twice_are_refused():
    with pytest.raises(ValueError, match="different names; twice"):
        as_table(pd.DataFrame([[1, "x"]], columns=["a", "a"]))


def test_labels_come_from_arrays_frames_and_sparse_matrices():
    y = np.array([[1, 0, 1], [0, 0, 1]])
    for one in (y, y.tolist(), y.astype(bool), pd.DataFrame(y), csr_array(y)):
        np.testing.assert_array_equal(read_many_labels(one), y)
    for single in (y[:, 0], y[:, :1], ["a", "b"], pd.Series([1, 2])):
        assert read_many_labels(single) is None
    with pytest.raises(InputError, match="column 'b' holds 3"):
        read_many_labels(pd.DataFrame({"a": [0, 1], "b": [1, 3]}))
