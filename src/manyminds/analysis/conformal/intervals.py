"""Conformal intervals: residuals in units of the spread near a prediction."""

from dataclasses import dataclass

import numpy as np

from manyminds.analysis.conformal.quantiles import check_level, find_quantile, shorten
from manyminds.utils.errors import InputError

__all__ = ["ConformalIntervals"]

MIN_BIN = 30  # rows, from which the spread near a prediction is estimated
MAX_BINS = 15
N_PRIOR = 10.0  # rows of mean spread that are added to each bin


@dataclass(frozen=True, eq=False)
class ConformalIntervals:
    """Prediction intervals of a regressor, calibrated on out-of-fold predictions.

    The half width of the interval around a prediction is ``q * s``: s is the mean
    absolute residual of the rows with similar predictions, and q the quantile of
    ``abs(residual) / s`` over all rows, of rank ``ceil((n + 1) * level)`` [1]_. A row's
    own residual is left out of its s.

    If the predictions were made by one model on rows that it was not fitted to, a new
    row is covered with a probability of at least ``level``, up to the error of s. The
    residuals of a cross-validation around a model that is refitted to all rows have no
    such guarantee for any model: coverage is close to the level if leaving out a fold
    changes predictions little, and rather above it, since the models of the folds saw
    fewer rows [2]_. The guarantee is an average over rows, not one for each row.

    Parameters
    ----------
    knots : ndarray of shape (n_bins,)
        Mean predictions of the bins, ascending.
    spreads : ndarray of shape (n_bins,)
        Mean absolute residual at each; between them it is interpolated.
    scores : ndarray of shape (n_scores,)
        Sorted scaled residuals, or at most 2,000 quantiles of them.
    n_rows : int
        Number of rows calibrated on.

    References
    ----------
    .. [1] Papadopoulos, Proedrou, Vovk, Gammerman, "Inductive confidence machines for
       regression", ECML, 2002.
    .. [2] Barber, Candès, Ramdas, Tibshirani, "Predictive inference with the
       jackknife+", Annals of Statistics 49, 2021.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import ConformalIntervals
    >>> y = np.array([1.0, 2.0, 3.0, 4.0])
    >>> found = ConformalIntervals.calibrate(np.array([2.0, 4.0, 0.0, 8.0]), y)
    >>> low, high = found.predict(np.array([10.0]), 0.6)
    >>> low.round(2), high.round(2)
    (array([7.]), array([13.]))
    """

    knots: np.ndarray
    spreads: np.ndarray
    scores: np.ndarray
    n_rows: int

    @classmethod
    def calibrate(cls, predictions, y, sample_weight=None):
        """Calibrate on out-of-fold predictions.

        Parameters
        ----------
        predictions : array-like of shape (n_samples,)
            NaN for rows that were never predicted; they are ignored.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        calibrated : ConformalIntervals
        """
        predictions = np.asarray(predictions, dtype=np.float64)
        weight = np.ones(len(predictions)) if sample_weight is None else sample_weight
        weight = np.asarray(weight, dtype=np.float64)
        known = np.isfinite(predictions) & (weight > 0.0)
        if not known.any():
            raise InputError("predictions must have at least one finite value.")
        weight = weight[known]
        made = predictions[known]
        error = np.abs(np.asarray(y, dtype=np.float64)[known] - made)
        knots, spreads, own = _estimate_spreads(made, error, weight)
        scores = np.divide(error, own, out=np.zeros(len(own)), where=own > 0.0)
        scores = shorten(scores, None if sample_weight is None else weight)
        return cls(knots, spreads, scores, len(made))

    def predict(self, predictions, level=0.9):
        """Return the ends of the intervals around predictions of new rows.

        Parameters
        ----------
        predictions : array-like of shape (n_samples,)
        level : float, default=0.9
            Share of new rows to cover.

        Returns
        -------
        low, high : ndarray of shape (n_samples,)
            Infinite if there are too few rows for the level: 18 for 0.95, say.
        """
        predictions = np.asarray(predictions, dtype=np.float64)
        quantile = find_quantile(self.scores, check_level(level))
        spread = np.interp(predictions, self.knots, self.spreads)
        if np.isinf(quantile):  # also where the spread is 0
            spread = np.ones(len(predictions))
        return predictions - quantile * spread, predictions + quantile * spread


def _estimate_spreads(made, error, weight):
    """Estimate the mean absolute error near predictions.

    Returns the knots, the spread at each, and the spread of each row without itself.
    """
    n_bins = int(np.clip(len(made) // MIN_BIN, 1, MAX_BINS))
    # Of equal predictions, all are in one bin: the knots are distinct.
    cuts = np.quantile(made, np.arange(1, n_bins) / n_bins, method="lower")
    _, which = np.unique(np.searchsorted(cuts, made), return_inverse=True)
    n_bins = int(which.max()) + 1
    totals = np.bincount(which, weight, n_bins)
    sums = np.bincount(which, weight * error, n_bins)
    everywhere = sums.sum() / totals.sum()
    prior = N_PRIOR * totals.sum() / len(made)
    knots = np.bincount(which, weight * made, n_bins) / totals
    spreads = (sums + prior * everywhere) / (totals + prior)
    without = (sums[which] - weight * error + prior * everywhere) / (
        totals[which] - weight + prior
    )
    share = _share_of_own_bin(made, which, knots)
    own = np.interp(made, knots, spreads) + share * (without - spreads[which])
    return knots, spreads, own


def _share_of_own_bin(made, which, knots):
    """Return the weight of a row's own bin in the interpolation between knots."""
    share = np.ones(len(made))
    for place in range(len(knots)):
        rows = which == place
        unit = (np.arange(len(knots)) == place).astype(np.float64)
        share[rows] = np.interp(made[rows], knots, unit)
    return share
