"""Weights of rows by the votes on them: formulas by hand, limits, identities."""

from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest

from manyminds.ensemble.boosting.vote_weights import (
    ambiguity,
    boost_by_majority_weights,
    class_free_weights,
    flag_negative_margins,
    inclusion_probability,
    log_ambiguity,
    majority_accuracy,
    required_weight,
)


@pytest.mark.parametrize("t", [1, 2, 7, 20])
def test_ambiguity_is_the_printed_formula(t):
    h = np.arange(t + 1)
    m = np.minimum(h, t - h)
    tail = [sum(comb(t, j) for j in range(k + 1)) / 2**t for k in m]
    assert_allclose(ambiguity(h, t), tail)
    assert_allclose(ambiguity(h, t, kind="w2"), [comb(t, k) / 2**t for k in h])


@pytest.mark.parametrize("kind", ["w1", "w2"])
@pytest.mark.parametrize("t", [5, 6, 1000, 5000])
def test_ambiguity_is_symmetric_and_monotone(kind, t):
    # Spec item 1; far beyond 1029 votes, where a binomial coefficient overflows.
    h = np.arange(t + 1)
    log = log_ambiguity(h, t, kind=kind)
    assert np.isfinite(log).all()
    assert_allclose(log, log[::-1])
    assert (np.diff(log[: t // 2 + 1]) > -1e-9).all()
    assert (log_ambiguity(h, t) >= log_ambiguity(h, t, kind="w2") - 1e-9).all()


def test_unanimous_votes_give_uniform_weights():
    # Spec item 1, also where some are unanimously wrong.
    h = np.array([0, 9, 9, 0, 9])
    for kind in ("w1", "w2"):
        weights = ambiguity(h, 9, kind=kind)
        assert_allclose(weights / weights.sum(), 0.2)


def test_log_is_right_where_the_tail_underflows():
    # 3 right of 3000: 2**-3000 is no float; integers tell the truth.
    exact = sum(comb(3000, j) for j in range(4))
    expected = np.log(float(exact)) - 3000 * np.log(2.0)
    assert_allclose(log_ambiguity(3, 3000), expected, rtol=1e-9)


def test_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind must be 'w1' or 'w2'; got 'w3'"):
        ambiguity(1, 2, kind="w3")


def test_hopeless_rows_by_the_sign_test():
    h, t = np.arange(21), 20
    p = [binomtest(k, t, 0.5, alternative="less").pvalue for k in h]
    expected = (h < 10) & (np.array(p) <= 0.01)
    assert_array_equal(flag_negative_margins(h, t, level=0.01), expected)


def test_majority_accuracy_counts_ties():
    p = 0.7
    by_hand = sum(comb(4, k) * p**k * (1 - p) ** (4 - k) for k in (2, 3, 4))
    assert_allclose(majority_accuracy(p, 4), by_hand)
    assert_allclose(majority_accuracy([0.5], 5), 0.5)


def test_boost_by_majority_by_hand():
    # The printed formula; exponents add up to T - t - 1.
    T, t, edge = 7, 3, 0.1
    for h in range(t + 1):
        k = T // 2 - h
        expected = comb(T - t - 1, k) if 0 <= k <= T - t - 1 else 0
        expected *= (0.5 + edge) ** k * (0.5 - edge) ** (T - T // 2 - t - 1 + h)
        assert_allclose(boost_by_majority_weights(h, t, T, edge), expected)


@pytest.mark.parametrize("T", [1, 2, 9, 10])
def test_last_vote_of_boost_by_majority(T):
    # Spec item 3.
    h = np.arange(T)
    weights = boost_by_majority_weights(h, T - 1, T, 0.2)
    assert_array_equal(weights, h == T // 2)


def test_binomial_weights_sum_to_one():
    # Spec item 3: over all numbers of right votes that can still be decisive.
    T, t = 21, 8
    h = np.arange(-T, T)  # as if any number had been right
    assert_allclose(boost_by_majority_weights(h, t, T, 0.15).sum(), 1.0)


def test_boost_by_majority_needs_a_vote_to_come():
    with pytest.raises(ValueError, match="n_cast=5 must be from 0 to n_votes - 1 = 4"):
        boost_by_majority_weights([1], 5, 5, 0.1)


def test_class_free_weights_are_adaboosts_without_the_class(seed):
    rng = np.random.default_rng(seed)
    alphas, says = rng.exponential(size=8), rng.integers(0, 2, size=(8, 30))
    scores = np.stack([((says == c) * alphas[:, None]).sum(axis=0) for c in (0, 1)], 1)
    expected = np.exp(-np.abs(alphas @ (2 * says - 1)))
    assert_allclose(class_free_weights(scores), expected / expected.max())
    assert_array_equal(class_free_weights(np.ones((3, 1))), 1.0)


def test_inclusion_by_counting(seed):
    rng = np.random.default_rng(seed)
    w = np.array([0.5, 0.3, 0.15, 0.05])
    hits = [np.isin(np.arange(4), rng.choice(4, 6, p=w)) for _ in range(4000)]
    # Four standard errors of the largest variance: 4 * 0.5 / sqrt(4000) = 0.032.
    assert_allclose(np.mean(hits, axis=0), inclusion_probability(w, 6), atol=0.04)


def test_required_weight_is_just_enough(seed):
    rng = np.random.default_rng(seed)
    p_in, p_out = rng.uniform(0.51, 1, 50), rng.uniform(0, 0.49, 50)
    w = required_weight(p_in, p_out, 40)
    drawn = inclusion_probability(w, 40)
    assert_allclose(p_in * drawn + p_out * (1 - drawn), 0.5)
    harder = required_weight(p_in, p_out - 0.01, 40)
    assert (harder > w).all()
    assert (required_weight(p_in - 0.005, p_out, 40) > w).all()


def test_required_weight_at_its_ends():
    # No weight is needed beyond one half, and none helps if drawing does not.
    assert_array_equal(
        required_weight([0.9, 0.5, 0.2, 0.3], [0.6, 0.4, 0.1, 0.6], 10),
        [0.0, np.inf, np.inf, 0.0],
    )
