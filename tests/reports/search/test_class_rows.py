"""The table of classes lists all of them, or those that are found least."""

from dataclasses import replace

import numpy as np

from manyminds.reports.search.class_rows import list_classes
from manyminds.reports.search.prediction_errors import measure_class_errors


def measure(*pairs):
    """Measure the errors of rows with a true and a predicted class, out of a to d."""
    true, made = (np.array(codes) for codes in zip(*pairs))
    return measure_class_errors(np.eye(4)[made], true, np.array(list("abcd")))


def test_shares_are_those_of_the_tested_rows():
    errors = measure((0, 0), (0, 0), (0, 1), (1, 1))
    rows = list_classes(errors, 60)
    assert [(one.label, one.n_rows, one.share) for one in rows[:2]] == [
        ("a", 3, 0.75),
        ("b", 1, 0.25),
    ]
    assert rows[0].recall == 2 / 3 and rows[1].precision == 0.5


def test_of_too_many_classes_those_with_the_lowest_recall_are_listed():
    # Class c has no tested row: its recall is unknown, and it comes last.
    errors = measure((0, 0), (1, 0), (3, 0), (3, 1))
    assert [one.label for one in list_classes(errors, 3)] == ["d", "b", "a"]
    assert [one.label for one in list_classes(errors, 4)] == list("abcd")
    assert list_classes(replace(errors, labels=(), counts=()), 4) == ()
