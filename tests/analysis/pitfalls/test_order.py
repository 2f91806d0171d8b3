"""A target that follows the rows or a date is found; sorted tables are not meant."""

import numpy as np
import pandas as pd
import pytest

from manyminds.analysis.pitfalls.order import find_order, measure_persistence


def drift(seed, n=1_000):
    """Return a table, and a target that drifts slowly along its rows."""
    rng = np.random.default_rng(seed)
    walk = np.cumsum(rng.normal(size=n)) / 10
    X = pd.DataFrame({"x": rng.normal(size=n)})
    return X, walk + 0.3 * rng.normal(size=n)


def test_persistence_worked_by_hand():
    # Five of seven neighbors are equal; half would be by chance.
    y = np.array(list("aaaabbaa"))
    expected = 0.75**2 + 0.25**2
    found, _ = measure_persistence(y, "classification")
    assert found == pytest.approx((5 / 7 - expected) / (1 - expected))
    assert measure_persistence(np.arange(100.0), "regression")[0] > 0.9
    assert measure_persistence(np.ones(10), "regression") == (0.0, 1.0)


def test_the_standard_error_is_that_of_shuffled_rows(seed):
    rng = np.random.default_rng(seed)
    for task, y in [
        ("classification", rng.choice(3, 400, p=[0.6, 0.3, 0.1])),
        ("regression", rng.normal(size=400)),
    ]:
        draws = [measure_persistence(rng.permutation(y), task) for _ in range(300)]
        ratio = np.std([one for one, _ in draws]) / draws[0][1]
        assert 0.6 < ratio < 1.25  # conservative for unequal classes


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_drifting_targets(seed, task):
    X, y = drift(seed)
    y = np.where(y > np.median(y), "up", "down") if task == "classification" else y
    [found] = find_order(X, y, task)
    assert found.parameter == "time" and not found.is_serious
    shuffled = np.random.default_rng(seed).permutation(len(y))
    assert find_order(X, y[shuffled], task) == []


def test_a_column_of_dates_is_serious_in_any_order(seed):
    X, y = drift(seed)
    X["when"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(range(1_000), unit="D")
    rows = np.random.default_rng(seed).permutation(1_000)
    [found] = find_order(X.iloc[rows], y[rows], "regression")
    assert found.column == "when" and found.is_serious
    assert "time='when'" in found.message
    # Dates along which nothing drifts are fine.
    assert find_order(X, y[rows], "regression") == []


@pytest.mark.parametrize(
    ("name", "serious"),
    [("week", True), ("sale_date", True), ("age at time of sale", False)],
)
def test_the_sorted_column_is_named(seed, name, serious):
    X, y = drift(seed)
    X[name] = np.arange(1_000) // 7 * 1.0
    [found] = find_order(X, y, "regression")
    assert found.column == name and found.is_serious == serious


def test_tables_sorted_by_their_target_are_not_meant(seed):
    X, y = drift(seed)
    assert find_order(X, np.sort(y), "regression") == []
    blocks = np.repeat(["a", "b", "c", "d"], 250)
    assert find_order(X, blocks, "classification") == []
    assert find_order(X.head(50), y[:50], "regression") == []
