"""F-scores, classes given up and signed ranks: DDAG K-TIPCAC and its competitors."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.decision_graphs.per_class import summarize_per_class
from manyminds.reproductions.decision_graphs.protocol import CLASS, SHUFFLED
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import gather_folds
from manyminds.reproductions.judging.measurements import measure_cells
from manyminds.reproductions.judging.observations import observe_pair
from manyminds.reproductions.judging.verdicts import Verdicts, summarize_cells
from manyminds.reproductions.published import RecordedPart

OURS = "DDAG K-TIPCAC"
ALPHA = 0.05
F_MARGIN = 1.0  # points of F, recall or precision
EQUAL_MARGIN = 2.0  # points of recall
CLASS_MARGIN = 0.5  # classes
METRICS = {
    "weighted_f": ("weighted F", 100.0),
    "given_up": ("classes given up", 1.0),
}


def list_competitors(plan: Plan) -> list[str]:
    """Return the methods of a plan that DDAG K-TIPCAC is compared with."""
    return [method.name for method in plan.methods if method.name != OURS]


def show_unequal(recorded: RecordedPart) -> Verdicts:
    """Show weighted F and classes given up beside each competitor's, not counted."""
    plan, cells = recorded.plan, []
    for metric, (name, scale) in METRICS.items():
        found = measure_cells(plan, recorded.records, metric, scale)
        for source in plan.datasets:
            for other in list_competitors(plan):
                place = source.name, f"{name}, {OURS} against {other}"
                mine = found[source.name, OURS]
                cells.append(
                    observe_pair(recorded, place, mine, found[source.name, other])
                )
    return summarize_cells(recorded, cells)


def claim_unequal(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge the paper's claims against each competitor, with data sets as units.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
        Their remarks have the null control, the same effect on shuffled labels.
    """
    records, claims = list(records), []
    for other in list_competitors(plan):
        judged = (
            _claim(plan, records, other, "weighted_f", "has a higher weighted F than"),
            _claim(plan, records, other, "given_up", "gives up fewer classes than"),
            _claim_each_class(plan, records, other),
        )
        claims += [claim for claim in judged if claim is not None]
    claims += [
        claim
        for claim in (
            _claim(plan, records, "MCSVM", "recall", "has the same recall as"),
            _claim(plan, records, "MCSVM", "precision", "has a higher precision than"),
        )
        if claim is not None
    ]
    return claims


def _claim(
    plan: Plan, records: list[Record], other: str, metric: str, text: str
) -> Claim | None:
    """Judge one claim by the means of a metric, or None if nothing was recorded."""
    counts = metric == "given_up"
    equal = metric == "recall"
    effects = _list_effects(plan, records, other, metric, -1.0 if counts else 100.0)
    real = {name: e for name, e in effects.items() if not name.endswith(SHUFFLED)}
    if not real:
        return None
    better = sum(effect > 0.0 for effect in real.values())
    worse = sum(effect < 0.0 for effect in real.values())
    remark = f"better on {better}, worse on {worse} of {len(real)} data sets"
    unit = "classes" if counts else "points"
    remark += _describe_null(effects, unit)
    if counts:
        mean = _mean_given_up(plan, records)
        remark += f"; in the mean {mean[OURS]:.1f} against {mean[other]:.1f}"
    margin = EQUAL_MARGIN if equal else CLASS_MARGIN if counts else F_MARGIN
    claim = judge_claim(
        f"{OURS} {text} {other}", real.values(), unit=unit, margin=margin, equal=equal
    )
    return replace(claim, remark=remark)


def _list_effects(
    plan: Plan, records: list[Record], other: str, metric: str, scale: float
) -> dict[str, float]:
    """Return by how much ours is better than the other, by data set."""
    folds = gather_folds(plan, records, metric, scale)
    return {
        source.name: float(folds[source.name, OURS].mean() - theirs.mean())
        for source in plan.datasets
        if (theirs := folds.get((source.name, other))) is not None
        and (source.name, OURS) in folds
    }


def _describe_null(effects: dict[str, float], unit: str) -> str:
    null = [effect for name, effect in effects.items() if name.endswith(SHUFFLED)]
    return f"; with shuffled labels {null[0]:+.2g} {unit}" if null else ""


def _mean_given_up(plan: Plan, records: list[Record]) -> dict[str, float]:
    """Return how many classes each method gives up, in the mean over data sets."""
    folds = gather_folds(plan, records, "given_up")
    return {
        method.name: float(
            np.mean(
                [
                    found.mean()
                    for (dataset, name), found in folds.items()
                    if name == method.name and not dataset.endswith(SHUFFLED)
                ]
            )
        )
        for method in plan.methods
        if any(name == method.name for _, name in folds)
    }


def _claim_each_class(plan: Plan, records: list[Record], other: str) -> Claim | None:
    """Judge that F-scores of single classes are higher, whatever their sizes."""
    effects = _list_effects(plan, records, other, "mean_f", 100.0)
    real = {name: e for name, e in effects.items() if not name.endswith(SHUFFLED)}
    if not real:
        return None
    tests = [_test_classes(records, name, other) for name in real]
    remark = (
        "signed ranks over the classes of a set, one-sided at 5 %: better on "
        f"{sum(mine < ALPHA for mine, _ in tests)}, worse on "
        f"{sum(theirs < ALPHA for _, theirs in tests)} of {len(tests)} data sets"
    )
    claim = judge_claim(
        f"{OURS} has a higher F-score of the mean class than {other}",
        real.values(),
        unit="points",
        margin=F_MARGIN,
    )
    return replace(claim, remark=remark + _describe_null(effects, "points"))


def _test_classes(
    records: list[Record], dataset: str, other: str
) -> tuple[float, float]:
    """Return both one-sided p-values over the classes of a set, means of all runs."""
    scores = {name: _average_classes(records, dataset, name) for name in (OURS, other)}
    sizes = np.ones(len(scores[OURS]))  # the test does not weigh classes
    found = summarize_per_class(scores, sizes).p_greater
    return found[OURS, other], found[other, OURS]


def _average_classes(records: list[Record], dataset: str, method: str) -> np.ndarray:
    mine = [
        [value for name, value in sorted(one.values.items()) if name.startswith(CLASS)]
        for one in records
        if (one.dataset, one.method) == (dataset, method)
    ]
    return np.mean(mine, axis=0)
