"""Measure the errors of out-of-fold predictions, and the diversity of members."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import cohen_kappa_score, confusion_matrix, roc_auc_score

from manyminds.ensemble import measure_labels
from manyminds.reports.search.curves import MAX_CURVE_POINTS, make_roc_curves
from manyminds.reports.search.summary_types import (
    CalibrationBin,
    ClassErrors,
    Confusion,
    Diversity,
    LabelCounts,
    LabelRow,
    MemberRow,
    NumberErrors,
)
from manyminds.reports.shared.table import count_bars
from manyminds.search.choice.class_weights import decide_by

N_BINS = 10
MAX_POINTS = 2_000  # in a figure
N_WORST = 10
N_BARS = 30


def measure_class_errors(
    predictions: np.ndarray,
    codes: np.ndarray,
    classes: np.ndarray,
    class_weights: np.ndarray | None = None,
    *,
    answers: np.ndarray | None = None,
    n_points: int = MAX_CURVE_POINTS,
) -> ClassErrors:
    """Measure the errors of predicted probabilities.

    Parameters
    ----------
    predictions : ndarray of shape (n_samples, n_classes)
        Out-of-fold probabilities.
    codes : ndarray of shape (n_samples,)
        True classes, as positions in ``classes``.
    classes : ndarray of shape (n_classes,)
    class_weights : ndarray of shape (n_classes,), default=None
        The class with the greatest weighted probability is predicted.
    answers : ndarray of shape (n_samples,), default=None
        Predicted classes, as positions in ``classes``, if they are known already.
    n_points : int, default=150
        Points of each ROC curve.

    Returns
    -------
    errors : ClassErrors

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reports.search.prediction_errors import measure_class_errors
    >>> predictions = np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])
    >>> errors = measure_class_errors(
    ...     predictions, np.array([0, 1, 0]), np.array(["a", "b"])
    ... )
    >>> errors.counts, errors.n_wrong
    (((1, 1), (0, 1)), 1)
    """
    predictions = np.asarray(predictions, dtype=np.float64)
    totals = np.maximum(predictions.sum(axis=1, keepdims=True), 1e-300)
    predictions = predictions / totals
    if answers is None:
        answers = decide_by(predictions, class_weights).argmax(axis=1)
    counts = confusion_matrix(codes, answers, labels=np.arange(len(classes)))
    labels = tuple(str(label) for label in classes)
    with np.errstate(invalid="ignore"):
        recalls = np.diag(counts) / counts.sum(axis=1)
        precisions = np.diag(counts) / counts.sum(axis=0)
    if len(classes) == 2:  # the rarer one, or the second of equals
        rare = 0 if counts[0].sum() < counts[1].sum() else 1
        name = f"probability of {labels[rare]}"
        bins = _calibrate(predictions[:, rare], codes == rare)
    else:
        name = "highest probability of the row"
        bins = _calibrate(predictions.max(axis=1), answers == codes)
    return ClassErrors(
        labels=labels,
        counts=tuple(tuple(row) for row in counts.tolist()),
        recalls=tuple(recalls.tolist()),
        precisions=tuple(precisions.tolist()),
        curves=make_roc_curves(predictions, codes, labels, n_points=n_points),
        calibration=bins,
        calibrated=name,
        calibration_error=_mean_distance(bins),
        worst=_list_confusions(counts, labels),
        n_wrong=int((answers != codes).sum()),
    )


def find_calibration_limit(bins: Sequence[CalibrationBin]) -> float:
    """Return where the axes of a calibration curve end: 1, or less if all are small.

    Examples
    --------
    >>> from manyminds.reports.search.prediction_errors import find_calibration_limit
    >>> from manyminds.reports.search.summary_types import CalibrationBin
    >>> find_calibration_limit([CalibrationBin(0.02, 0.01, 50)])
    0.022
    """
    largest = max(max(one.predicted, one.observed) for one in bins)
    return round(1.1 * largest, 6) if 0.0 < largest < 0.5 else 1.0


def measure_number_errors(
    predictions: np.ndarray,
    y: np.ndarray,
    *,
    rows: np.ndarray | None = None,
    seed: int = 0,
) -> NumberErrors:
    """Measure the errors of predicted numbers.

    Parameters
    ----------
    predictions, y : ndarray of shape (n_samples,)
    rows : ndarray of int of shape (n_samples,), default=None
        Positions in the table; None: these are all of its rows.
    seed : int, default=0
        Seed of the sample of rows that is shown if there are many.

    Returns
    -------
    errors : NumberErrors

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reports.search.prediction_errors import measure_number_errors
    >>> errors = measure_number_errors(np.array([1.0, 4.0]), np.array([1.0, 2.0]))
    >>> errors.mae, errors.bias, errors.worst[0]
    (1.0, 1.0, (2, 2.0, 4.0))
    """
    predicted = np.asarray(predictions, dtype=np.float64)
    errors = predicted - y
    heights, edges = count_bars(errors, N_BARS)
    worst = np.argsort(-np.abs(errors), kind="stable")[:N_WORST]
    rows = np.arange(len(y)) if rows is None else rows
    shown = np.arange(len(y))
    if len(y) > MAX_POINTS:
        rng = np.random.default_rng(seed)
        shown = np.sort(rng.choice(len(y), MAX_POINTS, replace=False))
    spread = float(((y - y.mean()) ** 2).sum())
    return NumberErrors(
        true=tuple(y[shown].tolist()),
        predicted=tuple(predicted[shown].tolist()),
        edges=tuple(edges.tolist()),
        heights=tuple(heights.tolist()),
        rmse=float(np.sqrt((errors**2).mean())),
        mae=float(np.abs(errors).mean()),
        median=float(np.median(np.abs(errors))),
        bias=float(errors.mean()),
        r2=1.0 - float((errors**2).sum()) / spread if spread else float("nan"),
        worst=tuple(
            (int(rows[i]) + 1, float(y[i]), float(predicted[i])) for i in worst
        ),
    )


def measure_label_errors(
    predictions: np.ndarray, y: np.ndarray, names: Sequence[str]
) -> tuple[tuple[LabelRow, ...], dict[str, float], LabelCounts]:
    """Measure the errors of predicted labels: of each, of all, and of their number.

    Parameters
    ----------
    predictions : ndarray of shape (n_samples, n_labels)
        Out-of-fold scores; a row has the labels above 0.5.
    y : ndarray of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.
    names : sequence of str
        Of the labels.

    Returns
    -------
    labels : tuple of LabelRow
    measures : dict of str to float
        Those of `manyminds.ensemble.measure_labels`.
    cardinalities : LabelCounts

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reports.search.prediction_errors import measure_label_errors
    >>> scores, y = np.array([[0.9, 0.4], [0.2, 0.7]]), np.array([[1, 1], [0, 1]])
    >>> labels, measures, counts = measure_label_errors(scores, y, ["a", "b"])
    >>> labels[1].recall, measures["hamming_loss"], counts.true
    (0.5, 0.25, (0, 1, 1))
    """
    chosen, n_labels = predictions > 0.5, len(names)
    rows = []
    for name, scores, made, has in zip(names, predictions.T, chosen.T, y.T):
        both = int(np.count_nonzero(made & (has == 1)))
        n_rows, n_made = int(has.sum()), int(made.sum())
        area = roc_auc_score(has, scores) if 0 < n_rows < len(has) else np.nan
        precision = both / n_made if n_made else float(n_rows == 0)
        recall = both / n_rows if n_rows else float(n_made == 0)
        f1 = 2 * both / (n_rows + n_made) if n_rows + n_made else 1.0
        row = LabelRow(str(name), n_rows, n_made, precision, recall, f1, float(area))
        rows.append(row)
    counts = [
        np.bincount(one.sum(axis=1), minlength=n_labels + 1) for one in (y, chosen)
    ]
    n_shown = 1 + max(int(np.flatnonzero(one).max()) for one in counts)
    true, predicted = (tuple(one[:n_shown].tolist()) for one in counts)
    measures = measure_labels(y, chosen, predictions)
    return tuple(rows), measures, LabelCounts(true, predicted)


def measure_diversity(
    members: Sequence[MemberRow],
    predictions: Sequence[np.ndarray],
    together: np.ndarray,
    y: np.ndarray,
    measure: Any,
) -> Diversity:
    """Measure the scores of the members of a committee, and their diversity.

    Parameters
    ----------
    members : sequence of MemberRow
    predictions : sequence of ndarray
        Out-of-fold predictions of each member.
    together : ndarray
        Out-of-fold predictions of the committee.
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Codes of classes, numbers, or 0 and 1 of labels.
    measure : PredictionScorer

    Returns
    -------
    diversity : Diversity
    """
    kappas: np.ndarray | None = None
    if together.ndim == 2:
        answers = np.stack([_decide(one, y) for one in predictions])
        differences = np.stack([(answers != one).mean(axis=1) for one in answers])
        kappas = np.array([[_kappa(a, b) for b in answers] for a in answers])
    else:
        off = np.stack(predictions).astype(np.float64) - y
        with np.errstate(invalid="ignore", divide="ignore"):
            differences = 1.0 - np.nan_to_num(np.corrcoef(off), nan=1.0)
    scores = [float(measure.show(measure(one, y))) for one in predictions]
    return Diversity(
        members=tuple(members),
        scores=tuple(scores),
        committee=float(measure.show(measure(together, y))),
        differences=tuple(tuple(row) for row in differences.tolist()),
        kappas=() if kappas is None else tuple(tuple(r) for r in kappas.tolist()),
    )


def _calibrate(
    predicted: np.ndarray, came_true: np.ndarray
) -> tuple[CalibrationBin, ...]:
    """Bin the rows by predicted probability; return observed frequencies."""
    order = np.argsort(predicted, kind="stable")
    bins = np.array_split(order, min(N_BINS, len(order)))
    return tuple(
        CalibrationBin(
            float(predicted[rows].mean()), float(came_true[rows].mean()), len(rows)
        )
        for rows in bins
    )


def _mean_distance(bins: Sequence[CalibrationBin]) -> float:
    total = sum(one.n_rows for one in bins)
    return sum(abs(one.predicted - one.observed) * one.n_rows for one in bins) / total


def _list_confusions(
    counts: np.ndarray, labels: Sequence[str]
) -> tuple[Confusion, ...]:
    off = counts.copy()
    np.fill_diagonal(off, 0)
    order = np.argsort(-off, axis=None, kind="stable")[:N_WORST]
    found = []
    for true, predicted in zip(*np.unravel_index(order, off.shape)):
        n = int(off[true, predicted])
        if n:
            share = n / int(counts[true].sum())
            found.append(Confusion(labels[true], labels[predicted], n, share))
    return tuple(found)


def _decide(predictions: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the predicted class of each row, or whether it has each label."""
    if y.ndim == 2:
        return (predictions > 0.5).ravel()
    return np.asarray(predictions.argmax(axis=1))


def _kappa(a: np.ndarray, b: np.ndarray) -> float:
    # Undefined for two members that always predict the same class: they agree.
    return 1.0 if np.array_equal(a, b) else float(cohen_kappa_score(a, b))
