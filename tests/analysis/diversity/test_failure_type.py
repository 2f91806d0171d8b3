"""Types of failing together: one ensemble of each, and the definitions in any draw."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.analysis.diversity import failure_type, majority_vote

TRUTH = [1, 1, 1]


@pytest.mark.parametrize(
    ("level", "predictions", "blocking"),
    [
        (1, [[1, 1, 1], [1, 1, 1]], []),
        (1, [[0, 1, 1], [1, 0, 1], [1, 1, 0]], []),
        # One of two members is wrong: a tie, but never wrong together.
        (1, [[0, 1, 1], [1, 1, 1]], []),
        (2, [[0, 1, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]], [0]),
        (3, [[1, 0, 1], [1, 0, 1], [1, 1, 0]], [1]),
        (4, [[1, 0, 0], [1, 0, 0], [1, 1, 0]], [2]),
    ],
)
def test_one_of_each_type(level, predictions, blocking):
    found = failure_type(TRUTH, predictions)
    assert found.level == level
    assert found.name == ["I", "II", "III", "IV"][level - 1]
    assert_array_equal(found.blocking, blocking)


def test_definitions(draw_votes):
    levels = set()
    for offset in range(300):
        y, predictions = draw_votes(2 + offset % 5, 1 + offset % 4, offset=offset)
        found = failure_type(y, predictions)
        n_wrong = (predictions != y).sum(axis=0)
        vote = majority_vote(predictions)
        holds = {
            1: (n_wrong <= 1).all(),
            2: (vote == y).all(),
            3: (n_wrong < len(predictions)).all(),
            4: True,
        }
        assert holds[found.level]
        assert not any(holds[better] for better in range(1, found.level))
        levels.add(found.level)
    assert 4 in levels and len(levels) > 2


def test_ties_are_broken_as_asked(seed):
    # Two right, two wrong: in the way, or not, by the rule for ties.
    y = np.ones(300, dtype=int)
    predictions = np.repeat([[1], [1], [0], [0]], 300, axis=1)
    assert failure_type(y, predictions).level == 3
    assert failure_type(1 - y, predictions).level == 2
    options = {"tie_break": "random", "random_state": seed}
    found = failure_type(y, predictions, **options)
    assert found.level == 3 and 0 < len(found.blocking) < 300
