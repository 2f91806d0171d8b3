"""Hybrid correlation and causal selection: features kept, blankets, error with them."""

from functools import partial
from typing import Any

from sklearn.feature_selection import VarianceThreshold

from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import CrossValidation
from manyminds.feature_selection import (
    FCBFSelector,
    GrowShrinkSelector,
    HITONSelector,
    HybridCausalSelector,
    IAMBSelector,
    MMMBSelector,
    PCSelector,
    TPDASelector,
)
from manyminds.reproductions import published
from manyminds.reproductions.hybrid_causal_selection import DESCRIPTION
from manyminds.reproductions.hybrid_causal_selection.judging import (
    ALL,
    MARGIN,
    find_other_reading,
    judge_blankets,
    judge_hybrids,
    show_errors,
    show_misses,
)
from manyminds.reproductions.hybrid_causal_selection.protocol import (
    BaggedError,
    CountBlanket,
    code_categories,
)
from manyminds.reproductions.judging.cells import describe_rule
from manyminds.reproductions.judging.effects import judge_with_apart
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.protocols.duangsoithong_2011 import (
    ABSENT_SETS,
    NO_SAMPLE,
    Samples,
    make_lucas_population,
)

NAME = DESCRIPTION.name
DRAWS = 40
SETS = ("lucas", "vote", "spect", "kr-vs-kp", "splice", "mushroom", "tic-tac-toe")
QUICK = ("lucas", "lucas-drawn", "vote")
BY_INFORMATION = {"test": "mutual_information", "threshold": 0.01, "min_count": 0.0}
BY_SIGNIFICANCE = {"test": "g2", "alpha": 0.01}
NO_BLANKET = (
    "cannot be a Markov blanket, of which the class has five members; the tool of the "
    "chapter must have done something else"
)
THREE_LEFT = (
    "the filter leaves coughing, smoking and genetics, all of them next to the class; "
    "which one the chapter's tool drops is not known"
)
BY_DRAW = {"PC": "nine in most draws", "TPDA": "ten in most draws, nine in others"}
NOTES: dict[Any, str] = {
    **{(name, method): NO_BLANKET for name in ("lucas", "lucas-drawn")
       for method in ("GS", "IAMB")},
    **{(name, method): THREE_LEFT for name in ("lucas", "lucas-drawn")
       for method in ("H-PC", "H-TPDA", "H-GS", "H-IAMB")},
    **{("lucas-drawn", method): why for method, why in BY_DRAW.items()},
}  # fmt: skip


def make_selectors() -> dict[str, Any]:
    """Return the selectors of table 3, with the chapter's tests."""
    cut = {"discretize": None}
    pure = {
        "PC": PCSelector(max_condition_size=2, **BY_INFORMATION, **cut),
        "TPDA": TPDASelector(shortcut=True, **BY_INFORMATION, **cut),
        "GS": GrowShrinkSelector(**BY_SIGNIFICANCE, **cut),
        "IAMB": IAMBSelector(**BY_SIGNIFICANCE, **cut),
    }
    hybrids = {
        f"H-{name}": HybridCausalSelector(selector, **cut)
        for name, selector in pure.items()
    }
    return {**pure, **hybrids}


def _load_lucas(find: published.Find, name: str) -> Dataset:
    if name == "lucas-drawn":
        return make_lucas_population(DRAWS * 2000)
    return code_categories(find(name))


def _load_codes(find: published.Find, name: str) -> Dataset:
    return code_categories(find(name))


def _choose(names: tuple[str, ...], quick: bool) -> list[str]:
    return [name for name in names if not quick or name in QUICK]


def _plan_counts(find: published.Find, quick: bool) -> Plan:
    names = _choose(("lucas", "lucas-drawn", *ABSENT_SETS), quick)
    return Plan(
        published.name_plan(f"{NAME}: counts", quick),
        published.list_sources(names, _load_lucas, find),
        make_selectors(),
        splits=Samples(4 if quick else DRAWS),
        measure=CountBlanket(),
    )


def _plan_blankets(find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(f"{NAME}: blankets", quick),
        published.list_sources(["lucas-drawn"], _load_lucas, find),
        {
            "GS": GrowShrinkSelector(**BY_SIGNIFICANCE),
            "IAMB": IAMBSelector(**BY_SIGNIFICANCE),
            "inter-IAMB": IAMBSelector(interleave=True, **BY_SIGNIFICANCE),
            "MMMB": MMMBSelector(**BY_SIGNIFICANCE),
            "HITON-MB": HITONSelector(**BY_SIGNIFICANCE),
            "PC": PCSelector(select="blanket", **BY_SIGNIFICANCE),
            "FCBF": FCBFSelector(discretize=None),
        },
        splits=Samples(4 if quick else DRAWS),
        measure=CountBlanket(),
    )


def _plan_errors(find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(f"{NAME}: error", quick),
        published.list_sources(_choose(SETS, quick), _load_codes, find),
        {
            ALL: VarianceThreshold(),
            "FCBF": FCBFSelector(discretize=None),
            **make_selectors(),
        },
        splits=CrossValidation(3, 1) if quick else CrossValidation(10, 1),
        measure=BaggedError(),
    )


COUNT_TOLERANCE = published.Tolerance(0.5, "a count is a whole number", "features")
COUNTS = published.Part(
    f"{NAME}: counts",
    "Number of features kept, all rows",
    _plan_counts,
    COUNT_TOLERANCE,
    published.PublishedTable(
        "Number of selected features",
        DESCRIPTION.source,
        "n_selected",
        published.read_published_cells(__package__, "suema_counts"),
    ),
    NOTES,
    absent=dict.fromkeys(ABSENT_SETS, NO_SAMPLE),
    judge=partial(judge_with_apart, find_other_reading),
    rule=f"{describe_rule(COUNT_TOLERANCE)} Rows that our generator drew are another "
    "reading of the same printed numbers and are shown apart. Of the rows of the "
    "challenge nothing is random. That the counts of PC and TPDA agree is no "
    "independent evidence: information in nats, and connected in place of adjacent "
    "features, are one of four readings that were tried, taken because it agrees.",
)
BLANKETS = published.Part(
    f"{NAME}: blankets",
    "Members of the Markov blanket of LUCAS that are found, 2,000 rows",
    _plan_blankets,
    published.Tolerance(1.0, "one of five members is weak", "members"),
    judge=show_misses,
    reference="true",
    rule="All numbers are ours: members of the true blanket that are found, under "
    "*ours*, beside all five. Nothing is counted; whether a method is wrong about at "
    "most one feature on average is judged as a claim.",
    apart=OBSERVATION,
    claims=judge_blankets,
)
ERRORS = published.Part(
    f"{NAME}: error",
    "Error of 25 bagged trees in percent, with selection inside the folds",
    _plan_errors,
    published.Tolerance(2.0, "a row of 267 is 0.4 points"),
    judge=show_errors,
    reference=ALL,
    rule="All numbers are ours: the error with selected features, under *ours*, beside "
    "that with all. Nothing is counted; what the chapter says of its figure 2 is "
    "judged as claims over the data sets, which fail if the mean effect is surely "
    f"below {MARGIN:g} points.",
    apart=OBSERVATION,
    claims=judge_hybrids,
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (COUNTS, BLANKETS, ERRORS))
