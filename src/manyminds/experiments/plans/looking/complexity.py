"""Multi-resolution complexity: does the index go with the errors of a forest?"""

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.base import clone

from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.judging import Verdicts
from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.plans.looking.complexity_judging import (
    judge_claims,
    judge_counts,
    judge_table,
)
from manyminds.experiments.plans.looking.complexity_protocol import (
    CLUSTERS,
    LARGEST,
    SMALLEST,
    Agreements,
    GivenErrors,
    load_as_in_thesis,
    load_old_iris,
    make_complexity,
    name_configuration,
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
from manyminds.experiments.splits import WholeData

NAME = "complexity"
SOURCE = (
    "E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, doctoral "
    "thesis, University of Cagliari, 2015, chapter 3"
)
TABLES = {  # of squared correlations, by probe
    probe: PublishedTable(
        "100 r² of the clusters' indices with their errors, manual centroids",
        f"{SOURCE}, table {number}",
        "r",
        read_published_cells(f"mrca_{number.replace('.', '_')}"),
    )
    for probe, number in (("imbalance", "3.4"), ("linear boundary", "3.5"))
}
SETS = tuple(dict.fromkeys(dataset for dataset, _ in TABLES["imbalance"].cells))
QUICK = ("balance-scale", "glass", "hepatitis", "iris", "labor", "zoo")
SMALL = (  # at most 1,000 rows: local matrices take time
    *("anneal", "anneal-orig", "audiology", "autos", "balance-scale", "breast-cancer"),
    *("breast-w", "colic", "credit-a", "credit-g", "diabetes", "glass", "heart-c"),
    *("heart-h", "heart-statlog", "hepatitis", "ionosphere", "iris", "labor", "lymph"),
    *("primary-tumor", "sonar", "soybean", "vehicle", "vote", "vowel", "zoo"),
)
SMALL_QUICK = ("glass", "hepatitis", "iris")
NOT_AT_HAND = {
    "colic-orig": "the data set is not among the reproduction data",
    "rootstock": "the data set is in a textbook, not among the reproduction data",
}
IRIS_ERRORS = (70, 77, 83, 106, 119, 138)
CLOSE = Tolerance(
    5.0, "r² of a few clusters moves by points with each row that a forest gets wrong"
)
FEW_ERRORS = "a forest gets few rows wrong here, and each moves the error of a cluster"
NO_INVERSE = (
    "the covariance matrix has no inverse, for indicator columns add up to 1: the "
    "thesis divided by what rounding had left, we leave such directions out"
)
SINGULAR = (
    *("anneal", "anneal-orig", "audiology", "autos", "breast-cancer", "colic"),
    *("credit-a", "credit-g", "heart-c", "heart-h", "hepatitis", "hypothyroid"),
    *("kr-vs-kp", "lymph", "primary-tumor", "segment", "sick", "soybean", "vowel"),
    "zoo",
)
OTHER_COLUMNS = (
    "our file has fewer indicator columns than the thesis's: other distances"
)
NOTES = {
    **dict.fromkeys(("zoo", "labor", "breast-w", "segment", "vowel"), FEW_ERRORS),
    **dict.fromkeys(
        ("anneal", "anneal-orig", "breast-cancer", "credit-a", "credit-g", "kr-vs-kp"),
        OTHER_COLUMNS,
    ),
    **dict.fromkeys(
        ("colic", "hepatitis"),
        "many gaps, filled by class: what the thesis's file had there is not known",
    ),
}


def _list_tabulated() -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name_configuration(probe, smallest), make_complexity(probe, smallest))
        for probe in LARGEST
        for smallest in SMALLEST
    )


def _list_matrices() -> tuple[tuple[str, Any], ...]:
    probe = "linear boundary"
    return tuple(
        (
            name_configuration(probe, more=f", {covariance} matrix"),
            make_complexity(probe, covariance=covariance),
        )
        for covariance in ("local", "identity")
    )


def _make_plan(
    name: str,
    datasets: tuple[str, ...],
    quick_datasets: tuple[str, ...],
    complexities: tuple[tuple[str, Any], ...],
    find: Find,
    quick: bool,
) -> Plan:
    return Plan(
        f"{name} (quick)" if quick else name,
        [
            DataSource(one, partial(load_as_in_thesis, find, one))
            for one in (quick_datasets if quick else datasets)
        ],
        {"Random Forest": RandomForestClassifier(100, max_bins=65535)},
        splits=WholeData(),
        measure=Agreements(complexities, n_seeds=2 if quick else 5),
    )


def _make_part(
    name: str,
    title: str,
    judge: Callable[..., Verdicts],
    tolerance: Tolerance = CLOSE,
    table: PublishedTable | None = None,
    reference: str = "paper",
    notes: dict[str, str] = NOTES,
) -> Part:
    make_plan = partial(_make_plan, name, SETS, QUICK, _list_tabulated())
    return Part(
        name, title, make_plan, tolerance, table, notes, NOT_AT_HAND, judge, reference
    )


def _make_matrix_part(name: str, configuration: str) -> Part:
    make_plan = partial(_make_plan, name, SMALL, SMALL_QUICK, _list_matrices())
    return Part(
        name,
        "As table 3.5, which has one matrix for all rows, but with "
        f"{name.rpartition(' ')[2]} ones; sets of at most 1,000 rows",
        make_plan,
        CLOSE,
        TABLES["linear boundary"],
        dict.fromkeys(SMALL, "the table was computed with another matrix"),
        judge=partial(judge_table, configuration),
    )


def _make_iris_plan(name: str, find: Find, quick: bool) -> Plan:
    models = {
        f"{probe} s={s}": clone(make_complexity(probe)).set_params(n_clusters=s)
        for probe in LARGEST
        for s in CLUSTERS
        if not quick or s == 4
    }
    return Plan(
        f"{name} (quick)" if quick else name,
        [DataSource("iris", partial(load_old_iris, find))],
        models,
        splits=WholeData(),
        measure=GivenErrors(IRIS_ERRORS),
    )


def _make_iris_part() -> Part:
    name = f"{NAME}: iris"
    cells: dict[tuple[str, str], PublishedValue] = {
        ("iris", f"{probe} s={s}"): TABLES[probe].cells["iris", f"s={s}"]
        for probe in LARGEST
        for s in CLUSTERS
    }
    return Part(
        name,
        "Iris to the printed decimals: with the six rows that the thesis's forest must "
        "have got wrong, five of which any forest gets wrong",
        partial(_make_iris_plan, name),
        Tolerance(0.0051, "two decimals are printed"),
        PublishedTable(
            "100 r², iris", f"{SOURCE}, tables 3.4 and 3.5", "squared", cells
        ),
    )


PARTS = (
    _make_part(
        f"{NAME}: imbalance",
        "Imbalance, 15 radii, 5 % to 45 % of the rows; five forests",
        partial(judge_table, name_configuration("imbalance")),
        table=TABLES["imbalance"],
    ),
    _make_part(
        f"{NAME}: linear boundary",
        "Linear boundary with one matrix for all rows, 15 radii, 5 % to 60 %",
        partial(judge_table, name_configuration("linear boundary")),
        table=TABLES["linear boundary"],
        notes={**NOTES, **dict.fromkeys(SINGULAR, NO_INVERSE)},
    ),
    _make_part(
        f"{NAME}: successes",
        "Share of correlations of 0.8 or more, in per cent, of table 3.2 for 15 radii",
        judge_counts,
        Tolerance(5.0, "a few correlations near 0.8 go either way with the forest"),
    ),
    _make_part(
        f"{NAME}: claims",
        "Numbers of successes over three clusters or more: who has more",
        judge_claims,
        Tolerance(0.0, "a claim is counted, not measured"),
        reference="the other",
    ),
    _make_iris_part(),
    *(
        _make_matrix_part(
            f"{NAME}: {kind}",
            name_configuration("linear boundary", more=f", {kind} matrix"),
        )
        for kind in ("local", "identity")
    ),
)
REPRODUCTION = Reproduction(
    NAME,
    "Multi-resolution complexity against the errors of a random forest",
    SOURCE,
    "Clusters of rows that look hard by their neighbourhoods alone have the higher "
    "error rates, most of the time. The index and its clusters come out as printed; "
    "which rows a forest gets wrong does not, and r² of a few clusters hangs on it. "
    "Two clusters always correlate: such successes are told apart. All but the parts "
    "on iris and on other matrices judge the same fits.",
    PARTS,
    minutes=5.0,
    quick_minutes=0.5,
)
