"""TPDA as a selector, and its shortcut, on LUCAS."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.feature_selection import TPDASelector


# Spec 03, item 5: ten features, give or take one, and never the coin. Item 6: the full
# algorithm and the shortcut select the same.
@pytest.mark.slow
def test_lucas_component(seed):
    counts = []
    for k in range(15):
        X, y = make_lucas(random_state=seed + k)
        full = TPDASelector(min_count=0.0).fit(X, y)
        shortcut = TPDASelector(min_count=0.0, shortcut=True).fit(X, y)
        assert_array_equal(full.support_, shortcut.support_)
        assert shortcut.n_tests_ == 66 <= full.n_tests_
        assert full.test_name_ == "mutual_information"
        assert not full.support_[LUCAS_FEATURES.index("Born_an_Even_Day")]
        counts.append(full.support_.sum())
    assert 9 <= np.median(counts) <= 11


def test_the_shortcut_knows_components_only():
    X, y = make_lucas(200, random_state=0)
    with pytest.raises(ValueError, match="got select='blanket'"):
        TPDASelector(shortcut=True, select="blanket").fit(X, y)
