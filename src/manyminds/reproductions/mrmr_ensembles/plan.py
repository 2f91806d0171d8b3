"""Fast ensembles of mRMR: how many passes they take, and how stable they are."""

from functools import partial
from typing import Any

from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import WholeData
from manyminds.reproductions import published
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.mrmr_ensembles import DESCRIPTION
from manyminds.reproductions.mrmr_ensembles.judging import (
    judge_exactly,
    judge_stability,
    show_stability,
)
from manyminds.reproductions.mrmr_ensembles.protocol import (
    N_FEATURES,
    ComputeFormula,
    CountPasses,
    Formula,
    PaperMRMR,
    SelectionStability,
    group_by_set,
    make_row,
    name_size,
    share_estimates,
    take_first,
)

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
CONTINUOUS = ("sonar", "ionosphere", "musk1", "optdigits")
NOMINAL = ("lung-d", "colon-d", "lymphoma-9c", "leukemia-d", "nci9")
QUICK = ("sonar", "ionosphere", "lung-d")
DIGITS_ROWS = 3823  # the training part, which the paper used
SIZES, N_RUNS = (10, 20), 10
KINDS = {"Plain": "none", "Inner": "inner", "Fast": "fast", "Bagged": "bagged"}
CLAIMS = {
    "Fast against Plain, k=10": ("Fast", "Plain", 10),
    "Fast against Plain, k=20": ("Fast", "Plain", 20),
    "Fast against Bagged, k=10": ("Fast", "Bagged", 10),
    "Fast against Bagged, k=20": ("Fast", "Bagged", 20),
}
INNER_CLAIMS = {"Inner against Plain, k=20": ("Inner", "Plain", 20)}
SWEPT = published.read_published_cells(__package__, "mrmr_swept")
ESTIMATES = published.read_published_cells(__package__, "mrmr_estimates")
P_VALUES = published.read_published_cells(__package__, "mrmr_p_values")
PASSES = published.read_published_cells(__package__, "mrmr_passes")
EVALUATED = (
    "a formula evaluated with printed numbers: it checks our reading of the formula, "
    "not what an ensemble does"
)
DERIVED = "the reference is not printed, but derived from the paper's estimates"
NOTES: dict[Any, str] = {
    "ionosphere": "the paper does not tell the order of the rows, by which they are "
    "dealt out, nor what becomes of a constant column, which this set has",
}


def _load(find: published.Find, name: str) -> Dataset:
    data = find(name)
    return take_first(data, DIGITS_ROWS) if name == "optdigits" else data


def _load_row(find: published.Find, name: str) -> Dataset:
    return make_row(name, SWEPT, ESTIMATES)


def _name_plan(name: str, quick: bool) -> str:
    return published.name_plan(f"{NAME}: {name}", quick)


def _plan_formulas(
    name: str, formulas: tuple[str, ...], find: published.Find, quick: bool
) -> Plan:
    rows = dict.fromkeys(row for row, _ in PASSES)
    if formulas == ("Estimated",):
        rows = dict.fromkeys(row for row in rows if not row.endswith("e=20"))
    chosen = [row for row in rows if not quick or row.startswith("ionosphere")]
    return Plan(
        _name_plan(name, quick),
        published.list_sources(chosen, _load_row, find),
        {formula: Formula(formula) for formula in formulas},
        splits=WholeData(),
        measure=ComputeFormula(),
    )


def _plan_counts(find: published.Find, quick: bool) -> Plan:
    grid = [(k, e) for e in (5, 10, 20) for k in (10, 20, 30, 40, 50)]
    names = [one for one in N_FEATURES if not quick or one in QUICK]
    return Plan(
        _name_plan("counts", quick),
        published.list_sources(names, _load, find),
        {f"k={k}, e={e}": PaperMRMR(k, "fast", e) for k, e in grid},
        splits=WholeData(),
        measure=CountPasses(),
    )


def _plan_plain(find: published.Find, quick: bool) -> Plan:
    names = [one for one in N_FEATURES if not quick or one in QUICK]
    return Plan(
        _name_plan("plain stability", quick),
        published.list_sources(names, _load, find),
        {name_size(k): PaperMRMR(k) for k in (10, 20, 30, 40, 50)},
        splits=WholeData(2 if quick else N_RUNS),
        measure=SelectionStability(),
    )


def _plan_stability(
    name: str,
    datasets: tuple[str, ...],
    kinds: tuple[str, ...],
    find: published.Find,
    quick: bool,
) -> Plan:
    names = [one for one in datasets if not quick or one in QUICK]
    return Plan(
        _name_plan(name, quick),
        published.list_sources(names, _load, find),
        {kind: PaperMRMR(max(SIZES), KINDS[kind]) for kind in kinds},
        splits=WholeData(2 if quick else N_RUNS),
        measure=SelectionStability(SIZES[:-1]),
    )


def _make_formula_part() -> published.Part:
    table = published.PublishedTable(
        "Passes over the rows", f"{SOURCE}, tables 3 and 4", "passes", PASSES
    )
    return published.Part(
        f"{NAME}: formulas",
        "The printed passes of fast and of standard ensembles from their formulas, "
        "with the number of different features that the print implies",
        partial(_plan_formulas, "formulas", ("Fast", "Standard")),
        published.Tolerance(0.0, "the formulas are exact", "passes"),
        table,
        rule=f"Nothing is counted here: {EVALUATED}.",
        apart=EVALUATED,
    )


def _make_estimate_part() -> published.Part:
    table = published.PublishedTable(
        "Estimated passes in percent of those of a standard ensemble",
        f"{SOURCE}, tables 3 and 4",
        "passes",
        share_estimates(ESTIMATES, PASSES),
    )
    return published.Part(
        f"{NAME}: estimates",
        "Equation 8 for 5 and 10 parts, with the Jaccard index that fits the printed "
        "estimate for 20 parts",
        partial(_plan_formulas, "estimates", ("Estimated",)),
        published.Tolerance(0.2, "the Jaccard indices are not printed, and rounded"),
        table,
        rule=f"Nothing is counted here: {EVALUATED}.",
        apart=EVALUATED,
    )


def _make_count_part() -> published.Part:
    table = published.PublishedTable(
        "Passes over the rows of a fast ensemble",
        f"{SOURCE}, tables 3 and 4",
        "passes",
        group_by_set(PASSES),
    )
    return published.Part(
        f"{NAME}: counts",
        "The passes that our fast ensemble takes on the same sets, all rows, dealt out "
        "in turn",
        _plan_counts,
        published.Tolerance(0.0, "the same choices take the same passes", "passes"),
        table,
        NOTES,
        judge=judge_exactly,
        rule="A cell *agrees* if our ensemble takes exactly the printed number of "
        "passes. It *differs*, and the reproduction has failed there, if it takes one "
        "more or less: nothing is random here.",
    )


def _make_plain_part() -> published.Part:
    table = published.PublishedTable(
        "Stability of a single search; not printed, but worked out from the estimates",
        f"{SOURCE}, derived from tables 3 and 4",
        "stability",
        published.read_published_cells(__package__, "mrmr_stability"),
    )
    return published.Part(
        f"{NAME}: plain stability",
        "Mean Jaccard index over ten subsets, ten runs, against what the paper's "
        "estimates imply",
        _plan_plain,
        published.Tolerance(0.1, "the reference is derived, not printed", "of Jaccard"),
        table,
        NOTES,
        reference="derived",
        rule=f"Nothing is counted here: {DERIVED}.",
        apart=DERIVED,
    )


def _make_claim_part(
    name: str, title: str, datasets: tuple[str, ...], claims: Any
) -> published.Part:
    kinds = tuple(dict.fromkeys(kind for pair in claims.values() for kind in pair[:2]))
    return published.Part(
        f"{NAME}: {name}",
        title,
        partial(_plan_stability, name, datasets, kinds),
        published.Tolerance(0.02, "the smallest difference that matters", "of Jaccard"),
        None,
        {one: NOTES[one] for one in datasets if one in NOTES},
        judge=partial(show_stability, claims, P_VALUES),
        reference="the other",
        rule="All numbers are ours: the mean Jaccard index of the first way to select, "
        "under *ours*, beside that of the other. Nothing is counted; the claims are "
        "judged over the data sets.",
        apart=OBSERVATION,
        claims=partial(judge_stability, claims),
    )


REPRODUCTION = published.Reproduction.of(
    DESCRIPTION,
    (
        _make_formula_part(),
        _make_estimate_part(),
        _make_count_part(),
        _make_plain_part(),
        _make_claim_part(
            "stability",
            "Whether fast ensembles of 20 are more stable than single searches (table "
            "1), and than bagging: ten runs",
            (*CONTINUOUS, *NOMINAL),
            CLAIMS,
        ),
        _make_claim_part(
            "inner",
            "Whether inner ensembles of 20 are more stable than single searches on "
            "nominal data",
            NOMINAL,
            INNER_CLAIMS,
        ),
    ),
)
