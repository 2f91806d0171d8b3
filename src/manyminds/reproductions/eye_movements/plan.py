"""Eye movements: whether words are relevant to a search, on made-up sessions."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.splits import Splits, WholeData
from manyminds.reproductions import published
from manyminds.reproductions.eye_movements import DESCRIPTION, judging
from manyminds.reproductions.eye_movements.protocol import (
    ADABOOST,
    DIVBOOST_W2,
    FOREST,
    LOCAL,
    NULL,
    STUDY,
    ReaderMeasures,
    RelevanceMeasures,
    TrialMeasures,
    load_examples,
    make_ensembles,
    make_relevance,
)
from manyminds.reproductions.eye_movements.ranking import (
    EQUAL,
    RankingScores,
    make_rankers,
)
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.judging.verdicts import Verdicts
from manyminds.reproductions.protocols.rogers_2007 import TEST_SHARE, Trials

NAME = DESCRIPTION.name
N_STUDIES, N_OTHERS, N_QUICK = 6, 4, 1
N_TRIALS = 3
SOME = (FOREST, LOCAL, ADABOOST, DIVBOOST_W2)
CLOSE = published.Tolerance(0.01, "nothing is counted", "of error")
RULE = (
    "All numbers are ours, on studies that are made up; no cell is counted. Each study "
    "is an independent draw, and the claims are judged on the mean over the studies."
)


def _make_trials(n_repeats: int) -> Trials:
    """Return random splits of all rows: studies are tables, not populations."""
    return Trials(n_repeats, TEST_SHARE, population=1_000_000)


def _choose(names: tuple[str, ...]) -> dict[str, Any]:
    ensembles = make_ensembles()
    return {name: ensembles[name] for name in names}


def _make_plan(
    name: str,
    kinds: Mapping[str, int],
    make_methods: Callable[[], dict[str, Any]],
    splits: Splits,
    measure: Any,
    find: published.Find,
    quick: bool,
) -> Plan:
    with_reader = isinstance(measure, ReaderMeasures)
    sources = [
        DataSource(
            f"{kind} {number}", partial(load_examples, kind, number, with_reader)
        )
        for kind, n_studies in kinds.items()
        for number in range(N_QUICK if quick else n_studies)
    ]
    if quick and isinstance(splits, Trials):
        splits = _make_trials(1)
    plan_name = published.name_plan(name, quick)
    return Plan(plan_name, sources, make_methods(), splits=splits, measure=measure)


def _make_part(
    name: str,
    title: str,
    kinds: Mapping[str, int],
    make_methods: Callable[[], dict[str, Any]],
    splits: Splits,
    measure: Any,
    show: Callable[..., Verdicts],
    reference: str,
    claims: Callable[..., list[Claim]],
) -> published.Part:
    return published.Part(
        name,
        title,
        partial(_make_plan, name, kinds, make_methods, splits, measure),
        CLOSE,
        judge=show,
        reference=reference,
        rule=RULE,
        apart=OBSERVATION,
        claims=claims,
    )


TRIALS = _make_part(
    NAME,
    f"Error of ensembles of 100 trees, mean of {N_STUDIES} studies with {N_TRIALS} "
    "random trials of 90 % and 10 % of the words each; the thesis has 100 trials of "
    "one study",
    {STUDY: N_STUDIES},
    make_ensembles,
    _make_trials(N_TRIALS),
    TrialMeasures(),
    judging.show_table,
    "paper",
    judging.judge_table,
)
NULL_TRIALS = _make_part(
    f"{NAME}: null",
    "Null control: readers do not react to words. Error beside that of the majority "
    "class, random trials",
    {NULL: N_OTHERS},
    partial(_choose, SOME),
    _make_trials(N_TRIALS),
    TrialMeasures(),
    partial(judging.show_methods, "error", "majority"),
    "majority",
    judging.judge_null,
)
READERS = _make_part(
    f"{NAME}: unseen readers",
    "Error beside that of the majority class on readers that no model has seen, in "
    "three folds of readers",
    {STUDY: N_OTHERS},
    partial(_choose, SOME),
    WholeData(),
    ReaderMeasures(),
    partial(judging.show_methods, "error", "majority"),
    "majority",
    judging.judge_readers,
)
NULL_READERS = _make_part(
    f"{NAME}: unseen readers, null",
    "Null control: the same where readers do not react to words",
    {NULL: N_OTHERS},
    partial(_choose, SOME),
    WholeData(),
    ReaderMeasures(),
    partial(judging.show_methods, "error", "majority"),
    "majority",
    judging.judge_null_readers,
)
RELEVANCE = _make_part(
    f"{NAME}: relevance",
    "Share of each feature in the local relevance, summed over all words, beside its "
    "share where readers do not react",
    {STUDY: N_STUDIES, NULL: N_STUDIES},
    make_relevance,
    WholeData(),
    RelevanceMeasures(),
    judging.show_features,
    "no reaction",
    judging.judge_relevance,
)
RANKING = _make_part(
    f"{NAME}: ranking",
    "Documents that a search has not shown, about the topics that it has shown, ranked "
    "by the words that its reader viewed: area under the ROC curve, beside that of all "
    "viewed words alike; models have not seen the reader",
    {STUDY: N_STUDIES, NULL: N_STUDIES},
    make_rankers,
    WholeData(),
    RankingScores(),
    partial(judging.show_methods, "auc", EQUAL),
    EQUAL,
    judging.judge_ranking,
)
REPRODUCTION = published.Reproduction.of(
    DESCRIPTION, (TRIALS, NULL_TRIALS, READERS, NULL_READERS, RELEVANCE, RANKING)
)
