"""What papers printed, and the plans that try to find the same."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan

Find = Callable[[str], Dataset]
Place = tuple[str, str]


@dataclass(frozen=True)
class PublishedValue:
    """A number that a paper printed, and its standard deviation if it has one."""

    mean: float
    sd: float | None = None


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper.

    Parameters
    ----------
    title : str
        What the table shows.
    source : str
        The paper, the table's number.
    metric : str
        Which measured value it is about, see `Scores`.
    cells : mapping of (dataset, method) to PublishedValue
        The numbers as they are printed.
    scale : float, default=1.0
        What a measured value is multiplied by to be comparable: 100 for per cent.
    """

    title: str
    source: str
    metric: str
    cells: Mapping[Place, PublishedValue]
    scale: float = 1.0


@dataclass(frozen=True)
class Tolerance:
    """How far apart two numbers may be and still be called equal, and why so far."""

    points: float
    why: str
    unit: str = "points"

    def __str__(self) -> str:
        unit = self.unit.rstrip("s") if self.points == 1 else self.unit
        return f"{self.points:g} {unit}"


@dataclass(frozen=True)
class Part:
    """One plan of a reproduction, and what its results are held against.

    Parameters
    ----------
    name : str
        What the store calls the plan.
    title : str
        What is special about this part.
    make_plan : callable
        ``make_plan(find, quick)`` gives a `Plan` of `DataSource`, which call ``find``
        with the name of a data set when they are loaded, not before.
    tolerance : Tolerance
    table : PublishedTable, default=None
        What a paper printed. None: ``judge`` has something else to compare with.
    notes : mapping, default={}
        Reasons for differences that are known, by data set or by (data set, method).
    absent : mapping of str to str, default={}
        Data sets that we do not have, and why.
    judge : callable, default=None
        ``judge(part, plan, records, missing)`` gives `Verdicts`; needed
        without a table.
    reference : str, default="paper"
        What the results are compared with, in one word for the head of a column.
    """

    name: str
    title: str
    make_plan: Callable[[Find, bool], Plan]
    tolerance: Tolerance
    table: PublishedTable | None = None
    notes: Mapping[Any, str] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)
    judge: Callable[..., Any] | None = None
    reference: str = "paper"

    def outline(self, quick: bool = False) -> Plan:
        """Give the plan without any data: its names and its splits."""
        return self.make_plan(_find_nothing, quick)


@dataclass(frozen=True)
class Reproduction:
    """A published result, or a claim of ours, that anybody can check again.

    Parameters
    ----------
    name : str
        What ``manyminds reproduce`` calls it.
    title : str
        What is reproduced, in a few words.
    source : str
        The paper, or where else the claim stands.
    shows : str
        What one learns from it, in a sentence or two.
    parts : sequence of Part
        One plan each.
    minutes, quick_minutes : float
        How long it takes on two cores, all of it and the quick subset.
    """

    name: str
    title: str
    source: str
    shows: str
    parts: tuple[Part, ...]
    minutes: float
    quick_minutes: float


def read_published_cells(table: str) -> dict[Place, PublishedValue]:
    """Read a printed table that comes with the package: dataset, method, mean, sd.

    Parameters
    ----------
    table : str
        Name of a CSV file in ``manyminds/experiments/plans/tables``, without suffix.

    Returns
    -------
    cells : dict of (dataset, method) to PublishedValue
    """
    return {
        (row["dataset"], row["method"]): PublishedValue(
            float(row["mean"]), float(row["sd"]) if row["sd"] else None
        )
        for row in read_printed_rows(table)
    }


def read_printed_rows(table: str) -> list[dict[str, str]]:
    """Read the rows of a printed table that comes with the package.

    Parameters
    ----------
    table : str
        Name of a CSV file in ``manyminds/experiments/plans/tables``, without suffix.

    Returns
    -------
    rows : list of dict
    """
    file = files("manyminds.experiments.plans") / "tables" / f"{table}.csv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def _find_nothing(name: str) -> Dataset:
    raise LookupError(f"{name} is not loaded to look at a plan's outline.")
