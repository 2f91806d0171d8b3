"""Codes of columns of any kind, correlations, normal scores."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from manyminds.networks.independence.coding import (
    code_columns,
    make_evidence,
    name_variables,
    read_columns,
    to_normal_scores,
)


def test_each_value_is_a_level_and_missing_values_are_one():
    frame = pd.DataFrame(
        {"hue": pd.Categorical(["b", None, "a"]), "size": [0.5, np.nan, 7.0]}
    )
    codes, n_levels = code_columns(frame)
    assert_array_equal(n_levels, [3, 3])
    assert all(len(set(row)) == 3 for row in codes.tolist())
    assert name_variables(frame) == ["hue", "size"]
    codes, n_levels = code_columns([["x", True], ["y", True]])
    assert_array_equal(codes, [[0, 1], [0, 0]])
    assert_array_equal(n_levels, [2, 1])


def test_whole_numbers_are_coded_in_order(seed):
    rng = np.random.default_rng(seed)
    whole = rng.choice([0, 3, 7, 200], size=(50, 1))
    codes, n_levels = code_columns(whole)
    expected = np.unique(whole, return_inverse=True)[1].ravel()
    assert_array_equal(codes[0], expected)
    assert_array_equal(code_columns(whole - 5)[0], codes)
    assert_array_equal(code_columns(whole / 7)[0], codes)
    assert n_levels[0] == len(np.unique(whole))


def test_polars(seed):
    polars = pytest.importorskip("polars")
    values = np.random.default_rng(seed).integers(4, size=(20, 3))
    frame = polars.DataFrame(values, schema=["a", "b", "c"])
    assert_array_equal(code_columns(frame)[0], code_columns(values)[0])


def test_refused():
    with pytest.raises(ValueError, match="'x0' has 300 distinct values"):
        code_columns(np.arange(300)[:, None])
    with pytest.raises(TypeError, match="sparse"):
        read_columns(csr_matrix(np.eye(3)))
    with pytest.raises(ValueError, match="two dimensions"):
        read_columns([1, 2, 3])


def test_weighted_correlation(seed):
    rng = np.random.default_rng(seed)
    values, weight = rng.normal(size=(3, 40)), rng.integers(1, 5, size=40)
    found = make_evidence(values=values, sample_weight=weight, correlate=True)
    expected = np.corrcoef(np.repeat(values, weight, axis=1))
    assert_allclose(found.correlation, expected, atol=1e-12)
    assert found.total == weight.sum()


def test_normal_scores_depend_on_ranks_alone(seed):
    values = np.random.default_rng(seed).normal(size=(2, 30))
    scores = to_normal_scores(values)
    assert_allclose(scores, to_normal_scores(np.exp(values)))
    assert_allclose(scores.mean(axis=1), 0.0, atol=1e-12)
