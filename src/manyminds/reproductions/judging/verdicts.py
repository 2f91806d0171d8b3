"""Whether what we measured agrees with what was published."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import (
    DIFFERS,
    NOT_RUN,
    VERDICTS,
    Cell,
    estimate_margin,
    judge_difference,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.measurements import (
    Measured,
    list_differences,
    measure_cells,
)
from manyminds.reproductions.published import Part, Place, PublishedValue, RecordedPart


@dataclass(frozen=True)
class Column:
    """The cells of one method, summarized.

    Parameters
    ----------
    method : str
    counts : mapping of str to int
        How many cells have which verdict.
    mean_difference : float or None
        Mean over the cells that were run.
    remark : str
        A remark, such as the result of a test.
    """

    method: str
    counts: Mapping[str, int]
    mean_difference: float | None
    remark: str = ""


@dataclass(frozen=True)
class Verdicts:
    """The verdicts on a part of a reproduction.

    Parameters
    ----------
    part : str
        Name of the part.
    quick : bool
        Whether this is the quick subset, which proves little.
    cells : sequence of Cell
    columns : sequence of Column
        They count all cells but those that are shown apart.
    overall : str
        The whole in one sentence.
    claims : sequence of Claim, default=()
        What the paper claims, judged.
    """

    part: str
    quick: bool
    cells: tuple[Cell, ...]
    columns: tuple[Column, ...]
    overall: str
    claims: tuple[Claim, ...] = ()

    @property
    def n_run(self) -> int:
        """Cells that have a result."""
        return sum(cell.verdict != NOT_RUN for cell in self.cells)


def judge(
    part: Part,
    records: Iterable[Record],
    *,
    quick: bool = False,
    missing: Mapping[str, str] | None = None,
) -> Verdicts:
    """Compare what was recorded with what was published.

    A cell *agrees* when the two means are within the tolerance. It is *within random
    variation* when they are further apart, but neither by more than the tolerance's
    cap nor by more than three standard errors of the difference of two independent
    replications, :math:`s \\sqrt{2 / n}` where :math:`s` is the standard deviation of
    the means of our :math:`n` repetitions. Beyond those standard errors it *differs*.
    It is *undecided* where fewer than five repetitions leave the standard error
    unknown, or where random variation could explain a difference beyond the cap. A
    cell with a fold that failed or has no record is *not run*.

    Parameters
    ----------
    part : Part
    records : iterable of Record
        What the store has of the part's plan, or of its quick subset.
    quick : bool, default=False
        Whether these are the records of the quick subset.
    missing : mapping of str to str, default=None
        Data sets that could not be loaded, and why; see `Outcome`.

    Returns
    -------
    verdicts : Verdicts

    Examples
    --------
    >>> from manyminds.reproductions import get_reproduction
    >>> from manyminds.reproductions.judging.verdicts import judge
    >>> part = get_reproduction("forests-of-local-trees-baselines").parts[0]
    >>> verdicts = judge(part, [], quick=True)
    >>> (
    ...     verdicts.cells[0].dataset,
    ...     verdicts.cells[0].reference,
    ...     verdicts.cells[0].verdict,
    ... )
    ('balance-scale', 77.67, 'not run')
    """
    recorded = RecordedPart(part, part.outline(quick), list(records), missing or {})
    if part.judge is not None:
        verdicts = part.judge(recorded)
    else:
        verdicts = summarize_cells(recorded, judge_cells(recorded))
    if part.claims is not None:
        claims = part.claims(recorded.plan, recorded.records)
        verdicts = replace(verdicts, claims=(*verdicts.claims, *claims))
    return _set_apart(recorded, verdicts)


def judge_cells(recorded: RecordedPart) -> list[Cell]:
    """Judge the cells of a part's table by the common rule."""
    part = recorded.part
    if part.table is None:
        raise ValueError(f"The part {part.name!r} has neither a table nor a judge.")
    metric, scale = part.table.metric, part.table.scale
    found = measure_cells(recorded.plan, recorded.records, metric, scale)
    return [
        _judge_cell(recorded, place, published, found[place])
        for place, published in part.table.cells.items()
        if place in found
    ]


def judge_pairs(
    plan: Plan,
    records: Iterable[Record],
    metric: str,
    pairs: Mapping[str, tuple[str, str]],
    *,
    unit: str,
    margin: float,
    scale: float = 1.0,
    lower_is_better: bool = False,
    equal: bool = False,
) -> list[Claim]:
    """Judge claims that one method is better than another, over the data sets.

    The effect on a data set is the difference of the two means over its folds. Data
    sets that lack one of the two are left out.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record
    metric : str
    pairs : mapping of str to (method, other)
        Two methods of the plan, by the text of the claim.
    unit, margin, equal
        See `judge_claim`.
    scale : float, default=1.0
        What to multiply the metric by.
    lower_is_better : bool, default=False

    Returns
    -------
    claims : list of Claim
        Empty if nothing was recorded.
    """
    found = measure_cells(plan, records, metric, scale)
    sign, claims = (-1.0 if lower_is_better else 1.0), []
    for text, (method, other) in pairs.items():
        differences = list_differences(plan, found, method, other).values()
        effects = [sign * difference for difference in differences]
        if effects:
            claims.append(
                judge_claim(text, effects, unit=unit, margin=margin, equal=equal)
            )
    return claims


def find_reason(part: Part, place: Place) -> str:
    """Return the known reason why a cell differs."""
    reason = part.notes.get(place) or part.notes.get(place[0])
    return reason or "no reason known"


def make_empty_cell(
    recorded: RecordedPart,
    place: Place,
    problem: str = "",
    published: PublishedValue | None = None,
) -> Cell:
    """Return the cell of a data set and a method without a result, and why.

    Parameters
    ----------
    recorded : RecordedPart
    place : (dataset, method)
    problem : str, default=""
        Why there is no result; empty: nothing is recorded.
    published : PublishedValue, default=None

    Returns
    -------
    cell : Cell
    """
    dataset, _ = place
    why = problem or recorded.part.absent.get(dataset)
    if not why:
        found = dataset not in recorded.missing
        why = "no folds are recorded" if found else "the data set was not found"
    mean, std = (published.mean, published.std) if published else (None, None)
    return Cell(*place, NOT_RUN, why, mean, std)


def summarize_cells(
    recorded: RecordedPart,
    cells: list[Cell],
    remarks: Mapping[str, str] | None = None,
    claims: Sequence[Claim] = (),
) -> Verdicts:
    """Return the verdicts of a part: counts of each column and of all cells.

    Parameters
    ----------
    recorded : RecordedPart
    cells : list of Cell
    remarks : mapping of str to str, default=None
        Remarks on columns, by method.
    claims : sequence of Claim, default=()

    Returns
    -------
    verdicts : Verdicts
    """
    remarks, name = remarks or {}, recorded.part.name
    counted = [cell for cell in cells if not cell.apart]
    methods = list(dict.fromkeys(cell.method for cell in cells))
    columns = tuple(
        _summarize_column(method, counted, remarks.get(method, ""))
        for method in methods
    )
    counts = count_verdicts(counted)
    found = [f"{verdict} {count}" for verdict, count in counts.items() if count]
    overall = f"{len(counted)} cells: {', '.join(found)}."
    if len(counted) < len(cells):
        more = f"{len(cells) - len(counted)} more" if counted else f"{len(cells)} cells"
        overall = overall if counted else ""
        overall = f"{overall} {more} are shown apart, not counted.".strip()
    if recorded.quick:
        overall += " This is the quick subset: a trial run, no evidence."
    return Verdicts(name, recorded.quick, tuple(cells), columns, overall, tuple(claims))


def count_verdicts(cells: Iterable[Cell]) -> dict[str, int]:
    """Count how many cells have which verdict."""
    found = [cell.verdict for cell in cells]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def _set_apart(recorded: RecordedPart, verdicts: Verdicts) -> Verdicts:
    """Take all cells of a part out of the counts if the part is no evidence."""
    reason = recorded.part.apart
    if not reason:
        return verdicts
    cells = [replace(cell, apart=cell.apart or reason) for cell in verdicts.cells]
    remarks = {column.method: column.remark for column in verdicts.columns}
    return summarize_cells(recorded, cells, remarks, verdicts.claims)


def _judge_cell(
    recorded: RecordedPart,
    place: Place,
    published: PublishedValue,
    measured: Measured | str,
) -> Cell:
    if isinstance(measured, str):
        return make_empty_cell(recorded, place, measured, published)
    difference = measured.mean - published.mean
    margin = estimate_margin(measured.repeats)
    return compare(recorded.part, place, published, measured, difference, margin)


def compare(
    part: Part,
    place: Place,
    reference: PublishedValue | Measured,
    measured: Measured,
    difference: float,
    margin: float | None,
) -> Cell:
    """Return the judged cell of a reference and of ours.

    Parameters
    ----------
    part : Part
    place : (dataset, method)
    reference, measured : PublishedValue or Measured
    difference : float
        Ours less the reference, in the tolerance's unit.
    margin : float or None
        See `judge_difference`.

    Returns
    -------
    cell : Cell
    """
    verdict = judge_difference(difference, part.tolerance, margin)
    return Cell(
        *place,
        verdict,
        find_reason(part, place) if verdict == DIFFERS else "",
        reference.mean,
        reference.std,
        measured.mean,
        measured.std,
        measured.n,
        difference,
        margin,
    )


def _summarize_column(method: str, cells: list[Cell], remark: str) -> Column:
    mine = [cell for cell in cells if cell.method == method]
    differences = [cell.difference for cell in mine if cell.difference is not None]
    mean = float(np.mean(differences)) if differences else None
    return Column(method, count_verdicts(mine), mean, remark)
