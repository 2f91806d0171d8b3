"""Columns that number or name the rows are found, and no others."""

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from manyminds.datasets import find_identifiers
from manyminds.datasets.identifiers import list_candidates


def test_counters_are_found_in_any_order_from_any_start(seed):
    order = np.random.default_rng(seed).permutation(40)
    X = pd.DataFrame({"from_0": order, "from_1": order + 1.0, "tens": 10 * order})
    X["later"] = order + 5_000
    assert list(find_identifiers(X)) == ["from_0", "from_1", "tens", "later"]
    assert set(find_identifiers(X).values()) == {"a counter of the rows"}


def test_numbers_that_are_no_counters(seed):
    numbers = np.random.default_rng(seed).normal(size=40)
    whole = np.arange(40)
    X = pd.DataFrame({"drawn": numbers, "years": 1980 + whole, "halves": whole / 2})
    X["skips"] = np.where(whole > 20, whole + 1, whole)
    X["twice"] = np.repeat(np.arange(20), 2)
    X["constant"] = 3.0
    X["infinite"] = np.where(whole == 7, np.inf, whole)
    assert find_identifiers(X) == {}


def test_text_that_is_all_different():
    keys = [f"key {place}" for place in range(30)]
    X = pd.DataFrame({"key": keys, "declared": pd.Categorical(keys), "hue": ["a"] * 30})
    X["nearly"] = [*keys[:-1], keys[0]]
    X["some"] = [*keys[:-5], *[None] * 5]
    assert list(find_identifiers(X)) == ["key", "declared", "some"]


def test_few_rows_and_sparse_tables_have_none():
    assert find_identifiers(pd.DataFrame({"row": range(19)})) == {}
    assert find_identifiers(csr_array(np.arange(30.0).reshape(-1, 1))) == {}


def test_wide_tables_of_fractions_are_passed_over(seed):
    X = pd.DataFrame(np.random.default_rng(seed).normal(size=(130, 5)))
    X[2] = np.arange(130.0)
    X[3] = np.where(np.arange(130) < 125, X[2], 0.5)  # a fraction at the end
    X[4] = [f"t{k}" for k in range(130)]
    assert list_candidates(X).tolist() == [2, 3, 4]
    assert list(find_identifiers(X)) == ["2", "4"]


def test_wide_tables_of_repeated_integers_are_passed_over(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 9, size=(200, 4)))
    X[1] = rng.permutation(200)
    X[2] = np.where(np.arange(200) < 150, np.arange(200), 0)  # equal values at the end
    X[3] = X[3].astype(np.float32)
    assert list_candidates(X).tolist() == [1, 2]
    assert list(find_identifiers(X)) == ["1"]
