"""What was inferred of a column is told where it may be meant otherwise."""

import warnings

import pytest

from manyminds.datasets.column_notes import (
    make_error_of_words,
    warn_of_blanks,
    warn_of_categories,
    warn_of_mark,
)
from manyminds.datasets.marked_numbers import NumberMark


@pytest.mark.parametrize(
    ("text", "mark", "message"),
    [
        ("€5", "€", "numbers with €, such as '€5'. It is read as numbers; declare"),
        (
            "5 kg",
            "kg",
            "numbers with kg, .* as numbers, without their unit kg; declare",
        ),
        ("1,234.5", "", "numbers, such as '1,234.5'. It is read as numbers; declare"),
    ],
)
def test_numbers_with_a_mark(text, mark, message):
    with pytest.warns(UserWarning, match=message):
        warn_of_mark("x", text, NumberMark(mark))


def test_missing_values_are_counted():
    message = r"'x' holds dates, except for 3 of 10 cells: '-' \(2\), '--' \(1\)\."
    with pytest.warns(UserWarning, match=message):
        warn_of_blanks("x", "dates", {"2024-01-31": 7, "-": 2, "--": 1})


@pytest.mark.parametrize(
    ("counts", "words", "message"),
    [
        ({"1": 30, "low": 2}, {"low": 2}, "holds numbers, except for 2 of 32 cells"),
        ({"1 m": 30, "low": 2}, None, "holds numbers with m, except for 2 of 32"),
        ({"2024-01-31": 30, "-": 2}, None, "holds dates, except for 2 of 32 cells"),
        ({"31.01.2024": 3, "-": 2}, None, "seems to hold dates"),
        ({f"k{k}": 1 for k in range(20)}, None, "looks like an identifier"),
    ],
)
def test_categories_that_may_be_something_else(counts, words, message):
    with pytest.warns(UserWarning, match=message):
        warn_of_categories("x", counts, counts if words is None else words)


def test_plain_categories_need_no_note():
    counts = {"red": 12, "3 blue": 9, "-": 2}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_categories("x", counts, counts)


def test_words_of_declared_numbers_are_quoted():
    error = make_error_of_words("x", {"low": 2}, 9)
    assert "2 of its 9 cells hold words: 'low' (2)" in str(error)
