"""Upper tails of the chi-square distribution against SciPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from manyminds.kernels._jit import kernel
from manyminds.kernels.chi_square import log_chi_square_tail


@kernel()
def fill_tails(statistic, dof, out):
    for i in range(len(out)):
        out[i] = log_chi_square_tail(statistic[i], dof[i])


def tails(statistic, dof):
    out = np.empty(len(statistic))
    fill_tails(np.asarray(statistic, float), np.asarray(dof, float), out)
    return out


def test_agrees_with_scipy(seed):
    rng = np.random.default_rng(seed)
    statistic = np.concatenate([rng.uniform(0, 60, 300), rng.uniform(0, 4000, 100)])
    dof = np.concatenate([rng.integers(1, 50, 300), rng.integers(1, 4000, 100)])
    expected = chi2.logsf(statistic, dof)
    known = np.isfinite(expected)
    assert known.sum() > 300
    assert_allclose(
        tails(statistic, dof)[known], expected[known], rtol=1e-8, atol=1e-10
    )


@pytest.mark.no_jit
def test_ends():
    # Without degrees of freedom, or with a statistic of 0, nothing is significant.
    assert_allclose(tails([5.0, 0.0, -1e-9], [0, 3, 3]), 0.0)
    # One degree: the square of a standard normal. It does not underflow.
    assert_allclose(tails([3.841458820694124], [1]), np.log(0.05), rtol=1e-10)
    assert -2.6e4 < tails([5e4], [3])[0] < -2.4e4
