"""Crosses are kept where two columns act together, and only there."""

import numpy as np
import pandas as pd
import pytest

from manyminds.preprocessing import CrossedCategories


def make_levels(rng, n_rows=400, n_levels=3):
    codes = rng.integers(n_levels, size=(n_rows, 3))
    return codes, pd.DataFrame(codes.astype(str), columns=list("abc")).astype(
        "category"
    )


def test_exclusive_or_is_crossed(seed):
    codes, X = make_levels(np.random.default_rng(seed))
    crossed = CrossedCategories().fit(X, codes[:, 0] == codes[:, 2])
    assert crossed.features_[0] == (0, 2)
    made = crossed.transform(X)["a & c"].astype(str)
    assert (made == X["a"].astype(str) + " & " + X["c"].astype(str)).all()


def test_effects_that_add_up_are_not_crossed(seed):
    rng = np.random.default_rng(seed)
    codes, X = make_levels(rng)
    y = codes[:, 0] + codes[:, 1] + rng.normal(size=len(codes))
    assert CrossedCategories().fit(X, y).features_ == []


def test_rare_and_unknown_pairs_share_a_level(seed):
    codes, X = make_levels(np.random.default_rng(seed))
    y = codes[:, 0] == codes[:, 1]
    crossed = CrossedCategories(max_levels=4).fit(X, y)
    made = crossed.transform(X)["a & b"]
    counts = (X["a"].astype(str) + " & " + X["b"].astype(str)).value_counts()
    assert set(crossed.levels_[0]) <= set(counts.index) and len(crossed.levels_[0]) == 4
    assert counts[crossed.levels_[0]].min() >= counts.iloc[4]
    assert (made == "other").sum() == counts.drop(crossed.levels_[0]).sum()
    new = pd.DataFrame({"a": ["9"], "b": [None], "c": ["0"]}).astype("category")
    assert crossed.transform(new)["a & b"].tolist() == ["other"]


def test_a_missing_cell_is_a_level_of_its_own(seed):
    codes, X = make_levels(np.random.default_rng(seed), n_levels=2)
    y = codes[:, 0] == codes[:, 1]
    X = X.mask(X == "0")
    made = CrossedCategories().fit(X, y).transform(X)["a & b"]
    assert set(made) == {"1 & 1", "1 & ?", "? & 1", "? & ?"}


@pytest.mark.slow
def test_noise_generates_hardly_anything(seed):
    # Over 300 draws: none generated a column (alpha is 0.01). More than 3 of 40 happen
    # less than once in 1,000 runs at alpha.
    rng = np.random.default_rng(seed)
    n_made = 0
    for _ in range(40):
        _, X = make_levels(rng, n_rows=200)
        n_made += bool(CrossedCategories().fit(X, rng.integers(2, size=200)).features_)
    assert n_made <= 3
