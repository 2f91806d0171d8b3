"""Descriptions and keys: equal for equal results, different otherwise."""

import functools
import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.feature_selection import SelectKBest, chi2, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from manyminds.experiments.measures import Scores
from manyminds.utils.hashing import (
    _list_instructions,
    describe,
    list_versions,
    make_key,
)


def key(value):
    return make_key(describe(value))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LogisticRegression(), LogisticRegression(C=2.0)),
        (LogisticRegression(), DecisionTreeClassifier()),
        (
            make_pipeline(StandardScaler(), LogisticRegression()),
            make_pipeline(LogisticRegression()),
        ),
        (
            make_pipeline(StandardScaler(), LogisticRegression(C=1)),
            make_pipeline(StandardScaler(), LogisticRegression(C=2)),
        ),
        (SelectKBest(chi2), SelectKBest(f_classif)),
        (
            BaggingClassifier(DecisionTreeClassifier(max_depth=1)),
            BaggingClassifier(DecisionTreeClassifier(max_depth=2)),
        ),
        (
            GridSearchCV(LogisticRegression(), {"C": [1, 2]}, cv=KFold(3)),
            GridSearchCV(LogisticRegression(), {"C": [1, 2]}, cv=KFold(4)),
        ),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
        (Scores(("accuracy",)), Scores(("accuracy", "roc_auc"))),
        ({"a": 1}, {"a": 2}),
        ([1, 2], [2, 1]),
        (1, True and 2),
        (0.1, 0.1 + 1e-17 + 1e-16),
    ],
)
def test_what_changes_the_result_changes_the_key(one, other):
    assert key(one) != key(other)
    assert key(one) == key(one)


@pytest.mark.parametrize("name", ["n_jobs", "verbose"])
def test_what_changes_the_speed_only_does_not(name):
    assert key(BaggingClassifier(**{name: 2})) == key(BaggingClassifier())


def test_use_does_not_change_the_key():
    @dataclass(frozen=True)
    class Measure:
        power: int = 2

        @cached_property
        def powers(self):
            return [self.power**k for k in range(3)]

    measure = Measure()
    before = key(measure)
    assert measure.powers == [1, 2, 4]  # kept for the next use
    assert key(measure) == before


def test_a_description_is_plain():
    model = make_pipeline(StandardScaler(), SelectKBest(chi2, k=3))
    json.dumps(describe(model))


def test_functions_of_a_script_are_described_by_what_they_do():
    one, other = lambda x: x + 1, lambda x: x + 2
    assert describe(one)["content"] != describe(other)["content"]
    assert "content" not in describe(np.mean)


def test_functions_are_described_by_what_they_bring_along():
    def make(shift, *, default=0):
        return lambda x, y=default: x + shift + y

    assert key(make(1)) == key(make(1))
    assert len({key(make(1)), key(make(2)), key(make(1, default=3))}) == 3


SCRIPT = """
import functools

def shift(x):
    return x + 1

def halve(x):
    return shift(x) / 2 if x in {"a", "b", "c", ("d", "e"), 1.5} else even(x)

def even(x):
    return x == 0 or odd(x - 1)

def odd(x):
    return x != 0 and even(x - 1)

@functools.cache
def unrelated(x):
    return x

def decorate(function):
    @functools.wraps(function)
    def call(x):
        return function(x)
    return call

@decorate
def descend(x):
    return descend(x - 1) if x else shift(x)
"""


def load_script(name, source, folder):
    """Return the functions of a file, as of one that the user has edited."""
    path = folder / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("script_of_a_user", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["halve", "descend"])
def test_an_edited_helper_changes_the_key(name, tmp_path):
    def key_of(number, *edit):
        module = load_script(f"script{number}", SCRIPT.replace(*edit), tmp_path)
        return key(getattr(module, name))

    before = key_of(0, "", "")
    assert key_of(1, "", "") == before
    assert key_of(2, "x + 1", "x + 2") != before
    assert key_of(3, "return x\n", "return -x\n") == before  # not called
    assert (key_of(4, "!= 0 and", "!= 2 and") != before) == (name == "halve")


def test_many_functions_that_call_each_other_are_described_once(tmp_path):
    names = [f"f{number}" for number in range(300)]
    calls = " + ".join(f"{name}(x)" for name in names)
    source = "\n".join(f"def {name}(x):\n    return {calls}" for name in names)
    module = load_script("dense", source, tmp_path)
    assert len(describe(module.f0)["content"]["called"]) == 299


def test_a_function_that_contains_itself_is_described():
    def make():
        def count(n):
            return n and count(n - 1)

        return count

    assert key(make()) == key(make())


def test_keys_of_functions_are_the_same_in_every_process(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    program = (
        "import script; from manyminds.utils.hashing import describe, make_key; "
        "print(make_key(describe(script.halve)))"
    )
    found = {
        subprocess.check_output(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": number},
            cwd=tmp_path,
        )
        for number in "123"
    }
    assert len(found) == 1


def test_keys_of_functions_in_stores_stay():
    # Without sets and helpers, instructions are what they were.
    code = (lambda x: x in ("a", (1, None), (2,), 2.5)).__code__
    constants = [repr(constant) for constant in code.co_consts]
    assert _list_instructions(code)[2] == constants


def test_what_cannot_be_told_apart_is_refused():
    space = {}
    exec("class Unseen: pass", space)
    with pytest.raises(
        TypeError, match=r"cannot distinguish .*Unseen from another version"
    ):
        describe(space["Unseen"]())


def test_a_generator_is_refused():
    model = LogisticRegression(random_state=np.random.RandomState(0))
    with pytest.raises(TypeError, match="None or an int as random_state"):
        describe(model)


def test_partial_functions_are_described_by_what_they_hold():
    one, other = (functools.partial(np.mean, axis=axis) for axis in (0, 1))
    assert key(one) != key(other)


def test_versions_name_the_libraries_behind_an_estimator():
    versions = list_versions(LogisticRegression())
    assert {"manyminds", "numpy", "scipy", "sklearn"} == set(versions)
    import numba

    from manyminds.kernels import _jit

    assert numba.__version__ == list_versions([numba.njit])["numba"]
    assert _jit.__name__.startswith("manyminds")


def test_keys_do_not_depend_on_the_order_of_names():
    assert make_key({"a": 1, "b": 2}) == make_key({"b": 2, "a": 1})
