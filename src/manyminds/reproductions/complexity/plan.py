"""Multi-resolution complexity: does the index go with the errors of a forest?"""

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.base import clone

from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.splits import WholeData
from manyminds.reproductions import published
from manyminds.reproductions.complexity import DESCRIPTION
from manyminds.reproductions.complexity.claims import (
    MARGIN,
    claim_successes,
    observe_counts,
)
from manyminds.reproductions.complexity.judging import (
    judge_counts,
    judge_one_set,
    judge_table,
)
from manyminds.reproductions.complexity.protocol import (
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
from manyminds.reproductions.judging.cells import MIN_REPEATS
from manyminds.reproductions.judging.verdicts import Verdicts

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
TABLES = {  # of squared correlations, by probe
    probe: published.PublishedTable(
        "100 r² of the clusters' indices with their errors, manual centroids",
        f"{SOURCE}, table {number}",
        "r",
        published.read_published_cells(__package__, f"mrca_{number.replace('.', '_')}"),
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
CLOSE = published.Tolerance(
    5.0, "r² of a few clusters moves by points with each sample that a forest misses"
)
ON_IRIS = published.Tolerance(
    1.0, "the errors of forests on iris are said to be stable"
)
ELSEWHERE = {"iris": "judged in the part on iris with five forests"}
FEW_ERRORS = "a forest misses few samples here; each moves the error of a cluster"
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
        "many missing values, filled by class; the thesis's file may have had others",
    ),
}


def _describe_rule(tolerance: published.Tolerance) -> str:
    cap = tolerance.name(tolerance.cap)
    return (
        "Compared is 100 r², with the sign of r wherever print shows it: a printed "
        "success is a correlation of 0.8 or more, and a square above 64 that is no "
        "success is one of -0.8 or less. Where print leaves the sign open, squares are "
        f"compared without it. A cell *agrees* within {tolerance} ({tolerance.why}). "
        "The thesis has one forest, ours is the mean of five: a cell *differs*, and "
        "the reproduction has failed there, if it is further away than three standard "
        "deviations of one more forest from that mean. Between the two it is *within "
        f"random variation* if it is at most {cap} away, and *undecided* if our own "
        f"forests scatter by more than that, or are fewer than {MIN_REPEATS}. Cells "
        "with fewer than three clusters, and those whose correlation is undefined, are "
        "shown apart: they cannot fail."
    )


COUNT_RULE = (
    "A share of successes *agrees* within 5 points of the printed one, is *within "
    "random variation* within three standard deviations of one more forest from the "
    "mean of ours, and *differs* otherwise. In print, clusterings of one or two "
    "clusters count as successes if they can, and so they do here; the last column has "
    "the share without them."
)
CLAIM_RULE = (
    "No cell is counted. Successes over three clusters or more are counted for each "
    "data set, in percent of its clusterings (2 to 6 clusters, two clusterers, mean "
    "of five forests). Claims are on the mean over the data sets: one fails if its "
    f"95 % interval lies below {MARGIN:g} points."
)


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
    find: published.Find,
    quick: bool,
) -> Plan:
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(
            quick_datasets if quick else datasets, load_as_in_thesis, find
        ),
        {"Random Forest": RandomForestClassifier(100, max_bins=65535)},
        splits=WholeData(),
        measure=Agreements(complexities, n_seeds=2 if quick else 5),
    )


def _make_part(
    name: str,
    title: str,
    judge: Callable[..., Verdicts],
    tolerance: published.Tolerance = CLOSE,
    table: published.PublishedTable | None = None,
    notes: dict[str, str] = NOTES,
    **options: Any,
) -> published.Part:
    make_plan = partial(_make_plan, name, SETS, QUICK, _list_tabulated())
    return published.Part(
        name, title, make_plan, tolerance, table, notes, NOT_AT_HAND, judge, **options
    )


def _make_matrix_part(name: str, configuration: str) -> published.Part:
    make_plan = partial(_make_plan, name, SMALL, SMALL_QUICK, _list_matrices())
    return published.Part(
        name,
        "As table 3.5, which has one matrix for all samples, but with "
        f"{name.rpartition(' ')[2]} ones; sets of at most 1,000 samples",
        make_plan,
        CLOSE,
        TABLES["linear boundary"],
        dict.fromkeys(SMALL, "the table was computed with another matrix"),
        judge=partial(judge_table, configuration),
        rule="The table was computed with another matrix: this part shows what the "
        "choice of the matrix does, and no cell is counted.",
        apart="compared with a table that was computed with another matrix",
    )


def _make_iris_plan(name: str, find: published.Find, quick: bool) -> Plan:
    models = {
        f"{probe} s={s}": clone(make_complexity(probe)).set_params(n_clusters=s)
        for probe in LARGEST
        for s in CLUSTERS
        if not quick or s == 4
    }
    return Plan(
        published.name_plan(name, quick),
        [DataSource("iris", partial(load_old_iris, find))],
        models,
        splits=WholeData(),
        measure=GivenErrors(IRIS_ERRORS),
    )


def _list_iris_cells() -> dict[tuple[str, str], published.PublishedValue]:
    return {
        ("iris", f"{probe} s={s}"): TABLES[probe].cells["iris", f"s={s}"]
        for probe in LARGEST
        for s in CLUSTERS
    }


def _make_iris_forests_part() -> published.Part:
    name, only = f"{NAME}: iris, five forests", ("iris",)
    return published.Part(
        name,
        "Iris with the errors of real forests, five of them: the fits of the tables",
        partial(_make_plan, name, only, only, _list_tabulated()),
        ON_IRIS,
        published.PublishedTable(
            "100 r², iris", f"{SOURCE}, tables 3.4 and 3.5", "r", _list_iris_cells()
        ),
        judge=judge_one_set,
        rule=_describe_rule(ON_IRIS),
    )


def _make_iris_part() -> published.Part:
    name = f"{NAME}: iris"
    return published.Part(
        name,
        "Iris to the printed decimals: with the six samples that the thesis's forest "
        "must have missed, five of which any forest misses",
        partial(_make_iris_plan, name),
        published.Tolerance(0.0051, "two decimals are printed"),
        published.PublishedTable(
            "100 r², iris", f"{SOURCE}, tables 3.4 and 3.5", "squared",
            _list_iris_cells(),
        ),
        rule="That the printed decimals come out for some set of errors shows that "
        "index and clusters are those of the thesis, not that a forest makes these "
        "errors: no cell is counted.",
        apart="derived: error rows chosen so that the print comes out",
    )  # fmt: skip


PARTS = (
    _make_part(
        f"{NAME}: imbalance",
        "Imbalance, 15 radii, 5 % to 45 % of the samples; five forests",
        partial(judge_table, name_configuration("imbalance"), elsewhere=ELSEWHERE),
        table=TABLES["imbalance"],
        rule=_describe_rule(CLOSE),
    ),
    _make_part(
        f"{NAME}: linear boundary",
        "Linear boundary with one matrix for all samples, 15 radii, 5 % to 60 %",
        partial(
            judge_table, name_configuration("linear boundary"), elsewhere=ELSEWHERE
        ),
        table=TABLES["linear boundary"],
        rule=_describe_rule(CLOSE),
        notes={**NOTES, **dict.fromkeys(SINGULAR, NO_INVERSE)},
    ),
    _make_part(
        f"{NAME}: successes",
        "Share of correlations of 0.8 or more, in percent, of table 3.2 for 15 radii",
        judge_counts,
        published.Tolerance(
            5.0, "a few correlations near 0.8 go either way with the forest"
        ),
        rule=COUNT_RULE,
    ),
    _make_part(
        f"{NAME}: claims",
        "Successes over three clusters or more: who has more",
        observe_counts,
        published.Tolerance(MARGIN, "no cell of this part is counted"),
        reference="the other",
        rule=CLAIM_RULE,
        claims=claim_successes,
    ),
    _make_iris_forests_part(),
    _make_iris_part(),
    *(
        _make_matrix_part(
            f"{NAME}: {kind}",
            name_configuration("linear boundary", more=f", {kind} matrix"),
        )
        for kind in ("local", "identity")
    ),
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, PARTS)
