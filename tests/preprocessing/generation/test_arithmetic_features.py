"""Combinations are found where they help, computed as written, and never from noise."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.preprocessing import ArithmeticFeatures
from manyminds.preprocessing.generation.arithmetic_features import combine

NAN = np.nan


def test_worked_example():
    first, second = np.array([6.0, 1.0, 0.0, NAN]), np.array([3.0, 0.0, NAN, 2.0])
    assert_array_equal(combine("+", first, second), [9, 1, NAN, NAN])
    assert_array_equal(combine("-", first, second), [3, 1, NAN, NAN])
    assert_array_equal(combine("*", first, second), [18, 0, NAN, NAN])
    assert_array_equal(combine("/", first, second), [2, 0, NAN, NAN])


def test_huge_numbers_stay_finite():
    huge = np.array([1e308, -1e308])
    for sign in "+-*/":
        made = combine(sign, huge, np.array([1e308, 1e-308]))
        assert np.isfinite(made).all() and np.isfinite(made.astype(np.float32)).all()


@pytest.mark.parametrize(
    ("is_true", "pair"),
    [
        (lambda X: X[:, 0] > X[:, 2], {0, 2}),
        (lambda X: X[:, 1] * X[:, 2] > 0.25, {1, 2}),
        (lambda X: X[:, 0] + X[:, 3] > 1.0, {0, 3}),
    ],
    ids=["comparison", "product", "sum"],
)
def test_the_pair_of_a_border_is_found(is_true, pair, seed):
    # Over 100 draws of each border: always first.
    X = np.random.default_rng(seed).uniform(size=(800, 4))
    _, i, j = ArithmeticFeatures().fit(X, is_true(X)).features_[0]
    assert {i, j} == pair


def test_a_ratio_beside_another_effect_is_found(seed):
    # The ratio alone predicts worse than the grid of both columns.
    rng = np.random.default_rng(seed)
    whole = rng.uniform(1.0, 2.0, 3000)
    share = rng.uniform(0.3, 0.6, 3000)
    X = np.column_stack([whole, whole * share])
    y = 3.0 * whole - 20.0 * share + 0.3 * rng.normal(size=3000)
    assert ArithmeticFeatures().fit(X, y).features_ != []


def test_the_strongest_columns_are_combined(seed):
    X = np.random.default_rng(seed).uniform(size=(800, 12))
    y = 3 * (X[:, 4] > X[:, 9]) + X[:, 4] - X[:, 9]
    made = ArithmeticFeatures(1, max_columns=2).fit(X, y)
    assert [sorted(one[1:]) for one in made.features_] == [[4, 9]]


def test_frames_keep_their_dtypes_and_rows():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        rng.uniform(size=(500, 2)), columns=["a", "b"], index=range(7, 507)
    )
    X["hue"] = pd.Categorical(rng.choice(["x", "y"], 500))
    y = (X["a"] > X["b"]).to_numpy()
    generator = ArithmeticFeatures().fit(X, y)
    made = generator.transform(X)
    assert list(made) == generator.get_feature_names_out().tolist()
    assert list(made)[:3] == ["a", "b", "hue"] and (made.index == X.index).all()
    assert isinstance(made["hue"].dtype, pd.CategoricalDtype)
    sign, i, j = generator.features_[0]
    expected = combine(sign, X.iloc[:, i].to_numpy(), X.iloc[:, j].to_numpy())
    assert_allclose(made.iloc[:, 3], expected)


def test_units_do_not_matter_for_products_and_ratios(seed):
    X = np.random.default_rng(seed).uniform(size=(600, 3))
    y = X[:, 0] * X[:, 1] > 0.2
    made = ArithmeticFeatures(1).fit(X, y)
    scaled = ArithmeticFeatures(1).fit(X * 8.0, y)  # a power of 2 keeps all bits
    assert made.features_ == scaled.features_


def test_missing_values_stay_missing_and_only_those():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(800, 3))
    y = X[:, 0] > X[:, 1]
    X[rng.random(X.shape) < 0.1] = np.nan
    generator = ArithmeticFeatures().fit(X, y)
    assert generator.features_
    made = generator.transform(X)
    for place, (_, i, j) in enumerate(generator.features_, start=3):
        assert_array_equal(np.isnan(made[:, place]), np.isnan(X[:, [i, j]]).any(axis=1))


@pytest.mark.slow
@pytest.mark.parametrize("is_informative", [False, True])
def test_noise_adds_hardly_anything(is_informative, seed):
    # Over 300 draws, with and without an informative column: none generated a column
    # (alpha is 0.01). More than 3 of 30 happen less than once in 3,000 runs at alpha.
    rng = np.random.default_rng(seed)
    n_made = 0
    for _ in range(30):
        X = rng.normal(size=(200, 6))
        y = rng.integers(2, size=200)
        if is_informative:
            y = X[:, 0] + 0.5 * rng.normal(size=200) > 0
        n_made += bool(ArithmeticFeatures().fit(X, y).features_)
    assert n_made <= 3
