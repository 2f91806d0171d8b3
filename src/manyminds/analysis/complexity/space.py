"""From users' tables to a space in which Euclidean distances mean something."""

import numpy as np

_RANK = 1e-10  # a direction with a smaller share of the largest variance has none


class DistanceSpace:
    """Turn tables into points: categories spread out, gaps filled, columns scaled.

    A categorical column becomes one column of 0 and 1 for each category; one with two
    categories and no gap becomes a single one. A missing category is 0 in all of them.
    A missing number counts as the mean of its column.

    Parameters
    ----------
    scaling : {"standard", "mahalanobis"} or None
        Whether columns get mean 0 and variance 1, are turned and scaled so that their
        covariances vanish, or are only centered.
    """

    def __init__(self, scaling):
        self.scaling = scaling

    def fit(self, X, is_categorical=None):
        """Learn from a table of numbers and category codes; return its points."""
        self.is_categorical = is_categorical
        self.codes = _list_codes(X, is_categorical)
        X = self._spread(X)
        with np.errstate(over="ignore", invalid="ignore"):
            self.center = _mean_of_known(X)
            X = np.where(np.isnan(X), self.center, X) - self.center
            self.scale, self.turn = _learn_scale(X, self.scaling)
        return self._place(X)

    def transform(self, X):
        """Return the points of another table."""
        X = self._spread(X)
        return self._place(np.where(np.isnan(X), self.center, X) - self.center)

    def _spread(self, X):
        """Put a column for each category in the place of categorical columns."""
        if self.is_categorical is None:
            return X
        parts = []
        for j, codes in enumerate(self.codes):
            column = X[:, j : j + 1]
            parts.append(column if codes is None else (column == codes).astype(float))
        return np.concatenate(parts, axis=1)

    def _place(self, X):
        with np.errstate(over="ignore", invalid="ignore"):
            points = X / self.scale if self.turn is None else X @ self.turn
            spread = np.square(points).sum(axis=1).max()
        if not np.isfinite(4.0 * spread):
            raise ValueError(
                "X has numbers that are too large: squares of distances are infinite. "
                "Divide its columns by a large number."
            )
        return np.ascontiguousarray(points)


def _list_codes(X, is_categorical):
    """List the codes that get a column of their own, for each categorical column."""
    if is_categorical is None:
        return None
    listed = []
    for j, is_code in enumerate(is_categorical):
        codes = np.unique(X[~np.isnan(X[:, j]), j]) if is_code else None
        if is_code and len(codes) == 2 and not np.isnan(X[:, j]).any():
            codes = codes[1:]
        listed.append(codes)
    return listed


def _mean_of_known(X):
    """Return the mean of each column without its gaps; 0 where there is nothing else."""
    n_known = (~np.isnan(X)).sum(axis=0)
    return np.nansum(X, axis=0) / np.maximum(n_known, 1)


def _learn_scale(X, scaling):
    """Return what to divide columns by, or the matrix to multiply rows with."""
    if scaling == "mahalanobis":
        covariance = X.T @ X / max(len(X) - 1, 1)
        return None, invert_root(covariance)
    scale = np.sqrt(np.square(X).mean(axis=0)) if scaling == "standard" else None
    if scale is None:
        return np.ones(X.shape[1]), None
    # What is left of a constant column is rounding.
    return np.where(scale > 1e-14 * np.abs(X).max(initial=0.0), scale, 1.0), None


def invert_root(covariance):
    """Return the inverse root of a covariance matrix, in the directions that vary.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.complexity.space import invert_root
    >>> invert_root(np.diag([4.0, 0.0]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    if not np.isfinite(covariance).all():
        return covariance
    values, vectors = np.linalg.eigh(covariance)
    varies = values > _RANK * max(values[-1], 0.0)
    factors = np.where(varies, 1.0 / np.sqrt(np.where(varies, values, 1.0)), 0.0)
    return (vectors * factors) @ vectors.T
