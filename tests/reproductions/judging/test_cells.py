"""Verdicts on differences, and the random variation they allow for."""

import numpy as np
import pytest

from manyminds.reproductions.judging.cells import (
    DIFFERS,
    describe_rule,
    estimate_margin,
    judge_difference,
)
from manyminds.reproductions.published import Tolerance


@pytest.mark.parametrize(
    ("difference", "margin", "verdict"),
    [
        (1.0, 0.0, "agrees"),  # the tolerance itself, though nothing is random
        (1.01, 0.0, "differs"),
        (1.01, None, "undecided"),  # nobody knows how far repetitions scatter
        (2.0, 2.0, "within random variation"),
        (2.01, 2.0, "differs"),
        (2.01, 5.0, "undecided"),  # random variation could explain it, but too much
        (5.01, 5.0, "differs"),
    ],
)
def test_verdicts_at_their_limits(difference, margin, verdict):
    tolerance = Tolerance(1.0, "so said", limit=2.0)
    assert judge_difference(difference, tolerance, margin) == verdict
    assert judge_difference(-difference, tolerance, margin) == verdict


def test_margin_of_a_worked_example():
    # The standard deviation of 79, ..., 83 is sqrt(2.5), the standard error of the
    # difference of two such means sqrt(2.5 * 2 / 5) = 1.
    repeats = np.array([79.0, 80.0, 81.0, 82.0, 83.0])
    assert estimate_margin(repeats) == pytest.approx(3.0)
    assert estimate_margin(repeats, 1) == pytest.approx(3.0 / np.sqrt(2.0))
    assert estimate_margin(repeats + 7.0) == pytest.approx(3.0)


def test_four_repetitions_have_no_margin():
    assert estimate_margin(np.array([79.0, 80.0, 81.0, 82.0])) is None


def test_rule_rarely_calls_replications_different(seed):
    # Two replications of ten repetitions, both of the same normal distribution: the
    # standard deviation of one estimates the error of the difference. |t| > 3 with 9
    # degrees of freedom has probability 0.0150; 1,000 draws exceed 35 less than once
    # in 100,000.
    rng, tolerance = np.random.default_rng(seed), Tolerance(0.0, "")
    verdicts = []
    for _ in range(1000):
        ours, theirs = rng.normal(size=10), rng.normal(size=10).mean()
        margin = estimate_margin(ours)
        verdicts.append(judge_difference(ours.mean() - theirs, tolerance, margin))
    assert 1 <= verdicts.count(DIFFERS) <= 35


def test_rule_in_words_has_the_numbers_of_the_rule():
    rule = describe_rule(Tolerance(0.5, "ten trees scatter", "%", limit=4.0))
    assert "within 0.5 % of the reference (ten trees scatter)" in rule
    assert rule.count("4 %") == 2
    assert "3 standard errors" in rule and "at least 5" in rule
