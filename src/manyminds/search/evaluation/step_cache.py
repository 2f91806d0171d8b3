"""Cache what the first steps of pipelines make of a fold."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from manyminds.search.evaluation.column_trace import Trace
from manyminds.utils.tables import take_columns

__all__ = ["FoldTables", "Ranking", "StepCache"]


@dataclass(frozen=True)
class FoldTables:
    """The tables of a fold after the first steps of a pipeline.

    Parameters
    ----------
    train, test : ndarray, sparse matrix or DataFrame
    trace : Trace
        Of the columns.
    steps : tuple of transformer or None, default=()
        The fitted steps; None if columns were selected by a ranking, which has no
        fitted step.
    fit_seconds, transform_seconds : float, default=0.0
        That the steps took to be fitted, and to transform the test rows, whether they
        were in the cache or not: a model that is fitted again takes them again.
    """

    train: Any
    test: Any
    trace: Trace
    steps: tuple[Any, ...] | None = ()
    fit_seconds: float = 0.0
    transform_seconds: float = 0.0

    def keep(self, ranking: "Ranking", n_columns: int) -> "FoldTables":
        """Return the tables with the best columns of a ranking."""
        mask = ranking.ranks <= n_columns
        tables = take_columns(self.train, mask), take_columns(self.test, mask)
        seconds = self.fit_seconds + ranking.seconds, self.transform_seconds
        return FoldTables(*tables, self.trace.keep(mask), None, *seconds)

    @property
    def nbytes(self) -> int:
        """Bytes of both tables."""
        return _count_bytes(self.train) + _count_bytes(self.test)


@dataclass(frozen=True)
class Ranking:
    """The ranks of the columns of a fold, 1 for the best, and what they took."""

    ranks: np.ndarray
    seconds: float

    @property
    def nbytes(self) -> int:
        """Bytes of the ranks."""
        return int(self.ranks.nbytes)


class StepCache:
    """Cache up to a number of bytes; the least recently used entry goes first.

    Parameters
    ----------
    max_bytes : int
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes, self.size = max_bytes, 0
        self.entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get_or_make(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the entry of a key; make and store it if there is none."""
        if key in self.entries:
            self.entries.move_to_end(key)
            return self.entries[key][0]
        made = make()
        size = _count_bytes(made)
        if size < self.max_bytes / 2:
            self.entries[key] = made, size
            self.size += size
        while self.size > self.max_bytes:
            self.size -= self.entries.popitem(last=False)[1][1]
        return made


def _count_bytes(made: Any) -> int:
    if issparse(made):
        return int(made.data.nbytes + made.indices.nbytes)
    if hasattr(made, "memory_usage"):
        return int(made.memory_usage(index=False).sum())
    return int(getattr(made, "nbytes", 0))
