"""Copies of rows are counted where equal rows are no coincidence."""

import numpy as np
import pandas as pd

from manyminds.analysis.pitfalls.repeats import find_repeats


def draw(seed, n=200):
    rng = np.random.default_rng(seed)
    hue = pd.Categorical(rng.choice(["red", "blue"], n))
    return pd.DataFrame({"x": rng.normal(size=n), "hue": hue}), rng.normal(size=n)


def test_copies_are_counted(seed):
    X, y = draw(seed)
    rows = np.r_[0:200, 0:10]
    [found] = find_repeats(X.iloc[rows], y[rows])
    assert "10 of 210 rows (4.8%) repeat" in found.evidence and found.is_serious
    assert find_repeats(X, y) == []


def test_another_target_is_another_row(seed):
    X, y = draw(seed)
    rows = np.r_[0:200, 0:10]
    assert find_repeats(X.iloc[rows], np.arange(210)) == []
    labels = pd.DataFrame({"a": y[rows] > 0, "b": y[rows] > 1})
    assert len(find_repeats(X.iloc[rows], labels)) == 1


def test_few_copies_are_not_mentioned(seed):
    X, y = draw(seed)
    rows = np.r_[0:200, 0:4]
    assert find_repeats(X.iloc[rows], y[rows]) == []


def test_equal_rows_of_few_categories_are_no_copies(seed):
    X, y = draw(seed)
    X = X.assign(x=np.round(X["x"]))
    assert find_repeats(X, np.where(y > 0, "a", "b")) == []


def test_missing_values_are_equal(seed):
    X, y = draw(seed)
    X.loc[:9, ["x"]] = np.nan
    rows = np.r_[0:200, 0:10]
    assert len(find_repeats(X.iloc[rows], y[rows])) == 1


def test_swapped_values_are_other_rows_in_chunks_of_any_size(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(60, 7)))
    rows = np.r_[0:60, 0:20]
    table = X.iloc[rows].reset_index(drop=True)
    swapped = pd.concat([X, X[[1, 0, 2, 3, 4, 5, 6]].set_axis(range(7), axis=1)])
    for n_cells in (1, 160, 10**6):
        monkeypatch.setattr("manyminds.analysis.pitfalls.repeats.MAX_CELLS", n_cells)
        [found] = find_repeats(table, np.zeros(80))
        assert found.evidence.startswith("20 of 80")
        assert find_repeats(swapped, np.zeros(120)) == []
