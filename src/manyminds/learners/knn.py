"""Nearest neighbors, with their number chosen by cross-validation."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, is_classifier
from sklearn.model_selection import check_cv
from sklearn.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
)
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.trees.folds import limit_folds

_ROUNDING = 1e-12  # scores that differ by less are equal


class _KNN(DocLinkMixin, BaseEstimator):
    """Choose the number of neighbors, and leave the rest to scikit-learn."""

    _parameter_constraints = {
        "n_neighbors": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"cv"}),
        ],
        "metric": [
            StrOptions({"euclidean", "manhattan", "minkowski", "canberra", "chebyshev"})
        ],
        "p": [Interval(Real, 1.0, None, closed="left")],
        "weights": [StrOptions({"uniform", "distance"})],
        "cv": ["cv_object"],
        "max_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_neighbors=5,
        *,
        metric="euclidean",
        p=2,
        weights="uniform",
        cv=10,
        max_neighbors=50,
        n_jobs=None,
    ):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.p = p
        self.weights = weights
        self.cv = cv
        self.max_neighbors = max_neighbors
        self.n_jobs = n_jobs

    def _fit_neighbors(self, Model, X, y, targets):
        """Choose the number of neighbors, and hand the rows over."""
        vars(self).pop("cv_scores_", None)
        wanted = self.n_neighbors
        if wanted == "cv":
            wanted = self._choose_number(X, y, targets)
        self.n_neighbors_ = int(min(wanted, len(X)))
        self.model_ = Model(
            self.n_neighbors_, weights=self.weights, **self._get_metric()
        ).fit(X, y)
        return self

    def _get_metric(self):
        p = self.p if self.metric == "minkowski" else 2
        return {"metric": self.metric, "p": p, "n_jobs": self.n_jobs}

    def _choose_number(self, X, y, targets):
        """Take the number with the best mean score over the folds, the least of equals.

        One search for neighbors in each fold serves for all numbers.
        """
        by_class = is_classifier(self)
        cv = limit_folds(self.cv, y, by_class)
        if cv == 1:
            return 1
        folds = list(check_cv(cv, y, classifier=by_class).split(X, y))
        most = min(self.max_neighbors, *(len(train) for train, _ in folds))
        score = _score_labels if by_class else _score_numbers
        scores = []
        for train, test in folds:
            search = NearestNeighbors(n_neighbors=most, **self._get_metric())
            distances, near = search.fit(X[train]).kneighbors(X[test])
            said = self._sum_up(distances, targets[train][near])
            scores.append([score(means, targets[test]) for means in said])
        self.cv_scores_ = np.mean(scores, axis=0)
        return 1 + np.argmax(self.cv_scores_ >= self.cv_scores_.max() - _ROUNDING)

    def _sum_up(self, distances, targets):
        """Yield the weighted means of the nearest, the two nearest ... targets."""
        weights = np.ones_like(distances)
        if self.weights == "distance":
            is_here = distances == 0.0
            with np.errstate(divide="ignore"):
                weights = np.where(
                    is_here.any(axis=1, keepdims=True), is_here, 1.0 / distances
                )
        total, weight = np.zeros_like(targets[:, 0]), np.zeros((len(distances), 1))
        for k in range(distances.shape[1]):
            total += weights[:, k : k + 1] * targets[:, k]
            weight += weights[:, k : k + 1]
            yield total / weight

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class KNeighborsClassifierCV(ClassifierMixin, _KNN):
    """Classify by the majority of the nearest training rows.

    scikit-learn finds the neighbors; this face chooses their number, if it is asked
    to: for each number the accuracy is averaged over the folds, and the number with the
    greatest mean is taken for all rows [1]_.

    Parameters
    ----------
    n_neighbors : int or "cv", default=5
        Number of neighbors, all rows if there are fewer; or chosen by
        cross-validation.
    metric : str, default="euclidean"
        "euclidean", "manhattan", "minkowski" (with the power ``p``), "chebyshev" or
        "canberra": the sum over columns of ``|x - x'| / (|x| + |x'|)``, where 0 / 0 is
        0.
    p : float, default=2
        Power of the Minkowski metric: 1 is Manhattan's, 2 Euclid's.
    weights : {"uniform", "distance"}, default="uniform"
        Whether neighbors count alike or by one over their distance.
    cv : int, cross-validation generator or iterable, default=10
        Folds to choose the number by; a number stands for so many folds by class, or
        fewer if no class has so many rows.
    max_neighbors : int, default=50
        Largest number that is tried.
    n_jobs : int, default=None
        Number of threads that look for neighbors.

    Attributes
    ----------
    n_neighbors_ : int
        Number of neighbors.
    cv_scores_ : ndarray of shape (n_tried,)
        Mean accuracy with 1, 2, ... neighbors, if their number was chosen.
    model_ : sklearn.neighbors.KNeighborsClassifier
        What finds the neighbors.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    NRBFClassifier : All rows vote, the nearer the more.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.learners import KNeighborsClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KNeighborsClassifierCV("cv").fit(X, y)
    >>> print(model.n_neighbors_, round(model.cv_scores_.max(), 2))
    13 0.98
    """

    def fit(self, X, y):
        """Keep the rows, and choose the number of neighbors.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : KNeighborsClassifierCV
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)

        targets = np.eye(len(self.classes_))[label]
        return self._fit_neighbors(KNeighborsClassifier, X, y, targets)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Shares of the neighbors. Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict_proba(X)

    def predict(self, X):
        """Predict the class of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The class of most neighbors; the first of equals.
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]


class KNeighborsRegressorCV(RegressorMixin, _KNN):
    """Predict a number by the mean of the nearest training rows' targets.

    scikit-learn finds the neighbors; this face chooses their number, if it is asked
    to: for each number the squared error is averaged over the folds, and the number
    with the least mean is taken for all rows [1]_.

    Parameters
    ----------
    n_neighbors : int or "cv", default=5
        Number of neighbors, all rows if there are fewer; or chosen by
        cross-validation.
    metric : str, default="euclidean"
        "euclidean", "manhattan", "minkowski" (with the power ``p``), "chebyshev" or
        "canberra": the sum over columns of ``|x - x'| / (|x| + |x'|)``, where 0 / 0 is
        0.
    p : float, default=2
        Power of the Minkowski metric: 1 is Manhattan's, 2 Euclid's.
    weights : {"uniform", "distance"}, default="uniform"
        Whether neighbors count alike or by one over their distance.
    cv : int, cross-validation generator or iterable, default=10
        Folds to choose the number by.
    max_neighbors : int, default=50
        Largest number that is tried.
    n_jobs : int, default=None
        Number of threads that look for neighbors.

    Attributes
    ----------
    n_neighbors_ : int
        Number of neighbors.
    cv_scores_ : ndarray of shape (n_tried,)
        Mean squared error with 1, 2, ... neighbors, with a minus before it, if their
        number was chosen.
    model_ : sklearn.neighbors.KNeighborsRegressor
        What finds the neighbors.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    NRBFRegressor : The mean of all rows, the nearer the more.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.learners import KNeighborsRegressorCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> KNeighborsRegressorCV("cv").fit(X, y).n_neighbors_
    19
    """

    def fit(self, X, y):
        """Keep the rows, and choose the number of neighbors.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their targets.

        Returns
        -------
        self : KNeighborsRegressorCV
            The fitted regressor.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)

        targets = y.astype(np.float64)[:, np.newaxis]
        return self._fit_neighbors(KNeighborsRegressor, X, y, targets)

    def predict(self, X):
        """Predict the target of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to predict.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Means of the neighbors' targets.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict(X)


def _score_labels(shares, targets):
    """Return the share of rows whose greatest class is theirs."""
    return np.mean(shares.argmax(axis=1) == targets.argmax(axis=1))


def _score_numbers(means, targets):
    """Return the mean squared error, with a minus before it."""
    return -np.mean((means - targets) ** 2)
