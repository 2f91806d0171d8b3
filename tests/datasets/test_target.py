"""The target is chosen, its task told, its labels put in order."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.target import (
    choose_target,
    find_missing,
    guess_task,
    read_label_columns,
    read_target,
)
from manyminds.utils.errors import InputError


@pytest.mark.parametrize(
    ("target", "chosen"),
    [("b", ["b"]), (-1, ["c"]), (np.int64(0), ["a"]), (["c", "a"], ["c", "a"])],
)
def test_by_name_and_by_position(target, chosen):
    assert choose_target(["a", "b", "c"], target) == chosen


@pytest.mark.parametrize("name", ["target", "Class", "LABEL"])
def test_usual_names(name):
    assert choose_target(["a", name, "b"], None) == [name]


@pytest.mark.parametrize(
    ("columns", "target", "message"),
    [
        (["a", "b"], None, "none is. Columns: a, b"),
        (["class", "label"], None, "class and label is"),
        (["alpha", "beta"], "alhpa", "Close: alpha. Columns: alpha, beta"),
        (["a"], 1, "target must be a position in a table of 1 columns; got 1"),
        (["a", "b"], ["a", "a"], "different columns"),
        ([f"c{i}" for i in range(30)], None, "c19 and 10 more"),
    ],
)
def test_what_cannot_be_chosen(columns, target, message):
    with pytest.raises(ValueError, match=message):
        choose_target(columns, target)


@pytest.mark.parametrize(
    ("numbers", "task"),
    [
        (np.arange(2), "classification"),
        (np.arange(3), "regression"),
        (np.tile(np.arange(3), 10), "regression"),  # 3 of 30: not fewer than a tenth
        (np.tile(np.arange(3), 11), "classification"),
        (np.tile(np.arange(20), 11), "classification"),
        (np.tile(np.arange(21), 50), "regression"),
        (np.tile([0.0, 0.5], 50), "regression"),
    ],
)
def test_the_rule_for_numbers(numbers, task):
    assert guess_task(numbers.astype(float)) == task
    assert read_target(pd.Series(numbers), None)[1] == task
    assert read_target(pd.Series(numbers.astype(str)), None)[1] == task


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (["b", "a"], ["b", "a"]),
        ([True, False], ["True", "False"]),
        ([2.0, 1.0], [2, 1]),
        (["2", "1.0"], [2, 1]),
        (pd.Categorical(["2", "1"], ["1", "2", "unused"]), [2, 1]),
        (pd.Categorical([2, 1]), [2, 1]),
        (pd.Categorical(["2", "one"]), ["2", "one"]),
        ([0.5, 1.0], ["0.5", "1"]),
        (["01", "1"], ["01", "1"]),  # as numbers they would be one class
    ],
)
def test_labels(values, labels):
    y, task = read_target(pd.Series(values), "classification")
    assert task == "classification"
    assert y.tolist() == labels
    assert y.dtype == (np.int64 if isinstance(labels[0], int) else object)


def test_labels_that_are_to_stay_text():
    assert read_target(pd.Series(["1", "2"]), None, keep_text=True)[0].tolist() == [
        "1",
        "2",
    ]


def test_numbers_declared_as_categories_are_classes():
    many = pd.Series(pd.Categorical([str(i) for i in range(30)]))
    assert read_target(many, None)[1] == "classification"
    y, task = read_target(many, "regression")
    assert task == "regression"
    assert_array_equal(y, np.arange(30.0))


def test_words_cannot_be_regressed():
    with pytest.raises(ValueError, match="holds words, for example 'a': task must be"):
        read_target(pd.Series(["1", "a"], name="y"), "regression")


def test_dates_cannot_be_a_target():
    with pytest.raises(TypeError, match="dates"):
        read_target(pd.Series(pd.to_datetime(["2020-01-01"])), None)


def test_missing_targets():
    for values in (["a", "?", None], [1, np.nan, np.nan]):
        assert find_missing(pd.Series(values), ("?",)).tolist() == [False, True, True]
    declared = pd.Series(pd.Categorical(["a", "?", None]))
    assert find_missing(declared, ("?",)).tolist() == [False, False, True]


def test_several_labels():
    frame = pd.DataFrame({"p": ["0", "1"], "q": [True, False], "r": [1.0, 0.0]})
    frame["s"] = pd.Categorical(["1", "0"])
    y = read_label_columns(frame)
    assert (y.dtypes == np.int64).all()
    assert_array_equal(y, [[0, 1, 1, 1], [1, 0, 0, 0]])
    with pytest.raises(ValueError, match="columns of 0 and 1; 'p' holds 2"):
        read_label_columns(pd.DataFrame({"p": [0, 2]}))


def test_codes_keep_their_zeros():
    y, _ = read_target(pd.Series(["01", "02", "01"]), "classification")
    assert y.tolist() == ["01", "02", "01"]
    y, _ = read_target(pd.Series(["1", "2", "1"]), "classification")
    assert y.tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    ("columns", "target", "hint"),
    [
        (["x|z|y"], "y", " If '|' separates its cells, set separator='|'."),
        (["x;z;y"], None, " If ';' separates its cells, set separator=';'."),
        (["x\ty"], "y", r" If a tab separates its cells, set separator='\t'."),
        (["x|z", "y"], "t", ""),
        (["xzy"], "y", ""),
    ],
)
def test_a_separator_is_suggested_where_there_is_one_column(columns, target, hint):
    with pytest.raises(InputError, match=r"Columns: ") as caught:
        choose_target(columns, target)
    assert str(caught.value).partition("Columns: ")[2].partition(".")[2] == hint
