"""ROC curves, and curves of precision over recall, of each class against the others."""

from collections.abc import Sequence

import numpy as np
from sklearn.metrics import (
    auc,
    average_precision_score,
    precision_recall_curve,
    roc_curve,
)

from manyminds.reports.search.summary_types import Curve

MAX_CURVE_POINTS = 150


def make_roc_curves(
    probabilities: np.ndarray,
    codes: np.ndarray,
    labels: Sequence[str],
    *,
    n_points: int = MAX_CURVE_POINTS,
) -> tuple[Curve, ...]:
    """Return the ROC curve of each class; one curve if there are two classes.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
        Out of fold.
    codes : ndarray of shape (n_samples,)
        True classes, as positions in ``labels``.
    labels : sequence of str
        Names of the classes.
    n_points : int, default=150
        Points that are kept of a longer curve.

    Returns
    -------
    curves : tuple of Curve
        ``x`` has false positive rates, ``y`` true positive rates.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reports.search.curves import make_roc_curves
    >>> probabilities = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> (curve,) = make_roc_curves(probabilities, np.array([0, 0, 1]), ["no", "yes"])
    >>> curve.label, curve.area
    ('yes', 1.0)
    """
    curves = []
    for place in _list_known(codes, labels):
        x, y, thresholds = roc_curve(codes == place, probabilities[:, place])
        thresholds[0] = 1.0  # not infinity: nothing is predicted to be the class
        area = float(auc(x, y))
        curves.append(_thin(labels[place], x, y, thresholds, area, n_points))
    return tuple(curves)


def make_precision_recall_curves(
    probabilities: np.ndarray,
    codes: np.ndarray,
    labels: Sequence[str],
    *,
    n_points: int = MAX_CURVE_POINTS,
) -> tuple[Curve, ...]:
    """Return precision over recall of each class; one curve if there are two classes.

    Parameters
    ----------
    probabilities, codes, labels, n_points
        See `make_roc_curves`.

    Returns
    -------
    curves : tuple of Curve
        ``x`` has recalls, ``y`` precisions, ``area`` is the average precision.
    """
    curves = []
    for place in _list_known(codes, labels):
        has, share = codes == place, probabilities[:, place]
        y, x, thresholds = precision_recall_curve(has, share)
        thresholds = np.append(thresholds, 1.0)
        area = float(average_precision_score(has, share))
        curves.append(_thin(labels[place], x, y, thresholds, area, n_points))
    return tuple(curves)


def _list_known(codes: np.ndarray, labels: Sequence[str]) -> list[int]:
    """Return the classes that some rows have, but not all; the second of two."""
    places = [1] if len(labels) == 2 else range(len(labels))
    return [k for k in places if 0 < np.count_nonzero(codes == k) < len(codes)]


def _thin(
    label: str,
    x: np.ndarray,
    y: np.ndarray,
    thresholds: np.ndarray,
    area: float,
    n_points: int,
) -> Curve:
    """Return a curve of at most ``n_points`` points, evenly spaced along it."""
    kept = np.arange(len(x))
    if len(x) > n_points:
        length = np.append(0.0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
        wanted = np.linspace(0.0, length[-1], n_points - 1)
        # Of points in the same place, the first; the last point of all is always kept.
        kept = np.unique(np.append(np.searchsorted(length, wanted), len(x) - 1))
    x, y, thresholds = x[kept], y[kept], thresholds[kept]
    return Curve(
        label, tuple(x.tolist()), tuple(y.tolist()), tuple(thresholds.tolist()), area
    )
