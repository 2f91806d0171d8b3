"""How the paper on RpBoost tried its methods, and how its claims are tested."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import Dataset
from manyminds.ensemble.boosting.rp_boost import RpBoostClassifier
from manyminds.experiments.judging import (
    AGREES,
    DIFFERS,
    UNDECIDED,
    Cell,
    Verdicts,
    measure_cells,
    sum_up,
    tell_not_run,
)
from manyminds.experiments.plan import Plan
from manyminds.experiments.published import Part
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split

BASELINES = ("AdaBoost", "LsBoost")
KINDS = {"N": "normal", "U": "sign", "P": "uniform"}
SIZES = ("sub", "same", "super")
PROJECTED = tuple(f"RpBoost.{size} {kind}" for kind in KINDS for size in SIZES)
SIGNIFICANCE = 0.05

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
    >>> from manyminds.experiments.plans.random_projections_protocol import (
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
        """Give the samples of points with the classes ``y``."""
        for repeat in range(self.n_repeats):
            draw = StratifiedShuffleSplit(
                1, train_size=self.n_train, random_state=repeat
            )
            train, _ = next(draw.split(np.zeros(len(y)), y))
            yield Split(repeat, 0, train, np.arange(len(y)))

    def describe(self) -> dict[str, Any]:
        """Give what the rows depend on besides the data."""
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


def judge_claims(
    claims: Claims,
    compare: Callable[..., Any],
    part: Part,
    plan: Plan,
    records: list[Record],
    missing: Mapping[str, str],
) -> Verdicts:
    """Test whether the methods that the paper calls better are better.

    A claim *agrees* if the winner has the higher mean and the test's p-value is below
    0.05, *differs* if it is so the other way round, and is *undecided* otherwise.

    Parameters
    ----------
    claims : mapping of str to (winners, losers)
        For each data set, methods each of which is said to beat all of the others.
    compare : callable
        ``compare(a, b)`` gives a result with ``p_value``.
    part : Part
    plan : Plan
        Full or quick.
    records : list of Record
    missing : mapping of str to str
        Data sets that could not be had, and why.

    Returns
    -------
    verdicts : Verdicts
    """
    found = measure_cells(plan, records, "accuracy", 100.0)
    scores: dict[tuple[str, str], dict[tuple[int, int], float]] = {}
    for one in records:
        folds = scores.setdefault((one.dataset, one.method), {})
        folds[one.repeat, one.fold] = 100.0 * one.values.get("accuracy", np.nan)
    cells = []
    for dataset in [source.name for source in plan.datasets]:
        winners, losers = claims[dataset]
        for winner in winners:
            lacking = [
                problem
                for method in (winner, *losers)
                if isinstance(problem := found[dataset, method], str)
            ]
            if lacking:
                place = dataset, winner
                cells.append(tell_not_run(part, place, lacking[0], missing))
                continue
            folds_of = {m: _in_order(scores[dataset, m]) for m in (winner, *losers)}
            cells.append(_judge_claim(dataset, winner, losers, folds_of, compare))
    return sum_up(part, plan, cells)


def _in_order(folds: Mapping[tuple[int, int], float]) -> np.ndarray:
    return np.array([folds[place] for place in sorted(folds)])


def _judge_claim(
    dataset: str,
    winner: str,
    losers: tuple[str, ...],
    folds_of: Mapping[str, np.ndarray],
    compare: Callable[..., Any],
) -> Cell:
    """Hold a winner against the best of the losers."""
    best = max(losers, key=lambda method: float(folds_of[method].mean()))
    mine, other = folds_of[winner], folds_of[best]
    difference = float(mine.mean() - other.mean())
    p_value = float(compare(mine, other).p_value) if len(mine) > 1 else 1.0
    verdict = UNDECIDED
    if p_value < SIGNIFICANCE:
        verdict = AGREES if difference > 0 else DIFFERS
    return Cell(
        dataset,
        winner,
        verdict,
        f"against {best}: p = {p_value:.3f}",
        float(other.mean()),
        float(other.std(ddof=1)) if len(other) > 1 else None,
        float(mine.mean()),
        float(mine.std(ddof=1)) if len(mine) > 1 else None,
        len(mine),
        difference,
    )
