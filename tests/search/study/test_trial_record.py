"""Records of trials: what is undecided, and which pipeline is the incumbent."""

import numpy as np
import pytest

from manyminds.search.study.trial_record import Snapshot, TrialRecord


def make_record(number, state="complete", criterion=np.nan, limit=np.inf):
    return TrialRecord(
        number, state, "base", {"learner": "nb"}, "nb", criterion, 0.0, criterion, [],
        1.0, 1.0, 1.0, "", limit,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("state", "had", "limit", "expected"),
    [
        ("unfinished", np.inf, 3.0, True),
        ("slow", 1.0, 3.0, True),
        ("slow", 3.0, 3.0, False),
        ("pruned", 1.0, 3.0, False),
        ("complete", 1.0, 3.0, False),
    ],
)
def test_undecided(state, had, limit, expected):
    assert make_record(0, state, limit=had).is_undecided(limit) is expected


def test_the_first_of_ties_is_the_incumbent():
    records = [make_record(0, "pruned"), make_record(1, criterion=0.5)]
    records += [make_record(2, criterion=0.7), make_record(3, criterion=0.7)]
    assert Snapshot(records).incumbent.number == 2
    assert Snapshot(records[:1]).incumbent is None
    assert [one.number for one in Snapshot(records).select("pruned")] == [0]
