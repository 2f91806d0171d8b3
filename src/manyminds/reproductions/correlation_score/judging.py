"""How often scores go against errors: verdicts and claims."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions import published
from manyminds.reproductions.correlation_score.protocol import (
    APPLIES,
    SCORES,
)
from manyminds.reproductions.judging.cells import (
    DIFFERS,
    STANDARD_ERRORS,
    Cell,
    judge_difference,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    find_reason,
    make_empty_cell,
    summarize_cells,
)

MARGIN = 10.0  # points of the runs of a data set
Shares = dict[str, dict[str, dict[str, float]]]  # by data set, classifier and score


def claim_significance(
    scope: str, plan: Plan, records: Iterable[Record]
) -> list[Claim]:
    """Judge how often scores go significantly against errors, and which most often.

    Parameters
    ----------
    scope : str
        What the samples are, for the text of the claims.
    plan : Plan
        Full or quick.
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
        Effects are those of the data sets, in percent of their runs. Claims on the
        order of scores take the mean of all classifiers.
    """
    shares = _measure_shares(plan, list(records))
    methods = [method.name for method in plan.methods]
    claims = {
        f"{score} goes against the error of {method} in most runs": [
            one[method][score] - 50.0 for one in shares.values()
        ]
        for method in methods
        for score in ("R²", "η²")
    }
    means = [
        {
            score: float(np.mean([one[method][score] for method in methods]))
            for score in SCORES
        }
        for one in shares.values()
    ]
    claims["R² is significant more often than η²"] = [
        one["R²"] - one["η²"] for one in means
    ]
    for score in ("R²", "η²"):
        claims[f"{score} is significant more often than U"] = [
            one[score] - one["U"] for one in means
        ]
    claims["U is significant less than a third as often as R²"] = [
        one["R²"] / 3.0 - one["U"] for one in means
    ]
    claims["R² goes against the error of AdaBoost less often than of Random Forest"] = [
        one["Random Forest"]["R²"] - one["AdaBoost"]["R²"] for one in shares.values()
    ]
    return [
        judge_claim(f"{text} ({scope})", effects, unit="points", margin=MARGIN)
        for text, effects in claims.items()
        if effects
    ]


def list_values(records: Sequence[Record], method: str, name: str) -> np.ndarray:
    """Return a measured value of all runs of a classifier that apply."""
    return np.array(
        [
            record.values[name]
            for record in records
            if record.method == method and not record.failed and record.values[APPLIES]
        ]
    )


def _measure_shares(plan: Plan, records: list[Record]) -> Shares:
    """Return the share of significant runs of the data sets that are complete."""
    shares: Shares = {}
    n_runs = len(plan.splits) * len(plan.methods)
    for source in plan.datasets:
        mine = [one for one in records if one.dataset == source.name]
        is_complete = len(mine) == n_runs and not any(one.failed for one in mine)
        if not is_complete or not any(one.values[APPLIES] for one in mine):
            continue
        shares[source.name] = {
            method.name: {
                score: 100.0 * float(np.mean(list_values(mine, method.name, score)))
                for score in SCORES
            }
            for method in plan.methods
        }
    return shares


RUNS = "runs"
WIDE_RANGE = 0.4  # beyond, the thesis found rankings significant nearly always


def judge_sets(recorded: published.RecordedPart) -> Verdicts:
    """Compare the share of significant runs of each data set with the printed one."""
    rows = {
        source.name: lambda record, name=source.name: record.dataset == name
        for source in recorded.plan.datasets
    }
    return _judge_rows(recorded, rows, len(recorded.plan.splits))


def judge_sizes(recorded: published.RecordedPart) -> Verdicts:
    """Compare the share of significant runs of each size of subsets with print."""
    rows = {
        f"size {split}": lambda record, size=split: record.repeat == size
        for split in recorded.plan.splits.sizes  # type: ignore[attr-defined]
    }
    n_sets = len(recorded.plan.datasets) - len(recorded.missing)
    return _judge_rows(recorded, rows, n_sets)


def _judge_rows(
    recorded: published.RecordedPart,
    rows: Mapping[str, Callable[[Record], bool]],
    n_expected: int,
) -> Verdicts:
    assert recorded.part.table is not None
    printed, cells = recorded.part.table.cells, []
    for row, belongs in rows.items():
        for method in [method.name for method in recorded.plan.methods]:
            mine = [r for r in recorded.records if r.method == method and belongs(r)]
            for score in SCORES:
                place = row, f"{method}, {score}"
                if place in printed:
                    theirs = printed[place], printed[row, RUNS]
                    cells.append(
                        _judge_cell(
                            recorded.part, place, score, mine, *theirs, n_expected
                        )
                        or make_empty_cell(
                            recorded,
                            place,
                            _find_lack(mine, n_expected),
                            theirs[0],
                        )
                    )
    remarks = {
        f"{method.name}, {score}": _describe_strength(
            recorded.records, method.name, score
        )
        for method in recorded.plan.methods
        for score in SCORES
    }
    return summarize_cells(recorded, cells, remarks)


def _judge_cell(
    part: published.Part,
    place: tuple[str, str],
    score: str,
    records: Sequence[Record],
    count: published.PublishedValue,
    runs: published.PublishedValue,
    n_expected: int,
) -> Cell | None:
    """Compare the shares of significant runs, in percent; None if runs lack."""
    if len(records) < n_expected or any(record.failed for record in records):
        return None
    mine = [r.values[score] for r in records if r.values[APPLIES]]
    if not mine:
        return None
    # Where our files have other columns, or the plan other sizes, there are more runs
    # here, or fewer, than in the thesis: shares can be compared, counts cannot.
    share, printed = 100.0 * float(np.mean(mine)), 100.0 * count.mean / runs.mean
    pooled = (sum(mine) + count.mean) / (len(mine) + runs.mean)
    variance = pooled * (1.0 - pooled) * (1.0 / len(mine) + 1.0 / runs.mean)
    margin = 100.0 * STANDARD_ERRORS * math.sqrt(variance)
    verdict = judge_difference(share - printed, part.tolerance, margin)
    return Cell(
        *place,
        verdict,
        find_reason(part, place) if verdict == DIFFERS else "",
        printed,
        None,
        share,
        None,
        len(mine),
        share - printed,
        margin,
    )


def _find_lack(records: Sequence[Record], n_expected: int) -> str:
    failed = [record for record in records if record.failed]
    if failed:
        return f"{len(failed)} of {n_expected} runs failed: {failed[0].error}"
    if len(records) < n_expected:
        return f"{len(records)} of {n_expected} runs are recorded" if records else ""
    return "the table has too few columns"


def _describe_strength(records: Sequence[Record], method: str, score: str) -> str:
    """Return how many runs are significant, how strongly, and how far apart."""
    is_significant = list_values(records, method, score)
    if not len(is_significant):
        return "no run is recorded"
    correlation = list_values(records, method, f"{score} correlation")
    is_wide = list_values(records, method, f"{score} range") > WIDE_RANGE
    wide = (
        f"; of {is_wide.sum()} runs with scores more than {WIDE_RANGE} apart, "
        f"{100.0 * is_significant[is_wide].mean():.0f} % are significant"
        if is_wide.any()
        else f"; in no run are scores more than {WIDE_RANGE} apart"
    )
    return (
        f"{int(is_significant.sum())} of {len(is_significant)} runs are significant "
        f"({100.0 * is_significant.mean():.0f} %), mean correlation of score and error "
        f"{correlation.mean():.2f}{wide}"
    )
