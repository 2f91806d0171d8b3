"""Kernels are compiled before the clock of a search runs, once."""

from dataclasses import replace

import numba
import numpy as np
from numba.core.event import trigger_event

from manyminds.kernels._jit import time_compiling
from manyminds.search import Problem, default_space
from manyminds.search.evaluation import compilation

PLAIN = Problem("classification", 200, 30, 2, 100, n_encoded=30)


def test_only_compiling_is_counted():
    called = []
    with time_compiling(lambda: called.append(1)) as clock:
        double = numba.njit(lambda x: 2 * x)
        double(np.int64(2))
        seconds = clock.seconds
        double(np.int64(3))  # compiled already
    assert seconds > 0.0
    assert clock.seconds == seconds
    assert called == [1]
    with time_compiling(lambda: called.append(1)) as clock:
        double(np.int64(4))
    assert clock.seconds == 0.0
    assert called == [1]


def test_what_is_compiled_is_told_and_counted_once(monkeypatch):
    space, told, done = default_space("classification").suiting(PLAIN), [], []
    monkeypatch.setattr(compilation, "read_stamp", set)
    monkeypatch.setattr(compilation, "add_to_stamp", lambda lines: None)

    def warm_up(space, problem, names):
        done.extend(names)
        if names == compilation.LEARNERS:
            with trigger_event("numba:compile"):
                pass

    monkeypatch.setattr(compilation, "warm_up", warm_up)
    seconds = compilation.compile_kernels(space, PLAIN, 1, lambda: told.append(1))
    assert told == [1] and seconds > 0.0
    assert set(done) == {*compilation.LEARNERS, *compilation.SELECTORS}
    monkeypatch.setattr(compilation, "warm_up", lambda *_: None)
    assert compilation.compile_kernels(space, PLAIN, 1, lambda: told.append(1)) == 0.0
    assert told == [1]


def test_what_the_stamp_lists_is_not_even_loaded(monkeypatch):
    space, calls, stamp = default_space("classification").suiting(PLAIN), [], set()
    monkeypatch.setattr(compilation, "warm_up", lambda *_: calls.append(1))
    monkeypatch.setattr(compilation, "read_stamp", lambda: stamp)
    monkeypatch.setattr(compilation, "add_to_stamp", stamp.update)
    compilation.compile_kernels(space, PLAIN, 1)
    assert len(calls) == 2
    assert "gb classification False False False" in stamp
    compilation.compile_kernels(space, PLAIN, 1)
    assert len(calls) == 2
    other = replace(PLAIN, has_missing=True)
    compilation.compile_kernels(space, other, 1)
    assert len(calls) == 4


def test_tiny_rows_have_the_form_of_the_table():
    for problem in (
        Problem("classification", 99, 9, 18, 5, n_categorical=3, n_encoded=30),
        Problem("regression", 99, 9, n_encoded=9, has_missing=True),
        Problem("classification", 99, 9, 2, 40, n_encoded=9, sparse=True),
    ):
        X, y = compilation._make_rows(problem)
        seen = Problem.of(X, y, problem.task)
        assert (seen.n_categorical > 0) == (problem.n_categorical > 0)
        assert seen.has_missing == problem.has_missing
        assert seen.sparse == problem.sparse
        assert (seen.n_classes > 1) == (problem.n_classes > 1)


def test_every_named_option_is_one_of_the_space():
    names = set()
    for task in ("classification", "regression", "multilabel"):
        space = default_space(task)
        names |= {one.name for one in (*space.learner, *space.select)}
    assert names >= {
        *compilation.LEARNERS,
        *compilation.SELECTORS,
        *compilation.CARRIERS,
    }


def test_first_learners_are_loaded_only_if_they_are_compiled(monkeypatch):
    warmed = []
    monkeypatch.setattr(compilation, "warm_up", lambda *given: warmed.append(given))
    monkeypatch.setattr(compilation, "read_stamp", set)
    compilation.load_kernels()
    assert not warmed
    stamp = {f"{name} classification False False False" for name in compilation.FIRST}
    monkeypatch.setattr(compilation, "read_stamp", lambda: stamp)
    compilation.load_kernels()
    ((_, _, names),) = warmed
    assert names == compilation.FIRST
