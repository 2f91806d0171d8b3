"""Transform tables to points whose Euclidean distances are meaningful."""

import numpy as np

_RANK = 1e-10  # smallest variance of a direction, relative to the largest


class DistanceSpace:
    """One-hot encode, impute and scale tables.

    A categorical column becomes an indicator column for each category; one with two
    categories and no missing values becomes a single one. A missing category is 0 in
    all of them. A missing number is replaced by the mean of its column.

    Parameters
    ----------
    scaling : {"standard", "mahalanobis"} or None
        Standardize the columns, also decorrelate them, or only center them.
    """

    def __init__(self, scaling):
        self.scaling = scaling

    def fit(self, X, is_categorical=None):
        """Fit to a table of numbers and category codes; return its points."""
        self.is_categorical = is_categorical
        self.codes = _list_codes(X, is_categorical)
        X = self._encode(X)
        with np.errstate(over="ignore", invalid="ignore"):
            self.center = _mean_of_known(X)
            X = np.where(np.isnan(X), self.center, X) - self.center
            self.scale, self.turn = _learn_scale(X, self.scaling)
        return self._scale(X)

    def transform(self, X):
        """Return the points of another table."""
        X = self._encode(X)
        return self._scale(np.where(np.isnan(X), self.center, X) - self.center)

    def _encode(self, X):
        """Replace categorical columns by indicator columns."""
        if self.is_categorical is None:
            return X
        parts = []
        for j, codes in enumerate(self.codes):
            column = X[:, j : j + 1]
            parts.append(column if codes is None else (column == codes).astype(float))
        return np.concatenate(parts, axis=1)

    def _scale(self, X):
        with np.errstate(over="ignore", invalid="ignore"):
            points = X / self.scale if self.turn is None else X @ self.turn
            spread = np.square(points).sum(axis=1).max()
        if not np.isfinite(4.0 * spread):
            raise ValueError(
                "X must have smaller numbers: squared distances are infinite. Divide "
                "its columns by a large number."
            )
        return np.ascontiguousarray(points)


def _list_codes(X, is_categorical):
    """Return the codes that get an indicator column, for each categorical column."""
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
    """Return the mean of each column without missing values; 0 if all are missing."""
    n_known = (~np.isnan(X)).sum(axis=0)
    return np.nansum(X, axis=0) / np.maximum(n_known, 1)


def _learn_scale(X, scaling):
    """Return the divisors of the columns, or the matrix to multiply rows by."""
    if scaling == "mahalanobis":
        covariance = X.T @ X / max(len(X) - 1, 1)
        return None, invert_root(covariance)
    scale = np.sqrt(np.square(X).mean(axis=0)) if scaling == "standard" else None
    if scale is None:
        return np.ones(X.shape[1]), None
    # The scale of a constant column is a rounding error.
    return np.where(scale > 1e-14 * np.abs(X).max(initial=0.0), scale, 1.0), None


def invert_root(covariance):
    """Return the inverse root of a covariance matrix, without constant directions.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.distance_space import invert_root
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
