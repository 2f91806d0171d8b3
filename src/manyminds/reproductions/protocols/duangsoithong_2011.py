"""Samples of LUCAS and of tables, as a chapter on causal selection has them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset
from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.experiments.splits import Split

ABSENT_SETS = ("lucap", "reged", "cina", "sido")
NO_SAMPLE = "the challenge's files could not be loaded"


@dataclass(frozen=True)
class Samples:
    """All samples of a table each time; of a population, others each time.

    Parameters
    ----------
    n_repeats : int, default=20
        How many times.
    population : int, default=10_000
        A table with at least so many rows is a population, as a generator draws it.
    n_drawn : int, default=2000
        Rows of a sample of a population, the ones after the other.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.protocols.duangsoithong_2011 import Samples
    >>> [len(one.train) for one in Samples(2).split(np.zeros(300), stratified=True)]
    [300, 300]
    >>> [
    ...     int(one.train[0])
    ...     for one in Samples(2).split(np.zeros(10_000), stratified=True)
    ... ]
    [0, 2000]
    """

    n_repeats: int = 20
    population: int = 10_000
    n_drawn: int = 2000

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the training samples; there are none to test on."""
        for repeat in range(self.n_repeats):
            rows = range(len(y))
            if len(y) >= self.population:
                rows = range(repeat * self.n_drawn, (repeat + 1) * self.n_drawn)
            train = [row % len(y) for row in rows]
            yield Split(repeat, 0, np.array(train), np.arange(0))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {
            "kind": "samples",
            "population": self.population,
            "n_drawn": self.n_drawn,
        }


def number_columns(data: Dataset) -> Dataset:
    """Turn category columns whose names are numbers into numbers."""
    return replace(data, X=data.X.astype(np.float64))


def make_lucas_population(n_rows: int) -> Dataset:
    """Generate the samples of LUCAS, of which each trial takes its own."""
    X, y = make_lucas(n_rows, random_state=0)
    frame = pd.DataFrame(X, columns=list(LUCAS_FEATURES))
    return Dataset("lucas-drawn", frame, y, "classification")
