"""Measure the out-of-fold predictions of a search, as its folder holds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import (
    auc,
    average_precision_score,
    precision_recall_curve,
    roc_curve,
)

from manyminds.reports.search.prediction_errors import measure_number_errors
from manyminds.reports.search.summary_types import NumberErrors

__all__ = [
    "ClassCurves",
    "ClassResult",
    "HardRow",
    "Predictions",
    "measure_classes",
    "measure_numbers",
    "read_predictions",
]

PREFIX = "probability "
MAX_CURVE_POINTS = 60
MAX_CURVES = 8
N_BINS = 10
N_HARD = 12
N_WORST = 10


@dataclass(frozen=True)
class Predictions:
    """Out-of-fold predictions of classes or numbers.

    Parameters
    ----------
    rows : ndarray of int
        Numbers of the rows in the table, from 1.
    target, prediction : ndarray
        Text of the classes, or numbers.
    labels : tuple of str
        The classes; empty for numbers.
    probabilities : ndarray of shape (n_samples, n_classes)
    """

    rows: np.ndarray
    target: np.ndarray
    prediction: np.ndarray
    labels: tuple[str, ...]
    probabilities: np.ndarray


@dataclass(frozen=True)
class ClassCurves:
    """ROC curve, and curve of precision over recall, of a class against the others."""

    label: str
    false_rates: tuple[float, ...]
    true_rates: tuple[float, ...]
    roc_thresholds: tuple[float, ...]
    roc_area: float
    recalls: tuple[float, ...]
    precisions: tuple[float, ...]
    pr_thresholds: tuple[float, ...]
    average_precision: float


@dataclass(frozen=True)
class HardRow:
    """A row that is predicted badly: its true class or number, and the prediction.

    Parameters
    ----------
    row : int
        Its number in the table, from 1.
    true, predicted : str
    measure : float
        Probability of the true class, or the error.
    """

    row: int
    true: str
    predicted: str
    measure: float


@dataclass(frozen=True)
class ClassResult:
    """Errors of a classifier, out of fold.

    Parameters
    ----------
    labels : tuple of str
    counts : tuple of tuple of int
        Confusion matrix: true classes in rows, predicted ones in columns.
    recalls, precisions : tuple of float
        NaN where there is nothing to divide by.
    n_rows, n_wrong : int
    curves : tuple of ClassCurves
        One if there are two classes; else one per class, the lowest areas first.
    bins : tuple of (float, float, int)
        Mean probability, observed frequency and number of rows.
    calibrated : str
        Which probability the bins are of.
    calibration_error : float
    hard : tuple of HardRow
    worst : tuple of (str, str, int, float)
        The most frequent confusions: class, prediction, number of rows, and their share
        of the class.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    recalls: tuple[float, ...]
    precisions: tuple[float, ...]
    n_rows: int
    n_wrong: int
    curves: tuple[ClassCurves, ...]
    bins: tuple[tuple[float, float, int], ...]
    calibrated: str
    calibration_error: float
    hard: tuple[HardRow, ...]
    worst: tuple[tuple[str, str, int, float], ...]


def read_predictions(file: Path, task: str) -> Predictions | None:
    """Read ``predictions.csv`` of a search.

    Parameters
    ----------
    file : Path
    task : {"classification", "regression", "multilabel"}

    Returns
    -------
    predictions : Predictions or None
        None for many labels, or if there is no such file.
    """
    if task == "multilabel" or not file.is_file():
        return None
    if task == "regression":
        frame = pd.read_csv(file)
        target, made = (frame[one].to_numpy(float) for one in ("target", "prediction"))
        rows = frame["row"].to_numpy()
        return Predictions(rows, target, made, (), np.empty((len(rows), 0)))
    frame = pd.read_csv(
        file, dtype={"target": str, "prediction": str}, keep_default_na=False
    )
    names = [name for name in frame.columns if name.startswith(PREFIX)]
    return Predictions(
        rows=frame["row"].to_numpy(),
        target=frame["target"].to_numpy(object),
        prediction=frame["prediction"].to_numpy(object),
        labels=tuple(name.removeprefix(PREFIX) for name in names),
        probabilities=frame[names].to_numpy(np.float64),
    )


def measure_classes(found: Predictions) -> ClassResult:
    """Measure the errors of predicted classes.

    Parameters
    ----------
    found : Predictions

    Returns
    -------
    result : ClassResult

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.serve.measures import Predictions, measure_classes
    >>> labels = ("no", "yes")
    >>> found = Predictions(
    ...     np.array([1, 2, 3]),
    ...     np.array(["no", "yes", "no"], object),
    ...     np.array(["no", "yes", "yes"], object),
    ...     labels,
    ...     np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]]),
    ... )
    >>> result = measure_classes(found)
    >>> result.counts, result.n_wrong, result.hard[0].row
    (((1, 1), (0, 1)), 1, 3)
    """
    place = {label: k for k, label in enumerate(found.labels)}
    true = np.array([place[one] for one in found.target], dtype=np.int64)
    made = np.array([place[one] for one in found.prediction], dtype=np.int64)
    n_classes = len(found.labels)
    counts = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(counts, (true, made), 1)
    with np.errstate(invalid="ignore"):
        recalls = np.diag(counts) / counts.sum(axis=1)
        precisions = np.diag(counts) / counts.sum(axis=0)
    totals = np.maximum(found.probabilities.sum(axis=1, keepdims=True), 1e-300)
    shares = found.probabilities / totals
    if n_classes == 2:
        name, sure, came = f"probability of {found.labels[1]}", shares[:, 1], true == 1
    else:
        name, sure, came = "highest probability", shares.max(axis=1), made == true
    bins = _make_bins(sure, came)
    return ClassResult(
        labels=found.labels,
        counts=tuple(tuple(row) for row in counts.tolist()),
        recalls=tuple(recalls.tolist()),
        precisions=tuple(precisions.tolist()),
        n_rows=len(true),
        n_wrong=int((made != true).sum()),
        curves=_make_curves(shares, true, found.labels),
        bins=bins,
        calibrated=name,
        calibration_error=sum(abs(p - o) * n for p, o, n in bins) / len(true),
        hard=_find_hard(found, shares[np.arange(len(true)), true], made != true),
        worst=_list_confusions(counts, found.labels),
    )


def measure_numbers(found: Predictions) -> tuple[NumberErrors, tuple[HardRow, ...]]:
    """Measure the errors of predicted numbers, and list the largest.

    Parameters
    ----------
    found : Predictions

    Returns
    -------
    errors : NumberErrors
    hard : tuple of HardRow
    """
    errors = measure_number_errors(found.prediction, found.target, rows=found.rows - 1)
    hard = tuple(
        HardRow(row, f"{true:.6g}", f"{made:.6g}", made - true)
        for row, true, made in errors.worst
    )
    return errors, hard


def _make_bins(
    sure: np.ndarray, came: np.ndarray
) -> tuple[tuple[float, float, int], ...]:
    """Bin rows by probability into bins of equal size."""
    order = np.argsort(sure, kind="stable")
    bins = np.array_split(order, min(N_BINS, len(order)))
    return tuple((float(sure[b].mean()), float(came[b].mean()), len(b)) for b in bins)


def _make_curves(
    shares: np.ndarray, true: np.ndarray, labels: Sequence[str]
) -> tuple[ClassCurves, ...]:
    places = [1] if len(labels) == 2 else range(len(labels))
    known = [k for k in places if 0 < (true == k).sum() < len(true)]
    curves = [_make_curve(shares[:, k], true == k, labels[k]) for k in known]
    return tuple(sorted(curves, key=lambda one: one.roc_area)[:MAX_CURVES])


def _make_curve(share: np.ndarray, has: np.ndarray, label: str) -> ClassCurves:
    false, hit, limits = roc_curve(has, share)
    area = float(auc(false, hit))
    precision, recall, cuts = precision_recall_curve(has, share)
    cuts = np.append(cuts, 1.0)  # nothing is predicted to be the class
    limits[0] = 1.0  # infinity
    kept, chosen = _thin(len(false)), _thin(len(recall))
    return ClassCurves(
        label=label,
        false_rates=tuple(false[kept].tolist()),
        true_rates=tuple(hit[kept].tolist()),
        roc_thresholds=tuple(limits[kept].tolist()),
        roc_area=area,
        recalls=tuple(recall[chosen].tolist()),
        precisions=tuple(precision[chosen].tolist()),
        pr_thresholds=tuple(cuts[chosen].tolist()),
        average_precision=float(average_precision_score(has, share)),
    )


def _thin(n_points: int) -> np.ndarray:
    """Return positions of at most ``MAX_CURVE_POINTS`` points, with both ends."""
    n_kept = min(n_points, MAX_CURVE_POINTS)
    return np.unique(np.linspace(0, n_points - 1, n_kept).round().astype(np.int64))


def _list_confusions(
    counts: np.ndarray, labels: Sequence[str]
) -> tuple[tuple[str, str, int, float], ...]:
    """List the largest counts off the diagonal."""
    off = counts - np.diag(np.diag(counts))
    order = np.argsort(-off, axis=None, kind="stable")[:N_WORST]
    pairs = zip(*np.unravel_index(order, off.shape))
    totals = counts.sum(axis=1)
    return tuple(
        (labels[i], labels[j], int(off[i, j]), float(off[i, j] / totals[i]))
        for i, j in pairs
        if off[i, j]
    )


def _find_hard(
    found: Predictions, share: np.ndarray, wrong: np.ndarray
) -> tuple[HardRow, ...]:
    """List misclassified rows, those with the least probable true class first."""
    order = np.lexsort((share, ~wrong))[:N_HARD]
    return tuple(
        HardRow(
            int(found.rows[i]), str(found.target[i]), str(found.prediction[i]),
            float(share[i]),
        )
        for i in order
        if wrong[i]
    )  # fmt: skip
