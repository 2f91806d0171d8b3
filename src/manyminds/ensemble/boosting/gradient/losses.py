"""Losses of gradient boosting as Python sees them: links, baselines, targets."""

import numpy as np
from scipy.special import expit

from manyminds.utils.targets import check_magnitude

_TINY = 1e-300
_SMALLEST_SHARE = 1e-15  # of a class or a mean, so that logarithms stay finite
_MAX_TARGET = 1e36  # gradients are stored in single precision
_MIN_RANGE = 1e-36  # of targets, if residuals are gradients: smaller ones become 0


def find_baseline(loss, y, weights, level, n_classes=2):
    """Return the constant raw prediction with the least loss: (n_outputs,).

    Parameters
    ----------
    loss : str
    y : ndarray of shape (n_samples,)
        Targets, or class numbers.
    weights : ndarray of shape (n_samples,) or None
    level : float
        Of the quantile.
    n_classes : int, default=2

    Returns
    -------
    baseline : ndarray of shape (n_outputs,)
    """
    if loss == "softmax":
        shares = np.bincount(y.astype(np.intp), weights, minlength=n_classes)
        shares = np.maximum(shares / shares.sum(), _SMALLEST_SHARE)
        return np.log(shares) - np.log(shares).mean()
    if loss in ("absolute_error", "huber", "quantile"):
        return np.array([_quantile(y, weights, level if loss == "quantile" else 0.5)])
    mean = np.average(y, weights=weights)
    if loss == "squared_error":
        return np.array([mean])
    if loss == "log_loss":
        share = np.clip(mean, _SMALLEST_SHARE, 1.0 - _SMALLEST_SHARE)
        return np.array([np.log(share / (1.0 - share))])
    return np.array([np.log(max(mean, _SMALLEST_SHARE))])


def _quantile(y, weights, level):
    """Return a quantile of the targets; weights count as copies.

    The mean of two neighbors if the level falls exactly between them, as in leaves.
    """
    order = np.argsort(y, kind="stable")
    total = np.cumsum(np.ones(len(y)) if weights is None else weights[order])
    goal, last = level * total[-1], len(y) - 1
    lower = min(np.searchsorted(total, goal, side="left"), last)
    upper = min(np.searchsorted(total, goal, side="right"), last)
    return float(0.5 * y[order[lower]] + 0.5 * y[order[upper]])


def measure_scale(loss, y, weights, baseline):
    """Return the scale of a loss: about the loss of a constant prediction.

    An improvement is judged by it, so that the unit of the target does not matter. The
    losses of classes, and the gamma loss, have no unit.

    Parameters
    ----------
    loss : str
    y : ndarray of shape (n_samples,)
    weights : ndarray of shape (n_samples,) or None
    baseline : ndarray of shape (n_outputs,)
        See ``find_baseline``.

    Returns
    -------
    scale : float
    """
    if loss in ("log_loss", "softmax", "gamma"):
        return 1.0
    if loss == "poisson":
        return float(np.average(y, weights=weights))
    residuals = np.abs(y - baseline[0])
    if loss == "squared_error":
        return float(0.5 * np.average(residuals**2, weights=weights))
    mean = float(np.average(residuals, weights=weights))
    return mean**2 if loss == "huber" else mean


def link_inverse(loss, raw):
    """Turn raw predictions into probabilities or targets.

    Parameters
    ----------
    loss : str
    raw : ndarray of shape (n_samples, n_outputs)

    Returns
    -------
    values : ndarray of shape (n_samples, n_classes) or (n_samples,)
    """
    if loss == "softmax":
        return _softmax(raw)
    if loss == "log_loss":
        second = expit(raw[:, 0])
        return np.column_stack([1.0 - second, second])
    if loss in ("poisson", "gamma"):
        return np.exp(raw[:, 0])
    return raw[:, 0]


def _softmax(raw):
    """Return the shares of the exponentials in each row.

    Class after class: SciPy's sums of short rows take several times as long.
    """
    shares = np.array(raw.T, order="C")
    shares -= shares.max(axis=0)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=0)
    return np.ascontiguousarray(shares.T)


def check_targets(loss, y):
    """Raise unless the loss is defined for these targets, and finite."""
    check_magnitude(y, _MAX_TARGET)
    if loss in ("squared_error", "huber") and 0.0 < np.ptp(y) < _MIN_RANGE:
        raise ValueError(
            f"y must be constant or vary by {_MIN_RANGE:g} or more for loss={loss!r}; "
            f"it varies by {np.ptp(y):g}: multiply y by a constant."
        )
    if loss in ("poisson", "gamma") and 0.0 < y.max() < _SMALLEST_SHARE:
        raise ValueError(
            f"y must reach {_SMALLEST_SHARE:g} for loss={loss!r}; its greatest value "
            f"is {y.max():g}: multiply y by a constant."
        )
    if loss == "poisson" and (y.min() < 0.0 or y.sum() <= 0.0):
        raise ValueError(
            "loss='poisson' needs targets of 0 or more, not all 0; y has a least value "
            f"of {y.min():g} and a sum of {y.sum():g}."
        )
    if loss == "gamma" and y.min() <= 0.0:
        raise ValueError(
            f"loss='gamma' needs targets above 0; y has a least value of {y.min():g}."
        )
