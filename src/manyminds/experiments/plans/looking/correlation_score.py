"""Correlation scores: do they rank random subsets of columns as classifiers do?"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.judging import (
    STANDARD_ERRORS,
    Cell,
    Verdicts,
    find_reason,
    say_verdict,
    sum_up,
    tell_not_run,
)
from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.plans.local_trees_protocol import (
    add_identifier,
    encode,
    fill_by_class,
)
from manyminds.experiments.plans.looking.correlation_score_protocol import (
    APPLIES,
    SCORES,
    SIZES,
    RankingRun,
    RealStumpBoost,
    SubsetSizes,
    normalise_rows,
)
from manyminds.experiments.published import (
    Find,
    Part,
    PublishedTable,
    PublishedValue,
    Reproduction,
    Tolerance,
    read_published_cells,
)
from manyminds.experiments.record import Record

NAME = "correlation-score"
SOURCE = (
    "E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, doctoral "
    "thesis, University of Cagliari, 2015, tables 2.1 to 2.5"
)
SETS = (
    *("audiology", "autos", "balance-scale", "breast-w", "colic", "diabetes", "glass"),
    *("heart-c", "heart-h", "heart-statlog", "hepatitis", "ionosphere", "iris"),
    *("labor", "lymph", "primary-tumor", "sonar", "vote", "zoo"),
)
QUICK, QUICK_SIZES = ("balance-scale", "iris", "labor"), (1, 2, 3, 8)
RUNS = "runs"
WIDE_RANGE = 0.4  # beyond, the thesis found rankings significant nearly always
TOLERANCE = Tolerance(
    2.0, "which ten subsets are drawn moves a count of fifteen by about two", "runs"
)
SHARE_TOLERANCE = Tolerance(
    10.0, "shares of 19 of the 36 data sets scatter by about ten points"
)
NOTES: dict[Any, str] = {
    **dict.fromkeys(
        SETS,
        "other subsets were drawn, and the folds of scikit-learn were others in 2014",
    ),
}


def make_methods() -> dict[str, Any]:
    """Make the classifiers of the thesis, of 100 trees or stumps each."""
    return {
        "Random Forest": RandomForestClassifier(
            100, max_features="log2", max_bins=65535
        ),
        "Bagging": RandomForestClassifier(100, max_features=None, max_bins=65535),
        "AdaBoost": RealStumpBoost(100),
    }


def judge_sets(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Count significant runs of each data set, and compare them with the printed ones.

    Counts *agree* if they are within the tolerance, and *agree within chance* within
    three standard errors of the difference of two independent counts.

    Parameters
    ----------
    part : Part
    plan : Plan
        Full or quick.
    records : list of Record
    missing : mapping of str to str
        Data sets that could not be had, and why.

    Returns
    -------
    verdicts : Verdicts
    """
    rows = {
        source.name: lambda record, name=source.name: record.dataset == name
        for source in plan.datasets
    }
    return _judge_rows(part, plan, records, missing, rows, len(plan.splits))


def judge_sizes(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Give the share of significant runs of each size of subsets, in per cent.

    Parameters and result are those of `judge_sets`.
    """
    rows = {
        f"size {split}": lambda record, size=split: record.repeat == size
        for split in plan.splits.sizes  # type: ignore[attr-defined]
    }
    n_sets = len(plan.datasets) - len(missing)
    return _judge_rows(part, plan, records, missing, rows, n_sets)


def _judge_rows(
    part: Part,
    plan: Plan,
    records: list[Record],
    missing: Mapping[str, str],
    rows: Mapping[str, Callable[[Record], bool]],
    n_expected: int,
) -> Verdicts:
    assert part.table is not None
    printed, cells = part.table.cells, []
    for row, belongs in rows.items():
        for method in [method.name for method in plan.methods]:
            mine = [r for r in records if r.method == method and belongs(r)]
            for score in SCORES:
                place = row, f"{method}, {score}"
                if place in printed:
                    theirs = printed[place], printed[row, RUNS]
                    cells.append(
                        _judge_cell(part, place, score, mine, *theirs, n_expected)
                        or tell_not_run(
                            part, place, _say_lack(mine, n_expected), missing, theirs[0]
                        )
                    )
    remarks = {
        f"{method.name}, {score}": _tell_strength(records, method.name, score)
        for method in plan.methods
        for score in SCORES
    }
    verdicts = sum_up(part, plan, cells, remarks)
    return replace(verdicts, overall=f"{verdicts.overall} {_tell_order(records)}")


def _judge_cell(
    part: Part,
    place: tuple[str, str],
    score: str,
    records: Sequence[Record],
    count: PublishedValue,
    runs: PublishedValue,
    n_expected: int,
) -> Cell | None:
    """Compare a count, or the share if the part is in per cent; None if runs lack."""
    if len(records) < n_expected or any(record.failed for record in records):
        return None
    mine = [r.values[score] for r in records if r.values[APPLIES]]
    if not mine:
        return None
    # Where our files have other columns, or the plan other sizes, there are more runs
    # here, or fewer, than in the thesis.
    scale = 100.0 if part.tolerance is SHARE_TOLERANCE else len(mine)
    share, printed = float(np.mean(mine)), count.mean / runs.mean
    pooled = (sum(mine) + count.mean) / (len(mine) + runs.mean)
    variance = pooled * (1.0 - pooled) * (1.0 / len(mine) + 1.0 / runs.mean)
    error = STANDARD_ERRORS * scale * math.sqrt(variance)
    difference = scale * (share - printed)
    verdict, asks = say_verdict(difference, part.tolerance, error)
    return Cell(
        *place,
        verdict,
        find_reason(part, place) if asks else "",
        scale * printed,
        None,
        scale * share,
        None,
        len(mine),
        difference,
    )


def _say_lack(records: Sequence[Record], n_expected: int) -> str:
    failed = [record for record in records if record.failed]
    if failed:
        return f"{len(failed)} of {n_expected} runs failed: {failed[0].error}"
    if len(records) < n_expected:
        return f"{len(records)} of {n_expected} runs are recorded" if records else ""
    return "the table has too few columns"


def _list_values(records: Sequence[Record], method: str, name: str) -> np.ndarray:
    return np.array(
        [
            record.values[name]
            for record in records
            if record.method == method and not record.failed and record.values[APPLIES]
        ]
    )


def _tell_strength(records: Sequence[Record], method: str, score: str) -> str:
    """Say how many runs are significant, how strongly, and if scores are far apart."""
    is_significant = _list_values(records, method, score)
    if not len(is_significant):
        return "no run is recorded"
    correlation = _list_values(records, method, f"{score} correlation")
    is_wide = _list_values(records, method, f"{score} range") > WIDE_RANGE
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


def _tell_order(records: Sequence[Record]) -> str:
    """Say whether R² is at least as good as η², and U less than a third of R²."""
    counts = {
        score: sum(
            _list_values(records, method, score).sum() for method in make_methods()
        )
        for score in SCORES
    }
    if not counts["R²"]:
        return ""
    holds = counts["R²"] >= counts["η²"] and counts["U"] < counts["R²"] / 3.0
    found = ", ".join(f"{score} {int(count)}" for score, count in counts.items())
    return (
        f"Significant runs over all classifiers: {found}. The order of the thesis, R² "
        f"at least η² and U less than a third of R², {'holds' if holds else 'fails'}."
    )


def _load(find: Find, name: str, normalised: bool) -> Dataset:
    data = fill_by_class(encode(find(name)))
    if name == "zoo":
        data = add_identifier(data)
    return normalise_rows(data) if normalised else data


def _make_plan(name: str, normalised: bool, find: Find, quick: bool) -> Plan:
    chosen = [one for one in SETS if not quick or one in QUICK]
    return Plan(
        f"{name} (quick)" if quick else name,
        [DataSource(one, partial(_load, find, one, normalised)) for one in chosen],
        make_methods(),
        splits=SubsetSizes(QUICK_SIZES if quick else SIZES),
        measure=RankingRun(),
    )


def _make_part(name: str, title: str, table: str, normalised: bool) -> Part:
    by_size = "sizes" in table
    published = PublishedTable(
        f"{title}, ten random subsets a run",
        SOURCE,
        "R²",
        read_published_cells(f"correlation_score_{table}"),
    )
    return Part(
        name,
        title,
        partial(_make_plan, name, normalised),
        SHARE_TOLERANCE if by_size else TOLERANCE,
        published,
        {} if by_size else NOTES,
        judge=judge_sizes if by_size else judge_sets,
    )


ORIGINAL = _make_part(
    NAME,
    "Runs in which score and error go against each other significantly, by data set",
    "orig",
    False,
)
ORIGINAL_SIZES = _make_part(
    f"{NAME}: sizes",
    "The same runs by size of the subsets, in per cent",
    "sizes_orig",
    False,
)
NORMALISED = _make_part(
    f"{NAME}: rows of length one",
    "Significant runs by data set, each row divided by its length",
    "norm",
    True,
)
NORMALISED_SIZES = _make_part(
    f"{NAME}: rows of length one, sizes",
    "The same runs by size of the subsets, in per cent",
    "sizes_norm",
    True,
)
REPRODUCTION = Reproduction(
    NAME,
    "Correlation scores rank encodings as the errors of classifiers do",
    SOURCE,
    "R² and Wilks's η² of ten random subsets of columns go against the errors of three "
    "ensembles on the same subsets, significantly so in most runs; the uncertainty "
    "coefficient does not. The 19 smaller of the thesis's 36 data sets are run, at all "
    "15 sizes of subsets. Two parts judge the same runs by data set and by size.",
    (ORIGINAL, ORIGINAL_SIZES, NORMALISED, NORMALISED_SIZES),
    minutes=12.0,
    quick_minutes=0.5,
)
