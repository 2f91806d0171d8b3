"""Short codes against long ones: accuracy, ranks and cost, data set by data set."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from scipy.stats import t as student

from manyminds.analysis import friedman_test
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import STANDARD_ERRORS, Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import (
    gather_folds,
    judge_methods,
)
from manyminds.reproductions.judging.measurements import Measured, measure_cells
from manyminds.reproductions.judging.observations import observe_nothing, observe_pair
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    compare,
    judge_pairs,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import (
    Place,
    PublishedValue,
    RecordedPart,
    read_printed_rows,
)

PRINTED_FOLDS = 10
DECIMALS = 4  # of accuracies in percent that are ranked
PRINTED_METHODS = ("Binary minimal", "Evolved minimal", "One-vs-all", "One-vs-one")
EVOLVED = "Evolved minimal"
SEARCHED = ("GA minimal", "PBIL minimal")
MARGIN = 0.5  # points of accuracy
EQUAL_MARGIN = 2.0  # points of accuracy within which two codes are equal
RANK_MARGIN = 0.25
COST_MARGIN = 25.0  # percent
GAIN = {"One-vs-all": 111, "One-vs-one": 489}  # percent, printed
OTHER_CLASSES = "the paper's set has eight classes, that of UCI eleven"


def read_printed() -> dict[Place, PublishedValue]:
    """Read table 1; printed intervals are turned into deviations of single folds."""
    half = float(student.ppf(0.975, PRINTED_FOLDS - 1)) / np.sqrt(PRINTED_FOLDS)
    return {
        (row["dataset"], row["method"]): PublishedValue(
            float(row["mean"]), float(row["interval"]) / half
        )
        for row in read_printed_rows(__package__, "minimal_codes")
    }


def judge_table(recorded: RecordedPart) -> Verdicts:
    """Compare accuracies with table 1, given both standard errors.

    Parameters
    ----------
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
        Vowel is shown apart; so are codes that the paper does not have.
    """
    found = measure_cells(recorded.plan, recorded.records, "accuracy")
    printed, cells = read_printed(), []
    for place, measured in found.items():
        if place in printed:
            cells.append(_judge_cell(recorded, place, printed[place], measured))
    return summarize_cells(recorded, cells, _describe_costs(recorded))


def _judge_cell(
    recorded: RecordedPart,
    place: Place,
    printed: PublishedValue,
    measured: Measured | str,
) -> Cell:
    apart = OTHER_CLASSES if place[0] == "vowel" else ""
    if isinstance(measured, str):
        cell = make_empty_cell(recorded, place, measured, printed)
    else:
        assert printed.std is not None
        variance = printed.std**2 / PRINTED_FOLDS + measured.std**2 / measured.n
        margin = STANDARD_ERRORS * float(np.sqrt(variance))
        difference = measured.mean - printed.mean
        cell = compare(recorded.part, place, printed, measured, difference, margin)
    return Cell(**{**vars(cell), "apart": apart})


def _describe_costs(recorded: RecordedPart) -> dict[str, str]:
    """Return the mean numbers of columns and of support vectors of each method."""
    plan, records = recorded.plan, recorded.records
    columns, support = (
        gather_folds(plan, records, metric) for metric in ("columns", "support_vectors")
    )
    remarks = {}
    for method in plan.methods:
        mine = [
            folds.mean() for place, folds in columns.items() if place[1] == method.name
        ]
        kernels = [
            folds.mean() for place, folds in support.items() if place[1] == method.name
        ]
        if mine:
            remarks[method.name] = (
                f"{np.mean(mine):.1f} columns, {np.mean(kernels):,.0f} support vectors "
                "in the mean"
            )
    return remarks


def claim_few_classes(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge what the paper says of table 1, with data sets as units.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
    """
    records = list(records)
    pairs = {
        "An evolved minimal code is more accurate than the binary one": (
            *(EVOLVED, "Binary minimal"),
        ),
    }
    share = 1.0 / len(plan.splits)
    claims = judge_methods(
        plan, records, "accuracy", pairs, unit="points", margin=MARGIN, test_share=share
    )
    names = {"Dense random": "a dense random code"}
    for other in ("One-vs-all", "One-vs-one", "Dense random"):
        name = names.get(other, _in_a_sentence(other))
        text = f"An evolved minimal code is as accurate as {name}"
        claims += judge_pairs(
            plan, records, "accuracy", {text: (EVOLVED, other)},
            unit="points", margin=EQUAL_MARGIN, equal=True,
        )  # fmt: skip
    return [*claims, *_claim_rank(plan, records), *_claim_costs(plan, records)]


def _in_a_sentence(name: str) -> str:
    return name[0].lower() + name[1:]


def _claim_rank(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge that the evolved code has a better rank than the best of the others."""
    folds = gather_folds(plan, records, "accuracy")
    table = pd.DataFrame(
        {
            method: {d: f.mean() for (d, m), f in folds.items() if m == method}
            for method in PRINTED_METHODS
        }
    ).dropna()
    if table.empty:
        return []
    table = table.round(DECIMALS)  # equal accuracies are ties, whatever the rounding
    ranks = table.rank(axis=1, ascending=False)
    average = ranks.mean()
    best = average.drop(EVOLVED).idxmin()
    named = ", ".join(f"{_in_a_sentence(name)} {r:.2f}" for name, r in average.items())
    remark = (
        f"{_in_a_sentence(best)} is the best of them; average ranks: {named}; printed "
        "3.00, 2.08, 2.71 and 2.21"
    )
    if len(table) > 1:
        p_value = friedman_test(table.to_numpy()).f_tie_corrected_p_value
        remark += f"; Friedman test in the form of Iman and Davenport p = {p_value:.2g}"
    text = "An evolved minimal code has a better rank than the best of the other three"
    effects = ranks[best] - ranks[EVOLVED]
    return [judge_claim(text, effects, unit="ranks", margin=RANK_MARGIN, remark=remark)]


def _claim_costs(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge that longer codes cost more, counted in kernel values of a prediction."""
    found = gather_folds(plan, records, "support_vectors")
    claims = []
    for other, printed in GAIN.items():
        effects = [
            100.0 * (found[source.name, other].mean() / mine.mean() - 1.0)
            for source in plan.datasets
            if (mine := found.get((source.name, EVOLVED))) is not None
            and (source.name, other) in found
        ]
        claims.append(
            judge_claim(
                f"A prediction by {_in_a_sentence(other)} costs more than one by an "
                "evolved minimal code",
                effects,
                unit="% more support vectors",
                margin=COST_MARGIN,
                remark=f"by the number of columns, {printed} % are printed",
            )
        )
    return claims if any(claim.n for claim in claims) else []


def claim_many_classes(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge what the paper says of table 2, over data sets and on each of them.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
    """
    records, share = list(records), 1.0 / len(plan.splits)
    names = [method.name for method in plan.methods]
    pairs = {
        f"A {code} code is more accurate than {_in_a_sentence(other)}, many classes": (
            *(code, other),
        )
        for other in ("Binary minimal", "One-vs-all", "One-vs-all, ties to the first")
        for code in SEARCHED
        if code in names
    }
    return judge_methods(
        plan, records, "accuracy", pairs, unit="points", margin=MARGIN, test_share=share
    )


def show_many_classes(recorded: RecordedPart) -> Verdicts:
    """Show each method beside one-vs-all; nothing is counted."""
    found = measure_cells(recorded.plan, recorded.records, "accuracy")
    cells = []
    for source in recorded.plan.datasets:
        for method in recorded.plan.methods:
            if method.name != "One-vs-all":
                place = source.name, method.name
                other = found[source.name, "One-vs-all"]
                cells.append(observe_pair(recorded, place, found[place], other))
    if not cells:
        cells = [observe_nothing(recorded, ("", ""))]
    return summarize_cells(recorded, cells, _describe_costs(recorded))


def claim_growth(
    few: Plan, many: Plan, names: tuple[str, str], records: Mapping[str, list[Record]]
) -> list[Claim]:
    """Judge that the search gains more with many classes than with few.

    Parameters
    ----------
    few, many : Plan
    names : (str, str)
        Parts of the two plans, by which their records are found.
    records : mapping of str to list of Record

    Returns
    -------
    claims : list of Claim
        One, or none without records of both.
    """
    gains = [
        _list_gains(plan, records.get(name, []), method)
        for plan, name, method in zip((few, many), names, (EVOLVED, "GA minimal"))
    ]
    if not all(gains):
        return []
    base = float(np.mean(gains[0]))
    return [
        judge_claim(
            "The search gains more over the binary code with many classes than with "
            "few",
            [gain - base for gain in gains[1]],
            unit="points",
            margin=MARGIN,
            remark=f"mean gain {base:+.2f} points on {len(gains[0])} sets with few "
            "classes; one effect for each set with many",
        )
    ]


def _list_gains(plan: Plan, records: list[Record], method: str) -> list[float]:
    folds = gather_folds(plan, records, "accuracy")
    return [
        float(folds[source.name, method].mean() - other.mean())
        for source in plan.datasets
        if (other := folds.get((source.name, "Binary minimal"))) is not None
        and (source.name, method) in folds
    ]
