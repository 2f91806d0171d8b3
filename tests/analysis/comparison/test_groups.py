"""Groups hold all methods that cannot be told apart, and no others."""

import itertools

import numpy as np
import pytest

from manyminds.analysis import critical_difference, nemenyi_test, pairwise_wilcoxon
from manyminds.analysis.comparison.groups import maximal_groups


def groups_by_the_book(alike):
    """Try all sets, largest first, and keep those that are in no larger one."""
    n, found = len(alike), []
    for size in range(n, 1, -1):
        for members in itertools.combinations(range(n), size):
            pairs = itertools.combinations(members, 2)
            inside = any(set(members) <= set(larger) for larger in found)
            if not inside and all(alike[i][j] for i, j in pairs):
                found.append(members)
    return sorted(found)


def test_groups_of_demsar(c45_variants):
    # Section 3.2.2 and figure 1(a) of Demšar (2006).
    one = critical_difference(c45_variants, alpha=0.05)
    assert one.names == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    assert one.groups == (one.names,)
    two = critical_difference(c45_variants, alpha=0.10)
    assert two.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    assert f"{two.critical_difference:.2f}" == "1.12"
    assert (two.test, two.alpha, two.n_datasets) == ("nemenyi", 0.10, 14)


def test_maximal_groups_are_those_of_the_book(seed):
    rng = np.random.default_rng(seed)
    for share in (0.0, 0.3, 0.6, 0.9, 1.0):
        alike = np.triu(rng.random((8, 8)) < share, 1)
        alike = alike | alike.T
        assert maximal_groups(alike) == groups_by_the_book(alike)


def test_nemenyi_groups_are_runs_shorter_than_the_critical_difference(seed):
    scores = np.random.default_rng(seed).random((10, 9)) + np.arange(9) / 9
    found = critical_difference(scores)
    rank = dict(zip(found.names, found.average_ranks))
    for group in found.groups:
        place = found.names.index(group[0])
        assert found.names[place : place + len(group)] == group
        assert rank[group[-1]] - rank[group[0]] < found.critical_difference
    assert found.critical_difference == nemenyi_test(scores).critical_difference


def test_wilcoxon_groups_follow_the_adjusted_p_values(seed):
    rng = np.random.default_rng(seed)
    scores = rng.random((12, 6)) + np.arange(6) / 4
    names = list("abcdef")
    found = critical_difference(scores, names, test="wilcoxon-holm")
    p_values = np.array(pairwise_wilcoxon(scores).adjusted_p_values)
    order = [names.index(name) for name in found.names]
    expected = groups_by_the_book(p_values[np.ix_(order, order)] > 0.05)
    assert found.groups == tuple(
        tuple(found.names[i] for i in group) for group in expected
    )
    assert found.critical_difference is None


def test_signed_ranks_may_skip_a_method():
    # b is a little worse than a everywhere, and so differs from it. c is worse than
    # both on fourteen data sets but wins by so much on the other six that their ranks,
    # 15 to 20, are half of the sum of 1 to 20: it differs from neither.
    a = np.linspace(0.5, 0.6, 20)
    b = a - np.linspace(0.01, 0.02, 20)
    c = a + np.append(-np.linspace(0.1, 0.2, 14), np.linspace(0.3, 0.4, 6))
    scores = np.column_stack([a, b, c])
    found = critical_difference(scores, ["a", "b", "c"], test="wilcoxon-holm")
    assert found.names == ("a", "b", "c")
    assert found.groups == (("a", "c"), ("b", "c"))


def test_far_apart_methods_form_no_group():
    scores = np.tile([0.3, 0.2, 0.1], (40, 1))
    assert critical_difference(scores).groups == ()


def test_bad_options_are_explained():
    with pytest.raises(ValueError, match=r"test must be one of.*'tukey'"):
        critical_difference(np.ones((3, 3)), test="tukey")
    with pytest.raises(ValueError, match="alpha must be a number between 0 and 1"):
        critical_difference(np.ones((3, 3)), alpha=0)
