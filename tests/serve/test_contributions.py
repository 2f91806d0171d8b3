from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from manyminds.serve.contributions import (
    OTHERS,
    Contribution,
    Contributions,
    estimate_contributions,
    merge_small,
)


def predict(X):
    return (X["a"] * X["b"] + 2 * X["c"]).to_numpy()


def find_exact(row, other):
    """Compute Shapley values with one background row, over all orders."""
    values = dict.fromkeys("abc", 0.0)
    for order in permutations("abc"):
        now = other.copy()
        for name in order:
            before = predict(now)[0]
            now[name] = row[name].to_numpy()
            values[name] += (predict(now)[0] - before) / 6
    return values


def test_estimates_agree_with_all_orders():
    row = pd.DataFrame({"a": [3.0], "b": [4.0], "c": [5.0]})
    other = pd.DataFrame({"a": [1.0], "b": [2.0], "c": [0.0]})
    found = estimate_contributions(predict, row, other, ["a", "b", "c"])
    made = {one.column: one.value for one in found.columns}
    # An order and its reverse together have no error for products of two columns.
    assert made == pytest.approx(find_exact(row, other))


def test_contributions_add_up_to_the_prediction(seed):
    rng = np.random.default_rng(seed)
    background = pd.DataFrame(rng.normal(size=(30, 3)), columns=list("abc"))
    row = background.iloc[[3]]
    found = estimate_contributions(predict, row, background, ["a"])
    assert found.prediction == pytest.approx(predict(row)[0])
    total = sum(one.value for one in found.columns)
    assert total == pytest.approx(found.prediction - found.mean)
    assert {one.column for one in found.columns} == {"a", OTHERS}


def test_categories_keep_their_dtype():
    kind = pd.CategoricalDtype(["x", "y"])
    background = pd.DataFrame({"a": pd.Series(["x", "y", None], dtype=kind)})
    row = pd.DataFrame({"a": pd.Series(["y"], dtype=kind)})

    def count(X):
        assert X["a"].dtype == kind
        return (X["a"] == "y").to_numpy(dtype=float)

    found = estimate_contributions(count, row, background, ["a"])
    assert found.prediction == 1.0


def test_small_contributions_are_merged():
    columns = (
        Contribution("a", 5.0, 0.1),
        Contribution(OTHERS, -4.0, 3.0),
        Contribution("b", 2.0, 0.1),
        Contribution("c", 1.0, 4.0),
    )
    found = merge_small(Contributions(4.0, 0.0, columns), 3)
    assert [one.column for one in found.columns] == ["a", "b", OTHERS]
    assert found.columns[-1] == Contribution(OTHERS, -3.0, 5.0)
    assert merge_small(found, 3) is found
