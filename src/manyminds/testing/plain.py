"""Three simple estimators that pass every check, to derive broken ones from."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    OneToOneFeatureMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import Interval, check_sample_weight

__all__ = ["PlainClassifier", "PlainRegressor", "PlainTransformer"]


class PlainClassifier(ClassifierMixin, BaseEstimator):
    """Predict the class whose mean is nearest.

    Parameters
    ----------
    n_estimators : int, default=100
        Changes nothing.
    n_jobs : int, default=None
        Changes nothing.
    random_state : int, RandomState instance or None, default=None
        Changes nothing.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    means_ : ndarray of shape (n_classes, n_features)
        Weighted mean of each class.

    Examples
    --------
    >>> from manyminds.testing.plain import PlainClassifier
    >>> PlainClassifier().fit([[0], [1], [4]], ["a", "a", "b"]).predict([[2], [3]])
    array(['a', 'b'], dtype='<U1')
    """

    _parameter_constraints: dict = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the mean of each class."""
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = check_sample_weight(sample_weight, X, dtype=np.float64)
        check_random_state(self.random_state)

        # Only rows that count may bring a class along.
        X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        self.classes_, label = np.unique(y, return_inverse=True)
        member = (label == np.arange(len(self.classes_))[:, None]) * weights
        self.means_ = member @ X / member.sum(axis=1, keepdims=True)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the nearer class the higher probability."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        distance = ((X[:, None] - self.means_) ** 2).sum(axis=2)
        p = np.exp(distance.min(axis=1, keepdims=True) - distance)
        return p / p.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        nearest = self.predict_proba(X).argmax(axis=1)
        return self.classes_[nearest]


class PlainRegressor(RegressorMixin, BaseEstimator):
    """Predict by a straight line in each feature, shrunk a little.

    Parameters
    ----------
    alpha : float, default=1.0
        How much to shrink.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Slope of each feature.
    intercept_ : float
        Prediction where all features are zero.

    Examples
    --------
    >>> from manyminds.testing.plain import PlainRegressor
    >>> PlainRegressor(alpha=0).fit([[0], [1]], [1, 3]).predict([[2]])
    array([5.])
    """

    _parameter_constraints: dict = {
        "alpha": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Solve the weighted normal equations around the means."""
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weights = check_sample_weight(sample_weight, X, dtype=np.float64)

        mean, level = (np.average(A, axis=0, weights=weights) for A in (X, y))
        left = (X - mean).T * weights
        square = left @ (X - mean) + self.alpha * np.eye(X.shape[1])
        self.coef_ = np.linalg.solve(square, left @ (y - level))
        self.intercept_ = float(level - mean @ self.coef_)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the height of the line for each row."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_ + self.intercept_


class PlainTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Subtract the mean of each feature; missing values stay missing.

    Attributes
    ----------
    mean_ : ndarray of shape (n_features,)
        Mean of the values of each feature that are not missing.

    Examples
    --------
    >>> from manyminds.testing.plain import PlainTransformer
    >>> PlainTransformer().fit_transform([[1.0], [3.0]])
    array([[-1.],
           [ 1.]])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the means."""
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        count = np.maximum((~np.isnan(X)).sum(axis=0), 1)
        self.mean_ = np.nansum(X, axis=0) / count
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Subtract the means."""
        check_is_fitted(self)
        X = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False
        )
        return X - self.mean_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
