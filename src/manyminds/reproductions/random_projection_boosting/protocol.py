"""How the paper on RpBoost tried its methods, and how its claims are judged."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import Dataset
from manyminds.ensemble.boosting.rp_boost import RpBoostClassifier
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split
from manyminds.reproductions.judging.cells import Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.effects import Folds, gather_folds
from manyminds.reproductions.judging.observations import (
    observe,
    observe_nothing,
)
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    summarize_cells,
)
from manyminds.reproductions.published import RecordedPart

BASELINES = ("AdaBoost", "LsBoost")
KINDS = {"N": "normal", "U": "sign", "P": "uniform"}
SIZES = ("sub", "same", "super")
PROJECTED = tuple(f"RpBoost.{size} {kind}" for kind in KINDS for size in SIZES)
# Readings of a pattern that are further from the printed formula than another one.
OTHER_READINGS = ("sine", "linear_plus", "linear_minus", "parabolic_printed")
UNIT, MARGIN = "points", 0.5  # of accuracy

Claims = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]


@dataclass(frozen=True)
class PatternSamples:
    """Train on some points of a pattern, by class; test on all, as the paper did.

    Parameters
    ----------
    n_train : int, default=1000
        Points to train on. They are tested on, too.
    n_repeats : int, default=5
        How often to draw them.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.random_projection_boosting.protocol import (
    ...     PatternSamples,
    ... )
    >>> y = np.repeat([0, 1], [60, 40])
    >>> split = next(PatternSamples(n_train=10).split(y, stratified=True))
    >>> print(y[split.train].sum(), len(split.test))
    4 100
    """

    n_train: int = 1000
    n_repeats: int = 5

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the samples of points with the classes ``y``."""
        for repeat in range(self.n_repeats):
            draw = StratifiedShuffleSplit(
                1, train_size=self.n_train, random_state=repeat
            )
            train, _ = next(draw.split(np.zeros(len(y)), y))
            yield Split(repeat, 0, train, np.arange(len(y)))

    def describe(self) -> dict[str, Any]:
        """Return what the rows depend on besides the data."""
        return {"kind": "pattern samples", "n_train": self.n_train}


def make_methods(penalty: float = 0.0, scale: bool = False) -> dict[str, Any]:
    """Make the eleven methods of the paper: 500 rounds of stumps each.

    Parameters
    ----------
    penalty : float, default=0.0
        The paper's lambda, for all but AdaBoost.
    scale : bool, default=False
        Whether projections are of columns of unit variance.

    Returns
    -------
    methods : dict of str to estimator
    """
    shared = {"learning_rate": 1.0, "l2_regularization": float(penalty)}
    stump = DecisionTreeClassifier(max_depth=1)
    methods: dict[str, Any] = {
        "AdaBoost": AdaBoostClassifier(stump, n_estimators=500),
        "LsBoost": RpBoostClassifier(projection=None, **shared),
    }
    for name in PROJECTED:
        size, kind = name.removeprefix("RpBoost.").split()
        methods[name] = RpBoostClassifier(
            projection=KINDS[kind], n_components=size, scale=scale, **shared
        )
    return methods


def code_categories(data: Dataset) -> Dataset:
    """Number the categories, and leave out rows with gaps.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    coded : Dataset
        Category columns have the number of their category, in sorted order.
    """
    data = data.take(~data.X.isna().any(axis=1).to_numpy())
    columns = {c: data.X[c].cat.codes.astype(np.float64) for c in data.categorical}
    return replace(data, X=data.X.assign(**columns))


def judge_winners(
    claims: Claims, overall: str, test_share: float, plan: Plan, records: list[Record]
) -> list[Claim]:
    """Judge whether the methods that the paper calls better are better.

    On a data set, the winner with the lowest mean is compared with the best of the
    others, which is the hardest pair for the claim.

    Parameters
    ----------
    claims : mapping of str to (winners, others)
        For each data set, methods each of which is said to beat all of the others.
    overall : str
        The claim over all data sets.
    test_share : float
        Share of the samples that a fold tests on; 0 if samples are independent.
    plan : Plan
    records : list of Record

    Returns
    -------
    judged : list of Claim
        Those of single data sets, then the one over all of them.
    """
    folds = gather_folds(plan, records, "accuracy", 100.0)
    judged, means = [], []
    chosen = [one for one in plan.datasets if one.name not in OTHER_READINGS]
    for source in chosen:
        winners, others = claims[source.name]
        pair = _find_hardest_pair(folds, source.name, winners, others)
        if pair is None:
            continue
        differences = folds[source.name, pair[0]] - folds[source.name, pair[1]]
        means.append(float(differences.mean()))
        judged.append(
            judge_claim(
                f"On {source.name} {_name_methods(winners, 'each of')} beats "
                f"{_name_methods(others, 'both')}",
                differences,
                unit=UNIT,
                margin=MARGIN,
                remark=f"{pair[0]}, the weakest, less {pair[1]}, the best of the "
                "others",
                test_share=test_share,
            )
        )
    if means:
        judged.append(judge_claim(overall, means, unit=UNIT, margin=MARGIN))
    return judged


def show_winners(
    claims: Claims,
    recorded: RecordedPart,
) -> Verdicts:
    """Show each winner beside the best of the others; nothing is counted.

    Parameters
    ----------
    claims : mapping of str to (winners, others)
        See `judge_winners`.
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    folds = gather_folds(recorded.plan, recorded.records, "accuracy", 100.0)
    cells = [
        _show_winner(recorded, (source.name, winner), claims, folds)
        for source in recorded.plan.datasets
        for winner in claims[source.name][0]
    ]
    return summarize_cells(recorded, cells)


def _name_methods(methods: tuple[str, ...], word: str) -> str:
    """Return a few methods by name, many by what they have in common."""
    if methods == PROJECTED:
        return "each of the nine projections"
    if len(methods) > 2:
        return "every other method"
    return methods[0] if len(methods) == 1 else f"{word} {' and '.join(methods)}"


def _find_hardest_pair(
    folds: Folds, dataset: str, winners: tuple[str, ...], others: tuple[str, ...]
) -> tuple[str, str] | None:
    """Return the weakest winner and the best of the others; None if one lacks."""
    if any((dataset, method) not in folds for method in (*winners, *others)):
        return None
    means = {one: float(folds[dataset, one].mean()) for one in (*winners, *others)}
    return min(winners, key=means.__getitem__), max(others, key=means.__getitem__)


def _show_winner(
    recorded: RecordedPart,
    place: tuple[str, str],
    claims: Claims,
    folds: Folds,
) -> Cell:
    dataset, winner = place
    pair = _find_hardest_pair(folds, dataset, (winner,), claims[dataset][1])
    if pair is None:
        return observe_nothing(recorded, place)
    best = pair[1]
    return observe(place, folds[place], folds[dataset, best], f"best: {best}")
