"""Correlation scores: do they rank random subsets of columns as classifiers do?"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.record import Record
from manyminds.reproductions import published
from manyminds.reproductions.correlation_score import DESCRIPTION
from manyminds.reproductions.correlation_score.claims import (
    MARGIN,
    claim_significance,
    list_values,
)
from manyminds.reproductions.correlation_score.protocol import (
    APPLIES,
    SCORES,
    SIZES,
    RankingRun,
    RealStumpBoost,
    SubsetSizes,
    normalize_rows,
)
from manyminds.reproductions.judging.cells import (
    DIFFERS,
    STANDARD_ERRORS,
    Cell,
    judge_difference,
)
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    find_reason,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.protocols.tamponi_2015.preparation import (
    add_identifier,
    encode,
    fill_by_class,
)

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
SETS = (
    *("audiology", "autos", "balance-scale", "breast-w", "colic", "diabetes", "glass"),
    *("heart-c", "heart-h", "heart-statlog", "hepatitis", "ionosphere", "iris"),
    *("labor", "lymph", "primary-tumor", "sonar", "vote", "zoo"),
)
QUICK, QUICK_SIZES = ("balance-scale", "iris", "labor"), (1, 2, 3, 8)
RUNS = "runs"
WIDE_RANGE = 0.4  # beyond, the thesis found rankings significant nearly always
TOLERANCE = published.Tolerance(
    15.0,
    "which ten subsets are drawn moves a count of fifteen runs by about two",
    limit=30.0,
)
RULE = (
    "Compared is the share of significant runs, in points. A cell *agrees* within 15 "
    "points of print, which is two runs of fifteen. It is *within random variation* if "
    "it is further away, but at most 30 points and at most three standard errors of "
    "the difference of two binomial shares; it *differs*, and the reproduction has "
    "failed there, beyond those standard errors, and is *undecided* if they exceed 30 "
    "points. With fifteen runs they are up to 55 points: a cell differs only if it is "
    "far off, and the null control says what agreement is worth. The claims are on the "
    f"mean over the data sets; one fails if its 95 % interval lies below {MARGIN:g} "
    "points."
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


def judge_sets(recorded: published.RecordedPart) -> Verdicts:
    """Compare the share of significant runs of each data set with the printed one.

    Parameters and result are those of `Part.judge`.
    """
    rows = {
        source.name: lambda record, name=source.name: record.dataset == name
        for source in recorded.plan.datasets
    }
    return _judge_rows(recorded, rows, len(recorded.plan.splits))


def judge_sizes(recorded: published.RecordedPart) -> Verdicts:
    """Compare the share of significant runs of each size of subsets with print.

    Parameters and result are those of `judge_sets`.
    """
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


def _load(find: published.Find, name: str, normalized: bool) -> Dataset:
    data = fill_by_class(encode(find(name)))
    if name == "zoo":
        data = add_identifier(data)
    return normalize_rows(data) if normalized else data


def _make_plan(name: str, normalized: bool, find: published.Find, quick: bool) -> Plan:
    chosen = [one for one in SETS if not quick or one in QUICK]
    return Plan(
        published.name_plan(name, quick),
        [DataSource(one, partial(_load, find, one, normalized)) for one in chosen],
        make_methods(),
        splits=SubsetSizes(QUICK_SIZES if quick else SIZES),
        measure=RankingRun(),
    )


def _make_part(name: str, title: str, table: str, normalized: bool) -> published.Part:
    by_size = "sizes" in table
    printed = published.PublishedTable(
        f"{title}, ten random subsets a run",
        SOURCE,
        "R²",
        published.read_published_cells(__package__, f"correlation_score_{table}"),
    )
    scope = "samples of length one" if normalized else "samples as they are"
    return published.Part(
        name,
        title,
        partial(_make_plan, name, normalized),
        TOLERANCE,
        printed,
        {} if by_size else NOTES,
        judge=judge_sizes if by_size else judge_sets,
        rule=SAME_RULE if by_size else RULE,
        apart="the same runs as in the part above, by size" if by_size else "",
        claims=None if by_size else partial(claim_significance, scope),
    )


SAME_RULE = (
    "These are the runs of the part above, by the size of the subsets: no cell is "
    "counted a second time."
)
ORIGINAL = _make_part(
    NAME,
    "Runs in which score and error go against each other significantly, by data set, "
    "in percent",
    "orig",
    False,
)
ORIGINAL_SIZES = _make_part(
    f"{NAME}: sizes",
    "The same runs by size of the subsets, in percent",
    "sizes_orig",
    False,
)
NORMALISED = _make_part(
    f"{NAME}: rows of length one",
    "Significant runs by data set, in percent, each sample divided by its length",
    "norm",
    True,
)
NORMALISED_SIZES = _make_part(
    f"{NAME}: rows of length one, sizes",
    "The same runs by size of the subsets, in percent",
    "sizes_norm",
    True,
)
REPRODUCTION = published.Reproduction.of(
    DESCRIPTION, (ORIGINAL, ORIGINAL_SIZES, NORMALISED, NORMALISED_SIZES)
)
