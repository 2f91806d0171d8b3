"""What there is to say about a table before a model is made: plain dataclasses."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnSummary:
    """One column.

    Parameters
    ----------
    name : str
    kind : {"number", "category"}
    n_missing : int
        Missing cells.
    n_distinct : int
        Different values, without missing.
    low, mean, high : float or None
        Of a column of numbers.
    most_frequent : str or None
        Of a column of categories.
    score : float or None
        Share of the target's variance that the column explains alone, adjusted for the
        number of its categories; None if it was not computed.
    notes : tuple of str
        What is odd about it.
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
class TargetSummary:
    """What is to be predicted.

    Parameters
    ----------
    task : str
    counts : dict of str to int
        Rows of each class or label, the frequent ones first; empty for numbers.
    quantiles : dict of str to float
        Lowest, quartiles, highest and mean of numbers; empty for classes.
    edges, heights : tuple
        A histogram of numbers: ends of the bars, and rows in each.
    """

    task: str
    counts: dict[str, int]
    quantiles: dict[str, float]
    edges: tuple[float, ...] = ()
    heights: tuple[int, ...] = ()


@dataclass(frozen=True)
class ClusterSummary:
    """Rows that are about as hard as each other.

    Parameters
    ----------
    n_rows : int
    mri : float
        Their mean multi-resolution index.
    profile, low, high : tuple of float
        Mean profile over the radii, and its middle half.
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
class ComplexitySummary:
    """How hard the rows are by what is near them.

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
        Rows that were measured.
    """

    mri: float
    by_class: dict[str, float]
    radii: tuple[float, ...]
    clusters: tuple[ClusterSummary, ...]
    hardest: tuple[HardRow, ...]
    n_rows: int


@dataclass(frozen=True)
class DataSummary:
    """A table and its target.

    Parameters
    ----------
    name : str
    source : str
    n_rows, n_columns : int
    n_missing : int
        Missing cells of all columns.
    n_duplicates : int
        Rows that are the same as an earlier one, target included.
    target : TargetSummary
    columns : tuple of ColumnSummary
        In the order of the table.
    score : float or None
        Share of the target's variance that all columns explain together, adjusted for
        their number; None if it was not computed.
    complexity : ComplexitySummary or None
        None if it was not computed.
    notes : tuple of str
        What was left out, and what deserves a look.
    """

    name: str
    source: str
    n_rows: int
    n_columns: int
    n_missing: int
    n_duplicates: int
    target: TargetSummary
    columns: tuple[ColumnSummary, ...]
    score: float | None
    complexity: ComplexitySummary | None
    notes: tuple[str, ...]

    @property
    def ranked(self) -> tuple[ColumnSummary, ...]:
        """Columns with a score, the highest first."""
        scored = [one for one in self.columns if one.score is not None]
        return tuple(sorted(scored, key=lambda one: -(one.score or 0.0)))
