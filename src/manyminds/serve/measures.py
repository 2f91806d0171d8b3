"""Measure the out-of-fold predictions of a search, as its folder holds them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from manyminds.reports.search.curves import make_precision_recall_curves
from manyminds.reports.search.prediction_errors import (
    measure_class_errors,
    measure_number_errors,
)
from manyminds.reports.search.summary_types import ClassErrors, Curve, NumberErrors

__all__ = [
    "ClassResult",
    "HardRow",
    "LabelPredictions",
    "Predictions",
    "measure_classes",
    "measure_numbers",
    "normalize",
    "read_label_predictions",
    "read_predictions",
]

PREFIX, TARGET = "probability ", "target "
N_POINTS = 60  # of a curve
MAX_CURVES = 8
N_HARD = 12


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
class LabelPredictions:
    """Out-of-fold predictions of many labels.

    Parameters
    ----------
    labels : tuple of str
    has : ndarray of bool of shape (n_samples, n_labels)
        Whether a row has a label.
    probabilities : ndarray of shape (n_samples, n_labels)
    """

    labels: tuple[str, ...]
    has: np.ndarray
    probabilities: np.ndarray


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
    """What a page shows of the errors of a classifier, out of fold.

    Parameters
    ----------
    errors : ClassErrors
    roc, precision_recall : tuple of Curve
        Of at most eight classes, those with the lowest area under the ROC curve first.
    hard : tuple of HardRow
    n_rows : int
    """

    errors: ClassErrors
    roc: tuple[Curve, ...]
    precision_recall: tuple[Curve, ...]
    hard: tuple[HardRow, ...]
    n_rows: int


def read_predictions(file: Path, task: str) -> Predictions | None:
    """Read ``predictions.csv`` of a search.

    Parameters
    ----------
    file : Path
    task : {"classification", "regression", "multilabel"}

    Returns
    -------
    predictions : Predictions or None
        None for many labels (see `read_label_predictions`), or without such a file.
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


def read_label_predictions(file: Path) -> LabelPredictions | None:
    """Read ``predictions.csv`` of a search of many labels.

    Parameters
    ----------
    file : Path

    Returns
    -------
    predictions : LabelPredictions or None
        None if there is no such file, or it has no probabilities.
    """
    if not file.is_file():
        return None
    frame = pd.read_csv(file)
    labels = [one.removeprefix(TARGET) for one in frame if one.startswith(TARGET)]
    if not labels or not all(PREFIX + one in frame for one in labels):
        return None
    return LabelPredictions(
        tuple(labels),
        frame[[TARGET + one for one in labels]].to_numpy() == 1,
        frame[[PREFIX + one for one in labels]].to_numpy(np.float64),
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
    >>> result.errors.counts, result.errors.n_wrong, result.hard[0].row
    (((1, 1), (0, 1)), 1, 3)
    """
    place = {label: k for k, label in enumerate(found.labels)}
    true = np.array([place[one] for one in found.target], dtype=np.int64)
    made = np.array([place[one] for one in found.prediction], dtype=np.int64)
    shares = normalize(found.probabilities)
    errors = measure_class_errors(
        shares, true, np.array(found.labels, object), answers=made, n_points=N_POINTS
    )
    roc = tuple(sorted(errors.curves, key=lambda one: one.area)[:MAX_CURVES])
    others = make_precision_recall_curves(shares, true, found.labels, n_points=N_POINTS)
    precision = {one.label: one for one in others}
    return ClassResult(
        errors=errors,
        roc=roc,
        precision_recall=tuple(precision[one.label] for one in roc),
        hard=_find_hard(found, shares[np.arange(len(true)), true], made != true),
        n_rows=len(true),
    )


def normalize(probabilities: np.ndarray) -> np.ndarray:
    """Return probabilities that add up to 1 in each row."""
    totals = probabilities.sum(axis=1, keepdims=True)
    return np.asarray(probabilities / np.maximum(totals, 1e-300))


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
