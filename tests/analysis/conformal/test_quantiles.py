"""Quantiles have the rank that covers a new row, and few of them stand for many."""

import numpy as np
import pytest

from manyminds.analysis.conformal.quantiles import check_level, find_quantile, shorten
from manyminds.utils.errors import ParameterError


@pytest.mark.parametrize(
    ("n", "level", "rank"), [(9, 0.9, 9), (19, 0.95, 19), (99, 0.9, 90), (10, 0.9, 10)]
)
def test_ranks_worked_by_hand(n, level, rank):
    assert find_quantile(np.arange(1.0, n + 1), level) == rank


def test_too_few_scores_cover_everything():
    assert find_quantile(np.arange(8.0), 0.9) == np.inf
    assert find_quantile(np.empty(0), 0.5) == np.inf


def test_few_scores_are_sorted_and_kept():
    assert shorten(np.array([3.0, 1.0, 2.0])).tolist() == [1.0, 2.0, 3.0]


def test_many_scores_keep_their_quantiles(seed):
    scores = np.random.default_rng(seed).normal(size=50_000)
    short = shorten(scores)
    assert len(short) == 2_000
    for level in (0.5, 0.8, 0.95):
        exact = find_quantile(np.sort(scores), level)
        assert exact <= find_quantile(short, level) < exact + 0.02


def test_weights_count_as_copies():
    # Score 2 counts three times: of 1, 2, 2, 2 more than half are at most 2.
    short = shorten(np.array([2.0, 1.0]), np.array([3.0, 1.0]))
    assert short.tolist() == [2.0, 2.0]
    copies = shorten(np.array([1.0, 2.0, 2.0, 2.0]))
    assert find_quantile(copies, 0.7) == find_quantile(short, 0.6) == 2.0


@pytest.mark.parametrize("level", [0.0, 1.0, -1, 90])
def test_levels_are_shares(level):
    with pytest.raises(ParameterError, match="level must be between 0 and 1"):
        check_level(level)
