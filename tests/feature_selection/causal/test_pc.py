"""PC as a selector, on LUCAS."""

import numpy as np
import pytest

from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.feature_selection import PCSelector

PAPER = {"test": "mutual_information", "threshold": 0.01, "min_count": 0.0}


# Spec 03, item 5: nine features are connected with the class, give or take one, and
# the coin is never one of them.
@pytest.mark.slow
def test_lucas_component(seed):
    counts = []
    for k in range(15):
        X, y = make_lucas(random_state=seed + k)
        selector = PCSelector(**PAPER, max_condition_size=2).fit(X, y)
        counts.append(selector.support_.sum())
        assert not selector.support_[LUCAS_FEATURES.index("Born_an_Even_Day")]
    assert 8 <= np.median(counts) <= 10


def test_what_is_selected(seed):
    X, y = make_lucas(random_state=seed)
    connected, blanket, near = (
        PCSelector(select=select).fit(X, y)
        for select in ("connected", "blanket", "neighbors")
    )
    assert not (near.support_ & ~blanket.support_).any()
    assert not (blanket.support_ & ~connected.support_).any()
    assert set(blanket.markov_blanket_) == set(blanket.get_support(indices=True))
    adjacent = set(near.graph_.successors("target"))
    adjacent |= set(near.graph_.predecessors("target"))
    assert adjacent == set(near.get_feature_names_out())


def test_the_original_order_is_an_option(seed):
    X, y = make_lucas(500, random_state=seed)
    selector = PCSelector(stable=False, max_condition_size=None).fit(X, y)
    assert selector.n_tests_ > 66
