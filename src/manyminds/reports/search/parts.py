"""What there is to say about a search: plain dataclasses."""

from dataclasses import dataclass

from manyminds.reports.data.parts import TargetSummary


@dataclass(frozen=True)
class TableFacts:
    """The table that was searched on, at a glance.

    Parameters
    ----------
    name : str
    source : str
    fingerprint : str
        Digits that stand for its content.
    n_rows, n_columns : int
    n_numbers, n_categories : int
        Columns of each kind.
    n_missing : int
        Missing cells.
    sparse : bool
    target_name : str
    target : TargetSummary
    """

    name: str
    source: str
    fingerprint: str
    n_rows: int
    n_columns: int
    n_numbers: int
    n_categories: int
    n_missing: int
    sparse: bool
    target_name: str
    target: TargetSummary


@dataclass(frozen=True)
class ChainRow:
    """A chain that went through all folds.

    Parameters
    ----------
    rank : int
    score, low, high : float
        Score of the pooled out-of-fold predictions, and an interval with the width of
        Student's t over the folds.
    learner, chain, stage : str
    seconds : float
        Taken by all folds.
    trial : int
        Its number in the study.
    """

    rank: int
    score: float
    low: float
    high: float
    learner: str
    chain: str
    stage: str
    seconds: float
    trial: int


@dataclass(frozen=True)
class HonestFacts:
    """What to expect on new rows, and the score by which the model was chosen.

    The first three are None, with a reason, where they could not be estimated.
    """

    score: float | None
    low: float | None
    high: float | None
    naive: float
    level: float
    n_candidates: int
    method: str
    reason: str = ""


@dataclass(frozen=True)
class MemberRow:
    """A chain of the model that was chosen, and its share of the vote."""

    chain: str
    weight: float


@dataclass(frozen=True)
class SelectedFeature:
    """A column, and the share of the folds in which it was selected."""

    feature: str
    frequency: float


@dataclass(frozen=True)
class ImportantColumn:
    """A column, and by how much the score falls where its values are shuffled."""

    feature: str
    fall: float
    deviation: float


@dataclass(frozen=True)
class SearchSummary:
    """What a search found, as ``search.json`` keeps it.

    Parameters
    ----------
    table : TableFacts
    task, metric : str
    higher_is_better : bool
    n_folds : int
    seed : int
    honest : HonestFacts
    best : str
        The best chain.
    members : tuple of MemberRow
        Chains of the committee; empty if the best chain was better alone.
    leaderboard : tuple of ChainRow
        The best first.
    n_trials : int
        All that were begun, also those that were stopped or failed.
    outcomes : dict of str to int
        How many trials ended in which way.
    selection : tuple of SelectedFeature
        Of the best chain, the most frequent first, at most a thousand.
    n_selected, n_always : int
        Columns that some fold selected, and that all did.
    n_selectable : int or None
        Columns of the table; None where those selected from were made of categories.
    stability : float or None
        Nogueira's measure over the folds; None where it says nothing.
    importance : tuple of ImportantColumn
        Of the best chain, the most important first; empty where it takes so many
        columns that single ones hardly matter.
    seconds : float
        That the search and the final fit took.
    command, date : str
    versions : dict of str to str
    """

    table: TableFacts
    task: str
    metric: str
    higher_is_better: bool
    n_folds: int
    seed: int
    honest: HonestFacts
    best: str
    members: tuple[MemberRow, ...]
    leaderboard: tuple[ChainRow, ...]
    n_trials: int
    outcomes: dict[str, int]
    selection: tuple[SelectedFeature, ...]
    n_selected: int
    n_always: int
    n_selectable: int | None
    stability: float | None
    importance: tuple[ImportantColumn, ...]
    seconds: float
    command: str
    date: str
    versions: dict[str, str]


@dataclass(frozen=True)
class TracePoint:
    """A trial that ended: when, with what score, and the best so far."""

    trial: int
    stage: str
    state: str
    score: float
    best: float


@dataclass(frozen=True)
class Curve:
    """Of a class against all others: rates of false and true alarms, and their area."""

    label: str
    false_rates: tuple[float, ...]
    true_rates: tuple[float, ...]
    area: float


@dataclass(frozen=True)
class CalibrationBin:
    """Rows of about one probability, and how often it came true."""

    told: float
    observed: float
    n_rows: int


@dataclass(frozen=True)
class Confusion:
    """Rows of a class that were taken for another."""

    label: str
    taken_for: str
    n_rows: int
    share: float


@dataclass(frozen=True)
class ClassErrors:
    """Errors of out-of-fold predictions of classes.

    Parameters
    ----------
    labels : tuple of str
    counts : tuple of tuple of int
        Rows of a class, by the class that was predicted.
    recalls, precisions : tuple of float
        NaN for the precision of a class that was never predicted.
    curves : tuple of Curve
        One if there are two classes, else one per class.
    calibration : tuple of CalibrationBin
    calibrated : str
        Which probability the bins are of.
    calibration_error : float
        Mean distance of what was told and what was observed, over the rows.
    worst : tuple of Confusion
        The most frequent first.
    n_wrong : int
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    recalls: tuple[float, ...]
    precisions: tuple[float, ...]
    curves: tuple[Curve, ...]
    calibration: tuple[CalibrationBin, ...]
    calibrated: str
    calibration_error: float
    worst: tuple[Confusion, ...]
    n_wrong: int


@dataclass(frozen=True)
class NumberErrors:
    """Errors of out-of-fold predictions of numbers.

    Parameters
    ----------
    true, predicted : tuple of float
        Of at most a few thousand rows, drawn at random.
    edges, heights : tuple
        Histogram of predicted minus true.
    rmse, mae, median, bias, r2 : float
    worst : tuple of (int, float, float)
        Number of the row from 1, true and predicted.
    """

    true: tuple[float, ...]
    predicted: tuple[float, ...]
    edges: tuple[float, ...]
    heights: tuple[int, ...]
    rmse: float
    mae: float
    median: float
    bias: float
    r2: float
    worst: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True)
class Diversity:
    """How much the members of a committee differ.

    Parameters
    ----------
    members : tuple of MemberRow
    scores : tuple of float
        Of each member alone, out of fold.
    committee : float
        Of all of them together, by the same folds.
    differences : tuple of tuple of float
        Share of rows on which two members answer differently, or 1 minus the
        correlation of their errors if numbers are predicted.
    kappas : tuple of tuple of float
        Cohen's kappa of two members; empty for numbers.
    """

    members: tuple[MemberRow, ...]
    scores: tuple[float, ...]
    committee: float
    differences: tuple[tuple[float, ...], ...]
    kappas: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class ComplexityMap:
    """Rows on two axes, how hard they are, and which were predicted wrongly.

    Parameters
    ----------
    x, y, mri : tuple of float
        Place on the first two principal components, multi-resolution index.
    wrong : tuple of bool
    axes : tuple of str
    area : float or None
        Area under the curve of the index as a guess of the errors; None if there are
        no errors.
    note : str
        Which rows and columns were left out.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    mri: tuple[float, ...]
    wrong: tuple[bool, ...]
    axes: tuple[str, str]
    area: float | None
    note: str


@dataclass(frozen=True)
class SearchDetails:
    """What only the page shows: course of the search, errors, differences.

    Parameters
    ----------
    trace : tuple of TracePoint
    classes : ClassErrors or None
    numbers : NumberErrors or None
    diversity : Diversity or None
        None without a committee.
    complexity : ComplexityMap or None
        None for numbers, and where no distance can be measured.
    """

    trace: tuple[TracePoint, ...]
    classes: ClassErrors | None
    numbers: NumberErrors | None
    diversity: Diversity | None
    complexity: ComplexityMap | None
