"""Whether what we measured agrees with what was published."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.published import Part, Place, PublishedValue, Tolerance
from manyminds.experiments.record import Record

AGREES = "agrees"
BY_CHANCE = "agrees within chance"
DIFFERS = "differs"
UNDECIDED = "undecided"
NOT_RUN = "not run"
STANDARD_ERRORS = 3.0  # how far chance may carry two replications apart


@dataclass(frozen=True)
class Cell:
    """One number that was published, or measured of a peer, beside ours.

    Parameters
    ----------
    dataset, method : str
    verdict : str
        "agrees", "agrees within chance", "differs", "undecided" or "not run".
    why : str
        The known reason for a difference, or why nothing was run.
    reference, reference_sd : float or None
        What was published, or the peer's mean.
    mean, sd : float or None
        Ours, over all folds.
    n : int
        Folds that ours is the mean of.
    difference : float or None
        Ours less theirs, in the tolerance's unit.
    """

    dataset: str
    method: str
    verdict: str
    why: str = ""
    reference: float | None = None
    reference_sd: float | None = None
    mean: float | None = None
    sd: float | None = None
    n: int = 0
    difference: float | None = None


@dataclass(frozen=True)
class Column:
    """What the cells of one method come to.

    Parameters
    ----------
    method : str
    counts : mapping of str to int
        How many cells have which verdict.
    mean_difference : float or None
        Mean over the cells that were run.
    remark : str
        What else is to be said, such as the result of a test.
    """

    method: str
    counts: Mapping[str, int]
    mean_difference: float | None
    remark: str = ""


@dataclass(frozen=True)
class Verdicts:
    """What came of a part of a reproduction.

    Parameters
    ----------
    part : str
        Name of the part.
    quick : bool
        Whether this is the quick subset, which proves little.
    cells : sequence of Cell
    columns : sequence of Column
    overall : str
        The whole in one sentence.
    """

    part: str
    quick: bool
    cells: tuple[Cell, ...]
    columns: tuple[Column, ...]
    overall: str

    @property
    def n_run(self) -> int:
        """Cells that have a result."""
        return sum(cell.verdict != NOT_RUN for cell in self.cells)


@dataclass(frozen=True)
class Measured:
    """All folds of one method on one data set, and the mean of each repetition."""

    n: int
    mean: float
    sd: float
    repeats: np.ndarray


def judge(
    part: Part,
    records: Iterable[Record],
    *,
    quick: bool = False,
    missing: Mapping[str, str] | None = None,
) -> Verdicts:
    """Compare what was recorded with what was published.

    A cell *agrees* when the two means are within the tolerance; it *agrees within
    chance* when they are further apart, but not by more than three standard errors of
    the difference of two independent replications, which our own repetitions tell:
    :math:`s \\sqrt{2 / n}` where :math:`s` is the standard deviation of the means of
    our :math:`n` repetitions. Otherwise it *differs*. One repetition tells nothing
    about chance, and what is beyond the tolerance is *undecided*. A cell with a fold
    that failed or has no record is *not run*.

    Parameters
    ----------
    part : Part
    records : iterable of Record
        What the store has of the part's plan, or of its quick subset.
    quick : bool, default=False
        Whether these are the records of the quick subset.
    missing : mapping of str to str, default=None
        Data sets that could not be had, and why; see `Outcome`.

    Returns
    -------
    verdicts : Verdicts

    Examples
    --------
    >>> from manyminds.experiments.plans import get_reproduction
    >>> from manyminds.experiments.judging import judge
    >>> part = get_reproduction("forests-of-local-trees-baselines").parts[0]
    >>> verdicts = judge(part, [], quick=True)
    >>> (
    ...     verdicts.cells[0].dataset,
    ...     verdicts.cells[0].reference,
    ...     verdicts.cells[0].verdict,
    ... )
    ('balance-scale', 77.67, 'not run')
    """
    plan, missing = part.outline(quick), missing or {}
    if part.judge is not None:
        return part.judge(part, plan, list(records), missing)
    if part.table is None:
        raise ValueError(f"The part {part.name!r} has neither a table nor a judge.")
    found = measure_cells(plan, records, part.table.metric, part.table.scale)
    cells = [
        _judge_cell(part, place, published, found[place], missing)
        for place, published in part.table.cells.items()
        if place in found
    ]
    return sum_up(part, plan, cells)


def measure_cells(
    plan: Plan, records: Iterable[Record], metric: str, scale: float = 1.0
) -> dict[Place, Measured | str]:
    """Gather the folds of each data set and method; if some lack, say what is wrong.

    Parameters
    ----------
    plan : Plan
        Whose places to fill; records of others are left aside.
    records : iterable of Record
    metric : str
        Which of the measured values to take.
    scale : float, default=1.0
        What to multiply them by.

    Returns
    -------
    measured : dict of (dataset, method) to Measured or str
        In the order of the plan.
    """
    folds: dict[Place, list[Record]] = {
        (source.name, method.name): []
        for source in plan.datasets
        for method in plan.methods
    }
    for record in records:
        if (record.dataset, record.method) in folds:
            folds[record.dataset, record.method].append(record)
    return {
        place: _measure(found, len(plan.splits), metric, scale)
        for place, found in folds.items()
    }


def say_verdict(
    difference: float, tolerance: Tolerance, error: float | None
) -> tuple[str, bool]:
    """Name the verdict on a difference, and tell whether it asks for a reason."""
    if abs(difference) <= tolerance.points:
        return AGREES, False
    if error is None:
        return UNDECIDED, False
    return (BY_CHANCE, False) if abs(difference) <= error else (DIFFERS, True)


def find_reason(part: Part, place: Place) -> str:
    """Look up why a cell differs."""
    reason = part.notes.get(place) or part.notes.get(place[0])
    return reason or "no reason known"


def tell_not_run(
    part: Part,
    place: Place,
    problem: str,
    missing: Mapping[str, str],
    published: PublishedValue | None = None,
) -> Cell:
    """Make the cell of a data set and a method that have no result, and say why."""
    dataset, _ = place
    why = problem or part.absent.get(dataset)
    if not why:
        found = dataset not in missing
        why = "no folds are recorded" if found else "the data set was not found"
    mean, sd = (published.mean, published.sd) if published else (None, None)
    return Cell(*place, NOT_RUN, why, mean, sd)


def sum_up(
    part: Part,
    plan: Plan,
    cells: list[Cell],
    remarks: Mapping[str, str] | None = None,
) -> Verdicts:
    """Count the verdicts of each column and of them all."""
    remarks, quick = remarks or {}, plan.name != part.name
    methods = list(dict.fromkeys(cell.method for cell in cells))
    columns = tuple(
        _sum_up_column(method, cells, remarks.get(method, "")) for method in methods
    )
    counts = {
        verdict: sum(column.counts[verdict] for column in columns)
        for verdict in (AGREES, BY_CHANCE, DIFFERS, UNDECIDED, NOT_RUN)
    }
    said = [f"{verdict} {count}" for verdict, count in counts.items() if count]
    overall = f"{len(cells)} cells: {', '.join(said)}."
    if quick:
        overall += " This was the quick subset: a look at the way it goes, no evidence."
    return Verdicts(part.name, quick, tuple(cells), columns, overall)


def _measure(
    records: list[Record], n_folds: int, metric: str, scale: float
) -> Measured | str:
    failed = [record for record in records if record.failed]
    if failed:
        return f"{len(failed)} of {n_folds} folds failed: {failed[0].error}"
    if len(records) < n_folds:
        return f"{len(records)} of {n_folds} folds are recorded" if records else ""
    values = scale * np.array([record.values[metric] for record in records])
    repeat = np.array([record.repeat for record in records])
    means = np.array([values[repeat == one].mean() for one in np.unique(repeat)])
    sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return Measured(len(values), float(values.mean()), sd, means)


def _judge_cell(
    part: Part,
    place: Place,
    published: PublishedValue,
    measured: Measured | str,
    missing: Mapping[str, str],
) -> Cell:
    if isinstance(measured, str):
        return tell_not_run(part, place, measured, missing, published)
    difference = measured.mean - published.mean
    n_repeats, error = len(measured.repeats), None
    if n_repeats > 1:
        spread = float(measured.repeats.std(ddof=1))
        error = STANDARD_ERRORS * spread * math.sqrt(2.0 / n_repeats)
    verdict, asks = say_verdict(difference, part.tolerance, error)
    return Cell(
        *place,
        verdict,
        find_reason(part, place) if asks else "",
        published.mean,
        published.sd,
        measured.mean,
        measured.sd,
        measured.n,
        difference,
    )


def _sum_up_column(method: str, cells: list[Cell], remark: str) -> Column:
    mine = [cell for cell in cells if cell.method == method]
    counts = {
        verdict: sum(cell.verdict == verdict for cell in mine)
        for verdict in (AGREES, BY_CHANCE, DIFFERS, UNDECIDED, NOT_RUN)
    }
    differences = [cell.difference for cell in mine if cell.difference is not None]
    mean = float(np.mean(differences)) if differences else None
    return Column(method, counts, mean, remark)
