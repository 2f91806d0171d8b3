"""What the chapter on eye movements says about its table, and what we add, judged."""

from collections.abc import Iterable

import numpy as np
from scipy.stats import kendalltau

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.preprocessing.fixation_features import FIXATION_FEATURES
from manyminds.reproductions.eye_movements.protocol import (
    ADABOOST,
    BAGGING,
    DIVBOOST,
    DIVBOOST_W2,
    FOREST,
    LOCAL,
    NULL,
    PCA,
    ROTATION,
    SCALED,
)
from manyminds.reproductions.eye_movements.ranking import EQUAL, QUERY, SOFT
from manyminds.reproductions.judging.cells import UNDECIDED, Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import gather_folds
from manyminds.reproductions.judging.observations import (
    OBSERVATION,
    observe,
    observe_nothing,
)
from manyminds.reproductions.judging.verdicts import Verdicts, summarize_cells
from manyminds.reproductions.protocols.rogers_2007 import MARGIN, Q_MARGIN
from manyminds.reproductions.published import (
    Place,
    PublishedValue,
    RecordedPart,
    read_published_cells,
)

TABLE = "eye movements"
MEASURES = {"error": "error", "base_error": "members' error", "q": "Q"}
DISCRETE = (1, 2, 3, 4, 16, 18)  # features that the thesis says score low
BEST = (21, 20)  # its most useful features
LOWER = {  # what the thesis says: the first has the lower value
    "error": (
        (LOCAL, FOREST),
        (DIVBOOST, ADABOOST),
        (DIVBOOST_W2, ADABOOST),
        (LOCAL, PCA),
        (DIVBOOST, PCA),
        (DIVBOOST_W2, PCA),
        (PCA, ROTATION),
        (PCA, SCALED),
    ),
    "base_error": ((FOREST, LOCAL), (ADABOOST, DIVBOOST), (ADABOOST, DIVBOOST_W2)),
    "q": (
        (LOCAL, FOREST),
        (ADABOOST, DIVBOOST),
        (ADABOOST, DIVBOOST_W2),
        (DIVBOOST, LOCAL),
        (FOREST, BAGGING),
    ),
}
TEXTS = {
    "error": "{} has a lower error than {}",
    "base_error": "Members of {} have a lower error than those of {}",
    "q": "Members of {} are more diverse (lower Q) than those of {}",
}


def read_printed(metric: str) -> dict[str, PublishedValue]:
    """Return the printed values by our names of the methods."""
    cells = read_published_cells(__package__, f"rogers_{metric}")
    printed = {method: value for (_, method), value in cells.items()}
    divboost = printed.pop("DIVBOOST")
    return {
        **printed,
        **dict.fromkeys((DIVBOOST, DIVBOOST_W2), divboost),
        SCALED: printed[ROTATION],
    }


def judge_table(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge what the thesis says about its table and about the growth of ensembles."""
    records = list(records)
    claims = judge_better_than_majority(plan, records)
    for metric, pairs in LOWER.items():
        found = gather_means(plan, records, metric)
        unit, margin = ("of Q", Q_MARGIN) if metric == "q" else ("of error", MARGIN)
        claims += [
            judge_claim(
                TEXTS[metric].format(one, other),
                _subtract(plan, found, other, one),
                unit=unit, margin=margin,
            )
            for one, other in pairs
        ]  # fmt: skip
    return [*claims, *_judge_growth(plan, records), *_judge_order(plan, records)]


def judge_better_than_majority(
    plan: Plan, records: Iterable[Record], text: str = "{}: fewer errors than {}"
) -> list[Claim]:
    """Judge that ensembles err less often than the majority class.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record
    text : str
        The claim, with a place for the method, and one for "the majority class".

    Returns
    -------
    claims : list of Claim
    """
    records = list(records)
    error = gather_means(plan, records, "error")
    majority = gather_means(plan, records, "majority_error")
    return [
        judge_claim(
            text.format(method.name, "the majority class"),
            [
                majority[place] - error[place]
                for place in _list_places(plan, method.name)
                if place in error
            ],
            unit="of error", margin=MARGIN,
        )
        for method in plan.methods
    ]  # fmt: skip


def judge_readers(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge whether the claims hold for readers that no model has seen."""
    records = list(records)
    error = gather_means(plan, records, "error")
    claims = judge_better_than_majority(
        plan, records, "{}, unseen readers: fewer errors than {}"
    )
    for one, other in ((LOCAL, FOREST), (DIVBOOST_W2, ADABOOST)):
        claims.append(
            judge_claim(
                f"{one} has a lower error than {other} on unseen readers",
                _subtract(plan, error, other, one),
                unit="of error", margin=MARGIN,
            )
        )  # fmt: skip
    return claims


def judge_null(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge what is found where eyes do not react to words."""
    return judge_better_than_majority(
        plan, records, "{}, where eyes do not react: fewer errors than {} all the same"
    )


def judge_null_readers(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge the same on unseen readers."""
    return judge_better_than_majority(
        plan,
        records,
        "{}, unseen readers, where eyes do not react: fewer errors than {} all the "
        "same",
    )


def judge_relevance(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge which features are relevant, and whether discrete ones seem less so."""
    records, name = list(records), plan.methods[0].name
    shares = {
        source.name: np.array(
            [
                gather_folds(plan, records, feature)[source.name, name].mean()
                for feature in FIXATION_FEATURES
            ]
        )
        for source in plan.datasets
        if any(record.dataset == source.name for record in records)
    }
    discrete = np.isin(np.arange(1, 23), DISCRETE)
    claims = []
    for words, wanted in (("", False), (" where eyes do not react to words", True)):
        mine = [one for at, one in shares.items() if at.startswith(NULL) == wanted]
        claims.append(
            judge_claim(
                "Binary and discrete features, 22 excepted, are less relevant than the "
                f"others{words}",
                [
                    100.0 * float(one[~discrete].mean() - one[discrete].mean())
                    for one in mine
                ],
                unit="points of all relevance", margin=0.5,
            )
        )  # fmt: skip
        rest = ~np.isin(np.arange(1, 23), BEST)
        claims.append(
            judge_claim(
                f"Features 21 and 20 are more relevant than any other{words}",
                [
                    100.0 * float(min(one[b - 1] for b in BEST) - one[rest].max())
                    for one in mine
                ],
                unit="points of all relevance", margin=0.5,
            )
        )  # fmt: skip
    return claims


def judge_ranking(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge whether eyes improve the ranking of documents."""
    records = list(records)
    auc = gather_means(plan, records, "auc")
    claims = []
    for words, wanted in (("", False), (", where eyes do not react", True)):
        some = {
            place: one
            for place, one in auc.items()
            if place[0].startswith(NULL) == wanted
        }
        for method in (SOFT, QUERY):
            claims.append(
                judge_claim(
                    f"{method}: documents are ranked better than by all viewed words "
                    f"alike{words}",
                    _subtract(plan, some, method, EQUAL),
                    unit="of AUC", margin=0.01,
                )
            )  # fmt: skip
    return claims


def gather_means(
    plan: Plan, records: Iterable[Record], metric: str
) -> dict[Place, float]:
    """Return the mean of a metric over the trials of each study and method."""
    folds = gather_folds(plan, records, metric)
    return {place: float(values.mean()) for place, values in folds.items()}


def show_table(recorded: RecordedPart) -> Verdicts:
    """Show the mean error over all studies beside the printed one; nothing counts."""
    plan, records = recorded.plan, recorded.records
    found = {metric: gather_means(plan, records, metric) for metric in MEASURES}
    printed = {metric: read_printed(metric) for metric in MEASURES}
    cells = []
    for method in plan.methods:
        places = [at for at in _list_places(plan, method.name) if at in found["error"]]
        place = TABLE, method.name
        if not places:
            cells.append(observe_nothing(recorded, place))
            continue
        means = {
            metric: float(np.mean([found[metric][one] for one in places]))
            for metric in MEASURES
        }
        errors = [found["error"][one] for one in places]
        why = ", ".join(
            f"{MEASURES[metric]} {means[metric]:.3f} (printed "
            f"{printed[metric][method.name].mean:.3f})"
            for metric in ("base_error", "q")
        )
        theirs = printed["error"][method.name]
        cells.append(
            Cell(
                *place, UNDECIDED, why, theirs.mean, theirs.std, means["error"],
                float(np.std(errors)), len(errors), means["error"] - theirs.mean,
                apart=OBSERVATION,
            )
        )  # fmt: skip
    return summarize_cells(recorded, cells)


def show_methods(metric: str, reference: str, recorded: RecordedPart) -> Verdicts:
    """Show a metric of each study and method beside another metric or method."""
    plan, records = recorded.plan, recorded.records
    folds = gather_folds(plan, records, metric)
    cells = []
    for source in plan.datasets:
        for method in plan.methods:
            place = source.name, method.name
            if place not in folds:
                cells.append(observe_nothing(recorded, place))
                continue
            if reference == "majority":
                theirs = gather_folds(plan, records, "majority_error")[place]
            else:
                theirs = folds.get((source.name, reference), folds[place])
            cells.append(observe(place, folds[place], theirs))
    return summarize_cells(recorded, cells)


def show_features(recorded: RecordedPart) -> Verdicts:
    """Show the share of each feature in the relevance, with and without reactions."""
    plan, records, cells = recorded.plan, recorded.records, []
    for number, feature in enumerate(FIXATION_FEATURES, 1):
        place = feature, f"feature {number}"
        folds = gather_folds(plan, records, feature)
        null, mine = (
            np.array(
                [
                    values.mean()
                    for at, values in folds.items()
                    if at[0].startswith(NULL) == wanted
                ]
            )
            for wanted in (True, False)
        )
        whole = len(null) and len(mine)
        cells.append(
            observe(place, mine, null) if whole else observe_nothing(recorded, place)
        )
    return summarize_cells(recorded, cells)


def _judge_growth(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge how Q changes from ten members to all, and how high Bagging's is."""
    q, early = (gather_means(plan, records, metric) for metric in ("q", "q_early"))
    growth = {
        "AdaBoost's Q rises from 10 members to 100": (ADABOOST, 1.0),
        "DIVBOOST W1's Q falls from 10 members to 100": (DIVBOOST, -1.0),
        "DIVBOOST W2's Q falls from 10 members to 100": (DIVBOOST_W2, -1.0),
    }
    claims = [
        judge_claim(
            text,
            [sign * (q[p] - early[p]) for p in _list_places(plan, method) if p in q],
            unit="of Q", margin=Q_MARGIN,
        )
        for text, (method, sign) in growth.items()
    ]  # fmt: skip
    high = [q[place] - 0.8 for place in _list_places(plan, BAGGING) if place in q]
    text = "Members of Bagging have a Q above 0.8"
    return [*claims, judge_claim(text, high, unit="of Q", margin=Q_MARGIN)]


def _judge_order(plan: Plan, records: list[Record]) -> list[Claim]:
    """Judge that the methods are in the order of the printed table."""
    claims = []
    for metric, words in MEASURES.items():
        found, printed = gather_means(plan, records, metric), read_printed(metric)
        names = [one.name for one in plan.methods if one.name != SCALED]
        effects = []
        for source in plan.datasets:
            places = [(source.name, name) for name in names]
            if all(place in found for place in places):
                theirs = [printed[name].mean for name in names]
                ours = [found[place] for place in places]
                effects.append(float(kendalltau(theirs, ours).statistic))
        claims.append(
            judge_claim(
                f"The methods are in the printed order by {words} (Kendall's tau)",
                effects,
                unit="of tau", margin=0.2,
            )
        )  # fmt: skip
    return claims


def _subtract(
    plan: Plan, found: dict[Place, float], method: str, other: str
) -> list[float]:
    """Return the differences of two methods, one for each study that has both."""
    return [
        found[source.name, method] - found[source.name, other]
        for source in plan.datasets
        if (source.name, method) in found and (source.name, other) in found
    ]


def _list_places(plan: Plan, method: str) -> list[Place]:
    return [(source.name, method) for source in plan.datasets]
