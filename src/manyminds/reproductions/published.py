"""Published numbers, and the plans that reproduce them."""

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from typing import Any

from manyminds.datasets import Dataset
from manyminds.experiments.plan import DataSource, Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.description import Description

Find = Callable[[str], Dataset]
Place = tuple[str, str]


@dataclass(frozen=True)
class PublishedValue:
    """A number that a paper printed, and its standard deviation if it has one."""

    mean: float
    std: float | None = None


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
        ``make_plan(find, quick)`` returns a `Plan` of `DataSource`, which call ``find``
        with the name of a data set when they are loaded, not before.
    tolerance : Tolerance
    table : PublishedTable, default=None
        What a paper printed. None: ``judge`` has something else to compare with.
    notes : mapping, default={}
        Reasons for differences that are known, by data set or by (data set, method).
    absent : mapping of str to str, default={}
        Data sets that we do not have, and why.
    judge : callable, default=None
        ``judge(recorded)`` takes a `RecordedPart` and returns `Verdicts`; needed
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
class RecordedPart:
    """A part and its records: what a judge needs.

    Parameters
    ----------
    part : Part
    plan : Plan
        Outline of the part's plan, full or quick.
    records : list of Record
        What a store has of it.
    missing : mapping of str to str
        Data sets that could not be loaded, and why.
    """

    part: Part
    plan: Plan
    records: list[Record]
    missing: Mapping[str, str]

    @property
    def quick(self) -> bool:
        """Whether the records are those of the quick subset."""
        return self.plan.name != self.part.name


@dataclass(frozen=True)
class Reproduction(Description):
    """A published result, or a claim of ours, that anybody can check again.

    Parameters
    ----------
    name, title, source, shows, minutes, quick_minutes, n_folds
        See `manyminds.reproductions.description.Description`.
    parts : sequence of Part, default=()
        One plan each.
    claims : callable, default=None
        ``claims(records)`` returns a list of `Claim` that need the records of several
        parts, which it gets by the names of the parts.
    """

    parts: tuple[Part, ...] = ()
    claims: Callable[..., Any] | None = None

    @classmethod
    def of(
        cls,
        description: Description,
        parts: tuple[Part, ...],
        claims: Callable[..., Any] | None = None,
    ) -> "Reproduction":
        """Return the reproduction of a description."""
        return cls(**vars(description), parts=parts, claims=claims)


def name_plan(name: str, quick: bool) -> str:
    """Return the name of a plan in a store; that of a quick subset differs."""
    return f"{name} (quick)" if quick else name


def list_sources(
    names: Iterable[str], load: Callable[[Find, str], Dataset], find: Find
) -> list[DataSource]:
    """Return data sets that are loaded when a plan needs them.

    Parameters
    ----------
    names : iterable of str
    load : callable
        ``load(find, name)`` returns the `Dataset` as the paper prepared it.
    find : callable
        See `Part`.

    Returns
    -------
    sources : list of DataSource
    """
    return [DataSource(name, partial(load, find, name)) for name in names]


def read_published_cells(package: str, table: str) -> dict[Place, PublishedValue]:
    """Read a printed table with the columns dataset, method, mean and std.

    Parameters
    ----------
    package, table : str
        See `read_printed_rows`.

    Returns
    -------
    cells : dict of (dataset, method) to PublishedValue
    """
    return {
        (row["dataset"], row["method"]): PublishedValue(
            float(row["mean"]), float(row["std"]) if row["std"] else None
        )
        for row in read_printed_rows(package, table)
    }


def read_printed_rows(package: str, table: str) -> list[dict[str, str]]:
    """Read the rows of a printed table.

    Parameters
    ----------
    package : str
        Folder of the paper, as in ``__package__``.
    table : str
        Name of a CSV file in its folder ``tables``, without suffix.

    Returns
    -------
    rows : list of dict
    """
    file = files(package) / "tables" / f"{table}.csv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def _find_nothing(name: str) -> Dataset:
    raise LookupError(f"{name} is not loaded for the outline of a plan.")
