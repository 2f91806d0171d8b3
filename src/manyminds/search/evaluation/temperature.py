"""Temperature scaling: one number that makes probabilities sharper or flatter."""

import numpy as np

__all__ = ["CALIBRATED", "fit_temperature", "scale_temperature"]

# Metrics of probabilities themselves, to which a temperature matters.
CALIBRATED = ("log_loss", "brier", "d2_log_loss_score", "d2_brier_score")

TINY = 1e-7
MIN_POWER, MAX_POWER = 0.1, 10.0
MAX_STEPS = 30


def scale_temperature(probabilities: np.ndarray, temperature: float) -> np.ndarray:
    """Return probabilities to the power of ``1 / temperature``, normalized.

    Parameters
    ----------
    probabilities : ndarray of shape (..., n_classes)
    temperature : float
        Above 1 for flatter probabilities, below 1 for sharper ones.

    Returns
    -------
    probabilities : ndarray of shape (..., n_classes)
    """
    if temperature == 1.0:
        return probabilities
    logits = np.log(np.maximum(probabilities, TINY)) / temperature
    logits -= logits.max(axis=-1, keepdims=True)
    scaled = np.exp(logits)
    return np.asarray(scaled / scaled.sum(axis=-1, keepdims=True))


def fit_temperature(
    probabilities: np.ndarray, y: np.ndarray, counts: np.ndarray | None = None
) -> float:
    """Return the temperature with the least log loss [1]_.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
        Of rows that had no part in the fit.
    y : ndarray of shape (n_samples,)
        Codes of the classes.
    counts : ndarray of shape (n_samples,), default=None
        How much each row counts.

    Returns
    -------
    temperature : float
        Between 0.1 and 10.

    References
    ----------
    .. [1] Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural networks",
       ICML, 2017.

    Examples
    --------
    Of a model that is certain, and right in three rows of four:

    >>> import numpy as np
    >>> from manyminds.search.evaluation.temperature import fit_temperature
    >>> from manyminds.search.evaluation.temperature import scale_temperature
    >>> P, y = np.tile([0.99, 0.01], (4, 1)), np.array([0, 0, 0, 1])
    >>> scale_temperature(P, fit_temperature(P, y))[0].round(2)
    array([0.75, 0.25])
    """
    counts = np.ones(len(y)) if counts is None else np.asarray(counts, float)
    rows = np.flatnonzero(counts)
    counts = counts[rows] / counts[rows].sum()
    logits = np.log(np.maximum(probabilities[rows].astype(np.float64), TINY))
    given = logits[np.arange(len(rows)), y[rows]]
    low, high, power = MIN_POWER, MAX_POWER, 1.0
    # The loss is convex in the power: Newton's method, kept within a bracket.
    for _ in range(MAX_STEPS):
        slope, curvature = _differentiate(logits, given, counts, power)
        if slope > 0.0:
            high = power
        else:
            low = power
        after = power - slope / curvature if curvature > 0.0 else np.nan
        after = after if low < after < high else (low + high) / 2.0
        if abs(after - power) < 1e-6:
            break
        power = after
    return float(1.0 / power)


def _differentiate(
    logits: np.ndarray, given: np.ndarray, counts: np.ndarray, power: float
) -> tuple[float, float]:
    """Return slope and curvature of the log loss in the power."""
    scaled = np.exp(power * (logits - logits.max(axis=1, keepdims=True)))
    scaled /= scaled.sum(axis=1, keepdims=True)
    mean = (scaled * logits).sum(axis=1)
    variance = (scaled * logits**2).sum(axis=1) - mean**2
    return float(counts @ (mean - given)), float(counts @ variance)
