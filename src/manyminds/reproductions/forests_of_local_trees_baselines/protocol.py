"""Folds as scikit-learn made them in 2014."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.experiments.splits import Split


@dataclass(frozen=True)
class FoldsOf2014:
    """Repeated cross-validation by class as scikit-learn made its folds in 2014.

    The rows of each class, in random order, are assigned in blocks: of a class with
    fewer rows than folds, row ``i`` goes to fold ``i``. So the rare classes crowd into
    the first folds, and the last folds, which count as much, are easier. Today's
    scikit-learn spreads them.

    Parameters
    ----------
    n_splits : int, default=10
        Folds of one repetition.
    n_repeats : int, default=10
        Repetitions; repetition ``i`` orders the rows with seed ``i``.

    Examples
    --------
    >>> from manyminds.reproductions.forests_of_local_trees_baselines.protocol import (
    ...     FoldsOf2014,
    ... )
    >>> y = ["a", "a", "a", "a", "b", "c"]
    >>> folds = FoldsOf2014(n_splits=2, n_repeats=1).split(y, stratified=True)
    >>> [len(split.test) for split in folds]
    [4, 2]
    """

    n_splits: int = 10
    n_repeats: int = 10

    def __len__(self) -> int:
        return self.n_splits * self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of samples with the classes ``y``."""
        y = np.asarray(y)
        for repeat in range(self.n_repeats):
            order = np.random.RandomState(repeat).permutation(len(y))
            fold_of = _assign_folds(y[order], self.n_splits)
            for fold in range(self.n_splits):
                test = fold_of == fold
                yield Split(repeat, fold, order[~test], order[test])

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {"kind": "folds of 2014", "n_splits": self.n_splits}


def _assign_folds(y: np.ndarray, n_splits: int) -> np.ndarray:
    """Return the fold of each row: a class in blocks, of which the first are larger."""
    fold_of = np.empty(len(y), dtype=np.intp)
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        blocks = np.array_split(np.arange(max(len(rows), n_splits)), n_splits)
        fold = np.repeat(np.arange(n_splits), [len(block) for block in blocks])
        fold_of[rows] = fold[: len(rows)]
    return fold_of
