"""Bias and variance of nets: one, a bag of them, or one for each column of a code."""

from functools import partial
from typing import Any

from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import WholeData
from manyminds.reproductions import published
from manyminds.reproductions.bias_variance import DESCRIPTION
from manyminds.reproductions.bias_variance.judging import (
    claim_statements,
    judge_noise,
    observe_statements,
)
from manyminds.reproductions.bias_variance.nets import NetClassifier
from manyminds.reproductions.bias_variance.protocol import (
    GENERATORS,
    ClassPosterior,
    FreshSamples,
    NoiseMeasure,
    SubsampledRows,
    load_problem,
)
from manyminds.reproductions.bias_variance.statements import MARGIN

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
REAL = ("glass", "dermatology", "segment", "yeast")
MULTI = ("artificial-multi1", "artificial-multi2")
TWO = ("twonorm", "threenorm", "ringnorm")
EPOCHS = (1, 2, 3, 4, 5, 7, 10, 15)
ALL_FAMILIES, NO_CODE = ("single", "bagging", "ECOC"), ("single", "bagging")
N_PREDICTORS, QUICK_PREDICTORS = 50, 5
SVM_ESTIMATE = (
    "the paper does not give grid, scaling and calibration of its machine, on which "
    "the estimate depends"
)
CLAIM_NOTES = dict.fromkeys(
    MULTI, "the paper does not print its densities: places of the classes are ours"
)
NET_NOTE = "the paper does not give first weights, outputs and scaling of its nets"
DERIVED = dict.fromkeys(
    MULTI, "derived: the spread of the classes was chosen so that the print comes out"
)
NOISE_RULE = (
    "Nothing is repeated in these numbers: a cell *agrees* within the tolerance of {} "
    "({}), and *differs* otherwise."
)
CLAIM_RULE = (
    "The paper has figures only, so that no cell is counted: what its text says about "
    "them is judged as claims. Each effect is by how much one number is below the "
    "other, in one run of nets of one size on one data set; runs and sizes of the same "
    "few problems are not independent data sets, so that the intervals speak of these "
    f"problems alone. A claim fails if its interval lies below {MARGIN:g} point, or "
    "one epoch; a claim of equality, if it lies more than that away from 0. The table "
    "has the mean of the runs: the number that should be smaller beside the other."
)
ONE_RUN = (
    "The paper has figures only, so that no cell is counted. One run on one data set "
    "is too little for a claim: the numbers are shown, the one that should be smaller "
    "beside the other."
)


def _make_plan(
    name: str,
    find: published.Find,
    quick: bool,
    *,
    datasets: tuple[str, ...],
    quick_datasets: tuple[str, ...],
    families: tuple[str, ...],
    sizes: tuple[int, ...],
    n_repeats: int,
    fresh: bool,
) -> Plan:
    if quick:
        sizes, n_repeats = sizes[:1], 1
    n_predictors = QUICK_PREDICTORS if quick else N_PREDICTORS
    measure: Any = FreshSamples(n_predictors) if fresh else SubsampledRows(n_predictors)
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(
            quick_datasets if quick else datasets, load_problem, find
        ),
        {
            f"{family} {size}": NetClassifier(family, size, EPOCHS)
            for family in families
            for size in sizes
        },
        splits=WholeData(n_repeats),
        measure=measure,
    )


def _make_noise_plan(
    name: str,
    datasets: tuple[str, ...],
    n_quick: int,
    find: published.Find,
    quick: bool,
) -> Plan:
    chosen = datasets[:n_quick] if quick else datasets
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(chosen, load_problem, find),
        {"Bayes error": ClassPosterior()},
        splits=WholeData(),
        measure=NoiseMeasure(),
    )


def _make_noise(
    name: str,
    title: str,
    datasets: tuple[str, ...],
    n_quick: int,
    tolerance: published.Tolerance,
    notes: dict[str, str],
) -> published.Part:
    cells = published.read_published_cells(__package__, "bias_variance_noise")
    mine = {place: cell for place, cell in cells.items() if place[0] in datasets}
    return published.Part(
        f"{NAME}: {name}",
        title,
        partial(_make_noise_plan, f"{NAME}: {name}", datasets, n_quick),
        tolerance,
        published.PublishedTable(
            "Bayes errors", f"{SOURCE}, table 1", "noise", mine, 100.0
        ),
        notes,
        judge=partial(judge_noise, DERIVED),
        rule=NOISE_RULE.format(tolerance, tolerance.why),
    )


CLAIM = published.Tolerance(MARGIN, "no cell of this part is counted")


def _make_claims(
    name: str, title: str, notes: dict[str, str], scope: str = "", **settings: Any
) -> published.Part:
    return published.Part(
        f"{NAME}: {name}",
        title,
        partial(_make_plan, f"{NAME}: {name}", **settings),
        CLAIM,
        notes=notes,
        judge=observe_statements,
        reference="the other",
        rule=CLAIM_RULE if scope else ONE_RUN,
        claims=partial(claim_statements, scope) if scope else None,
    )


PARTS = (
    _make_noise(
        "noise",
        "Exact Bayes errors of the generated problems, in percent",
        tuple(GENERATORS),
        2,
        published.Tolerance(0.05, "the paper may have rounded figures from a sample"),
        {"threenorm": "10.46 is exact; the paper's figure must come from a sample"},
    ),
    _make_noise(
        "estimated noise",
        "Bayes errors of real samples, as a support vector machine estimates them "
        "without the sample, in percent",
        REAL,
        1,
        published.Tolerance(1.0, "the paper does not give grid and calibration"),
        dict.fromkeys(REAL, SVM_ESTIMATE),
    ),
    _make_claims(
        "many classes",
        "What figure 1 shows, of five and nine classes: nets of 2, 4 and 16 nodes, "
        "fresh samples of size 300",
        CLAIM_NOTES,
        "five and nine classes",
        datasets=MULTI,
        quick_datasets=MULTI[1:],
        families=ALL_FAMILIES,
        sizes=(2, 4, 16),
        n_repeats=2,
        fresh=True,
    ),
    _make_claims(
        "two classes",
        "What figure 3 shows, of two classes: nets of 2 and 4 nodes, fresh samples",
        dict.fromkeys(TWO, NET_NOTE),
        "two classes",
        datasets=TWO,
        quick_datasets=("threenorm",),
        families=NO_CODE,
        sizes=(2, 4),
        n_repeats=2,
        fresh=True,
    ),
    _make_claims(
        "dermatology",
        "What figure 2 shows, of real samples: nets of 2 nodes, sub-sampled "
        "cross-validation, noise by a support vector machine",
        {"dermatology": NET_NOTE},
        datasets=("dermatology",),
        quick_datasets=("dermatology",),
        families=ALL_FAMILIES,
        sizes=(2,),
        n_repeats=1,
        fresh=False,
    ),
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, PARTS)
