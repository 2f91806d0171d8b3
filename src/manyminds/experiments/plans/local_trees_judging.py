"""How forests of local trees do beside their competitors: accuracies and marks."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from manyminds.analysis import corrected_resampled_ttest, win_tie_loss
from manyminds.experiments.judging import (
    AGREES,
    BY_CHANCE,
    DIFFERS,
    NOT_RUN,
    Cell,
    Verdicts,
    judge,
    say_verdict,
    sum_up,
    tell_not_run,
)
from manyminds.experiments.plan import Plan
from manyminds.experiments.plans.local_trees import TABLE
from manyminds.experiments.published import Part, Place, read_printed_rows
from manyminds.experiments.record import Record

COMPETITORS = ("AdaBoost", "Bagging", "Random Forest")
LEAVES = {"FLT r=50": 50, "FLT r=100": 100, "FLT r=inf": None}
FULL, FLAT = "FLT r=inf", "FLT r=inf, precision=0"
TEST_SHARE = 0.1  # ten folds
ALPHA = 0.05
Scores = dict[Place, np.ndarray]


def name_configuration(row: Mapping[str, str]) -> str:
    """Name a row of table 4.2."""
    features, rows = float(row["max_features"]), float(row["subsample"])
    leaves = row["max_leaf_nodes"] or "inf"
    return f"FLT {features:.0%} of features, {rows:.0%} of rows, r={leaves}"


# Trees of any size, of which the table has six configurations; the other twelve, with
# at most 50 or 100 leaves, would take another fifteen minutes.
COUNTED = [row for row in read_printed_rows("flt_4_2") if not row["max_leaf_nodes"]]
PRINTED_COUNTS = {  # by configuration and competitor, of 36 sets
    (name_configuration(row), row["competitor"]): tuple(
        int(row[kind]) for kind in ("wins", "ties", "losses")
    )
    for row in COUNTED
}
PRINTED_MARKS = {  # of FLT against AdaBoost, Bagging and Random Forest
    (row["dataset"], row["method"]): row["marks"]
    for row in read_printed_rows("flt_4_5")
    if row["marks"]
}


def judge_accuracies(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Hold accuracies against table 4.5, and the marks against its marks.

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
        With a remark for each forest of local trees: wins, ties and losses of its
        competitors, by the thesis's t-test and by the corrected one.
    """
    cells = _judge_by_table(part, plan, records, missing)
    scores = gather_scores(plan, records)
    remarks = {
        method: _remark_on_marks(method, scores)
        for method in LEAVES
        if any(place[1] == method for place in scores)
    }
    return sum_up(part, plan, cells, remarks)


def judge_counts(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Hold wins and losses of the competitors against those of table 4.2.

    A cell compares, in per cent of the data sets, how many more a competitor loses
    than it wins. The thesis has 36 sets, we have fewer.

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
    scores = gather_scores(plan, records)
    cells = [
        _judge_count(part, place, counts, scores, quick=plan.name != part.name)
        for place, counts in PRINTED_COUNTS.items()
    ]
    return sum_up(part, plan, cells)


def judge_ablation(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Hold accuracies against table 4.5, and forests without locality against others.

    Without locality, a cell *agrees* if the mean is within the tolerance of the one
    with it, *agrees within chance* if the corrected resampled t-test finds no
    difference, and *differs* otherwise.

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
    cells = _judge_by_table(part, plan, records, missing)
    scores = gather_scores(plan, records)
    names = [source.name for source in plan.datasets]
    cells += [_judge_flat(part, name, scores, missing) for name in names]
    pairs = _pair_up(scores, FLAT, FULL)
    remarks = {FULL: _remark_on_marks(FULL, scores)} if pairs else {}
    if pairs:
        flat, full = (np.array(side) for side in zip(*pairs.values()))
        old, new = _count_both_ways(flat, full)
        remarks[FLAT] = (
            f"against {FULL} it wins/ties/loses {old} by the unpaired t-test, {new} by "
            "the corrected one"
        )
    return sum_up(part, plan, cells, remarks)


def gather_scores(plan: Plan, records: Iterable[Record]) -> Scores:
    """Line up the accuracies of each data set and method in the order of the folds.

    Parameters
    ----------
    plan : Plan
        Places with fewer folds than it asks for are left out.
    records : iterable of Record

    Returns
    -------
    scores : dict of (dataset, method) to ndarray of shape (n_folds,)
        In per cent.
    """
    found: dict[Place, dict[tuple[int, int], float]] = {}
    for record in records:
        if not record.failed:
            folds = found.setdefault((record.dataset, record.method), {})
            folds[record.repeat, record.fold] = 100.0 * record.values["accuracy"]
    return {
        place: np.array([folds[at] for at in sorted(folds)])
        for place, folds in found.items()
        if len(folds) == len(plan.splits)
    }


def _judge_by_table(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> list[Cell]:
    quick = plan.name != part.name
    plain = replace(part, judge=None, table=TABLE)
    return list(judge(plain, records, quick=quick, missing=missing).cells)


def _pair_up(
    scores: Scores, one: str, other: str
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Give the scores of two methods on the data sets that both have."""
    return {
        name: (found, scores[name, other])
        for (name, method), found in scores.items()
        if method == one and (name, other) in scores
    }


def _count_both_ways(a: np.ndarray, b: np.ndarray) -> tuple[str, str]:
    """Count wins/ties/losses by the thesis's t-test and by the corrected one."""
    old = win_tie_loss(a, b, test="unpaired", alpha=ALPHA)
    new = win_tie_loss(a, b, test="corrected", alpha=ALPHA, test_share=TEST_SHARE)
    return (
        f"{old.wins}/{old.ties}/{old.losses}",
        f"{new.wins}/{new.ties}/{new.losses}",
    )


def _remark_on_marks(method: str, scores: Scores) -> str:
    """Tell how the competitors do, and how many marks are those that were printed."""
    said, n_same, n_marks = [], 0, 0
    for k, competitor in enumerate(COMPETITORS):
        pairs = _pair_up(scores, competitor, method)
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
    part: Part, place: Place, printed: tuple[int, ...], scores: Scores, quick: bool
) -> Cell:
    configuration, competitor = place
    pairs = _pair_up(scores, competitor, configuration)
    if not pairs:
        return Cell(*place, NOT_RUN, "no folds are recorded")
    theirs, ours = (np.array(side) for side in zip(*pairs.values()))
    counts = win_tie_loss(theirs, ours, test="unpaired", alpha=ALPHA)
    old, new = _count_both_ways(theirs, ours)
    was = 100.0 * (printed[2] - printed[0]) / sum(printed)
    net = 100.0 * (counts.losses - counts.wins) / len(pairs)
    # Ten folds find fewer differences than the hundred of the thesis.
    verdict, _ = say_verdict(net - was, part.tolerance, None if quick else 0.0)
    why = (
        f"it wins/ties/loses {'/'.join(map(str, printed))} in print, {old} here, {new} "
        "by the corrected t-test"
    )
    return Cell(*place, verdict, why, was, None, net, None, len(pairs), net - was)


def _judge_flat(
    part: Part, name: str, scores: Scores, missing: Mapping[str, str]
) -> Cell:
    place, other = (name, FLAT), (name, FULL)
    if place not in scores or other not in scores:
        return tell_not_run(part, place, "", missing)
    flat, full = scores[place], scores[other]
    difference = float(flat.mean() - full.mean())
    p = corrected_resampled_ttest(flat, full, test_share=TEST_SHARE).p_value
    verdict = AGREES
    if abs(difference) > part.tolerance.points:
        verdict = BY_CHANCE if p > ALPHA else DIFFERS
    return Cell(
        *place,
        verdict,
        f"against {FULL}: corrected t-test p = {p:.3f}",
        float(full.mean()),
        float(full.std(ddof=1)),
        float(flat.mean()),
        float(flat.std(ddof=1)),
        len(flat),
        difference,
    )
