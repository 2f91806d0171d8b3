"""RF Thr: counts of the thesis, ties, targets, fallbacks."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.generators import make_friedman_classes, make_simple
from manyminds.feature_selection.embedded.forest_gain_threshold import (
    ForestGainThresholdSelector,
    fall_back,
)

THESIS = {"expected_gain": "midpoint", "on_constant": "leaf"}


@pytest.mark.slow
def test_counts_on_simple(seed):
    # Acceptance item 5: both relevant features are always kept. In 200 samples 7.15 of
    # 9 were kept by the thesis's midpoint and 3.89 by exact means, with standard
    # deviations of 1.2; the bounds are five standard errors away.
    kept = {"midpoint": [], "exact": []}
    for i in range(20):
        X, y = make_simple(270, random_state=seed + i)
        for name, counts in kept.items():
            selector = ForestGainThresholdSelector(
                expected_gain=name, random_state=i
            ).fit(X, y)
            assert selector.support_[:2].all()
            counts.append(selector.support_.sum())
    assert 5.8 < np.mean(kept["midpoint"]) < 8.5
    assert 2.5 < np.mean(kept["exact"]) < 5.3
    assert np.mean(kept["exact"]) < np.mean(kept["midpoint"])


def test_copies_of_rows_defeat_the_formulas(seed):
    # Acceptance item 5: without their removal every feature seems relevant.
    X, y = make_simple(270, random_state=seed)
    selector = ForestGainThresholdSelector(
        bag="bootstrap", random_state=0, **THESIS
    ).fit(X, y)
    assert selector.support_.all()


def test_shadows_and_exact_means_agree_without_ties(seed):
    X, y = make_friedman_classes(180, random_state=seed)
    shadow = ForestGainThresholdSelector(300, random_state=0).fit(X, y)
    exact = ForestGainThresholdSelector(300, expected_gain="exact", random_state=0).fit(
        X, y
    )
    difference = shadow.scores_ - exact.scores_
    assert np.abs(difference).max() < 0.006  # gains are about 0.1
    assert np.abs(difference.mean()) < 0.002


def test_few_values_are_no_fault_to_shadows(seed):
    # A binary feature that tells the class in 65 % of rows: by formulas, which expect
    # as many cuts as rows, it gains too little; shuffled targets know better.
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=300)
    X = rng.normal(size=(300, 5))
    X[:, 0] = np.where(rng.uniform(size=300) < 0.65, y, 1 - y)
    shadow = ForestGainThresholdSelector(random_state=0).fit(X, y)
    exact = ForestGainThresholdSelector(expected_gain="exact", random_state=0).fit(X, y)
    assert shadow.ranking_[0] == 1 and shadow.support_[0]
    assert shadow.scores_[0] > exact.scores_[0] + 0.005


def test_three_classes_and_numbers(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 6))
    classes = np.digitize(X[:, 3], [-0.5, 0.5])
    assert ForestGainThresholdSelector(random_state=0).fit(X, classes).ranking_[3] == 1
    assert (
        ForestGainThresholdSelector(random_state=0).fit(X, X[:, 3] ** 3).ranking_[3]
        == 1
    )
    for target, found in [(classes, "3 classes"), (X[:, 3], "numbers")]:
        with pytest.raises(ValueError, match=f"takes two classes; y has {found}"):
            ForestGainThresholdSelector(expected_gain="exact").fit(X, target)


def test_fallbacks():
    none, ranking = np.zeros(3, dtype=bool), np.array([2, 1, 3])
    expected = {"best": [0, 1, 0], "all": [1, 1, 1], "none": [0, 0, 0]}
    for fallback, kept in expected.items():
        with pytest.warns(UserWarning, match="No feature gains more than"):
            found = fall_back(none, ranking, fallback)
        assert_array_equal(found, np.array(kept, dtype=bool))
    some = np.array([True, False, False])
    assert fall_back(some, ranking, "all") is some
