"""A pilot: its rows, the ranks of families, and the odds of the ranks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare

from manyminds.ensemble.rotations.pilots import (
    assign_folds,
    assign_odds,
    draw_pilot,
    rank_families,
    read_ranking,
    take,
)


def test_seven_families_have_the_printed_odds():
    # Item 1 of the acceptance list.
    odds = read_ranking("fibonacci", 7)
    assert_allclose(odds, np.array([13, 8, 5, 3, 2, 1, 1]) / 33)


@pytest.mark.parametrize("n_families", range(1, 30))
def test_odds_of_places_fall_and_add_up(n_families):
    # Item 1: strictly, but for the last two.
    odds = read_ranking("fibonacci", n_families)
    assert_allclose(odds.sum(), 1.0)
    falls = -np.diff(odds)
    assert (falls[:-1] > 0.0).all() and (falls[-1:] == 0.0).all()


def test_other_rankings():
    assert_allclose(read_ranking("uniform", 4), 0.25)
    assert_allclose(read_ranking("winner", 3), [1.0, 0.0, 0.0])
    assert_allclose(read_ranking([3, 1, 0], 3), [0.75, 0.25, 0.0])


def test_ties_worked_by_hand(seed):
    # Scores of four families: the second and the fourth share places 2 and 3.
    rng = np.random.RandomState(seed)
    scores = np.array([0.9, 0.8, 0.5, 0.8])
    odds = read_ranking("fibonacci", 4)  # 3, 2, 1, 1 of 7
    ranks = rank_families(scores, "share", rng)
    assert_array_equal(ranks, [1.0, 2.5, 4.0, 2.5])
    assert_allclose(7 * assign_odds(ranks, odds), [3.0, 1.5, 1.0, 1.5])
    ranks = rank_families(scores, "last", rng)
    assert_array_equal(ranks, [1, 3, 4, 2])
    assert_allclose(7 * assign_odds(ranks, odds), [3, 1, 1, 2])


def test_the_authors_rule_gives_their_table_for_iris(seed):
    # Six families equal and the second, the ELM, behind: the ranks of the slides.
    scores = np.array([1.0, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0])
    ranks = rank_families(scores, "last", np.random.RandomState(seed))
    assert_array_equal(ranks, [6, 7, 5, 4, 3, 2, 1])


def test_lots_prefer_no_place_in_the_list(seed):
    # Item 8: three equal families; each is first equally often. A right build fails
    # once in a million runs. The same lots give the same places.
    rng = np.random.RandomState(seed)
    first = [rank_families(np.ones(3), "random", rng).argmin() for _ in range(3000)]
    assert chisquare(np.bincount(first, minlength=3)).pvalue > 1e-6
    draws = [
        rank_families(np.ones(9), "random", np.random.RandomState(seed))
        for _ in range(2)
    ]
    assert_array_equal(*draws)


def test_rounding_makes_no_rank():
    scores = np.array([0.1 + 0.2, 0.3, 0.2])
    assert_array_equal(rank_families(scores, "share", None), [1.5, 1.5, 3.0])


@pytest.mark.parametrize("n_pilot", [30, 47, 99, 100])
def test_the_pilot_has_its_share_of_each_class(seed, n_pilot):
    y = np.repeat([0, 1, 2], [60, 37, 3])
    rows = draw_pilot(y, n_pilot, np.random.RandomState(seed))
    assert len(np.unique(rows)) == n_pilot and (np.diff(rows) > 0).all()
    expected = np.bincount(y) * n_pilot / 100
    assert (abs(np.bincount(y[rows], minlength=3) - expected) < 1.0 + 1e-9).all()


def test_folds_have_their_share_of_each_class(seed):
    y = np.repeat([0, 1, 2], [60, 37, 3])
    fold = assign_folds(y, 5, np.random.RandomState(seed))
    for c in range(3):
        counts = np.bincount(fold[y == c], minlength=5)
        assert counts.max() - counts.min() <= 1
    assert np.bincount(fold).tolist() == [20] * 5


@pytest.mark.parametrize("wrong", [[1.0], [1.0, -1.0, 1.0], [0.0] * 3, [np.nan, 1, 1]])
def test_rankings_that_are_no_odds(wrong):
    with pytest.raises(ValueError, match="each of the 3 families, not all 0; got"):
        read_ranking(wrong, 3)


def test_numbers_in_the_pilot_are_spread_as_all_are(seed):
    # Every fourth of the sorted targets: one of each four.
    y = np.random.default_rng(seed).permutation(40).astype(float)
    rows = draw_pilot(y, 10, np.random.RandomState(seed))
    assert_array_equal(np.sort(y[rows]) // 4, np.arange(10))


def test_weights_are_taken_where_there_are_any():
    X, y, weight = np.eye(3), np.arange(3), np.array([1.0, 2.0, 4.0])
    taken = take([2, 0], X, y, weight)
    for found, expected in zip(taken, (X[[2, 0]], [2, 0], [4.0, 1.0])):
        assert_array_equal(found, expected)
    assert take([1], X, y, None)[2] is None
