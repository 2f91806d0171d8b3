"""Whether nets behave as the paper on bias and variance saw them in its figures."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.bias_variance.protocol import name_value
from manyminds.reproductions.bias_variance.statements import (
    MARGIN,
    Read,
    Statement,
    list_statements,
)
from manyminds.reproductions.judging.cells import (
    DIFFERS,
    UNDECIDED,
    Cell,
    judge_difference,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.measurements import (
    measure_cells,
)
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    find_reason,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import RecordedPart


def judge_noise(
    derived: Mapping[str, str],
    recorded: RecordedPart,
) -> Verdicts:
    """Compare the noise with table 1; nothing is random in it.

    Parameters
    ----------
    derived : mapping of str to str
        Data sets whose noise follows from the printed number, and how.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    assert recorded.part.table is not None
    found = measure_cells(
        recorded.plan,
        recorded.records,
        recorded.part.table.metric,
        recorded.part.table.scale,
    )
    cells = []
    for place, published in recorded.part.table.cells.items():
        if place not in found:
            continue
        measured, apart = found[place], derived.get(place[0], "")
        if isinstance(measured, str):
            cell = make_empty_cell(recorded, place, measured, published)
            cells.append(replace(cell, apart=apart))
            continue
        gap = measured.mean - published.mean
        verdict = judge_difference(gap, recorded.part.tolerance, 0.0)
        why = find_reason(recorded.part, place) if verdict == DIFFERS else ""
        cells.append(
            Cell(*place, verdict, why, published.mean, None, measured.mean, None,
                 measured.n, gap, 0.0, apart)
        )  # fmt: skip
    return summarize_cells(recorded, cells)


def observe_statements(recorded: RecordedPart) -> Verdicts:
    """Show the two numbers of each statement on each data set, mean of the runs."""
    cells = []
    for source in recorded.plan.datasets:
        done = [one for one in recorded.records if one.dataset == source.name]
        read = _make_reader(done)
        for statement in _list_statements(recorded.plan):
            place = source.name, statement.text
            problem = _find_problem(statement, done, len(recorded.plan.splits))
            if problem:
                cell = make_empty_cell(recorded, place, problem if done else "")
            else:
                cell = _observe(place, statement, read, len(recorded.plan.splits))
            cells.append(replace(cell, apart=OBSERVATION))
    return summarize_cells(recorded, cells)


def claim_statements(scope: str, plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge each kind of statement over all data sets, sizes of nets and runs.

    Parameters
    ----------
    scope : str
        What the data sets are, for the text of the claims.
    plan : Plan
        Full or quick.
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
        One for each kind of which anything was recorded. An effect is by how much one
        number is below the other, in one run of one size on one data set.
    """
    records = list(records)
    kinds: dict[str, list[Statement]] = {}
    for statement in _list_statements(plan):
        kinds.setdefault(statement.kind, []).append(statement)
    claims = []
    for kind, statements in kinds.items():
        effects = [
            effect
            for source in plan.datasets
            for statement in statements
            for effect in _list_effects(
                statement, [one for one in records if one.dataset == source.name], plan
            )
        ]
        if effects:
            unit, equal = statements[0].unit, statements[0].equal
            text = f"{kind} ({scope})"
            claims.append(
                judge_claim(text, effects, unit=unit, margin=MARGIN, equal=equal)
            )
    return claims


def _list_statements(plan: Plan) -> list[Statement]:
    methods = [method.name for method in plan.methods]
    return list(list_statements(methods, plan.methods[0].estimator.epochs))


def _list_effects(
    statement: Statement, records: list[Record], plan: Plan
) -> list[float]:
    """Return the effect of each run on one data set; none if runs are lacking."""
    n_runs = len(plan.splits)
    if _find_problem(statement, records, n_runs):
        return []
    return [
        statement.measure(
            _make_reader([one for one in records if one.repeat == run]),
            _make_reader([one for one in records if one.repeat != run])
            if n_runs > 1
            else None,
        )
        for run in sorted({one.repeat for one in records})
    ]


def _make_reader(records: list[Record]) -> Read:
    good = [one for one in records if not one.failed]

    def read(method: str, part: str, epoch: int) -> float:
        name = name_value(part, epoch)
        return float(np.mean([r.values[name] for r in good if r.method == method]))

    return read


def _find_problem(statement: Statement, records: list[Record], n_runs: int) -> str:
    """Return why a statement cannot be judged, or an empty string."""
    for method in statement.methods:
        mine = [one for one in records if one.method == method]
        failed = [one.error for one in mine if one.failed]
        if failed:
            return f"{method}: {failed[0]}"
        if len(mine) < n_runs:
            return f"{method}: {len(mine)} of {n_runs} runs are recorded"
    return ""


def _observe(
    place: tuple[str, str], statement: Statement, read: Read, n_runs: int
) -> Cell:
    low, high = statement.low(read), statement.high(read)
    return Cell(*place, UNDECIDED, "", high, None, low, None, n_runs, low - high)
