"""Temperature of a softmax: one factor that makes probabilities fit held-out rows."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

MAX_LOG_TEMPERATURE = 3.0


def compute_log_losses(outputs, label):
    """Return the log loss of the softmax of each row.

    Parameters
    ----------
    outputs : ndarray of shape (n_samples, n_classes)
    label : ndarray of int of shape (n_samples,)

    Returns
    -------
    losses : ndarray of shape (n_samples,)
    """
    outputs = outputs.astype(np.float64)
    return logsumexp(outputs, axis=1) - outputs[np.arange(len(label)), label]


def fit_temperature(outputs, label, weight):
    """Return the temperature with the lowest log loss, with one error added.

    The error is that of an average row: without it, the best temperature of rows that
    are all classified correctly would be zero.

    Parameters
    ----------
    outputs : ndarray of shape (n_samples, n_classes)
    label : ndarray of int of shape (n_samples,)
    weight : ndarray of shape (n_samples,)

    Returns
    -------
    temperature : float
        By which outputs are to be divided.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.temperature import fit_temperature
    >>> outputs, label = np.tile([9.0, 0.0], (10, 1)), np.repeat([0, 1], [8, 2])
    >>> print(fit_temperature(outputs, label, np.ones(10)) > 5.0)
    True
    """
    two = np.partition(outputs.astype(np.float64), -2, axis=1)[:, -2:]
    margin = np.average(two[:, 1] - two[:, 0], weights=weight)
    weight = weight / weight.mean()

    def loss(log_temperature):
        temperature = np.exp(log_temperature)
        losses = compute_log_losses(outputs / temperature, label)
        return weight @ losses + np.logaddexp(0.0, margin / temperature)

    limits = (-MAX_LOG_TEMPERATURE, MAX_LOG_TEMPERATURE)
    found = minimize_scalar(loss, bounds=limits, method="bounded")
    return float(np.exp(found.x))
