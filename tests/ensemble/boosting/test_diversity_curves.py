"""The Q statistic by counting pairs, its path, and regions on a grid."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.ensemble.boosting.diversity_curves import (
    count_regions,
    q_path,
    q_statistic,
)


def plain_q(a, b):
    n11, n00 = np.sum(a & b), np.sum(~a & ~b)
    n10, n01 = np.sum(a & ~b), np.sum(~a & b)
    both, one = n11 * n00, n10 * n01
    return (both - one) / (both + one) if both + one else None


@pytest.mark.parametrize("undefined", ["skip", "zero"])
def test_plain_twin(seed, undefined):
    rng = np.random.default_rng(seed)
    correct = rng.random((9, 15)) < 0.85
    correct[0] = True  # perfect: its pairs have no Q
    path = q_path(correct, undefined=undefined)
    for t in range(2, 10):
        pairs = [plain_q(a, b) for a, b in combinations(correct[:t], 2)]
        if undefined == "zero":
            pairs = [0.0 if q is None else q for q in pairs]
        known = [q for q in pairs if q is not None]
        assert_allclose(path[t - 1], np.mean(known) if known else np.nan)
    assert np.isnan(path[0])


def test_ends_of_the_scale():
    a = np.array([1, 1, 1, 0, 0], dtype=bool)
    assert q_statistic([a, a]) == 1.0
    assert q_statistic([a, ~a]) == -1.0
    assert np.isnan(q_statistic(np.ones((2, 5))))


def test_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="undefined must be"):
        q_statistic([[1, 0]], undefined="one")


def test_regions_touch_by_a_side():
    grid = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    assert count_regions(grid) == {0: 4, 1: 5}
