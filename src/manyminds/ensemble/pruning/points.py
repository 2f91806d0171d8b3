"""Rows of a table as points of one scale, without missing values."""

import numpy as np
from scipy.sparse import issparse

from manyminds.utils.scaling import refuse_overflow


class PointReader:
    """Turn tables of numbers into points without missing values.

    Parameters
    ----------
    table : array-like of shape (n_samples, n_features)
        Rows that set center and scale; missing values become the mean.
    standardize : bool
        Whether columns get the same scale.

    Raises
    ------
    ValueError
        If the mean or the variance of a column overflows.
    """

    def __init__(self, table, standardize):
        table = _densify(table)
        is_known = ~np.isnan(table)
        count = np.maximum(is_known.sum(axis=0), 1)
        with np.errstate(over="ignore", invalid="ignore"):
            self.center = np.where(is_known, table, 0.0).sum(axis=0) / count
            distance = np.where(is_known, table - self.center, 0.0)
            spread = np.sqrt((distance**2).sum(axis=0) / count)
        refuse_overflow(table, spread if standardize else self.center)
        self.scale = np.ones(table.shape[1])
        if standardize:
            self.scale = np.where(
                spread > 1e-12 * np.abs(self.center), spread, 1.0
            )  # a constant column has no scale

    def read(self, table):
        """Return points: float64 of shape (n_samples, n_features)."""
        table = _densify(table)
        with np.errstate(over="ignore"):  # infinitely far away
            points = (table - self.center) / self.scale
        return np.where(np.isnan(table), 0.0, points)


def _densify(table):
    if issparse(table):
        raise TypeError("Neighbors take no sparse X: make it dense by X.toarray().")
    return np.asarray(table, dtype=np.float64)
