"""Plans: data sets x methods x splits, and what to measure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold, Measure, Scores
from manyminds.experiments.record import Slot
from manyminds.experiments.splits import CrossValidation, Splits
from manyminds.utils.errors import InputError, Parameter
from manyminds.utils.hashing import describe, list_versions, make_key


@dataclass(frozen=True)
class DataSource:
    """A data set that is loaded when it is needed.

    Parameters
    ----------
    name : str
        Name in the plan.
    load : callable
        Takes no argument and returns a `Dataset`.
    """

    name: str
    load: Callable[[], Dataset]


@dataclass(frozen=True)
class Method:
    """An estimator under a name.

    Parameters
    ----------
    name : str
        Name in the plan.
    estimator : estimator
        Not fitted, and never fitted: each fold fits a clone. Where a ``random_state``
        is None, each fold sets it to its own seed.
    """

    name: str
    estimator: Any


@dataclass(frozen=True)
class Plan:
    """Data sets x methods x splits, and what to measure on each fold.

    Parameters
    ----------
    name : str
        Name of the plan in the store.
    datasets : sequence of Dataset or DataSource
        Data sets to compare on.
    methods : sequence of Method, or mapping of name to estimator
        Methods to compare.
    metrics : sequence of str, default=("accuracy",)
        What to score, see `Scores`. Not used when ``measure`` is given.
    splits : CrossValidation, RandomSplits, GivenSplits or WholeData
        How to split the samples; ten-fold cross-validation by default.
    measure : callable, default=None
        ``measure(estimator, fold)`` returns any named numbers, where ``estimator`` is a
        clone that is not fitted, and ``fold`` a `Fold`. By default the scores.
    seed : int, default=0
        What each fold's own seed is drawn from.

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.experiments import CrossValidation, Plan
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> plan = Plan(
    ...     "depth",
    ...     [load_dataset("iris")],
    ...     {"stump": DecisionTreeClassifier(max_depth=1)},
    ...     splits=CrossValidation(n_splits=5, n_repeats=2),
    ... )
    >>> len(plan)
    10
    """

    name: str
    datasets: Any
    methods: Any
    metrics: Any = ("accuracy",)
    splits: Splits = field(default_factory=CrossValidation)
    measure: Measure = None  # type: ignore[assignment]  # set by __post_init__
    seed: int = 0

    def __post_init__(self) -> None:
        methods = self.methods
        if isinstance(methods, Mapping):
            methods = [Method(name, model) for name, model in methods.items()]
        metrics = (self.metrics,) if isinstance(self.metrics, str) else self.metrics
        object.__setattr__(self, "datasets", tuple(self.datasets))
        object.__setattr__(self, "methods", tuple(methods))
        object.__setattr__(self, "metrics", tuple(metrics))
        if self.measure is None:
            object.__setattr__(self, "measure", Scores(self.metrics))
        _check_names("datasets", [source.name for source in self.datasets])
        _check_names("methods", [method.name for method in self.methods])

    def __len__(self) -> int:
        return len(self.datasets) * len(self.methods) * len(self.splits)


@dataclass(frozen=True)
class Task:
    """One fold of one method: all that a worker needs to know."""

    slot: Slot
    estimator: Any
    measure: Measure
    fold: Fold
    text: str
    versions: str


def list_tasks(plan: Plan, data: Dataset) -> Iterator[Task]:
    """Return the folds of a plan on one of its data sets, fold by fold."""
    splits = list(plan.splits.split(data.y, data.task == "classification"))
    ways = [_describe_way(plan, data, method) for method in plan.methods]
    for split in splits:
        fold = Fold(data, split, draw_seed(plan.seed, split.repeat, split.fold))
        for method, (way, *texts) in zip(plan.methods, ways):
            key = make_key([way, split.repeat, split.fold, fold.seed])
            slot = Slot(data.name, method.name, split.repeat, split.fold, key)
            yield Task(slot, method.estimator, plan.measure, fold, *texts)


def draw_seed(seed: int, repeat: int, fold: int) -> int:
    """Return the seed of a fold: the same for all methods and data sets."""
    return int(np.random.SeedSequence([seed, repeat, fold]).generate_state(1)[0] >> 1)


def rename(data: Dataset, name: str) -> Dataset:
    """Return the data set under the name that the plan has for it."""
    return data if data.name == name else replace(data, name=name)


def _describe_way(plan: Plan, data: Dataset, method: Method) -> tuple[str, str, str]:
    """Return the key of a method on a data set, its text and the versions."""
    versions = list_versions(method.estimator, plan.measure)
    splits = plan.splits.describe()
    if data.task == "multilabel":  # earlier versions drew folds at random
        splits |= {"stratified": "iterative"}
    content = {
        "data": data.fingerprint,
        "estimator": describe(method.estimator),
        "measure": describe(plan.measure),
        "splits": splits,
        "versions": versions,
    }
    named = ", ".join(f"{name} {version}" for name, version in versions.items())
    return make_key(content), " ".join(repr(method.estimator).split()), named


def _check_names(parameter: str, names: Iterable[str]) -> None:
    names = list(names)
    if not names:
        raise InputError(f"{parameter} is empty; a plan needs at least one.")
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise InputError(
            Parameter(parameter), f" has the name {doubled[0]!r} more than once."
        )
