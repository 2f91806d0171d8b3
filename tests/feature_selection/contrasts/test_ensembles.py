"""Importances and masking of a replicate, with the masking of a naive twin."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.feature_selection.contrasts.contrast_tables import (
    add_contrasts,
    take_columns,
)
from manyminds.feature_selection.contrasts.ensembles import (
    Growth,
    measure_importances,
    measure_masking,
)
from manyminds.feature_selection.contrasts.targets import Target
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, make_rules
from manyminds.trees.out_of_bag import OutOfBagGrower

GROWTH = Growth(10, "sqrt", None, 5, 3, 0.1, 5, "unbiased")


def make_problem(seed, n_rows=200):
    """Four columns, the second close to the first; the target is of the first."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    X[:, 1] = X[:, 0] + 0.2 * rng.normal(size=n_rows)
    table = take_columns(bin_table(X), np.arange(4))
    wide = add_contrasts(table, rng)
    return X, wide, X[:, 0] + 0.3 * rng.normal(size=n_rows)


@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_what_matters_is_above_its_contrasts(seed, n_classes):
    _, table, y = make_problem(seed)
    target = Target(y[:, np.newaxis])
    if n_classes > 1:
        cuts = np.quantile(y, np.arange(1, n_classes) / n_classes)
        target = Target(np.searchsorted(cuts, y), n_classes)
    scores = measure_importances(table, target, GROWTH, None, 0)
    assert scores.shape == (8,) and scores[:2].min() > scores[2:].max()
    masking = measure_masking(table, target, GROWTH, None, 0)
    assert masking.shape == (4, 8)
    assert_array_equal(np.diag(masking), 0.0)
    assert masking[0, 1] > 2.0 * masking[0, 2:].max()  # the close column is masked


def test_columns_of_a_target_add_up(seed):
    _, table, y = make_problem(seed)
    one = measure_importances(table, Target(y[:, np.newaxis]), GROWTH, None, 0)
    # The forest of the second column, constant, has no splits.
    both = Target(np.column_stack([y, np.zeros(len(y))]))
    assert_allclose(measure_importances(table, both, GROWTH, None, 0), one)


def test_clipped_importances_are_not_negative(seed):
    _, table, y = make_problem(seed)
    target = Target(y[:, np.newaxis])
    scores = measure_importances(
        table, target, GROWTH._replace(decrease="clipped"), None, 0
    )
    assert scores.min() >= 0.0
    assert measure_importances(table, target, GROWTH, None, 0).min() < 0.0


def associate(x, left, weight):
    """Predictive association by a trial of all cuts, both ways round."""
    smaller = min(weight[left].sum(), weight[~left].sum())
    least = smaller
    for end in np.unique(x)[:-1]:
        differs = weight[(x <= end) != left].sum()
        least = min(least, differs, weight.sum() - differs)
    return 1.0 - least / smaller


def test_item_1_and_masking_of_a_naive_twin(seed):
    # Spec 10, eq. 3 to 5: sum over the splits on i of the decrease times the
    # association, by trial of all cuts; one boosted tree.
    X, table, y = make_problem(seed, n_rows=60)
    growth = GROWTH._replace(n_estimators=1)
    masking = measure_masking(table, Target(y[:, np.newaxis]), growth, None, 7)
    rules = make_rules(
        60, 8, 1, 60, criterion="squared_error", max_depth=3, min_samples_leaf=5
    )
    grower = OutOfBagGrower(table, rules, 60, 1)
    seeds = draw_seeds(np.random.RandomState(7), 1)
    trees, decrease, _ = grower.grow(y - y.mean(), seeds)
    draws = grower.count_draws(seeds)[0].astype(float)
    codes = table.codes.reshape(8, 60).astype(int)
    thresholds = {}
    expected = np.zeros((4, 8))
    reach = {0: draws > 0}
    for node in range(len(trees.left)):
        if trees.left[node] < 0:
            continue
        rows, i = reach[node], trees.feature[node]
        values = np.sort(X[:, i % 4])[codes[i]]  # no ties: codes are ranks
        left = values <= trees.threshold[node]
        reach[trees.left[node]] = rows & left
        reach[trees.left[node] + 1] = rows & ~left
        for j in range(8):
            if j != i and i < 4:
                found = associate(codes[j][rows], left[rows], draws[rows])
                assert found <= 1.0
                expected[i, j] += decrease[node] * found
        thresholds[node] = trees.threshold[node]
    assert thresholds and expected.any()
    assert_allclose(masking, expected, atol=1e-12)
