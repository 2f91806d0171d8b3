"""G2 and chi-square tests: SciPy's results, false positive rate, thresholds."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency

from manyminds.networks.independence.contingency import ContingencyTest


@pytest.mark.parametrize("statistic", ["g2", "chi2"])
def test_agrees_with_scipy(seed, statistic):
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(120, 2))
    X[:, 1] = np.where(rng.uniform(size=120) < 0.3, X[:, 0], X[:, 1])
    result = ContingencyTest(X, statistic=statistic).test(0, 1)
    table = pd.crosstab(X[:, 0], X[:, 1])
    kind = "log-likelihood" if statistic == "g2" else "pearson"
    expected = chi2_contingency(table, correction=False, lambda_=kind)
    assert_allclose(result.statistic, expected.statistic)
    assert_allclose(result.p_value, expected.pvalue)
    assert result.dof == expected.dof


def test_information_is_that_of_the_formula(seed):
    # I(A; B | Z) = sum of P(a, b, z) log [P(a, b | z) / (P(a | z) P(b | z))], in nats.
    X = np.random.default_rng(seed).integers(2, size=(90, 3))
    counts = np.zeros((2, 2, 2))
    np.add.at(counts, tuple(X.T), 1.0)
    joint = counts / 90.0
    z = joint.sum(axis=(0, 1))
    ratio = joint * z / (joint.sum(axis=1)[:, None] * joint.sum(axis=0)[None])
    information = (joint[joint > 0] * np.log(ratio[joint > 0])).sum()
    result = ContingencyTest(X, min_count=0.0).test(0, 1, [2])
    assert_allclose(result.strength, information, atol=1e-12)
    assert_allclose(result.statistic, 2.0 * 90.0 * information, atol=1e-9)


@pytest.mark.parametrize("statistic", ["g2", "chi2"])
def test_false_positive_rate(seed, statistic):
    # Independent given a common cause: of 2,000 tests at 5 %, between 3 % and 7 % are
    # significant. A correct build is outside less than once in 10,000 runs.
    rng = np.random.default_rng(seed)
    n_significant = 0
    for _ in range(20):
        cause = rng.integers(3, size=600)
        effects = (cause[:, None] + (rng.uniform(size=(600, 100)) < 0.3)) % 3
        X = np.column_stack([cause, rng.integers(2, size=600) + cause, effects])
        test = ContingencyTest(X, statistic=statistic, alpha=0.05)
        results = test.test_many(range(2, 102), 1, [0])
        n_significant += results.is_dependent.sum()
    assert 60 <= n_significant <= 140


def test_nominal_degrees_of_freedom_lose_power():
    # In each stratum y has two of its ten values only.
    rng = np.random.default_rng(0)
    z = rng.integers(5, size=400)
    x = rng.integers(2, size=400)
    y = 2 * z + np.where(rng.uniform(size=400) < 0.6, x, rng.integers(2, size=400))
    X = np.column_stack([x, y, z])
    observed = ContingencyTest(X, min_count=0.0).test(0, 1, [2])
    nominal = ContingencyTest(X, min_count=0.0, dof="nominal").test(0, 1, [2])
    assert (observed.dof, nominal.dof) == (5.0, 45.0)
    assert observed.p_value < nominal.p_value


def test_threshold_replaces_significance(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(100, 2))
    information = ContingencyTest(X).test(0, 1).strength
    for factor, independent in ((0.9, False), (1.1, True)):
        test = ContingencyTest(X, threshold=factor * information)
        assert test.test(0, 1).independent == independent


def test_codes_are_taken_as_they_are(seed):
    X = np.random.default_rng(seed).integers(3, size=(80, 3))
    codes = np.ascontiguousarray(X.T.astype(np.uint8))
    one = ContingencyTest(X, statistic="chi2", min_count=0.0)
    two = ContingencyTest.from_codes(codes, [3] * 3, statistic="chi2", min_count=0.0)
    assert one.test(0, 1, [2]) == two.test(0, 1, [2])
    assert two.names == ["x0", "x1", "x2"]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"statistic": "t"}, "statistic must be one of"),
        ({"dof": "many"}, "dof must be 'observed' or 'nominal'"),
        ({"alpha": 1.0}, "alpha must be between 0 and 1; got 1.0"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        ContingencyTest([[0, 1], [1, 0]], **options)
