"""Grow-Shrink as a selector: the blanket of LUCAS (spec 03, item 4)."""

import numpy as np
import pytest

from manyminds.datasets.generators.lucas import (
    LUCAS_BLANKET,
    LUCAS_FEATURES,
    make_lucas,
)
from manyminds.feature_selection import GrowShrinkSelector, IAMBSelector

TRUE = {LUCAS_FEATURES.index(name) for name in LUCAS_BLANKET}


# Spec 03, item 4: 4 or 5 members of the blanket and no false one, with the degrees of
# freedom of the spec's formula. Measured over 200 draws: at least 4 members in all of
# them, all 5 in 52 %, and never a false one. Observed degrees of freedom find all 5 in
# 86 %, with a false one in 17 %.
@pytest.mark.slow
@pytest.mark.parametrize("make", [GrowShrinkSelector, IAMBSelector])
@pytest.mark.parametrize("dof, max_false", [("nominal", 1), ("observed", 11)])
def test_lucas_blanket(seed, make, dof, max_false):
    n_false = 0
    for k in range(20):
        X, y = make_lucas(random_state=seed + k)
        found = set(make("g2", alpha=0.01, dof=dof).fit(X, y).markov_blanket_)
        assert len(found & TRUE) >= 4
        n_false += len(found - TRUE) > 0
    assert n_false <= max_false


def test_edges_join_members_to_the_target():
    X, y = make_lucas(random_state=0)
    selector = GrowShrinkSelector().fit(X, y)
    members = {f"x{k}" for k in selector.markov_blanket_}
    assert set(selector.graph_.successors("target")) == members
    assert np.array_equal(selector.get_support(indices=True), selector.markov_blanket_)
