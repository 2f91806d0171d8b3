"""Nearest neighbors with their number chosen by cross-validation."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.tied_neighbors import TiedNeighbors
from manyminds.trees.folds import limit_folds
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_group_folds, list_parts, read_groups

_SEED = 0  # of folds of groups
_ROUNDING = 1e-12  # scores and shares that differ by less are equal


class _KNeighborsCV(DocLinkMixin, BaseEstimator):
    """Base class: choose the number of neighbors, then store the samples."""

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

    def _fit_neighbors(self, X, y, targets, groups):
        """Choose the number of neighbors, and store the samples."""
        vars(self).pop("cv_scores_", None)
        wanted = self.n_neighbors
        if wanted == "cv":
            wanted = self._choose_number(X, y, targets, read_groups(groups, X))
        self.n_neighbors_ = int(min(wanted, len(X)))
        self._neighbors = self._make_search(X, self.n_neighbors_)
        self._targets = targets
        return self

    def _make_search(self, X, n_neighbors):
        return TiedNeighbors(X, n_neighbors, self.metric, self.p, self.n_jobs)

    def _choose_number(self, X, y, targets, groups):
        """Return the smallest number with the best mean score over the folds.

        One neighbor search in each fold serves for all numbers.
        """
        by_class = is_classifier(self)
        cv = limit_folds(self.cv, y, by_class)
        if cv == 1:
            return 1
        folds = self._list_folds(cv, X, y, groups)
        max_found = min(self.max_neighbors, *(len(train) for train, _ in folds))
        score = _score_labels if by_class else _score_numbers
        self.cv_scores_ = np.zeros(max_found)
        for train, test in folds:
            search, known = self._make_search(X[train], max_found), targets[train]
            scores = np.zeros(max_found)
            for rows, distances, near in search.find(X[test], known.shape[1]):
                means = search.average(distances, self.weights, known[near])
                scores += [score(one, targets[test[rows]]) for one in means]
            self.cv_scores_ += scores / len(test) / len(folds)
        return 1 + np.argmax(self.cv_scores_ >= self.cv_scores_.max() - _ROUNDING)

    def _list_folds(self, cv, X, y, groups):
        by_class = is_classifier(self)
        if groups is None or not isinstance(cv, Integral):
            return list(check_cv(cv, y, classifier=by_class).split(X, y, groups))
        label = np.unique(y, return_inverse=True)[1] if by_class else None
        n_folds = min(cv, groups.max() + 1)
        return list(list_parts(assign_group_folds(groups, n_folds, label, _SEED)))

    def _average(self, X):
        """Return the weighted mean target of the neighbors."""
        X = validate_data(self, X, dtype=np.float64, reset=False)
        means = np.empty((len(X), self._targets.shape[1]))
        for rows, distances, near in self._neighbors.find(X):
            weights = self._neighbors.weigh(distances, self.weights)
            weights /= weights.sum(axis=1, keepdims=True)
            for c, target in enumerate(self._targets.T):
                means[rows, c] = np.einsum("rk,rk->r", weights, target[near])
        return means

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


@fill_docstring(**PARAMETERS)
class KNeighborsClassifierCV(ClassifierMixin, _KNeighborsCV):
    """Classify by the majority of the nearest neighbors, whose number can be chosen.

    With ``n_neighbors="cv"`` the number of neighbors is the one with the highest mean
    accuracy over the folds [1]_. Where several samples are as far as the last neighbor,
    they share its place: the order of the samples does not matter.

    Parameters
    ----------
    {neighbors}

    Attributes
    ----------
    {n_neighbors}
    cv_scores_ : ndarray of shape (n_evaluated,)
        Mean accuracy with 1, 2, ... neighbors, if their number was chosen.
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

    def fit(self, X, y, *, groups=None):
        """Choose the number of neighbors and store the samples.

        {fit_grouped_classes}
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)

        targets = np.eye(len(self.classes_))[label]
        return self._fit_neighbors(X, y, targets, groups)

    def predict_proba(self, X):
        """Predict the probability of each class for each sample.

        {proba}
        """
        check_is_fitted(self)
        return self._average(X)

    def predict(self, X):
        """Predict the most frequent class of the neighbors; of ties the first.

        {predict}
        """
        probabilities = self.predict_proba(X)
        return self.classes_[_find_best(probabilities)]


@fill_docstring(**PARAMETERS)
class KNeighborsRegressorCV(RegressorMixin, _KNeighborsCV):
    """Predict the mean target of the nearest neighbors, whose number can be chosen.

    With ``n_neighbors="cv"`` the number of neighbors is the one with the lowest mean
    squared error over the folds [1]_. Where several samples are as far as the last
    neighbor, they share its place: the order of the samples does not matter.

    Parameters
    ----------
    {neighbors}

    Attributes
    ----------
    {n_neighbors}
    cv_scores_ : ndarray of shape (n_evaluated,)
        Negative mean squared error with 1, 2, ... neighbors, if their number was
        chosen.
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

    def fit(self, X, y, *, groups=None):
        """Choose the number of neighbors and store the samples.

        {fit_grouped_numbers}
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)

        targets = y.astype(np.float64)[:, np.newaxis]
        return self._fit_neighbors(X, y, targets, groups)

    def predict(self, X):
        """Predict the mean target of the neighbors.

        {predict}
        """
        check_is_fitted(self)
        return self._average(X)[:, 0]


def _find_best(shares):
    """Return the first class of the greatest share, of shares with rounding errors."""
    return (shares >= shares.max(axis=1, keepdims=True) - _ROUNDING).argmax(axis=1)


def _score_labels(shares, targets):
    """Return the number of correct classes of class shares."""
    return np.sum(_find_best(shares) == targets.argmax(axis=1))


def _score_numbers(means, targets):
    """Return the negative sum of squared errors."""
    return -np.sum((means - targets) ** 2)
