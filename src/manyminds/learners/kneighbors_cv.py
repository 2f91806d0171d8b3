"""Nearest neighbors with their number chosen by cross-validation."""

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
from manyminds.learners._parameters import PARAMETERS
from manyminds.trees.folds import limit_folds
from manyminds.utils.docstrings import fill_docstring

_ROUNDING = 1e-12  # scores that differ by less are equal


class _KNeighborsCV(DocLinkMixin, BaseEstimator):
    """Base class: choose the number of neighbors, then fit scikit-learn's model."""

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
        """Choose the number of neighbors, and fit the model."""
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
        """Return the smallest number with the best mean score over the folds.

        One neighbor search in each fold serves for all numbers.
        """
        by_class = is_classifier(self)
        cv = limit_folds(self.cv, y, by_class)
        if cv == 1:
            return 1
        folds = list(check_cv(cv, y, classifier=by_class).split(X, y))
        max_found = min(self.max_neighbors, *(len(train) for train, _ in folds))
        score = _score_labels if by_class else _score_numbers
        scores = []
        for train, test in folds:
            search = NearestNeighbors(n_neighbors=max_found, **self._get_metric())
            distances, near = search.fit(X[train]).kneighbors(X[test])
            predicted = self._average(distances, targets[train][near])
            scores.append([score(means, targets[test]) for means in predicted])
        self.cv_scores_ = np.mean(scores, axis=0)
        return 1 + np.argmax(self.cv_scores_ >= self.cv_scores_.max() - _ROUNDING)

    def _average(self, distances, targets):
        """Yield the weighted mean target of the nearest 1, 2, ... neighbors."""
        weights = np.ones_like(distances)
        if self.weights == "distance":
            is_same = distances == 0.0
            with np.errstate(divide="ignore"):
                weights = np.where(
                    is_same.any(axis=1, keepdims=True), is_same, 1.0 / distances
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


@fill_docstring(**PARAMETERS)
class KNeighborsClassifierCV(ClassifierMixin, _KNeighborsCV):
    """Classify by the majority of the nearest neighbors, whose number can be chosen.

    With ``n_neighbors="cv"`` the number of neighbors is the one with the highest mean
    accuracy over the folds [1]_; the neighbors are found by scikit-learn.

    Parameters
    ----------
    {neighbors}

    Attributes
    ----------
    {n_neighbors}
    cv_scores_ : ndarray of shape (n_evaluated,)
        Mean accuracy with 1, 2, ... neighbors, if their number was chosen.
    model_ : sklearn.neighbors.KNeighborsClassifier
        The fitted model.
    {classes}
    {n_features_in}

    See Also
    --------
    NRBFClassifier : Weighs all samples by a Gaussian kernel.

    {complex_models_paper}

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
        """Choose the number of neighbors and store the samples.

        {fit_classes_unweighted}
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)

        targets = np.eye(len(self.classes_))[label]
        return self._fit_neighbors(KNeighborsClassifier, X, y, targets)

    def predict_proba(self, X):
        """Predict the probability of each class for each sample.

        {proba}
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict_proba(X)

    def predict(self, X):
        """Predict the most frequent class of the neighbors; of ties the first.

        {predict}
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]


@fill_docstring(**PARAMETERS)
class KNeighborsRegressorCV(RegressorMixin, _KNeighborsCV):
    """Predict the mean target of the nearest neighbors, whose number can be chosen.

    With ``n_neighbors="cv"`` the number of neighbors is the one with the lowest mean
    squared error over the folds [1]_; the neighbors are found by scikit-learn.

    Parameters
    ----------
    {neighbors}

    Attributes
    ----------
    {n_neighbors}
    cv_scores_ : ndarray of shape (n_evaluated,)
        Negative mean squared error with 1, 2, ... neighbors, if their number was
        chosen.
    model_ : sklearn.neighbors.KNeighborsRegressor
        The fitted model.
    {n_features_in}

    See Also
    --------
    NRBFRegressor : Weighs all samples by a Gaussian kernel.

    {complex_models_paper}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.learners import KNeighborsRegressorCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> KNeighborsRegressorCV("cv").fit(X, y).n_neighbors_
    19
    """

    def fit(self, X, y):
        """Choose the number of neighbors and store the samples.

        {fit_numbers_unweighted}
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)

        targets = y.astype(np.float64)[:, np.newaxis]
        return self._fit_neighbors(KNeighborsRegressor, X, y, targets)

    def predict(self, X):
        """Predict the mean target of the neighbors.

        {predict}
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict(X)


def _score_labels(shares, targets):
    """Return the accuracy of class shares."""
    return np.mean(shares.argmax(axis=1) == targets.argmax(axis=1))


def _score_numbers(means, targets):
    """Return the negative mean squared error."""
    return -np.mean((means - targets) ** 2)
