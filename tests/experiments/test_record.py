"""A record says whether its fold failed, and cannot be changed."""

from dataclasses import FrozenInstanceError, replace

import pytest

from manyminds.experiments import Record, Slot
from manyminds.experiments.record import PlanState

RECORD = Record("key", "iris", "rf", 0, 3, {"accuracy": 0.5})


def test_an_error_is_a_failure_even_without_words():
    assert not RECORD.failed
    assert replace(RECORD, error="ValueError").failed
    assert replace(RECORD, error="").failed


def test_records_do_not_share_their_values():
    one, other = (Record(key, "iris", "rf", 0, 0) for key in "ab")
    one.values["accuracy"] = 1.0
    assert other.values == {}


def test_records_are_equal_by_content():
    assert RECORD == replace(RECORD, values={"accuracy": 0.5})
    assert RECORD != replace(RECORD, fold=4)


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (RECORD, "error"),
        (Slot("iris", "rf", 0, 3, "key"), "key"),
        (PlanState("plan", 10, 5, 1, 2.0, ""), "n_failed"),
    ],
    ids=["record", "slot", "state"],
)
def test_results_cannot_be_changed(value, field):
    with pytest.raises(FrozenInstanceError):
        setattr(value, field, None)
