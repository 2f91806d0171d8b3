"""Null controls: the same judging where there is nothing to find."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from manyminds.reproductions.judging.cells import (
    AGREES,
    NOT_RUN,
    WITHIN,
    Cell,
    judge_difference,
)
from manyminds.reproductions.published import Part

N_DRAWS = 200
MIN_GROUP = 3  # cells whose printed values are worth shuffling
MIN_LEAD = 20.0  # points by which the real share must exceed the null share
SHUFFLED = "the printed values shuffled among the data sets of each method"


@dataclass(frozen=True)
class Control:
    """How many cells agree as they are, and how many where nothing is to be found.

    Parameters
    ----------
    n_cells : int
        Counted cells that were run and have a control.
    share, within : float
        Cells that agree, and that are within random variation, in percent.
    null_share, null_within : float
        The same in the mean of the null draws.
    null_high : float
        The largest share of cells that agree in any null draw.
    """

    n_cells: int
    share: float
    within: float
    null_share: float
    null_within: float
    null_high: float

    @property
    def informative(self) -> bool:
        """Whether the real share is clearly above what the null draws reach."""
        lead = self.share - self.null_share
        return self.share > self.null_high and lead >= MIN_LEAD


def control(
    judged: Sequence[tuple[Part, Sequence[Cell]]], n_draws: int = N_DRAWS
) -> Control | None:
    """Judge the cells of one or several parts with the printed values shuffled.

    Printed values change places among the data sets of a method. Cells of a part
    that have too few neighbors of the same method for that are shuffled together with
    all such cells of the same tolerance. A part with a ``control`` of its own draws
    its verdicts itself.

    Parameters
    ----------
    judged : sequence of (Part, sequence of Cell)
    n_draws : int, default=200

    Returns
    -------
    control : Control or None
        None if no cell can be controlled.
    """
    rng = np.random.default_rng(0)
    real: list[str] = []
    null: list[np.ndarray] = []
    for part, cells in judged:
        if part.control is not None:
            mine = [cell for cell in cells if is_counted(cell)]
            if mine:
                draws = [part.control(part, mine, rng) for _ in range(n_draws)]
                real += [cell.verdict for cell in mine]
                null.append(np.array(draws))
    for group in _group(judged):
        real += [cell.verdict for _, cell in group]
        null.append(_shuffle(group, n_draws, rng))
    if not real:
        return None
    drawn = np.concatenate(null, axis=1)
    agrees = 100.0 * (drawn == AGREES).mean(axis=1)
    return Control(
        len(real),
        100.0 * real.count(AGREES) / len(real),
        100.0 * real.count(WITHIN) / len(real),
        float(agrees.mean()),
        float(100.0 * (drawn == WITHIN).mean()),
        float(agrees.max()),
    )


def is_counted(cell: Cell) -> bool:
    """Check whether a cell was run and counts as evidence."""
    return cell.verdict != NOT_RUN and not cell.apart


def _group(
    judged: Sequence[tuple[Part, Sequence[Cell]]],
) -> list[list[tuple[Part, Cell]]]:
    """Return the cells whose printed values may change places with each other."""
    groups: dict[tuple[str, str], list[tuple[Part, Cell]]] = {}
    for part, cells in judged:
        if part.control is not None:
            continue
        for cell in cells:
            if is_counted(cell) and cell.reference is not None:
                groups.setdefault((part.name, cell.method), []).append((part, cell))
    large = [group for group in groups.values() if len(group) >= MIN_GROUP]
    rest: dict[str, list[tuple[Part, Cell]]] = {}
    for group in groups.values():
        if len(group) < MIN_GROUP:
            for part, cell in group:
                rest.setdefault(str(part.tolerance), []).append((part, cell))
    return large + [group for group in rest.values() if len(group) >= MIN_GROUP]


def _shuffle(
    group: list[tuple[Part, Cell]], n_draws: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the verdicts of a group in each draw, (n_draws, n_cells)."""
    printed = [float(cell.reference or 0.0) for _, cell in group]
    draws = []
    for _ in range(n_draws):
        shuffled = rng.permutation(printed)
        draws.append(
            [
                judge_difference(
                    float(cell.mean or 0.0) - value, part.tolerance, cell.margin
                )
                for (part, cell), value in zip(group, shuffled)
            ]
        )
    return np.array(draws)
