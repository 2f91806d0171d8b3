"""Test on held-out rows whether a new column predicts better than its parents."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm, rankdata

MAX_CLASSES = 20  # the most frequent ones; rows of others count as none of them
MIN_ROWS_IN_BIN = 10  # on average, in half of the rows
MAX_GRID = 8  # bins of a column in the grid of two; one column alone has the square
SMOOTHING = 4.0  # rows of the overall mean that are added to the rows of a bin


@dataclass(frozen=True)
class HeldOutRows:
    """Rows in two halves: each half is predicted by bin means of the other half.

    Parameters
    ----------
    target : ndarray of shape (n_samples, n_outputs)
        From `encode_target`.
    is_second : ndarray of bool of shape (n_samples,)
        Rows of the second half.
    """

    target: np.ndarray
    is_second: np.ndarray

    @classmethod
    def draw(cls, y, is_classes, rng):
        """Assign half of the rows to each side, at random.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
        is_classes : bool
            Whether the target holds classes.
        rng : RandomState

        Returns
        -------
        rows : HeldOutRows
        """
        is_second = np.zeros(len(y), dtype=bool)
        is_second[rng.permutation(len(y))[: len(y) // 2]] = True
        return cls(encode_target(y, is_classes), is_second)

    @property
    def n_grid(self):
        """Number of bins of each of two crossed columns, by the number of rows."""
        n_bins = np.sqrt(len(self.is_second) / 2 / MIN_ROWS_IN_BIN)
        return int(np.clip(n_bins, 2, MAX_GRID))

    def predict(self, *columns):
        """Predict each row by means of its bins in the other half.

        Parameters
        ----------
        *columns : ndarray of int of shape (n_samples,)
            Bins, from 0 on. The smoothed mean of the first; of each further column, the
            smoothed mean of what the columns before do not explain is added.

        Returns
        -------
        predicted : ndarray of shape (n_samples, n_outputs)
        """
        predicted = np.zeros_like(self.target)
        for side in (self.is_second, ~self.is_second):
            residual = self.target[~side]
            for codes in columns:
                means = _compute_means(codes[~side], residual, int(codes.max()) + 1)
                predicted[side] += means[codes[side]]
                residual = residual - means[codes[~side]]
        return predicted

    def compute_losses(self, *columns):
        """Compute the squared error of each row, predicted by its bins.

        Parameters
        ----------
        *columns : ndarray of int of shape (n_samples,)
            As in `predict`.

        Returns
        -------
        losses : ndarray of shape (n_samples,)
        """
        return np.sum((self.target - self.predict(*columns)) ** 2, axis=1)

    def measure_strength(self, codes):
        """Return by how much a column lowers the mean squared error of no column."""
        return float(np.mean(self.compute_baseline() - self.compute_losses(codes)))

    def compute_baseline(self):
        """Compute the squared error of each row, predicted by the mean of all rows."""
        return self.compute_losses(np.zeros(len(self.is_second), dtype=np.int64))


def _compute_means(codes, target, n_bins):
    """Return the mean target of each bin, smoothed towards that of all rows."""
    n_rows = np.bincount(codes, minlength=n_bins)
    means = np.empty((n_bins, target.shape[1]))
    for k, output in enumerate(target.T):
        total = np.bincount(codes, weights=output, minlength=n_bins)
        prior = output.mean() if len(output) else 0.0
        means[:, k] = (total + SMOOTHING * prior) / (n_rows + SMOOTHING)
    return means


def encode_target(y, is_classes):
    """Encode a target as outputs of comparable scale.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
    is_classes : bool

    Returns
    -------
    target : ndarray of shape (n_samples, n_outputs)
        For each of the most frequent classes, whether a row is of it; one output for
        two classes. Ranks of numbers, so that few outliers do not decide.
    """
    if not is_classes:
        return (rankdata(y) / len(y))[:, None]
    classes, counts = np.unique(y, return_counts=True)
    frequent = classes[np.argsort(-counts, kind="stable")]
    kept = frequent[:1] if len(frequent) == 2 else frequent[:MAX_CLASSES]
    return (y[:, None] == kept[None, :]).astype(np.float64)


def bin_numbers(column, n_bins):
    """Assign numbers to bins of about equal size; missing values have their own.

    Parameters
    ----------
    column : ndarray of float64 of shape (n_samples,)
    n_bins : int

    Returns
    -------
    codes : ndarray of int64 of shape (n_samples,)
        Equal numbers have equal codes; ``n_bins`` is the code of missing values.
    """
    is_known = ~np.isnan(column)
    known = np.sort(column[is_known])
    codes = np.full(len(column), n_bins, dtype=np.int64)
    if len(known):
        edges = known[np.arange(1, n_bins) * len(known) // n_bins]
        codes[is_known] = np.searchsorted(edges, column[is_known], side="right")
    return codes


def compute_gain(reference, losses):
    """Return the mean decrease of the loss in its standard errors.

    Parameters
    ----------
    reference, losses : ndarray of shape (n_samples,)
        Losses of the same rows without and with a new column.

    Returns
    -------
    gain : float
        Approximately standard normal if the new column is as good as the reference.
    """
    decrease = reference - losses
    error = decrease.std() / np.sqrt(len(decrease))
    return float(decrease.mean() / error) if error > 0.0 else 0.0


def choose_gains(gains, alpha, n_features, n_tests):
    """Choose the new columns whose gain is significant, the greatest first.

    Parameters
    ----------
    gains : sequence of float
    alpha : float
        Probability to choose any column where none is better than its parents.
    n_features : int
        Maximum number of columns.
    n_tests : int
        Number of columns that have been compared; by Bonferroni's correction, each
        is tested at ``alpha / n_tests``.

    Returns
    -------
    chosen : ndarray of int
        Positions.
    """
    gains = np.asarray(gains, dtype=np.float64)
    threshold = norm.isf(alpha / max(1, n_tests))
    order = np.argsort(-gains, kind="stable")
    return order[gains[order] > threshold][:n_features]
