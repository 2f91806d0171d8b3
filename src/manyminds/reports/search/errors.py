"""Measure the errors of out-of-fold predictions, and how members differ."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import auc, cohen_kappa_score, confusion_matrix, roc_curve

from manyminds.reports.search.parts import (
    CalibrationBin,
    ClassErrors,
    Confusion,
    Curve,
    Diversity,
    MemberRow,
    NumberErrors,
)

N_BINS = 10
MAX_POINTS = 2_000  # of a figure
POINTS_OF_A_CURVE = 150
N_WORST = 10
N_BARS = 30


def measure_class_errors(
    predictions: np.ndarray, codes: np.ndarray, classes: np.ndarray
) -> ClassErrors:
    """Compare probabilities with classes.

    Parameters
    ----------
    predictions : ndarray of shape (n_samples, n_classes)
        Probabilities, each made without the row.
    codes : ndarray of shape (n_samples,)
        True classes, as positions in ``classes``.
    classes : ndarray of shape (n_classes,)

    Returns
    -------
    errors : ClassErrors

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reports.search.errors import measure_class_errors
    >>> told = np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])
    >>> errors = measure_class_errors(told, np.array([0, 1, 0]), np.array(["a", "b"]))
    >>> errors.counts, errors.n_wrong
    (((1, 1), (0, 1)), 1)
    """
    told = np.asarray(predictions, dtype=np.float64)
    told = told / np.maximum(told.sum(axis=1, keepdims=True), 1e-300)
    answers = told.argmax(axis=1)
    counts = confusion_matrix(codes, answers, labels=np.arange(len(classes)))
    labels = tuple(str(label) for label in classes)
    with np.errstate(invalid="ignore"):
        recalls = np.diag(counts) / counts.sum(axis=1)
        precisions = np.diag(counts) / counts.sum(axis=0)
    if len(classes) == 2:
        name = f"probability of {labels[1]}"
        bins = _calibrate(told[:, 1], codes == 1)
    else:
        name = "highest probability of the row"
        bins = _calibrate(told.max(axis=1), answers == codes)
    return ClassErrors(
        labels=labels,
        counts=tuple(tuple(row) for row in counts.tolist()),
        recalls=tuple(recalls.tolist()),
        precisions=tuple(precisions.tolist()),
        curves=_draw_curves(told, codes, labels),
        calibration=bins,
        calibrated=name,
        calibration_error=_mean_distance(bins),
        worst=_list_confusions(counts, labels),
        n_wrong=int((answers != codes).sum()),
    )


def measure_number_errors(
    predictions: np.ndarray, y: np.ndarray, *, seed: int = 0
) -> NumberErrors:
    """Compare predicted with true numbers.

    Parameters
    ----------
    predictions, y : ndarray of shape (n_samples,)
    seed : int, default=0
        Draws the rows that are shown where there are many.

    Returns
    -------
    errors : NumberErrors

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reports.search.errors import measure_number_errors
    >>> errors = measure_number_errors(np.array([1.0, 4.0]), np.array([1.0, 2.0]))
    >>> errors.mae, errors.bias, errors.worst[0]
    (1.0, 1.0, (2, 2.0, 4.0))
    """
    made = np.asarray(predictions, dtype=np.float64)
    off = made - y
    heights, edges = np.histogram(off, bins=N_BARS)
    worst = np.argsort(-np.abs(off), kind="stable")[:N_WORST]
    shown = np.arange(len(y))
    if len(y) > MAX_POINTS:
        rng = np.random.default_rng(seed)
        shown = np.sort(rng.choice(len(y), MAX_POINTS, replace=False))
    spread = float(((y - y.mean()) ** 2).sum())
    return NumberErrors(
        true=tuple(y[shown].tolist()),
        predicted=tuple(made[shown].tolist()),
        edges=tuple(edges.tolist()),
        heights=tuple(heights.tolist()),
        rmse=float(np.sqrt((off**2).mean())),
        mae=float(np.abs(off).mean()),
        median=float(np.median(np.abs(off))),
        bias=float(off.mean()),
        r2=1.0 - float((off**2).sum()) / spread if spread else float("nan"),
        worst=tuple((int(i) + 1, float(y[i]), float(made[i])) for i in worst),
    )


def measure_diversity(
    members: Sequence[MemberRow],
    predictions: Sequence[np.ndarray],
    together: np.ndarray,
    y: np.ndarray,
    measure: Any,
) -> Diversity:
    """Return how members of a committee score alone, and how often they differ.

    Parameters
    ----------
    members : sequence of MemberRow
    predictions : sequence of ndarray
        Out of fold, of each member.
    together : ndarray
        Of the committee.
    y : ndarray of shape (n_samples,)
        Codes of classes, or numbers.
    measure : PredictionScorer

    Returns
    -------
    diversity : Diversity
    """
    kappas: np.ndarray | None = None
    if together.ndim == 2:
        answers = np.stack([one.argmax(axis=1) for one in predictions])
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


def _calibrate(told: np.ndarray, came_true: np.ndarray) -> tuple[CalibrationBin, ...]:
    """Cut the rows into tenths by what was told; compare with what came true."""
    order = np.argsort(told, kind="stable")
    parts = np.array_split(order, min(N_BINS, len(order)))
    return tuple(
        CalibrationBin(
            float(told[rows].mean()), float(came_true[rows].mean()), len(rows)
        )
        for rows in parts
    )


def _mean_distance(bins: Sequence[CalibrationBin]) -> float:
    total = sum(one.n_rows for one in bins)
    return sum(abs(one.told - one.observed) * one.n_rows for one in bins) / total


def _draw_curves(
    told: np.ndarray, codes: np.ndarray, labels: Sequence[str]
) -> tuple[Curve, ...]:
    """Follow each class against all others; one curve says all of two classes."""
    places = [1] if len(labels) == 2 else list(range(len(labels)))
    curves = []
    for place in places:
        false_rates, true_rates, _ = roc_curve(codes == place, told[:, place])
        area = float(auc(false_rates, true_rates))
        if len(false_rates) > POINTS_OF_A_CURVE:
            kept = np.linspace(0, len(false_rates) - 1, POINTS_OF_A_CURVE)
            kept = np.unique(kept.round().astype(np.int64))
            false_rates, true_rates = false_rates[kept], true_rates[kept]
        curve = Curve(
            labels[place], tuple(false_rates.tolist()), tuple(true_rates.tolist()), area
        )
        curves.append(curve)
    return tuple(curves)


def _list_confusions(
    counts: np.ndarray, labels: Sequence[str]
) -> tuple[Confusion, ...]:
    off = counts.copy()
    np.fill_diagonal(off, 0)
    order = np.argsort(-off, axis=None, kind="stable")[:N_WORST]
    found = []
    for true, made in zip(*np.unravel_index(order, off.shape)):
        n = int(off[true, made])
        if n:
            share = n / int(counts[true].sum())
            found.append(Confusion(labels[true], labels[made], n, share))
    return tuple(found)


def _kappa(a: np.ndarray, b: np.ndarray) -> float:
    # Two that always give one and the same class agree, though chance would as well.
    return 1.0 if np.array_equal(a, b) else float(cohen_kappa_score(a, b))
