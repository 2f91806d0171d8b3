"""Statistics of levels are those of the training rows."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.preprocessing import GroupFeatures
from manyminds.preprocessing.generation.group_features import compute_table


def make_shops(rng, n_rows=800):
    shop = rng.integers(20, size=n_rows)
    price = 3.0 * shop + rng.normal(size=n_rows)
    shops = pd.Categorical([f"s{number}" for number in shop])
    return pd.DataFrame({"shop": shops, "price": price}), price < 3.0 * shop


def test_statistics_worked_by_hand():
    codes, values = np.array([0, 0, 1, 1]), np.array([1.0, 3.0, 5.0, np.nan])
    assert_allclose(compute_table("count", codes, codes, 4), [2, 2, 0, 0])
    assert_allclose(compute_table("mean", codes, values, 4), [2, 5, 3, 3])
    assert_allclose(compute_table("difference", codes, values, 4), [2, 5, 3, 3])
    std = np.std([1, 3, 5])
    assert_allclose(compute_table("std", codes, values, 3), [1, 0, std])
    assert_allclose(compute_table("mean", codes, values * np.nan, 2), [0, 0])


def test_the_difference_from_the_group_is_found_and_is_that_of_pandas(seed):
    X, y = make_shops(np.random.default_rng(seed))
    generator = GroupFeatures().fit(X, y)
    assert generator.features_[0] == ("difference", 0, 1)
    made = generator.transform(X)["price - mean by shop"]
    naive = X["price"] - X.groupby("shop", observed=True)["price"].transform("mean")
    assert_allclose(made, naive, atol=1e-9)


def test_unknown_and_missing_levels_have_finite_statistics(seed):
    X, y = make_shops(np.random.default_rng(seed))
    generator = GroupFeatures().fit(X, y)
    new = pd.DataFrame({"shop": pd.Categorical(["new", None]), "price": [1.0, 2.0]})
    made = generator.transform(new)
    assert np.isfinite(made.select_dtypes("number").to_numpy()).all()
    assert_allclose(made["price - mean by shop"], new["price"] - X["price"].mean())


def test_a_table_without_categories_is_unchanged():
    X = np.random.default_rng(0).normal(size=(60, 3))
    assert GroupFeatures().fit_transform(X, X[:, 0] > 0).shape == (60, 3)


@pytest.mark.slow
def test_noise_generates_hardly_anything(seed):
    # Over 300 draws: none generated a column (alpha is 0.01). More than 3 of 40 happen
    # less than once in 1,000 runs at alpha.
    rng = np.random.default_rng(seed)
    n_made = 0
    for _ in range(40):
        frame = pd.DataFrame(rng.normal(size=(200, 2)), columns=["a", "b"])
        frame["c"] = pd.Categorical(rng.integers(8, size=200).astype(str))
        n_made += bool(GroupFeatures().fit(frame, rng.integers(2, size=200)).features_)
    assert n_made <= 3
