"""Dataclasses of a search's summary and of its page: plain values."""

from dataclasses import dataclass, field

from manyminds.analysis import CoverageEstimate
from manyminds.reports.search.decisions import OneClass
from manyminds.reports.shared.table import TableFacts
from manyminds.search import HonestScore


@dataclass(frozen=True, kw_only=True)
class SearchedTable(TableFacts):
    """The table that was searched on; see `TableFacts`.

    Parameters
    ----------
    fingerprint : str
        Hash of its content.
    n_numbers, n_categories : int
        Numeric and categorical columns.
    sparse : bool
    target_name : str
    """

    fingerprint: str
    n_numbers: int
    n_categories: int
    sparse: bool
    target_name: str


@dataclass(frozen=True)
class PipelineRow:
    """A pipeline that was evaluated on all folds.

    Parameters
    ----------
    rank : int
    score, low, high : float
        Score of the pooled out-of-fold predictions, and an interval with the width of
        Student's t interval over the folds.
    learner, pipeline, stage : str
    seconds : float
        Time of all folds.
    trial : int
        Its number in the study.
    """

    rank: int
    score: float
    low: float
    high: float
    learner: str
    pipeline: str
    stage: str
    seconds: float
    trial: int


@dataclass(frozen=True)
class MemberRow:
    """A pipeline of the chosen committee, and its share of the vote."""

    pipeline: str
    weight: float


@dataclass(frozen=True)
class SelectedFeature:
    """A column, and the share of the folds that selected it."""

    feature: str
    frequency: float


@dataclass(frozen=True)
class ImportantColumn:
    """A column, and the mean and standard deviation of its permutation importance."""

    feature: str
    importance: float
    std: float


@dataclass(frozen=True)
class LabelRow:
    """Errors of the out-of-fold predictions of one of many labels.

    Parameters
    ----------
    label : str
    n_rows, n_predicted : int
        Rows that have it, and that are predicted to have it.
    precision, recall, f1 : float
        0 / 0 counts as 1 if nothing was to be found.
    area : float
        Under the ROC curve; NaN if all rows have it, or none.
    """

    label: str
    n_rows: int
    n_predicted: int
    precision: float
    recall: float
    f1: float
    area: float


@dataclass(frozen=True)
class SearchSummary:
    """Results of a search, as ``search.json`` stores them.

    Parameters
    ----------
    table : SearchedTable
    task, metric : str
    higher_is_better : bool
    n_folds : int
    seed : int
    honest : HonestScore
    best : str
        The best pipeline.
    members : tuple of MemberRow
        Pipelines of the committee; empty if the best pipeline alone was chosen.
    leaderboard : tuple of PipelineRow
        The best first.
    n_trials : int
        All that were started, including pruned and failed ones.
    outcomes : dict of str to int
        Number of trials in each final state.
    selection : tuple of SelectedFeature
        Of the best pipeline, the most frequent first, at most a thousand.
    n_selected, n_always : int
        Columns that some fold selected, and that all folds selected.
    n_selectable : int or None
        Columns of the table; None if the candidates were encoded categories.
    stability : float or None
        Nogueira's measure over the folds; None if it is undefined.
    importance : tuple of ImportantColumn
        Of the model, the most important first; empty if none was measured.
    seconds : float
        Time of the search and the final fit.
    command, date : str
    versions : dict of str to str
    labels : tuple of LabelRow, default=()
        One for each of many labels, out of fold.
    measures : dict of str to float, default={}
        All measures of many labels, out of fold, not corrected for selection bias.
    n_tested : int, default=0
        Rows that are in a test fold; 0 in files of earlier versions, which tested all.
    group, time, fold, weight : str, default=""
        Columns of groups that stay together, of times, of test folds and of weights.
    coverage : tuple of CoverageEstimate, default=()
        Measured coverage of prediction intervals or sets, one for each level.
    class_weights : dict of str to float, default={}
        By which decisions are tuned; empty if the most likely class is predicted.
    one_class : OneClass or None, default=None
    importance_note : str, default=""
        Why no importance was measured.
    """

    table: SearchedTable
    task: str
    metric: str
    higher_is_better: bool
    n_folds: int
    seed: int
    honest: HonestScore
    best: str
    members: tuple[MemberRow, ...]
    leaderboard: tuple[PipelineRow, ...]
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
    labels: tuple[LabelRow, ...] = ()
    measures: dict[str, float] = field(default_factory=dict)
    n_tested: int = 0
    group: str = ""
    time: str = ""
    fold: str = ""
    weight: str = ""
    coverage: tuple[CoverageEstimate, ...] = ()
    class_weights: dict[str, float] = field(default_factory=dict)
    one_class: OneClass | None = None
    importance_note: str = ""


@dataclass(frozen=True)
class TracePoint:
    """A finished trial: its state, its score, and the best score so far."""

    trial: int
    stage: str
    state: str
    score: float
    best: float


@dataclass(frozen=True)
class Curve:
    """A curve of a class against all others, such as its ROC curve.

    Parameters
    ----------
    label : str
    x, y : tuple of float
        False and true positive rates, or recalls and precisions.
    thresholds : tuple of float
        Probability from which on rows are predicted to have the class, at each point.
    area : float
        Under the curve; the average precision of precisions.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    thresholds: tuple[float, ...]
    area: float


@dataclass(frozen=True)
class CalibrationBin:
    """Rows of similar predicted probability, and the observed frequency."""

    predicted: float
    observed: float
    n_rows: int


@dataclass(frozen=True)
class Confusion:
    """Rows of a class that were predicted as another."""

    label: str
    predicted: str
    n_rows: int
    share: float


@dataclass(frozen=True)
class ClassErrors:
    """Errors of the out-of-fold predictions of a classifier.

    Parameters
    ----------
    labels : tuple of str
    counts : tuple of tuple of int
        Confusion matrix: true classes in rows, predicted ones in columns.
    recalls, precisions : tuple of float
        NaN for the precision of a class that was never predicted.
    curves : tuple of Curve
        ROC curves: one if there are two classes, else one per class.
    calibration : tuple of CalibrationBin
    calibrated : str
        Which probability the bins are of.
    calibration_error : float
        Expected calibration error over the bins.
    worst : tuple of Confusion
        The most frequent first.
    n_wrong : int
        Misclassified rows.
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
    """Errors of the out-of-fold predictions of a regressor.

    Parameters
    ----------
    true, predicted : tuple of float
        Of a random sample of the rows if there are many.
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
    """Scores and pairwise diversity of the members of a committee.

    Parameters
    ----------
    members : tuple of MemberRow
    scores : tuple of float
        Of each member alone, out of fold.
    committee : float
        Of the committee, on the same folds.
    differences : tuple of tuple of float
        Share of rows on which two members disagree, or 1 minus the correlation of
        their errors if numbers are predicted. Of many labels, the share of pairs of a
        row and a label.
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
    """Rows in two dimensions, their complexity, and which were misclassified.

    Parameters
    ----------
    x, y, mri : tuple of float
        Coordinates on the first two principal components; multi-resolution index.
    wrong : tuple of bool
    axes : tuple of str
    area : float or None
        Area under the ROC curve of the index as a predictor of the errors; None if
        there are no errors.
    note : str
        Which rows and columns were sampled.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    mri: tuple[float, ...]
    wrong: tuple[bool, ...]
    axes: tuple[str, str]
    area: float | None
    note: str


@dataclass(frozen=True)
class LabelCounts:
    """How many rows have 0, 1, 2 and more of many labels, and are predicted to.

    Parameters
    ----------
    true, predicted : tuple of int
        Number of rows, by their number of labels from 0 on.
    """

    true: tuple[int, ...]
    predicted: tuple[int, ...]


@dataclass(frozen=True)
class SearchDetails:
    """What only the page shows: history, errors, diversity and complexity.

    Parameters
    ----------
    trace : tuple of TracePoint
    classes : ClassErrors or None
    numbers : NumberErrors or None
    diversity : Diversity or None
        None without a committee.
    complexity : ComplexityMap or None
        None for numbers and many labels, and if no distance can be measured.
    cardinalities : LabelCounts or None, default=None
        Only of many labels.
    """

    trace: tuple[TracePoint, ...]
    classes: ClassErrors | None
    numbers: NumberErrors | None
    diversity: Diversity | None
    complexity: ComplexityMap | None
    cardinalities: LabelCounts | None = None
