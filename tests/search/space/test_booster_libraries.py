"""Rows, threads and what is installed; training is tested with the learners."""

import sys

import numpy as np
from numpy.testing import assert_array_equal

from manyminds.search.space.booster_libraries import (
    LIBRARIES,
    Rows,
    _as_probabilities,
    count_threads,
    is_installed,
)


def test_rows_are_taken_with_their_weights():
    rows = Rows(np.eye(3), np.arange(3.0), np.array([1.0, 2.0, 3.0]), (1,), 0)
    some = rows.take(np.array([2, 0]))
    assert_array_equal(some.X, np.eye(3)[[2, 0]])
    assert_array_equal(some.y, [2.0, 0.0])
    assert_array_equal(some.weight, [3.0, 1.0])
    assert some.categorical == (1,)


def test_threads_are_those_of_the_environment(monkeypatch):
    for text, expected in {"4": 4, "2,1": 2, "0": 1, "many": 1}.items():
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert count_threads() == expected
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert count_threads() == 1


def test_asking_for_a_library_does_not_import_it():
    assert not is_installed("a_library_that_nobody_has")
    before = set(sys.modules)
    for name in LIBRARIES:
        is_installed(name)
    assert not {name for name in LIBRARIES if name in set(sys.modules) - before}


def test_two_classes_have_two_columns():
    made = np.array([0.25, 1.0])
    assert_array_equal(_as_probabilities(made, 2), [[0.75, 0.25], [0.0, 1.0]])
    assert _as_probabilities(made, 0) is made
