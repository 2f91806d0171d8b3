"""The simple methods that the paper on random oracles ranks among the ensembles."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.neighbors import KNeighborsRegressor, NearestNeighbors
from sklearn.utils.validation import check_is_fitted, validate_data

MAX_NEIGHBOURS = 30  # the paper gives no limit


class SelectedLinearRegression(RegressorMixin, BaseEstimator):
    """Fit a line with fewer and fewer columns, as long as Akaike's criterion falls.

    The column whose standardized coefficient is the smallest goes first, as in M5' of
    Wang and Witten (1997). The criterion is ``n log(rss / n) + 2 k`` for ``k`` columns.

    Attributes
    ----------
    columns_ : ndarray of int
        Columns that are left.
    coef_ : ndarray
        Their coefficients.
    intercept_ : float
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.random_oracles_for_regression.protocol import (
    ...     SelectedLinearRegression,
    ... )
    >>> X = np.random.default_rng(0).normal(size=(50, 4))
    >>> SelectedLinearRegression().fit(X, X[:, 1] - X[:, 3]).columns_
    array([1, 3])
    """

    def fit(self, X: Any, y: Any) -> "SelectedLinearRegression":
        """Drop columns while that lowers the criterion."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        center, self.intercept_ = X.mean(axis=0), float(y.mean())
        Z, target = X - center, y - y.mean()
        columns = np.flatnonzero(Z.std(axis=0) > 0.0)
        best = coef, criterion = _solve(Z, target, columns)
        while len(columns) > 0:
            weakest = np.argmin(np.abs(coef) * Z[:, columns].std(axis=0))
            fewer = np.delete(columns, weakest)
            coef, criterion = _solve(Z, target, fewer)
            if criterion >= best[1]:
                break
            columns, best = fewer, (coef, criterion)
        self.columns_, self.coef_ = columns, best[0]
        self.intercept_ -= float(center[columns] @ self.coef_)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict by the columns that are left."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X[:, self.columns_] @ self.coef_ + self.intercept_


def _solve(
    Z: np.ndarray, target: np.ndarray, columns: np.ndarray
) -> tuple[np.ndarray, float]:
    """Fit some columns; return the coefficients and Akaike's criterion."""
    coef = np.linalg.lstsq(Z[:, columns], target, rcond=None)[0]
    rss = float(np.sum((target - Z[:, columns] @ coef) ** 2))
    # With an exact fit only the number of columns is left to compare.
    least = 1e-12 * float(target @ target) + np.finfo(float).tiny
    n = len(target)
    return coef, n * float(np.log(max(rss, least) / n)) + 2.0 * len(columns)


class LeaveOneOutNeighbors(RegressorMixin, BaseEstimator):
    """Predict by the nearest neighbors, as many as do best when each row is left out.

    Parameters
    ----------
    squared : bool, default=True
        Whether to choose by the squared error or by the absolute error.
    max_neighbors : int, default=30
        Most neighbors to try.

    Attributes
    ----------
    n_neighbors_ : int
        How many neighbors do best; of equals, the fewest.
    model_ : KNeighborsRegressor
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.random_oracles_for_regression.protocol import (
    ...     LeaveOneOutNeighbors,
    ... )
    >>> X = np.arange(40.0)[:, None]
    >>> LeaveOneOutNeighbors().fit(X, X[:, 0]).n_neighbors_
    2
    """

    def __init__(self, squared: bool = True, max_neighbors: int = MAX_NEIGHBOURS):
        self.squared = squared
        self.max_neighbors = max_neighbors

    def fit(self, X: Any, y: Any) -> "LeaveOneOutNeighbors":
        """Try all numbers of neighbors at once."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        most = min(self.max_neighbors, len(y) - 1)
        self.n_neighbors_ = 1
        if most > 1:
            # Without a table to ask about, no row is its own neighbor.
            index = NearestNeighbors(n_neighbors=most).fit(X)
            near = index.kneighbors(return_distance=False)
            means = np.cumsum(y[near], axis=1) / np.arange(1, most + 1)
            errors = np.abs(means - y[:, None])
            errors = (errors**2 if self.squared else errors).mean(axis=0)
            self.n_neighbors_ = int(np.argmin(errors)) + 1
        self.model_ = KNeighborsRegressor(self.n_neighbors_).fit(X, y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the mean of the neighbors."""
        check_is_fitted(self)
        return self.model_.predict(validate_data(self, X, reset=False))
