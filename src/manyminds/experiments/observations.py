"""Observations of a claim: two of our numbers side by side, shown but not counted."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import sub

from manyminds.experiments.cells import UNDECIDED, Cell
from manyminds.experiments.judging import Measured, tell_not_run
from manyminds.experiments.published import Part, Place

OBSERVATION = "an observation of a claim, judged above"


def observe(
    place: Place, mine: Measured, other: Measured, difference: float, apart: str
) -> Cell:
    """Return the cell that shows two of our results, out of all counts.

    Parameters
    ----------
    place : (dataset, method)
    mine, other : Measured
        ``other`` stands in the column of the reference.
    difference : float
    apart : str
        Why the cell is no evidence.

    Returns
    -------
    cell : Cell
    """
    return Cell(
        *place,
        UNDECIDED,  # a single observation has no verdict; the page leaves it out
        "",
        other.mean,
        other.sd,
        mine.mean,
        mine.sd,
        mine.n,
        difference,
        apart=apart,
    )


def observe_pair(
    part: Part,
    place: Place,
    mine: Measured | str,
    other: Measured | str,
    missing: Mapping[str, str],
    subtract: Callable[[float, float], float] = sub,
) -> Cell:
    """Return an observation of a claim, or what is lacking of one of its two sides.

    Parameters
    ----------
    part : Part
    place : (dataset, method)
    mine, other : Measured or str
        What `manyminds.experiments.judging.measure_cells` returns.
    missing : mapping of str to str
        Data sets that are not available, and why.
    subtract : callable, default=operator.sub
        ``subtract(mine, other)`` returns the difference of the two means to show.

    Returns
    -------
    cell : Cell
    """
    for side in (mine, other):
        if isinstance(side, str):
            cell = tell_not_run(part, place, side, missing)
            return replace(cell, apart=OBSERVATION)
    assert isinstance(mine, Measured) and isinstance(other, Measured)
    return observe(place, mine, other, subtract(mine.mean, other.mean), OBSERVATION)
