import numpy as np
from numpy.testing import assert_array_equal

from manyminds.ensemble import RandomClusterEnsemble
from manyminds.feature_selection.unsupervised.permuted_labels import (
    count_changes,
    draw_orders,
    mark_changes,
)


def test_acceptance_3_counts_equal_assigning_anew(seed):
    # The naive twin: copy the out-of-bag rows, permute a column, assign all anew.
    X = np.random.default_rng(seed).normal(size=(40, 6))
    model = RandomClusterEnsemble(n_estimators=10, random_state=0).fit(X)
    members, points = model.members_, model._place(X)
    seeds = np.arange(10)
    changed, tested = count_changes(members, points, seeds, n_jobs=2)
    expected, n_tests = np.zeros((40, 6)), np.zeros((40, 6))
    for q in range(10):
        rows = np.flatnonzero(~members.labelings.drawn[q])
        features, centers = members.features[q], members.centers[q]
        table = points.T[np.ix_(rows, features)]
        orders = draw_orders(len(features), len(rows), seeds[q])
        before = _assign(table, centers)
        assert_array_equal(before, members.labelings.codes[q, rows])
        for v, feature in enumerate(features):
            permuted = table.copy()
            permuted[:, v] = table[orders[v], v]
            expected[rows, feature] += _assign(permuted, centers) != before
            n_tests[rows, feature] += 1
    assert_array_equal(changed, expected)
    assert_array_equal(tested, n_tests)


def _assign(table, centers):
    return ((table[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)


def test_only_rows_that_were_not_drawn_are_tested(seed):
    X = np.random.default_rng(seed).normal(size=(30, 4))
    model = RandomClusterEnsemble(n_estimators=3, random_state=0).fit(X)
    rows, changed = mark_changes(model.members_, 1, model._place(X), 0)
    assert not model.members_.labelings.drawn[1, rows].any()
    assert changed.shape == (2, len(rows))
