"""Tables of scores are read with clear errors, and rounding breaks no ties."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.comparison.scores import differences, merge_ties, read_table


def test_differences_are_freed_of_rounding():
    a = np.array([0.3, 0.2, 1.1, 0.3, 1e5 + 0.5])
    b = np.array([0.2, 0.1, 1.0, 0.1 + 0.2, 1e5])
    assert len(set(a[:3] - b[:3])) == 3  # what plain subtraction says
    found = differences(a, b)
    assert len(set(found[:3])) == 1
    assert_allclose(found, [0.1, 0.1, 0.1, 0.0, 0.5], rtol=1e-9)
    assert found[3] == 0


def test_small_scores_keep_their_differences_beside_large_ones(seed):
    # Errors in different units: what is large here must not swallow what is small.
    size = 10.0 ** np.random.default_rng(seed).uniform(-12, 12, 100)
    found = differences(1.25 * size, size)
    assert_allclose(found, 0.25 * size, rtol=1e-9)


def test_real_differences_stay(seed):
    a, b = np.random.default_rng(seed).random((2, 1000))
    assert_allclose(differences(a, b), a - b, rtol=0, atol=1e-11)


def test_scores_of_a_row_are_evened_out_row_by_row():
    scores = np.array([[0.3, 0.1 + 0.2, 0.31], [3e-9, 1e-9, 2e-9], [0, 0, 0]])
    found = merge_ties(scores)
    assert found[0, 0] == found[0, 1] < found[0, 2]
    assert_array_equal(np.argsort(found[1]), [1, 2, 0])
    assert_array_equal(found[2], 0)


def test_one_that_diverged_leaves_the_others_apart():
    scores = np.array([[0.5, 0.6, 1e13], [-1e300, 2.0, 2.0 + 1e-9], [1e-300, 0, 1e9]])
    assert_array_equal(merge_ties(scores), scores)


def test_rounding_is_evened_out_at_every_size(seed):
    # Wherever values lie, on both sides of a round number too.
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-300, 300, (1000, 1)) * rng.choice([-1, 1], (1000, 1))
    scores = size * np.array([1.0, 1.5, 1.0 + 3e-13, 1.0 - 3e-13])
    scores[:3] = np.array([1.0, 9.0, 1.0 - 1e-15, 1.0 + 1e-15])
    found = merge_ties(scores)
    assert_array_equal(found[:, [0, 2]], found[:, [2, 3]])
    assert_array_equal(found[:, 1], scores[:, 1])


def test_names_come_from_the_columns_or_from_the_caller():
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["x", "y"])
    assert read_table(frame)[1] == ("x", "y")
    assert read_table(frame, names=["p", "q"])[1] == ("p", "q")
    assert read_table(frame.to_numpy())[1] == ("0", "1")


def test_data_sets_with_missing_scores_are_an_error_or_dropped():
    scores = [[1, 2], [np.nan, 4], [5, 6]]
    with pytest.raises(ValueError, match=r"1 NaN, the first in row 1 for 'x'"):
        read_table(scores, names=["x", "y"])
    assert_array_equal(read_table(scores, missing="drop")[0], [[1, 2], [5, 6]])
    with pytest.raises(ValueError, match=r"3 or more data sets .*; got 2"):
        read_table(scores, missing="drop", min_datasets=3)


@pytest.mark.parametrize(
    ("scores", "options", "says"),
    [
        ([1, 2, 3], {}, r"table of data sets by methods.*\(3,\)"),
        ([[1], [2]], {}, "two columns or more"),
        ([[1, np.inf]], {}, "infinite"),
        ([[1, 2]], {"names": ["x"]}, "2 different names"),
        ([[1, 2]], {"names": ["x", "x"]}, "2 different names"),
        ([[1, 2]], {"missing": "keep"}, "missing must be one of.*'keep'"),
    ],
)
def test_bad_tables_are_explained(scores, options, says):
    with pytest.raises(ValueError, match=says):
        read_table(scores, **options)
