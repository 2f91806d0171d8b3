"""Mixed columns: false positive rate, dtypes, what is refused."""

import numpy as np
import pandas as pd
import pytest

from manyminds.networks.independence.conditional_gaussian import (
    ConditionalGaussianTest,
)


def test_false_positive_rate(seed):
    # Numbers and categories that share a cause, and nothing else. Measured over 12,000
    # tests at 5 %: 5.5 %, with a standard deviation of 0.9 % for 800 tests.
    rng = np.random.default_rng(seed)
    n_significant = 0
    for _ in range(20):
        cause = rng.integers(2, size=300)
        numbers = cause[:, None] + rng.normal(size=(300, 40))
        effect = (cause + (rng.uniform(size=300) < 0.2)) % 2
        X = np.column_stack([cause, effect, numbers])
        mask = np.arange(42) < 2
        test = ConditionalGaussianTest(X, is_categorical=mask, alpha=0.05)
        n_significant += test.test_many(range(2, 42), 1, [0]).is_dependent.sum()
    assert 12 <= n_significant <= 80


def test_a_difference_of_variances_is_a_dependence(seed):
    rng = np.random.default_rng(seed)
    group = np.repeat([0, 1], 200)
    X = np.column_stack([group, rng.normal(size=400) * (1.0 + 2.0 * group)])
    test = ConditionalGaussianTest(X, is_categorical=[True, False])
    assert not test.test(0, 1).independent


def test_categories_of_dataframes(seed):
    rng = np.random.default_rng(seed)
    hue = rng.choice(["red", "green"], size=100)
    frame = pd.DataFrame({"hue": pd.Categorical(hue), "x": rng.normal(size=100)})
    named = ConditionalGaussianTest(frame).test(0, 1)
    values = np.column_stack([hue == "red", frame["x"]]).astype(float)
    plain = ConditionalGaussianTest(values, is_categorical=[True, False]).test(0, 1)
    assert named.statistic == pytest.approx(plain.statistic)
    assert ConditionalGaussianTest(frame, ranks=True).test(0, 1).dof == 2.0


def test_cells_with_few_samples_are_left_out():
    # 40 categories with two samples each: no covariance can be estimated.
    X = np.column_stack([np.repeat(np.arange(40), 2), np.arange(80.0)])
    test = ConditionalGaussianTest(X, is_categorical=[True, False])
    assert not test.test(0, 1).reliable


def test_refused():
    with pytest.raises(ValueError, match="is_categorical must be a mask"):
        ConditionalGaussianTest([[1.0, 2.0]], is_categorical=[0])
    with pytest.raises(ValueError, match="missing or infinite"):
        ConditionalGaussianTest([[1.0, np.nan], [2.0, 1.0]])
