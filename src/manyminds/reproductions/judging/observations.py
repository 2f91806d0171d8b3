"""Two of our methods on each data set: effects of a claim, shown but not counted."""

from dataclasses import replace
from operator import sub

import numpy as np

from manyminds.reproductions.judging.cells import UNDECIDED, Cell
from manyminds.reproductions.judging.measurements import (
    Measured,
    Subtract,
)
from manyminds.reproductions.judging.verdicts import (
    make_empty_cell,
)
from manyminds.reproductions.published import Place, RecordedPart

OBSERVATION = "an observation of a claim, judged above"


def observe_pair(
    recorded: RecordedPart,
    place: Place,
    mine: Measured | str,
    other: Measured | str,
    subtract: Subtract = sub,
) -> Cell:
    """Return an observation of a claim, or why one of its two sides is missing.

    Parameters
    ----------
    recorded : RecordedPart
    place : (dataset, method)
    mine, other : Measured or str
        What `manyminds.reproductions.judging.measurements.measure_cells` returns.
    subtract : callable, default=operator.sub
        ``subtract(mine, other)`` returns the difference of the two means to show.

    Returns
    -------
    cell : Cell
    """
    for side in (mine, other):
        if isinstance(side, str):
            return observe_nothing(recorded, place, side)
    assert isinstance(mine, Measured) and isinstance(other, Measured)
    return Cell(
        *place,
        UNDECIDED,  # a single observation has no verdict; the page leaves it out
        "",
        other.mean,
        other.std,
        mine.mean,
        mine.std,
        mine.n,
        subtract(mine.mean, other.mean),
        apart=OBSERVATION,
    )


def observe_nothing(recorded: RecordedPart, place: Place, problem: str = "") -> Cell:
    """Return the cell of an observation that was not made, and why."""
    return replace(make_empty_cell(recorded, place, problem), apart=OBSERVATION)


def observe(place: Place, mine: np.ndarray, theirs: np.ndarray, why: str = "") -> Cell:
    """Return the cell that shows two of our methods on one data set, not counted.

    Parameters
    ----------
    place : (dataset, method)
    mine, theirs : ndarray of shape (n_folds,)
        Ours, and those in the column of the reference.
    why : str, default=""

    Returns
    -------
    cell : Cell
    """
    return Cell(
        *place,
        UNDECIDED,
        why,
        float(theirs.mean()),
        _compute_std(theirs),
        float(mine.mean()),
        _compute_std(mine),
        len(mine),
        float(mine.mean() - theirs.mean()),
        apart=OBSERVATION,
    )


def _compute_std(folds: np.ndarray) -> float | None:
    return float(folds.std(ddof=1)) if len(folds) > 1 else None
