"""Posterior probabilities agree with closed forms, plain loops and an example."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.analysis import (
    bayesian_correlated_ttest,
    bayesian_signed_rank_test,
    corrected_resampled_ttest,
)
from manyminds.analysis.comparison.bayesian import _draw_weights, _shares


@pytest.mark.slow
def test_published_example_of_scikit_learn(kernels_on_moons):
    # "Statistical comparison of models using grid search", in scikit-learn's gallery:
    # the RBF kernel is better with probability 0.773; within 0.01 of the linear one
    # with 0.432.
    rbf, linear = kernels_on_moons
    plain = bayesian_correlated_ttest(rbf, linear, test_share=0.1)
    assert f"{plain.a_better:.3f} {plain.b_better:.3f}" == "0.773 0.227"
    roped = bayesian_correlated_ttest(rbf, linear, rope=0.01, n_train=90, n_test=10)
    assert f"{roped.equivalent:.3f}" == "0.432"


def test_t_posterior_is_the_twin_of_the_test(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 20))
    test = corrected_resampled_ttest(a, b, test_share=0.1, alternative="greater")
    posterior = bayesian_correlated_ttest(a, b, test_share=0.1)
    assert_allclose(posterior.b_better, test.p_value)
    assert_allclose(posterior.scale, test.standard_error)
    assert_allclose(posterior.a_better + posterior.b_better, 1.0)


def test_t_posterior_by_integration(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 20))
    found = bayesian_correlated_ttest(a, b, rope=0.2, test_share=0.25)
    x = np.linspace(-0.2, 0.2, 2001)
    d = a - b
    scale = math.sqrt((1 / 20 + 1 / 3) * d.var(ddof=1))
    density = stats.t.pdf((x - d.mean()) / scale, 19) / scale
    assert_allclose(found.equivalent, np.trapezoid(density, x), rtol=1e-5)
    total = found.a_better + found.equivalent + found.b_better
    assert_allclose(total, 1.0)


def test_lower_may_be_better(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 9))
    options = {"rope": 0.1, "test_share": 0.1}
    high = bayesian_correlated_ttest(a, b, **options)
    low = bayesian_correlated_ttest(a, b, higher_is_better=False, **options)
    assert_allclose(
        [low.a_better, low.equivalent, low.b_better],
        [high.b_better, high.equivalent, high.a_better],
    )
    options = {"rope": 0.1, "random_state": seed % 1000, "n_samples": 5000}
    one = bayesian_signed_rank_test(a, b, **options)
    other = bayesian_signed_rank_test(b, a, higher_is_better=False, **options)
    assert one == other


def test_t_posterior_of_constant_differences():
    a, b = np.array([0.6, 0.5, 0.4]), np.array([0.5, 0.4, 0.3])
    for rope, expected in [(0.0, (1, 0, 0)), (0.1, (0, 1, 0)), (0.2, (0, 1, 0))]:
        found = bayesian_correlated_ttest(a, b, rope=rope, test_share=0.1)
        assert (found.a_better, found.equivalent, found.b_better) == expected
    assert bayesian_correlated_ttest(b, a, test_share=0.1).b_better == 1.0


# ---------------------------------------------------------------- signed ranks


def shares_by_the_book(z, weights, rope):
    """Add up the weights of all pairs, one by one."""
    above = within = below = 0.0
    for i in range(len(z)):
        for j in range(len(z)):
            weight = weights[i] * weights[j]
            if z[i] + z[j] > 2 * rope:
                above += weight
            elif z[i] + z[j] < -2 * rope:
                below += weight
            else:
                within += weight
    if rope == 0:
        return above + within / 2, 0.0, below + within / 2
    return above, within, below


@pytest.mark.parametrize("rope", [0, 1, 2])
def test_shares_are_those_of_all_pairs(seed, rope):
    # Whole numbers, so that many sums fall on the edge of the rope.
    rng = np.random.default_rng(seed)
    z = np.sort(rng.integers(-5, 6, 9)).astype(float)
    weights = rng.dirichlet(np.ones(9), 20)
    expected = [shares_by_the_book(z, row, rope) for row in weights]
    assert_allclose(_shares(z, weights, rope), expected, atol=1e-12)


def test_the_edge_of_the_rope_is_in_it():
    # As decimals 0.88 - 0.87 and 0.31 - 0.30 are a little more than 0.01.
    a, b = [0.88, 0.31, 0.53], [0.87, 0.30, 0.52]
    found = bayesian_signed_rank_test(a, b, rope=0.01, n_samples=100, random_state=0)
    assert found.equivalent == 1.0


def test_weights_are_dirichlet(seed):
    # Means 1 / 5.5 and 0.5 / 5.5; the variance of a Dirichlet weight of parameter c
    # and total s is c (s - c) / (s^2 (s + 1)). Bounds of 5.5 standard errors: a
    # correct build leaves them less than once in 1,000,000 runs.
    rng = np.random.RandomState(seed)
    weights = np.vstack(list(_draw_weights(rng, 5, 0.5, 100_000)))
    assert weights.shape == (100_000, 6)
    assert_allclose(weights.sum(axis=1), 1.0)
    c = np.array([1, 1, 1, 1, 1, 0.5])
    variance = c * (5.5 - c) / (5.5**2 * 6.5)
    off = np.abs(weights.mean(axis=0) - c / 5.5)
    assert np.all(off <= 5.5 * np.sqrt(variance / 100_000))
    assert_allclose(weights.var(axis=0), variance, rtol=0.06)


@pytest.mark.parametrize(
    ("rope", "chance"), [(0.1, math.sqrt(0.5**0.5)), (0.6, math.sqrt(1 - 0.5**0.5))]
)
def test_one_data_set_has_a_closed_form(seed, rope, chance):
    # Differences 0, of weight w, and 1. A small rope: only the pair (0, 0) is within
    # it, so a wins if w^2 < 1/2. A large one: only (1, 1) is beyond it, so a wins if
    # (1 - w)^2 > 1/2. And w is Beta(1/2, 1), so P(w < x) = sqrt(x). Bounds of 5.5
    # standard errors.
    found = bayesian_signed_rank_test([1.0], [0.0], rope=rope, random_state=seed)
    error = math.sqrt(chance * (1 - chance) / 50_000)
    assert abs(found.a_better - chance) <= 5.5 * error
    assert found.b_better == 0.0
    assert_allclose(found.a_better + found.equivalent, 1.0)


def test_expected_shares_have_a_closed_form(seed):
    # E[w_i w_j] = c_i c_j / (s (s + 1)), and E[w_i^2] = c_i (c_i + 1) / (s (s + 1)).
    # A share lies in [0, 1], so 0.5 / sqrt(50,000) bounds its standard error.
    rng = np.random.default_rng(seed)
    z = rng.normal(size=12)
    found = bayesian_signed_rank_test(z, np.zeros(12), rope=0.3, random_state=seed)
    c = np.append(np.ones(12), 0.5)
    moments = (np.outer(c, c) + np.diag(c)) / (12.5 * 13.5)
    sums = np.add.outer(np.append(z, 0), np.append(z, 0))
    expected = [
        moments[sums > 0.6].sum(),
        moments[np.abs(sums) <= 0.6].sum(),
        moments[sums < -0.6].sum(),
    ]
    assert_allclose(found.expected_shares, expected, atol=5.5 * 0.5 / math.sqrt(5e4))


def test_probabilities_by_plain_sampling(seed):
    # Both sides are sampled, 4,000 and 50,000 times: 5.5 standard errors.
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.1, 0.5, 6), np.zeros(6)
    found = bayesian_signed_rank_test(a, b, rope=0.1, random_state=seed)
    z = np.append(a, 0.0)
    drawn = rng.dirichlet(np.append(np.ones(6), 0.5), 4000)
    best = [np.argmax(shares_by_the_book(z, weights, 0.1)) for weights in drawn]
    plain = np.bincount(best, minlength=3) / 4000
    ours = [found.a_better, found.equivalent, found.b_better]
    assert_allclose(ours, plain, atol=5.5 * 0.5 * math.sqrt(1 / 4000 + 1 / 50_000))
    assert_allclose(sum(ours), 1.0)


def test_prior_speaks_for_its_place(seed):
    a = np.random.default_rng(seed).normal(size=8)
    options = {"prior_strength": 1e6, "rope": 0.1, "n_samples": 200}
    for place, which in [(5, "a_better"), (0, "equivalent"), (-5, "b_better")]:
        found = bayesian_signed_rank_test(
            a, np.zeros(8), prior_location=place, **options
        )
        assert getattr(found, which) == 1.0


def test_without_a_rope_equality_is_no_answer(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 8))
    found = bayesian_signed_rank_test(a, b, n_samples=500, random_state=seed)
    assert found.equivalent == found.expected_shares[1] == 0.0
    even = bayesian_signed_rank_test(a, a, n_samples=500, random_state=seed)
    assert even.a_better == even.b_better == 0.5


def test_blocks_of_draws_do_not_show(seed):
    # 3,000 data sets are drawn in blocks of fewer than 100.
    a, b = np.random.default_rng(seed).normal(size=(2, 3000))
    first = bayesian_signed_rank_test(a + 1, b, n_samples=300, random_state=seed)
    assert first == bayesian_signed_rank_test(
        a + 1, b, n_samples=300, random_state=seed
    )
    assert first.a_better == 1.0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rope": -1}, "rope must be a number of 0 or more; got -1"),
        ({"prior_strength": -0.5}, "prior_strength must be"),
        ({"n_samples": 0}, "n_samples must be a count of 1 or more; got 0"),
    ],
)
def test_bad_options_are_explained(options, says):
    with pytest.raises(ValueError, match=says):
        bayesian_signed_rank_test([1, 2], [1, 3], **options)
    with pytest.raises(ValueError, match="two scores or more"):
        bayesian_correlated_ttest([1], [2], test_share=0.1)
