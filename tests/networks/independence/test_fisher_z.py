"""Fisher's z: false positive rate, ranks, what is refused. The kernel has more."""

import numpy as np
import pandas as pd
import pytest

from manyminds.networks.independence.fisher_z import FisherZTest


def test_false_positive_rate(seed):
    # See the test of tables for the odds.
    rng = np.random.default_rng(seed)
    n_significant = 0
    for _ in range(20):
        cause = rng.normal(size=100)
        X = np.column_stack([cause, cause[:, None] + rng.normal(size=(100, 101))])
        test = FisherZTest(X, alpha=0.05)
        n_significant += test.test_many(range(2, 102), 1, [0]).is_dependent.sum()
    assert 60 <= n_significant <= 140


def test_ranks_ignore_monotone_transformations(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3))
    plain = FisherZTest(X, ranks=True).test(0, 1, [2])
    bent = FisherZTest(np.exp(3.0 * X), ranks=True).test(0, 1, [2])
    assert plain.statistic == pytest.approx(bent.statistic)


def test_too_few_samples_are_no_evidence():
    X = np.arange(12.0).reshape(4, 3) ** 2
    assert not FisherZTest(X).test(0, 1, [2]).reliable


def test_refused():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": pd.Categorical(["x", "y", "x"])})
    with pytest.raises(ValueError, match=r"\['b'\] are categorical"):
        FisherZTest(frame)
    with pytest.raises(ValueError, match="missing or infinite"):
        FisherZTest([[1.0, np.nan], [2.0, 3.0]])
