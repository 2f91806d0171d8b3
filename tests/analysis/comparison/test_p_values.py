"""Adjusted p-values reject what the step rules reject."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis import adjust_p_values, hochberg, holm


def rejected_stepping_down(p_values, alpha):
    """Reject from the smallest on while p <= alpha / (hypotheses left)."""
    rejected = set()
    for left, i in zip(range(len(p_values), 0, -1), np.argsort(p_values)):
        if p_values[i] > alpha / left:
            break
        rejected.add(int(i))
    return rejected


def rejected_stepping_up(p_values, alpha):
    """Find the largest p <= alpha / (its place from above); reject it and all below."""
    order = np.argsort(p_values)[::-1]
    for place, i in enumerate(order, start=1):
        if p_values[i] <= alpha / place:
            return set(order[place - 1 :].tolist())
    return set()


def test_worked_examples():
    assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    assert_allclose(hochberg([0.01, 0.04, 0.03]), [0.03, 0.04, 0.04])
    assert_allclose(holm([0.5, 0.6]), [1.0, 1.0])
    assert_allclose(hochberg([0.5, 0.6]), [0.6, 0.6])
    assert_allclose(adjust_p_values([0.1, 0.5], "bonferroni"), [0.2, 1.0])
    assert_allclose(adjust_p_values([0.1, 0.5], "none"), [0.1, 0.5])
    assert len(holm([])) == 0


def test_rejections_are_those_of_the_step_rules(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        p_values = rng.random(6) ** 4
        alpha = rng.uniform(0.01, 0.3)
        for rule, twin in [
            (holm, rejected_stepping_down),
            (hochberg, rejected_stepping_up),
        ]:
            found = set(np.flatnonzero(rule(p_values) <= alpha).tolist())
            assert found == twin(p_values, alpha)


def test_order_of_the_rules(seed):
    p_values = np.random.default_rng(seed).random(10) ** 3
    plain, up, down, all_at_once = (
        adjust_p_values(p_values, rule)
        for rule in ("none", "hochberg", "holm", "bonferroni")
    )
    assert np.all(plain <= up + 1e-15)
    assert np.all(up <= down + 1e-15)
    assert np.all(down <= all_at_once + 1e-15)


@pytest.mark.parametrize("p_values", [[0.1, 1.2], [-0.1], [np.nan], [[0.1]]])
def test_bad_p_values_are_explained(p_values):
    with pytest.raises(ValueError, match="p_values must be a list of numbers"):
        holm(p_values)


def test_unknown_rule_is_explained():
    with pytest.raises(ValueError, match=r"method must be one of.*'shaffer'"):
        adjust_p_values([0.1], "shaffer")
