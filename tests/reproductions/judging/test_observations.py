"""Observations of claims: shown, not counted."""

import numpy as np
import pytest

from manyminds.reproductions.judging.measurements import Measured
from manyminds.reproductions.judging.observations import (
    OBSERVATION,
    observe,
    observe_nothing,
    observe_pair,
)
from manyminds.reproductions.judging.verdicts import summarize_cells
from manyminds.reproductions.published import Part, RecordedPart, Tolerance

PLACE = ("a", "new")
MINE = Measured(10, 5.0, 0.5, np.empty(0))
OTHER = Measured(8, 2.0, 0.25, np.empty(0))


class Outline:
    """All that a judge of observations asks of a plan."""

    name = "toy"


def make_recorded(missing=()):
    part = Part("toy", "toys", None, Tolerance(1.0, ""), absent={"c": "lost"})
    return RecordedPart(part, Outline(), [], dict.fromkeys(missing, "not found"))


def test_an_observation_is_not_counted():
    cell = observe(PLACE, np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    assert (cell.reference, cell.mean, cell.difference) == (1.0, 2.0, 1.0)
    assert cell.apart and cell.margin is None
    assert cell.std == pytest.approx(np.sqrt(2.0)) and cell.reference_std == 0.0
    verdicts = summarize_cells(make_recorded(), [cell])
    assert sum(verdicts.columns[0].counts.values()) == 0


def test_one_fold_has_no_standard_deviation():
    cell = observe(PLACE, np.array([1.0]), np.array([2.0]), "one run")
    assert cell.std is cell.reference_std is None
    assert (cell.n, cell.difference, cell.why) == (1, -1.0, "one run")


def test_a_pair_has_the_other_method_as_its_reference():
    cell = observe_pair(make_recorded(), PLACE, MINE, OTHER)
    assert (cell.reference, cell.reference_std) == (2.0, 0.25)
    assert (cell.mean, cell.std, cell.n) == (5.0, 0.5, 10)
    assert cell.difference == 3.0 and cell.apart == OBSERVATION
    ratio = observe_pair(make_recorded(), PLACE, MINE, OTHER, lambda x, y: x / y)
    assert ratio.difference == 2.5


@pytest.mark.parametrize("sides", [("3 folds lack", OTHER), (MINE, "3 folds lack")])
def test_a_pair_without_one_side_is_not_run(sides):
    cell = observe_pair(make_recorded(), PLACE, *sides)
    assert (cell.verdict, cell.why) == ("not run", "3 folds lack")
    assert cell.mean is cell.difference is None and cell.apart == OBSERVATION


def test_nothing_is_observed_for_a_reason():
    recorded = make_recorded(missing=["b"])
    reasons = [observe_nothing(recorded, (name, "new")).why for name in "abc"]
    assert reasons == ["no folds are recorded", "the data set was not found", "lost"]
    assert observe_nothing(recorded, PLACE, "it failed").why == "it failed"
