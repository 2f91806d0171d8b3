"""How forests of local trees do compared with others: accuracies, marks, claims."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from manyminds.analysis import corrected_resampled_ttest, win_tie_loss
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import NOT_RUN, Cell, judge_difference
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import (
    Folds,
    gather_folds,
    judge_methods,
    list_departures,
    pair_up,
)
from manyminds.reproductions.judging.observations import (
    observe,
    observe_nothing,
)
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    judge_cells,
    summarize_cells,
)
from manyminds.reproductions.protocols import tamponi_2015
from manyminds.reproductions.protocols.tamponi_2015.competitors import (
    MARGIN,
    TABLE,
    TEST_SHARE,
    WITH_MISSING_NUMBERS,
)
from manyminds.reproductions.published import (
    Part,
    Place,
    RecordedPart,
    read_printed_rows,
)

COMPETITORS = ("AdaBoost", "Bagging", "Random Forest")
SINGLE_TREE = "AdaBoost"  # boosting stops after a tree without training errors
LEAVES = {"FLT r=50": 50, "FLT r=100": 100, "FLT r=inf": None}
FULL, FLAT = "FLT r=inf", "FLT r=inf, precision=0"
ALPHA = 0.05
SAME_RUNS = (
    "the same runs as on the page forests-of-local-trees-baselines, counted there"
)


def name_configuration(row: Mapping[str, str]) -> str:
    """Name a row of table 4.2."""
    features, rows = float(row["max_features"]), float(row["subsample"])
    leaves = row["max_leaf_nodes"] or "inf"
    return f"FLT {features:.0%} of features, {rows:.0%} of rows, r={leaves}"


# Trees of any size, of which the table has six configurations; the other twelve, with
# at most 50 or 100 leaves, would take another fifteen minutes.
COUNTED = [
    row
    for row in read_printed_rows(__package__, "flt_4_2")
    if not row["max_leaf_nodes"]
]
PRINTED_COUNTS = {  # by configuration and competitor, of 36 sets
    (name_configuration(row), row["competitor"]): tuple(
        int(row[kind]) for kind in ("wins", "ties", "losses")
    )
    for row in COUNTED
}
PRINTED_MARKS = {  # of FLT against AdaBoost, Bagging and Random Forest
    (row["dataset"], row["method"]): row["marks"]
    for row in read_printed_rows(tamponi_2015.__name__, "flt_4_5")
    if row["marks"]
}


def judge_accuracies(recorded: RecordedPart) -> Verdicts:
    """Compare accuracies with table 4.5, and the marks with its marks.

    Competitors are shown apart: the same runs are counted on another page.

    With a remark for each forest of local trees: wins, ties and losses of its
    competitors, by the thesis's t-test and by the corrected one.
    """
    printed = replace(recorded, part=replace(recorded.part, table=TABLE))
    cells = [
        replace(cell, apart=SAME_RUNS) if cell.method in COMPETITORS else cell
        for cell in judge_cells(printed)
    ]
    scores = gather_scores(recorded.plan, recorded.records)
    remarks = {
        method: _remark_on_marks(method, scores)
        for method in LEAVES
        if any(place[1] == method for place in scores)
    }
    return summarize_cells(recorded, cells, remarks)


def judge_names(recorded: RecordedPart) -> Verdicts:
    """Compare accuracies with table 4.5; sets of the first part are shown apart."""
    found = judge_accuracies(recorded)
    cells = [
        cell
        if cell.apart or cell.dataset == "splice"
        else replace(cell, apart="the printed number is counted in the first part")
        for cell in found.cells
    ]
    remarks = {column.method: column.remark for column in found.columns}
    return summarize_cells(recorded, cells, remarks)


def judge_counts(recorded: RecordedPart) -> Verdicts:
    """Compare wins and losses of the competitors with those of table 4.2.

    A cell compares, in percent of the data sets, how many more a competitor loses
    than it wins. The thesis has 36 sets, we have fewer.
    """
    scores = gather_scores(recorded.plan, recorded.records)
    cells = [
        _judge_count(
            recorded.part,
            place,
            counts,
            scores,
            quick=recorded.quick,
        )
        for place, counts in PRINTED_COUNTS.items()
    ]
    return summarize_cells(recorded, cells)


def show_ablation(recorded: RecordedPart) -> Verdicts:
    """Compare every method with the forest of local trees; nothing is counted."""
    scores = gather_scores(recorded.plan, recorded.records)
    cells = [
        _show_pair(recorded, (source.name, method.name), scores)
        for method in recorded.plan.methods
        if method.name != FULL
        for source in recorded.plan.datasets
    ]
    return summarize_cells(recorded, cells)


def judge_lead(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge that forests of local trees are more accurate than their competitors."""
    return _judge_lead("as in the thesis", plan, records)


def judge_locality(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge the lead without leaks, what local weights do, and what the leak did."""
    local = judge_methods(
        plan, records, "accuracy",
        {"Local weights raise the accuracy of a forest of local trees": (FULL, FLAT)},
        unit="points", margin=MARGIN, test_share=TEST_SHARE, scale=100.0,
    )  # fmt: skip
    lead = _judge_lead("without the label leak and names of rows", plan, records)
    departures = list_departures(plan, records, TABLE, [FULL])
    effects = [-departures[one] for one in WITH_MISSING_NUMBERS if one in departures]
    text = "The label leak of the thesis raises the accuracy of forests of local trees"
    remark = "printed with it less ours without it, data sets with missing numbers"
    leak = judge_claim(text, effects, unit="points", margin=MARGIN, remark=remark)
    return [*local, *lead, *([leak] if effects else [])]


def gather_scores(plan: Plan, records: list[Record]) -> Folds:
    """Return the accuracies in percent by data set and method, in order of folds."""
    return gather_folds(plan, records, "accuracy", 100.0)


def _judge_lead(how: str, plan: Plan, records: list[Record]) -> list[Claim]:
    named = {one: one for one in COMPETITORS} | {SINGLE_TREE: "a single tree"}
    pairs = {
        f"A forest of local trees is more accurate than {named[one]}, {how}": (
            FULL,
            one,
        )
        for one in COMPETITORS
    }
    return judge_methods(
        plan, records, "accuracy", pairs,
        unit="points", margin=MARGIN, test_share=TEST_SHARE, scale=100.0,
    )  # fmt: skip


def _count_both_ways(a: np.ndarray, b: np.ndarray) -> tuple[str, str]:
    """Count wins/ties/losses by the thesis's t-test and by the corrected one."""
    old = win_tie_loss(a, b, test="unpaired", alpha=ALPHA)
    new = win_tie_loss(a, b, test="corrected", alpha=ALPHA, test_share=TEST_SHARE)
    return (
        f"{old.wins}/{old.ties}/{old.losses}",
        f"{new.wins}/{new.ties}/{new.losses}",
    )


def _remark_on_marks(method: str, scores: Folds) -> str:
    """Format how the competitors do, and how many marks are those that were printed."""
    said, n_same, n_marks = [], 0, 0
    for k, competitor in enumerate(COMPETITORS):
        pairs = pair_up(scores, competitor, method)
        if not pairs:
            continue
        theirs, ours = (np.array(side) for side in zip(*pairs.values()))
        old, new = _count_both_ways(theirs, ours)
        marks = win_tie_loss(ours, theirs, test="unpaired", alpha=ALPHA).marks
        printed = [PRINTED_MARKS[name, method][k] for name in pairs]
        n_same += sum(mark == other for mark, other in zip(marks, printed))
        n_marks += len(marks)
        was = "/".join(str(printed.count(mark)) for mark in "-=+")
        said.append(f"{competitor} printed {was}, here {old}, corrected {new}")
    return (
        f"wins/ties/losses of the competitors on the same sets: {'; '.join(said)}; "
        f"{n_same} of {n_marks} marks as printed"
    )


def _judge_count(
    part: Part, place: Place, printed: tuple[int, ...], scores: Folds, quick: bool
) -> Cell:
    configuration, competitor = place
    pairs = pair_up(scores, competitor, configuration)
    if not pairs:
        return Cell(*place, NOT_RUN, "no folds are recorded")
    theirs, ours = (np.array(side) for side in zip(*pairs.values()))
    counts = win_tie_loss(theirs, ours, test="unpaired", alpha=ALPHA)
    old, new = _count_both_ways(theirs, ours)
    was = 100.0 * (printed[2] - printed[0]) / sum(printed)
    net = 100.0 * (counts.losses - counts.wins) / len(pairs)
    # Ten folds find fewer differences than the hundred of the thesis.
    margin = None if quick else 0.0
    verdict = judge_difference(net - was, part.tolerance, margin)
    why = (
        f"it wins/ties/loses {'/'.join(map(str, printed))} in print, {old} here, {new} "
        "by the corrected t-test"
    )
    return Cell(
        *place, verdict, why, was, None, net, None, len(pairs), net - was, margin
    )


def _show_pair(recorded: RecordedPart, place: Place, scores: Folds) -> Cell:
    """Return a method and the forest of local trees on one data set."""
    other = (place[0], FULL)
    if place not in scores or other not in scores:
        return observe_nothing(recorded, place)
    mine, full = scores[place], scores[other]
    p = corrected_resampled_ttest(mine, full, test_share=TEST_SHARE).p_value
    return observe(place, mine, full, f"corrected t-test p = {p:.3f}")
