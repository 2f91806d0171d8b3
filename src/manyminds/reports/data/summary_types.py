"""Dataclasses of the summary of a table: plain values."""

from dataclasses import dataclass

from manyminds.analysis import Pitfall
from manyminds.reports.shared.table import TableFacts


@dataclass(frozen=True)
class ColumnSummary:
    """Statistics of one column.

    Parameters
    ----------
    name : str
    kind : {"number", "category"}
    n_missing : int
        Missing cells.
    n_distinct : int
        Distinct values, without missing ones.
    low, mean, high : float or None
        Minimum, mean and maximum of numbers.
    most_frequent : str or None
        Most frequent category.
    score : float or None
        Share of the target's variance that the column explains alone, adjusted for the
        number of its categories; None if it was not computed.
    notes : tuple of str
        What is unusual about it.
    """

    name: str
    kind: str
    n_missing: int
    n_distinct: int
    low: float | None
    mean: float | None
    high: float | None
    most_frequent: str | None
    score: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class ClusterSummary:
    """Rows of similar complexity.

    Parameters
    ----------
    n_rows : int
    mri : float
        Their mean multi-resolution index.
    profile, low, high : tuple of float
        Mean profile over the radii, and its quartiles.
    """

    n_rows: int
    mri: float
    profile: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class HardRow:
    """A row that its neighborhood does not support.

    Parameters
    ----------
    row : int
        Its number in the table, the first being 1.
    label : str
        Its class.
    mri : float
        Its multi-resolution index; 1 is the hardest.
    """

    row: int
    label: str
    mri: float


@dataclass(frozen=True)
class MapPoint:
    """A row on the map of the table.

    Parameters
    ----------
    row : int
        Its number in the table, the first being 1.
    x, y : float
        Its place on the first two principal components.
    label : str
    mri : float
    """

    row: int
    x: float
    y: float
    label: str
    mri: float


@dataclass(frozen=True)
class ComplexitySummary:
    """Complexity of the rows, by the classes in their neighborhoods.

    Parameters
    ----------
    mri : float
        Mean multi-resolution index of all rows: 0 easy, 1 hard.
    by_class : dict of str to float
        The same for each class.
    radii : tuple of float
    clusters : tuple of ClusterSummary
        The hardest first; none is empty.
    hardest : tuple of HardRow
        The hardest first.
    n_rows : int
        Number of rows measured.
    points : tuple of MapPoint, default=()
        The hardest rows and a random sample of the others, in two dimensions.
    axes : tuple of str, default=("", "")
        Names of the two dimensions.
    mri_std_error : float, default=0.0
        Standard error of the mean index because rows were drawn; 0 if none were.
    """

    mri: float
    by_class: dict[str, float]
    radii: tuple[float, ...]
    clusters: tuple[ClusterSummary, ...]
    hardest: tuple[HardRow, ...]
    n_rows: int
    points: tuple[MapPoint, ...] = ()
    axes: tuple[str, str] = ("", "")
    mri_std_error: float = 0.0


@dataclass(frozen=True, kw_only=True)
class DataSummary(TableFacts):
    """A table, its columns, and the complexity of its rows.

    Parameters
    ----------
    name : str
    source : str
    n_rows, n_columns : int
    n_missing : int
        Missing cells of all columns.
    n_duplicates : int
        Rows equal to an earlier one, target included.
    target : TargetSummary
    columns : tuple of ColumnSummary
        In the order of the table.
    score : float or None
        Share of the target's variance that all columns explain together, adjusted for
        their number; None if it was not computed.
    complexity : ComplexitySummary or None
        None if it was not computed.
    notes : tuple of str
        What was left out, and what to check.
    pitfalls : tuple of Pitfall, default=()
        What may mislead a model or its validation: see
        `manyminds.analysis.find_pitfalls`.
    """

    n_duplicates: int
    columns: tuple[ColumnSummary, ...]
    score: float | None
    complexity: ComplexitySummary | None
    notes: tuple[str, ...]
    pitfalls: tuple[Pitfall, ...] = ()

    @property
    def ranked(self) -> tuple[ColumnSummary, ...]:
        """Columns with a score, the highest first."""
        scored = [one for one in self.columns if one.score is not None]
        return tuple(sorted(scored, key=lambda one: -(one.score or 0.0)))
