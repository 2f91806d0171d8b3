"""MMMB as a selector: the blanket of LUCAS, its spouse, its directions."""

import numpy as np

from manyminds.datasets.generators.lucas import (
    LUCAS_BLANKET,
    LUCAS_FEATURES,
    make_lucas,
)
from manyminds.feature_selection import MMMBSelector

TRUE = {LUCAS_FEATURES.index(name) for name in LUCAS_BLANKET}


def test_lucas_blanket():
    X, y = make_lucas(10_000, random_state=0)
    selector = MMMBSelector().fit(X, y)
    assert set(selector.markov_blanket_) == TRUE
    allergy, coughing = (
        f"x{LUCAS_FEATURES.index(name)}" for name in ("Allergy", "Coughing")
    )
    edges = dict(selector.graph_.edges)
    assert edges[allergy, coughing]["directed"]
    assert edges["target", coughing]["directed"]


def test_neighbors_alone(seed):
    X, y = make_lucas(random_state=seed)
    near, blanket = (MMMBSelector(spouses=s).fit(X, y) for s in (False, True))
    assert not (near.support_ & ~blanket.support_).any()
    assert near.n_tests_ <= blanket.n_tests_
    assert len(np.atleast_1d(near.markov_blanket_)) >= 2
