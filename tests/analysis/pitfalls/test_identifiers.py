"""Identifiers of rows are found, and measurements are not taken for them."""

import numpy as np
import pandas as pd
import pytest

from manyminds.analysis.pitfalls.identifiers import find_row_identifiers

N = 100


def find(seed, **columns):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"size": rng.normal(size=N)}).assign(**columns)
    return [(one.column, one.kind) for one in find_row_identifiers(X)]


def test_counters_and_unique_texts(seed):
    words = pd.Categorical([f"w{i}" for i in range(N)])
    found = find(seed, row=np.arange(N) + 1.0, word=words)
    assert found == [("row", "identifier"), ("word", "identifier")]


def test_increasing_integers(seed):
    steps = np.random.default_rng(seed).integers(1, 9, N)
    assert find(seed, n=np.cumsum(steps) * 1.0) == [("n", "identifier")]
    assert find(seed, n=-np.cumsum(steps) * 1.0) == [("n", "identifier")]


@pytest.mark.parametrize("name", ["id", "patient_id", "customerID", "Id_2", "row key"])
def test_distinct_integers_with_a_telling_name(seed, name):
    numbers = np.random.default_rng(seed).permutation(10**6)[:N] * 1.0
    is_named = name != "Id_2"
    assert bool(find(seed, **{name: numbers})) == is_named
    assert find(seed, income=numbers) == []


def test_nearly_unique_texts(seed):
    words = [f"w{i}" for i in range(N)]
    words[1] = words[0]
    assert find(seed, word=pd.Categorical(words)) == [("word", "identifier")]
    assert find(seed, word=pd.Categorical([w[:2] for w in words])) == []


def test_sorted_measurements_and_years_are_none(seed):
    rng = np.random.default_rng(seed)
    years = np.arange(1901, 2001).astype(float)
    assert find(seed, height=np.sort(rng.normal(size=N)), year=years) == []
