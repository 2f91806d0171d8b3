"""HITON as a selector: the blanket of LUCAS, sizes of sets."""

from manyminds.datasets.generators.lucas import (
    LUCAS_BLANKET,
    LUCAS_FEATURES,
    make_lucas,
)
from manyminds.feature_selection import HITONSelector

TRUE = {LUCAS_FEATURES.index(name) for name in LUCAS_BLANKET}


def test_lucas_blanket():
    X, y = make_lucas(10_000, random_state=0)
    assert set(HITONSelector().fit(X, y).markov_blanket_) == TRUE


def test_larger_sets_remove_more(seed):
    X, y = make_lucas(random_state=seed)
    sizes = [
        HITONSelector(max_condition_size=k, spouses=False).fit(X, y).support_.sum()
        for k in (0, 1, None)
    ]
    assert sizes[0] >= max(sizes) and min(sizes) >= 2
