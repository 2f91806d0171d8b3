"""A column that reveals the target is found; a good predictor is not."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from manyminds.analysis.pitfalls.leaks import find_leaks, measure_column_error


def draw(seed, task, n=300):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    y = X["a"].to_numpy() + rng.normal(size=n)
    return X, np.where(y > 0, "yes", "no") if task == "classification" else y


def test_a_copy_in_another_coding(seed):
    X, y = draw(seed, "classification")
    named = pd.Categorical(y).rename_categories(["p", "q"])
    for values in (np.where(y == "yes", 3.0, 8.0), named):
        [found] = find_leaks(X.assign(code=values), y, "classification")
        assert found.column == "code" and "one for each class" in found.evidence
        assert found.parameter == "drop" and found.is_serious


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_column_that_knows_too_much(seed, task):
    X, y = draw(seed, task)
    assert find_leaks(X, y, task) == []
    rng = np.random.default_rng(seed)
    if task == "classification":
        later = (y == "yes") * 5.0 + rng.random(len(y))
    else:
        later = np.exp(y / 2)
    [found] = find_leaks(X.assign(later=later), y, task)
    assert found.column == "later" and "all other columns together" in found.evidence
    assert find_leaks(X.assign(later=later), y, task, skip={"later"}) == []


@pytest.mark.slow
def test_what_all_columns_know_is_no_leak(seed):
    # Both columns determine the class: the problem is easy.
    rng = np.random.default_rng(seed)
    y = np.repeat(["a", "b"], 100)
    X = pd.DataFrame({n: (y == "a") * 9.0 + rng.normal(size=200) for n in "ab"})
    assert find_leaks(X, y, "classification") == []
    iris = load_iris(as_frame=True)
    assert find_leaks(iris.data, iris.target.to_numpy(), "classification") == []


def test_errors_of_single_columns_worked_by_hand():
    order = np.array([0, 2, 4, 6, 1, 3, 5, 7])
    column = pd.Series([1.0, 1, 2, 2, 1, 1, 2, 2])
    target = np.array([0, 0, 1, 1, 0, 0, 1, 1])
    assert measure_column_error(column, target, "classification", order) == 0.0
    line = pd.Series(np.arange(100.0))
    error = measure_column_error(line, 3 - line.to_numpy(), "regression", order)
    assert error == pytest.approx(0.0, abs=1e-12)
    flat = pd.Series(np.zeros(8))
    assert measure_column_error(flat, target * 1.0, "regression", order) >= 1.0


def test_small_and_rare_targets_are_not_judged(seed):
    X, y = draw(seed, "classification", 40)
    assert find_leaks(X.assign(copy=(y == "yes") * 1.0), y, "classification") == []
    rare = np.array(["a"] * 290 + ["b"] * 10)
    X, _ = draw(seed, "classification")
    assert find_leaks(X.assign(copy=(rare == "a") * 1.0), rare, "classification") == []
