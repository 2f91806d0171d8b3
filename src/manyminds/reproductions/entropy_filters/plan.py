"""FCBF and CFS: how many features they keep, and what it costs."""

from functools import partial
from typing import Any

from sklearn.feature_selection import VarianceThreshold

from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import CrossValidation
from manyminds.feature_selection.filters.cfs import CFSSelector
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from manyminds.reproductions import published
from manyminds.reproductions.entropy_filters import DESCRIPTION
from manyminds.reproductions.entropy_filters.judging import (
    ALL,
    MAX_LOSS,
    find_other_reading,
    judge_loss,
    show_loss,
)
from manyminds.reproductions.entropy_filters.protocol import (
    CountSelected,
    FilteredErrors,
)
from manyminds.reproductions.judging.cells import describe_rule
from manyminds.reproductions.judging.effects import judge_with_apart
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.protocols.duangsoithong_2011 import (
    ABSENT_SETS,
    NO_SAMPLE,
    Samples,
    make_lucas_population,
    number_columns,
)
from manyminds.reproductions.protocols.rogers_2007 import (
    FRIEDMAN_ROWS,
    TEST_SHARE,
    Trials,
    load_prepared,
)

NAME = DESCRIPTION.name
CHAPTER = (
    "Duangsoithong and Windeatt, Hybrid correlation and causal feature selection for "
    "ensemble classifiers, SUEMA 2010, table 3"
)
THESIS = (
    "J. D. Rogers, Ensemble Algorithms and Feature Selection, PhD thesis, University "
    "of Southampton, 2007, table 8.6"
)
DRAWS, TRIALS = 40, 40
THESIS_SETS = (
    "breast-w", "diabetes", "sonar", "ionosphere", "vote", "friedman", "simple",
)  # fmt: skip
WIDE_SETS = ("cns", "colon", "leukemia", "dlbcl", "lymphoma")
OTHER_SETS = ("madelon", "dna", "spambase", "sonar", "ionosphere", "wdbc", "lucas")
QUICK = ("lucas", "lucas-drawn", "sonar", "vote", "simple", "colon")
CHAPTER_NOTES: dict[Any, str] = {
    ("lucas", "CFS"): "two features are best by the corrected merit; which association "
    "and which denominator the chapter's tool used is not known",
    ("lucas", "CFS, correlations"): "correlations of zeros and ones keep five",
    ("lucas-drawn", "CFS"): "two features in most draws, as of the original rows",
    ("lucas-drawn", "CFS, correlations"): "two to five features, by the draw",
    ("lucas-drawn", "FCBF"): "three in seven of ten draws, four in most others",
}
THESIS_NOTES: dict[Any, str] = {
    "sonar": "the thesis does not say how it cut numbers and searched",
    "ionosphere": "the thesis does not say how it cut numbers and searched",
    "simple": "samples of 200 rows here, 300 in the thesis",
}
LOSS_NOTES: dict[Any, str] = {
    "lucas": "fatigue and allergy are dropped, which say something beside the others: "
    "five columns make the Markov blanket",
    "sonar": "many columns say a little each; few of them are kept",
    "madelon": "its class is a parity of five columns: nothing shows in one at a time",
}


def _load_lucas(find: published.Find, name: str) -> Dataset:
    if name == "lucas-drawn":
        return make_lucas_population(DRAWS * 2000)
    return number_columns(find(name))


def _load_thesis(find: published.Find, name: str) -> Dataset:
    n_generated = TRIALS * FRIEDMAN_ROWS
    return load_prepared(n_generated, n_generated, find, name)


def _load_numbers(find: published.Find, name: str) -> Dataset:
    return number_columns(find(name))


def _choose(names: tuple[str, ...], quick: bool) -> list[str]:
    return [name for name in names if not quick or name in QUICK]


def _plan_lucas(find: published.Find, quick: bool) -> Plan:
    name = f"{NAME}: LUCAS"
    names = _choose(("lucas", "lucas-drawn", *ABSENT_SETS), quick)
    floating = partial(CFSSelector, "floating", discretize=None)
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(names, _load_lucas, find),
        {
            "FCBF": FCBFSelector(discretize=None),
            "CFS": floating(),
            "CFS, correlations": floating(association="pearson"),
        },
        splits=Samples(5 if quick else DRAWS),
        measure=CountSelected(),
    )


def _plan_thesis(find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(f"{NAME}: thesis", quick),
        published.list_sources(_choose(THESIS_SETS, quick), _load_thesis, find),
        {"CFS": CFSSelector(), "FCBF": FCBFSelector()},
        splits=Trials(3 if quick else TRIALS, TEST_SHARE),
        measure=CountSelected(),
    )


def _plan_loss(learner: str, find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(f"{NAME}: {learner}", quick),
        published.list_sources(
            _choose((*WIDE_SETS, *OTHER_SETS), quick), _load_numbers, find
        ),
        {
            ALL: VarianceThreshold(),
            "FCBF": FCBFSelector(),
            "CFS": CFSSelector(),
        },
        splits=CrossValidation(3, 1) if quick else CrossValidation(10, 3),
        measure=FilteredErrors(),
    )


def _make_loss_part(learner: str) -> published.Part:
    words = learner.replace("_", " ")
    return published.Part(
        f"{NAME}: {words}",
        f"What filters cost or gain: error of {words} in percent, with filters inside "
        "the folds",
        partial(_plan_loss, words),
        published.Tolerance(MAX_LOSS, "a row of 60 to 77 is 1.3 to 1.7 points"),
        notes=LOSS_NOTES,
        judge=partial(show_loss, learner),
        reference=ALL,
        rule="All numbers are ours: the error with a filter, under *ours*, beside that "
        "with all features. Nothing is counted; what a filter loses is judged as a "
        f"claim over the data sets, which fails if the mean loss is surely above "
        f"{MAX_LOSS:g} points.",
        apart=OBSERVATION,
        claims=partial(judge_loss, learner),
    )


LUCAS_TOLERANCE = published.Tolerance(0.5, "a count is a whole number", "features")
LUCAS = published.Part(
    f"{NAME}: LUCAS",
    "Number of features kept, all rows",
    _plan_lucas,
    LUCAS_TOLERANCE,
    published.PublishedTable(
        "Number of selected features",
        CHAPTER,
        "n_selected",
        published.read_published_cells(__package__, "suema_selected_counts"),
    ),
    CHAPTER_NOTES,
    absent=dict.fromkeys(ABSENT_SETS, NO_SAMPLE),
    judge=partial(judge_with_apart, find_other_reading),
    rule=f"{describe_rule(LUCAS_TOLERANCE)} Rows that our generator drew, and "
    "correlations as association of CFS, are other readings of the same printed "
    "numbers and are shown apart. Of the rows of the challenge nothing is random.",
)
COUNTS = published.Part(
    f"{NAME}: thesis",
    "Number of features kept, random trials of 90 % of the rows",
    _plan_thesis,
    published.Tolerance(1.0, "how numbers were cut is not stated", "features"),
    published.PublishedTable(
        "Mean number of selected features",
        THESIS,
        "n_selected",
        published.read_published_cells(__package__, "rogers_cfs_counts"),
    ),
    THESIS_NOTES,
)
REPRODUCTION = published.Reproduction.of(
    DESCRIPTION,
    (LUCAS, COUNTS, *map(_make_loss_part, ("naive_bayes", "tree", "bagging"))),
)
