"""CI WS: confidence intervals of gains decide how features are drawn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import make_simple
from manyminds.ensemble import RandomForestClassifier
from manyminds.ensemble.forests.weighted_draws.ci_ws import CIWSForestClassifier
from manyminds.trees.nodes.gain_statistics import (
    collect_gains,
)


def plain_forest(n_trees, seed):
    return RandomForestClassifier(
        n_trees, criterion="entropy", max_features=1, random_state=seed
    )


def test_nothing_known_is_a_random_forest(seed):
    # Acceptance item 3: with a unit so large that no feature has two nodes, all
    # features stay equal, and so are drawn as often.
    X, y = make_simple(150, random_state=seed)
    forest = CIWSForestClassifier(10, ess="unit", unit=1e6, random_state=1).fit(X, y)
    assert_allclose(forest.feature_weights_, 1 / 9)
    assert np.isnan(forest.interval_widths_).all()
    batch = CIWSForestClassifier(10, update_every=10, random_state=1).fit(X, y)
    plain = plain_forest(10, 1).fit(X, y)
    assert_array_equal(batch.predict_proba(X), plain.predict_proba(X))


@pytest.mark.slow
def test_intervals_narrow_and_errors_fall(seed):
    # In 40 draws the error on 2000 new rows fell by 0.022 on average, with a standard
    # deviation of 0.009: of four draws together it has to fall.
    X_new, y_new = make_simple(2000, random_state=seed + 10_000)
    rise = 0.0
    for i in range(4):
        X, y = make_simple(270, random_state=seed + i)
        model = CIWSForestClassifier(100, random_state=0).fit(X, y)
        widths = model.interval_widths_
        assert widths[-1] < 0.5 * widths[4]
        plain = plain_forest(100, 0).fit(X, y)
        rise += model.score(X_new, y_new) - plain.score(X_new, y_new)
    assert rise > 0.0


def test_intervals_are_counted_after_each_batch():
    X, y = make_simple(40, n_irrelevant=1, random_state=0)
    forest = CIWSForestClassifier(7, update_every=3, random_state=0).fit(X, y)
    assert forest.trees_.n_trees == 7
    assert forest.interval_widths_.shape == (3,)
    gains = collect_gains(forest.trees_)
    assert_allclose(forest.gain_statistics_.mean, gains.mean)


@pytest.mark.parametrize(
    "wrong", [{"confidence": 1.0}, {"ess": "bits"}, {"unit": 0.0}, {"update_every": 0}]
)
def test_errors_name_the_parameter(wrong):
    with pytest.raises(ValueError, match=f"The '{next(iter(wrong))}' parameter"):
        CIWSForestClassifier(2, **wrong).fit([[0.0], [1.0]], [0, 1])
