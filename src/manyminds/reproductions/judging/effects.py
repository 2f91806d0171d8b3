"""Effects that claims are judged by."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from manyminds.analysis import corrected_resampled_ttest
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.measurements import (
    Measured,
    measure_cells,
)
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    judge_cells,
    judge_pairs,
    summarize_cells,
)
from manyminds.reproductions.published import Place, PublishedTable, RecordedPart

ALPHA = 0.05
Folds = dict[Place, np.ndarray]


def gather_folds(
    plan: Plan, records: Iterable[Record], metric: str, scale: float = 1.0
) -> Folds:
    """Return the scores of each data set and method in the order of the folds.

    Parameters
    ----------
    plan : Plan
        Places with fewer folds than it has are left out.
    records : iterable of Record
    metric : str
    scale : float, default=1.0
        What to multiply the metric by.

    Returns
    -------
    folds : dict of (dataset, method) to ndarray of shape (n_folds,)
    """
    found: dict[Place, dict[tuple[int, int], float]] = {}
    for record in records:
        if not record.failed:
            folds = found.setdefault((record.dataset, record.method), {})
            folds[record.repeat, record.fold] = scale * record.values[metric]
    return {
        place: np.array([folds[at] for at in sorted(folds)])
        for place, folds in found.items()
        if len(folds) == len(plan.splits)
    }


def judge_methods(
    plan: Plan,
    records: Iterable[Record],
    metric: str,
    pairs: Mapping[str, tuple[str, str]],
    *,
    unit: str,
    margin: float,
    test_share: float,
    scale: float = 1.0,
    lower_is_better: bool = False,
) -> list[Claim]:
    """Judge that one method is better than another, with a remark on single data sets.

    Parameters
    ----------
    plan, records, metric, pairs, unit, margin, scale, lower_is_better
        See `manyminds.reproductions.judging.verdicts.judge_pairs`.
    test_share : float
        Share of the samples that each fold tests on.

    Returns
    -------
    claims : list of Claim
        Their remarks count the data sets on which the corrected resampled t-test finds
        a difference.
    """
    records = list(records)
    claims = judge_pairs(
        plan, records, metric, pairs,
        unit=unit, margin=margin, scale=scale, lower_is_better=lower_is_better,
    )  # fmt: skip
    sign = -scale if lower_is_better else scale
    folds = gather_folds(plan, records, metric, sign)
    return [
        replace(claim, remark=count_data_sets(folds, *pairs[claim.text], test_share))
        for claim in claims
    ]


def count_data_sets(folds: Folds, method: str, other: str, test_share: float) -> str:
    """Count the data sets with a positive effect, and those where a test finds one.

    Parameters
    ----------
    folds : dict of (dataset, method) to ndarray
        Higher is better.
    method, other : str
    test_share : float
        See `judge_methods`.

    Returns
    -------
    text : str
    """
    pairs = pair_up(folds, method, other).values()
    better = wins = losses = 0
    for mine, theirs in pairs:
        difference = mine.mean() - theirs.mean()
        better += difference > 0.0
        if len(mine) > 1:
            test = corrected_resampled_ttest(mine, theirs, test_share=test_share)
            wins += test.p_value < ALPHA and difference > 0.0
            losses += test.p_value < ALPHA and difference < 0.0
    return (
        f"positive on {better} of {len(pairs)} data sets; by the corrected resampled "
        f"t-test at 5 % positive on {wins}, negative on {losses}"
    )


def pair_up(
    folds: Folds, method: str, other: str
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the folds of two methods on the data sets that have both."""
    return {
        dataset: (mine, folds[dataset, other])
        for (dataset, name), mine in folds.items()
        if name == method and (dataset, other) in folds
    }


def list_departures(
    plan: Plan,
    records: Iterable[Record],
    table: PublishedTable,
    methods: Sequence[str] | None = None,
) -> dict[str, float]:
    """Return by how much ours exceeds what was printed, for each data set.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record
    table : PublishedTable
    methods : sequence of str, default=None
        Methods whose differences are averaged; by default all of the plan.

    Returns
    -------
    departures : dict of str to float
        Of the data sets that have all these methods, in the table's unit.
    """
    found = measure_cells(plan, records, table.metric, table.scale)
    chosen = methods or [method.name for method in plan.methods]
    departures = {}
    for source in plan.datasets:
        places = [(source.name, method) for method in chosen]
        differences = [
            measured.mean - table.cells[place].mean
            for place in places
            if place in table.cells and isinstance(measured := found[place], Measured)
        ]
        if len(differences) == len(places):
            departures[source.name] = float(np.mean(differences))
    return departures


def judge_losses(text: str, losses: Mapping[str, float], max_loss: float) -> Claim:
    """Judge that no more is lost than what is allowed, in the mean over data sets.

    Parameters
    ----------
    text : str
        The claim.
    losses : mapping of str to float
        Points that are lost on each data set.
    max_loss : float
        Largest loss that is allowed.

    Returns
    -------
    claim : Claim
        The effect is what is left of ``max_loss``; the claim does not hold if the
        interval lies below 0.
    """
    values = list(losses.values())
    small = sum(loss <= max_loss for loss in values)
    return judge_claim(
        text,
        [max_loss - loss for loss in values],
        unit=f"points below the limit of {max_loss:g}",
        margin=0.0,
        remark=f"mean loss {np.mean(values):+.2f} points; at most {max_loss:g} on "
        f"{small} of {len(values)} data sets",
    )


def judge_with_apart(
    find_why: Callable[[Cell], str],
    recorded: RecordedPart,
) -> Verdicts:
    """Judge by the common rule; cells that are no evidence are shown apart.

    Parameters
    ----------
    find_why : callable
        ``find_why(cell)`` returns why a cell is no evidence, "" if it counts.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    cells = [replace(cell, apart=find_why(cell)) for cell in judge_cells(recorded)]
    return summarize_cells(recorded, cells)
