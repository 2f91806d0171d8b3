"""Splits of a data set into training and test samples."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from sklearn.model_selection import (
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from manyminds.ensemble import IterativeStratifiedKFold
from manyminds.utils.errors import InputError
from manyminds.utils.hashing import hash_bytes


@dataclass(frozen=True)
class Split:
    """Indices of training and test samples, with their place in the plan."""

    repeat: int
    fold: int
    train: np.ndarray
    test: np.ndarray


@runtime_checkable
class Splits(Protocol):
    """What a plan needs of splits: their number, the indices, a description."""

    def __len__(self) -> int:
        """Count the splits of one data set."""

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of samples with target ``y``."""

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data, in plain values."""


@dataclass(frozen=True)
class CrossValidation:
    """Repeated cross-validation, by class where the target has classes.

    Of many labels, each fold gets its share of every label; see
    `manyminds.ensemble.IterativeStratifiedKFold`.

    Parameters
    ----------
    n_splits : int, default=10
        Folds of one repetition.
    n_repeats : int, default=1
        Repetitions, each with the samples in another order.
    seed : int, default=0
        What the orders are drawn from; repetition ``i`` has the seed ``seed + i``.
    permute_rows : bool, default=False
        Whether the samples are shuffled first and then assigned to the folds in
        that order, as some papers did, in place of scikit-learn's shuffling within
        the classes.

    Examples
    --------
    >>> from manyminds.experiments import CrossValidation
    >>> splits = CrossValidation(n_splits=2, n_repeats=5)
    >>> len(splits)
    10
    >>> first = next(splits.split([0, 0, 1, 1], stratified=True))
    >>> len(first.train), len(first.test)
    (2, 2)
    """

    n_splits: int = 10
    n_repeats: int = 1
    seed: int = 0
    permute_rows: bool = False

    def __post_init__(self) -> None:
        _check_at_least("n_splits", self.n_splits, 2)
        _check_at_least("n_repeats", self.n_repeats, 1)

    def __len__(self) -> int:
        return self.n_splits * self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of samples with target ``y``."""
        y = np.asarray(y)
        kind = StratifiedKFold if stratified else KFold
        for repeat in range(self.n_repeats):
            seed = self.seed + repeat
            folds: Any
            if y.ndim == 2:
                order = np.arange(len(y))
                folds = IterativeStratifiedKFold(self.n_splits, random_state=seed)
            elif self.permute_rows:
                order = np.random.RandomState(seed).permutation(len(y))
                folds = kind(self.n_splits)
            else:
                order = np.arange(len(y))
                folds = kind(self.n_splits, shuffle=True, random_state=seed)
            pairs = _without_small_class_warning(folds.split(order, y[order]))
            for fold, (train, test) in enumerate(pairs):
                yield Split(repeat, fold, order[train], order[test])

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data.

        The number of repetitions is not part of it: the first five repetitions of ten
        are those of five.
        """
        return {
            "kind": "cross-validation",
            "n_splits": self.n_splits,
            "seed": self.seed,
            "permute_rows": self.permute_rows,
        }


@dataclass(frozen=True)
class RandomSplits:
    """Random test samples, drawn anew in each repetition.

    Parameters
    ----------
    n_repeats : int, default=10
        How many times to draw.
    test_share : float, default=0.5
        Share of the samples to test on.
    seed : int, default=0
        What the draws come from.
    """

    n_repeats: int = 10
    test_share: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        _check_at_least("n_repeats", self.n_repeats, 1)
        if not 0.0 < self.test_share < 1.0:
            raise InputError(
                f"test_share is a share between 0 and 1; got {self.test_share!r}."
            )

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of samples with target ``y``."""
        kind = StratifiedShuffleSplit if stratified else ShuffleSplit
        for repeat in range(self.n_repeats):
            draw = kind(1, test_size=self.test_share, random_state=self.seed + repeat)
            train, test = next(draw.split(np.zeros(len(y)), y))
            yield Split(repeat, 0, train, test)

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {
            "kind": "random",
            "test_share": self.test_share,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class GivenSplits:
    """Fixed splits, such as the training and test set of a paper.

    Parameters
    ----------
    pairs : sequence of (train, test)
        Indices of the training and of the test samples of each split.

    Examples
    --------
    >>> from manyminds.experiments import GivenSplits
    >>> len(GivenSplits([(range(100), range(100, 150))]))
    1
    """

    pairs: Any

    def __post_init__(self) -> None:
        pairs = tuple(
            (np.asarray(train, np.intp), np.asarray(test, np.intp))
            for train, test in self.pairs
        )
        if not pairs:
            raise InputError("pairs has no split; it takes (train, test) rows.")
        object.__setattr__(self, "pairs", pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits, after a check that the rows exist."""
        for fold, (train, test) in enumerate(self.pairs):
            rows = np.concatenate([train, test])
            if rows.size and (rows.min() < 0 or rows.max() >= len(y)):
                raise InputError(
                    f"split {fold} of pairs names row {rows.max()}, but the data set "
                    f"has {len(y)} rows."
                )
            yield Split(0, fold, train, test)

    def describe(self) -> dict[str, Any]:
        """Return a hash of the indices."""
        rows = (indices for pair in self.pairs for indices in pair)
        chunks = (
            one.size.to_bytes(8, "little") + one.astype("<i8").tobytes() for one in rows
        )
        return {"kind": "given", "rows": hash_bytes(chunks)}


@dataclass(frozen=True)
class WholeData:
    """All samples for training and none for testing, for plans without scores.

    Parameters
    ----------
    n_repeats : int, default=1
        How many times to do it, each with another seed.
    """

    n_repeats: int = 1

    def __post_init__(self) -> None:
        _check_at_least("n_repeats", self.n_repeats, 1)

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return all samples, once per repetition."""
        for repeat in range(self.n_repeats):
            yield Split(repeat, 0, np.arange(len(y)), np.arange(0))

    def describe(self) -> dict[str, Any]:
        """Return a fixed description: nothing is drawn."""
        return {"kind": "whole"}


def _check_at_least(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int) or value < least:
        raise InputError(f"{name} is a whole number from {least} on; got {value!r}.")


def _without_small_class_warning(pairs: Iterator[Any]) -> list[Any]:
    # A class smaller than the number of folds is missing from some of them. With real
    # data that is common and no fault of the plan.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(pairs)
