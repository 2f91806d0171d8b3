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
        What a measured value is multiplied by to be comparable: 100 for percent.
    """

    title: str
    source: str
    metric: str
    cells: Mapping[Place, PublishedValue]
    scale: float = 1.0


@dataclass(frozen=True)
class Tolerance:
    """How far apart two numbers may be and still agree, and why so far.

    Parameters
    ----------
    points : float
        Largest difference that counts as agreement.
    why : str
        Reason for this size.
    unit : str, default="points"
    limit : float, default=None
        Largest difference that may be attributed to random variation, however large
        that is; by default three times ``points``.
    """

    points: float
    why: str
    unit: str = "points"
    limit: float | None = None

    @property
    def cap(self) -> float:
        """Largest difference that random variation may excuse."""
        return 3.0 * self.points if self.limit is None else self.limit

    def name(self, points: float) -> str:
        """Return a number of points with its unit."""
        unit = self.unit.rstrip("s") if points == 1 else self.unit
        return f"{points:g} {unit}".rstrip()

    def __str__(self) -> str:
        return self.name(self.points)


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
    rule : str, default=""
        How ``judge`` decides, and what counts as failure, in full sentences. Empty:
        the rule of `manyminds.reproductions.judging.verdicts.judge`.
    apart : str, default=""
        Why no cell of this part is counted as evidence, such as formulas evaluated
        with printed numbers. Its cells are shown apart.
    claims : callable, default=None
        ``claims(plan, records)`` returns a list of `Claim`, what the paper says about
        its numbers, judged.
    control : callable, default=None
        ``control(part, cells, rng)`` returns the verdicts of the counted cells in one
        draw of the null control. By default the printed values are shuffled, see
        `manyminds.reproductions.judging.controls`.
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
    rule: str = ""
    apart: str = ""
    claims: Callable[..., Any] | None = None
    control: Callable[..., Any] | None = None

    def outline(self, quick: bool = False) -> Plan:
        """Return the plan without any data: its names and its splits."""
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
    claims : callable, default=None
        ``claims(records)`` returns a list of `Claim` that need the records of several
        parts, which it gets by the names of the parts.
    """

    name: str
    title: str
    source: str
    shows: str
    parts: tuple[Part, ...]
    minutes: float
    quick_minutes: float
    claims: Callable[..., Any] | None = None


def read_published_cells(table: str) -> dict[Place, PublishedValue]:
    """Read a printed table that comes with the package: dataset, method, mean, sd.

    Parameters
    ----------
    table : str
        Name of a CSV file in ``manyminds/reproductions/tables``, without suffix.

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
        Name of a CSV file in ``manyminds/reproductions/tables``, without suffix.

    Returns
    -------
    rows : list of dict
    """
    file = files("manyminds.reproductions") / "tables" / f"{table}.csv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def _find_nothing(name: str) -> Dataset:
    raise LookupError(f"{name} is not loaded to look at a plan's outline.")
