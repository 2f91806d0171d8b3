"""Rows unlike those of training are flagged, and like ones hardly ever."""

import numpy as np
import pandas as pd
import pytest

from manyminds.analysis import NoveltyCheck


def draw(seed, n=1_000):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return pd.DataFrame(
        {
            "a": x,
            "b": x + 0.2 * rng.normal(size=n),
            "c": np.exp(rng.normal(size=n)),
            "when": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 700, n), unit="D"),
            "hue": pd.Categorical(rng.choice(["red", "blue"], n)),
        }
    )


@pytest.fixture
def check(seed):
    return NoveltyCheck.fit(draw(seed))


def test_like_rows_are_rarely_flagged(check, seed):
    # About 0.8 % of 4,000 rows; 2.5 % is far beyond the variation of thresholds.
    assert check.find_unlike(draw(seed + 1, 4_000)).unlike.mean() < 0.025


def test_reasons(check, seed):
    new = draw(seed + 1, 300).iloc[:6].reset_index(drop=True)
    new[["a", "b"]] = [[0.1, 0.1]] * 6
    new["c"] = 1.0
    new.loc[0, "a"] = 50.0
    new.loc[1, "c"] = np.nan
    new.loc[2, "when"] = pd.Timestamp("2031-01-01")
    new.loc[3, ["a", "b"]] = [2.0, -2.0]
    new.loc[4, "hue"] = np.nan
    unseen = pd.DataFrame(False, index=range(6), columns=new.columns)
    unseen.loc[4, "hue"] = True
    result = check.find_unlike(new, unseen)
    assert result.unlike.tolist() == [True] * 5 + [False]
    assert result.columns == {"a": 1, "c": 1, "when": 1, "hue": 1}
    assert list(result.combined)[:2] in (["a", "b"], ["b", "a"])


def test_where_new_categories_are_usual_they_are_not_flagged(seed):
    X = draw(seed, 200)
    X["name"] = pd.Categorical([f"n{i}" for i in range(200)])
    check = NoveltyCheck.fit(X)
    assert check.closed == ("hue",)
    new = X.head(1).assign(name=pd.Categorical([None]))
    unseen = pd.DataFrame({name: [name == "name"] for name in X})
    assert not check.find_unlike(new, unseen).unlike.any()


def test_missing_values_are_flagged_only_where_there_were_none(seed):
    X = draw(seed)
    X.loc[:100, "a"] = np.nan
    check = NoveltyCheck.fit(X)
    new = X.iloc[200:202].assign(a=np.nan)
    assert check.find_unlike(new).columns == {}
    assert check.find_unlike(new.assign(c=np.nan)).columns == {"c": 2}


def test_small_and_odd_tables(seed):
    few = NoveltyCheck.fit(draw(seed, 5))
    assert few.combined == () and few.max_distance == np.inf
    words = NoveltyCheck.fit(draw(seed)[["hue"]])
    assert not words.find_unlike(draw(seed)[["hue"]]).unlike.any()
    wide = pd.DataFrame(np.random.default_rng(seed).normal(size=(60, 150)))
    wide.columns = [f"x{i}" for i in range(150)]
    check = NoveltyCheck.fit(wide)
    assert len(check.combined) == 100 and check.precision.shape == (100, 100)
    constant = NoveltyCheck.fit(draw(seed).assign(a=1.0))
    assert constant.find_unlike(draw(seed).head(3).assign(a=2.0)).columns["a"] == 3
