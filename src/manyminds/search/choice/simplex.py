"""Weigh the members of a committee by the loss of their mean prediction."""

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from manyminds.search.evaluation.temperature import TINY

__all__ = ["Losses", "weigh_committee"]

MAX_STEPS = 50
TOLERANCE = 1e-7  # by which the loss may exceed its minimum
RIDGE = 1e-7  # of the mean diagonal; equal models share their weight
N_REWEIGHTED = 20  # times that rows are weighed anew for absolute errors
SMALLEST_ERROR = 1e-5  # of the largest


def weigh_committee(
    predictions: np.ndarray, y: np.ndarray, *, counts: np.ndarray | None = None
) -> np.ndarray:
    """Weigh models so that the loss of their mean prediction is smallest.

    The weights are at least 0 and sum to 1: a point of the simplex [1]_. The loss is
    the log loss of class probabilities, or the squared error of numbers. Both are
    convex, so that there is one minimum, and most weights are 0 there.

    Parameters
    ----------
    predictions : ndarray of shape (n_models, n_samples[, n_classes])
        Out-of-fold predictions.
    y : ndarray of shape (n_samples,)
        Codes of classes, or numbers.
    counts : ndarray of shape (n_samples,), default=None
        How much each row counts.

    Returns
    -------
    weights : ndarray of shape (n_models,)

    References
    ----------
    .. [1] Breiman, "Stacked regressions", *Machine Learning* 24, 1996.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search import weigh_committee
    >>> y = np.array([1.0, 2.0, 3.0])
    >>> predictions = np.array([[2.0, 2.0, 4.0], [0.0, 2.0, 2.0], [9.0, 0.0, 0.0]])
    >>> weigh_committee(predictions, y).round(2)
    array([0.5, 0.5, 0. ])
    """
    return Losses(predictions, y, counts).minimize()


class Losses:
    """The loss of mean predictions, as a function of the weights of the models.

    Parameters
    ----------
    predictions, y, counts
        As for `weigh_committee`.
    is_absolute : bool, default=False
        Whether the loss of numbers is the absolute error.
    """

    def __init__(
        self,
        predictions: np.ndarray,
        y: np.ndarray,
        counts: np.ndarray | None = None,
        *,
        is_absolute: bool = False,
    ) -> None:
        counts = np.ones(len(y)) if counts is None else np.asarray(counts, float)
        rows = np.flatnonzero(counts)
        self.counts = counts[rows] / counts[rows].sum()
        self.n_rows = float(counts.sum())
        self.is_log, self.is_absolute = predictions.ndim == 3, is_absolute
        if self.is_log:  # of the true classes
            given = predictions[:, rows, y[rows]].astype(np.float64).T
            self.table = np.clip(given, TINY, 1.0)
        else:  # errors, in units of their size
            errors = (predictions[:, rows].astype(np.float64) - y[rows]).T
            self.table = errors / (np.abs(errors).max(initial=0.0) or 1.0)

    def of_rows(self, weights: np.ndarray) -> np.ndarray:
        """Return the loss of each row with a count, in some unit."""
        mean = self.table @ weights
        if self.is_log:
            return np.asarray(-np.log(mean))
        return np.asarray(np.abs(mean) if self.is_absolute else mean**2)

    def minimize(self, models: np.ndarray | None = None) -> np.ndarray:
        """Return the weights of least loss; those of other ``models`` are 0."""
        n_models = self.table.shape[1]
        models = np.arange(n_models) if models is None else models
        solve = _minimize_log_loss if self.is_log else _minimize_squared_error
        if self.is_absolute and not self.is_log:
            solve = _minimize_absolute_error
        weights = np.zeros(n_models)
        weights[models] = solve(self.table[:, models], self.counts)
        return weights


def _minimize_log_loss(given: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Minimize the log loss over the simplex by Newton's method.

    With the sum of the weights added to the loss, they sum to 1 at the minimum by
    themselves, so that 0 is their only bound.
    """
    weights = np.full(given.shape[1], 1.0 / given.shape[1])
    for _ in range(MAX_STEPS):
        mean = given @ weights
        slope = 1.0 - given.T @ (counts / mean)
        if -slope.min() <= TOLERANCE:  # which bounds the distance from the minimum
            break
        root = given * (np.sqrt(counts) / mean)[:, None]
        curvature = _add_ridge(root.T @ root)
        target = _solve_nonnegative(curvature, curvature @ weights - slope)
        if target is None:
            break
        weights = _search_line(given, counts, weights, target - weights, slope)
    return np.asarray(weights / weights.sum())


def _search_line(
    given: np.ndarray,
    counts: np.ndarray,
    weights: np.ndarray,
    direction: np.ndarray,
    slope: np.ndarray,
) -> np.ndarray:
    """Halve the step until the loss falls enough."""
    before = weights.sum() - counts @ np.log(given @ weights)
    fall = slope @ direction
    step = 1.0
    while step > 1e-6:
        after = weights + step * direction
        mean = given @ after
        if mean.min() > 0.0:
            loss = after.sum() - counts @ np.log(mean)
            if loss <= before + 1e-4 * step * fall:
                return after
        step /= 2.0
    return weights


def _minimize_squared_error(errors: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Minimize the squared error over the simplex, by non-negative least squares.

    Where weights sum to 1, the error of the mean is the mean of the errors. Its square
    is homogeneous, so that the sum can be set to 1 afterwards.
    """
    n_models = errors.shape[1]
    products = errors.T @ (errors * counts[:, None])
    if not products.any():  # nobody errs
        return np.full(n_models, 1.0 / n_models)
    weights = _solve_nonnegative(_add_ridge(products), np.ones(n_models))
    if weights is None:
        weights = 1.0 / np.diag(_add_ridge(products))
    return np.asarray(weights / weights.sum())


def _minimize_absolute_error(errors: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Minimize the absolute error over the simplex.

    Squared errors divided by the absolute ones of the last weights bound them from
    above, and touch them there: each minimum of the squares is a step down.
    """
    weights = _minimize_squared_error(errors, counts)
    for _ in range(N_REWEIGHTED):
        sizes = np.maximum(np.abs(errors @ weights), SMALLEST_ERROR)
        weights = _minimize_squared_error(errors, counts / sizes)
    return weights


def _add_ridge(products: np.ndarray) -> np.ndarray:
    ridge = RIDGE * np.trace(products) / len(products)
    return np.asarray(products + ridge * np.eye(len(products)))


def _solve_nonnegative(curvature: np.ndarray, linear: np.ndarray) -> Any:
    """Minimize ``v @ curvature @ v / 2 - linear @ v`` over v of 0 or more, or None."""
    try:
        root = np.linalg.cholesky(curvature)
        side = solve_triangular(root, linear, lower=True)
        return nnls(root.T, side, maxiter=50 * len(linear))[0]
    except (RuntimeError, np.linalg.LinAlgError):  # did not converge
        return None
