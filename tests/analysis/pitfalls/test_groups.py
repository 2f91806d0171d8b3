"""Rows of one person are found; sorted amounts and shuffled categories are not."""

import numpy as np
import pandas as pd
import pytest

from manyminds.analysis.pitfalls.groups import find_groups


def draw(seed, task, effect=2.0):
    """Return a table of 40 people with ten rows each, and the target."""
    rng = np.random.default_rng(seed)
    who = np.repeat(rng.permutation(40), 10)
    y = effect * rng.normal(size=40)[who] + rng.normal(size=400)
    X = pd.DataFrame({"x": rng.normal(size=400), "who": who + 100.0})
    return X, np.where(y > 0, "ill", "well") if task == "classification" else y


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("dtype", ["number", "text"])
def test_people_are_found(seed, task, dtype):
    X, y = draw(seed, task)
    if dtype == "text":
        X["who"] = pd.Categorical([f"p{n:.0f}" for n in X["who"]])
    [found] = find_groups(X, y, task)
    assert found.column == "who" and found.parameter == "group" and found.is_serious
    assert "40 values in 40 runs" in found.evidence


def test_groups_without_the_target_in_runs_or_shuffled_are_not(seed):
    X, y = draw(seed, "regression", effect=0.0)
    assert find_groups(X, y, "regression") == []
    X, y = draw(seed, "regression")
    rows = np.random.default_rng(seed).permutation(400)
    assert find_groups(X.iloc[rows], y[rows], "regression") == []


def test_sorted_amounts_are_no_groups(seed):
    rng = np.random.default_rng(seed)
    age = np.sort(rng.integers(20, 60, 400)) * 1.0
    X = pd.DataFrame({"age": age, "height": rng.normal(size=400)})
    assert find_groups(X, age / 10 + rng.normal(size=400), "regression") == []


def test_what_a_group_determines_is_not_named_besides(seed):
    X, y = draw(seed, "regression")
    X["town"] = X["who"] * 2.0  # the same groups
    assert [one.column for one in find_groups(X, y, "regression")] == ["who"]


def test_few_levels_missing_values_and_fractions_are_no_groups(seed):
    X, y = draw(seed, "regression")
    assert find_groups(X.assign(who=X["who"].where(X["x"] < 2)), y, "regression") == []
    assert find_groups(X.assign(who=X["who"] + 0.5), y, "regression") == []
    halves = X.assign(who=np.repeat([0.0, 1.0], 200))
    assert find_groups(halves, y + 9 * halves["who"], "regression") == []
