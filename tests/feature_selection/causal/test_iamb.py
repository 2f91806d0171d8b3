"""IAMB as a selector: wide tables. LUCAS is in the file of Grow-Shrink."""

import numpy as np
import pytest

from manyminds.feature_selection import IAMBSelector


@pytest.mark.parametrize("interleave", [False, True])
def test_wide_tables(seed, interleave):
    # A blanket of three among 2,000 columns of noise.
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(800, 2000))
    odds = 0.05 + 0.28 * X[:, :3].sum(axis=1)
    y = rng.uniform(size=800) < odds
    selector = IAMBSelector(alpha=1e-7, interleave=interleave).fit(X, y)
    assert set(selector.markov_blanket_) == {0, 1, 2}
    assert selector.n_tests_ > 4 * 1990


def test_a_blanket_may_be_empty(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(2, size=(100, 3)), rng.integers(2, size=100)
    selector = IAMBSelector(alpha=1e-9).fit(X, y)
    assert not selector.support_.any()
    assert selector.graph_.number_of_edges() == 0
