"""Normalised radial basis functions: a Gaussian on each training row, no training."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse, vstack
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners.elm import read_weights
from manyminds.learners.kernel_sums import (
    average,
    leave_one_out,
    make_points,
    mean_squared_distance,
    merge_equal_rows,
)


class _NRBF(DocLinkMixin, BaseEstimator):
    """Average the targets of training rows by Gaussian kernels."""

    _parameter_constraints = {
        "width": [
            Interval(Real, 0.0, None, closed="neither"),
            StrOptions({"loo"}),
        ],
        "n_prototypes": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self, width="loo", *, n_prototypes=None, random_state=None, n_jobs=None
    ):
        self.width = width
        self.n_prototypes = n_prototypes
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _read_rows(self, X, **checks):
        return validate_data(self, X, dtype=np.float64, accept_sparse="csr", **checks)

    def _fit_kernels(self, X, targets, weight, columns_apart):
        """Set up the kernels and, if need be, choose their width."""
        weight = np.ones(X.shape[0]) if weight is None else weight
        counts = np.flatnonzero(weight)
        X, targets, weight = X[counts], targets[counts], weight[counts, np.newaxis]
        X, sums, _ = merge_equal_rows(X, np.hstack([weight * targets, weight]))
        home = np.arange(X.shape[0])
        self._points = make_points(X, sums)
        if self.n_prototypes is not None:
            parts = _part_by_column(X, sums) if columns_apart else [(X, sums)]
            X, sums, home = self._find_prototypes(parts)
        squares = float((weight * targets**2).sum())
        self._choose_width(X, sums, home, squares)
        return self

    def _find_prototypes(self, parts):
        """Put the centers of clusters, of each part by itself, in the rows' places."""
        random_state = check_random_state(self.random_state)
        rows, sums, places, totals, homes = [], [], [], [], []
        for X, of_rows in parts:
            seed = random_state.randint(2**31 - 1)
            centers, label = _cluster(X, of_rows[:, -1], self.n_prototypes, seed)
            total = np.zeros((len(centers), of_rows.shape[1]))
            np.add.at(total, label, of_rows)
            homes.append(label + sum(map(len, places)))
            rows.append(X)
            sums.append(of_rows)
            places.append(centers)
            totals.append(total)
        self._points = make_points(np.concatenate(places), np.concatenate(totals))
        rows = vstack(rows).tocsr() if issparse(rows[0]) else np.concatenate(rows)
        return rows, np.concatenate(sums), np.concatenate(homes)

    def _choose_width(self, X, sums, home, squares):
        """Take the width that is given, or the best of many by leaving rows out."""
        for name in ("widths_", "loo_errors_"):
            vars(self).pop(name, None)
        if self.width != "loo":
            self.width_ = float(self.width)
            return
        if mean_squared_distance(self._points) == 0.0:
            self.width_ = 1.0  # all in one place: any width does
            return
        self.widths_, errors = leave_one_out(X, sums, self._points, home, self.n_jobs)
        self.loo_errors_ = (errors + squares) / sums[:, -1].sum()
        self.width_ = float(self.widths_[self.loo_errors_.argmin()])

    @property
    def prototypes_(self):
        """Where the kernels stand."""
        places, center, *_ = self._points
        return places if center is None else places + center

    def _average(self, X):
        check_is_fitted(self)
        X = self._read_rows(X, reset=False)
        return average(X, self._points, self.width_, self.n_jobs)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


class NRBFClassifier(ClassifierMixin, _NRBF):
    r"""Classify by the shares of classes among Gaussian kernels on the training rows.

    A normalized radial basis function network has one Gaussian on each training row,
    and nothing to be trained [1]_:

    .. math::

       P(c \mid x) = \frac{\sum_{i: y_i = c} G(x, x_i)}{\sum_i G(x, x_i)}, \qquad
       G(x, x_i) = \exp(-\lVert x - x_i \rVert^2 / \sigma).

    It goes by other names, too: Parzen's classifier, the probabilistic neural network,
    the Nadaraya-Watson estimator of class probabilities. A narrow width makes it the
    nearest neighbor, a wide one lets it say how frequent classes are.

    Parameters
    ----------
    width : float or "loo", default="loo"
        The width :math:`\sigma`, in units of squared distances. "loo": of 20 widths,
        each half of the one before, down from twice the mean squared distance of two
        rows, the one whose probabilities have the least squared error (Brier score) at
        rows that were left out; the widest of equals. Equal rows are left out together.
    n_prototypes : int, default=None
        Put Gaussians on the centers of so many clusters of each class, and weigh them
        by the rows in the clusters: quicker for many rows. None: on every row.
    random_state : int, RandomState instance or None, default=None
        Where the search for clusters starts.
    n_jobs : int, default=None
        Number of threads.

    Attributes
    ----------
    width_ : float
        The width.
    widths_ : ndarray of shape (20,)
        The widths tried, if ``width="loo"``.
    loo_errors_ : ndarray of shape (20,)
        Their mean squared errors at rows left out.
    prototypes_ : ndarray or sparse matrix of shape (n_prototypes, n_features)
        Where the Gaussians stand.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    KNeighborsClassifierCV : As many neighbors everywhere, be they near or far.

    Notes
    -----
    Distances depend on the units of columns: scale them first. The squared error is a
    proper score as the likelihood is, but one row that is far from its class cannot
    decide everything. A prediction costs one distance for each Gaussian; so does each
    training row if the width is chosen, whatever the number of widths. Distances are
    held for a block of rows only.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from manyminds.learners import NRBFClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), NRBFClassifier())
    >>> print(cross_val_score(model, X, y).mean() > 0.94)
    True
    """

    def fit(self, X, y, sample_weight=None):
        """Keep the rows, and choose the width.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        self : NRBFClassifier
            The fitted classifier.
        """
        self._validate_params()
        X, y = self._read_rows(X, y=y)
        sample_weight = read_weights(sample_weight, X)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)

        targets = np.eye(len(self.classes_))[label]
        return self._fit_kernels(X, targets, sample_weight, columns_apart=True)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        return self._average(X)

    def predict(self, X):
        """Predict the class of each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The most probable class; the first of equals.
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]


class NRBFRegressor(RegressorMixin, _NRBF):
    r"""Predict a number by the mean of the training rows' targets, the near ones most.

    The mean is weighted by Gaussian kernels, one on each training row [1]_ [2]_:

    .. math::

       f(x) = \frac{\sum_i y_i G(x, x_i)}{\sum_i G(x, x_i)}, \qquad
       G(x, x_i) = \exp(-\lVert x - x_i \rVert^2 / \sigma).

    This is the Nadaraya-Watson estimator. A narrow width makes it the nearest
    neighbor, a wide one the mean of all.

    Parameters
    ----------
    width : float or "loo", default="loo"
        The width :math:`\sigma`, in units of squared distances. "loo": of 20 widths,
        each half of the one before, down from twice the mean squared distance of two
        rows, the one with the least squared error at rows that were left out; the
        widest of equals. Equal rows are left out together.
    n_prototypes : int, default=None
        Put Gaussians on the centers of so many clusters of rows, and weigh them by the
        rows in the clusters: quicker for many rows. None: on every row.
    random_state : int, RandomState instance or None, default=None
        Where the search for clusters starts.
    n_jobs : int, default=None
        Number of threads.

    Attributes
    ----------
    width_ : float
        The width.
    widths_ : ndarray of shape (20,)
        The widths tried, if ``width="loo"``.
    loo_errors_ : ndarray of shape (20,)
        Their mean squared errors at rows left out.
    prototypes_ : ndarray or sparse matrix of shape (n_prototypes, n_features)
        Where the Gaussians stand.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    KNeighborsRegressorCV : As many neighbors everywhere, be they near or far.

    References
    ----------
    .. [1] Nadaraya, "On estimating regression", Theory of Probability and its
       Applications 9, 1964.
    .. [2] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import NRBFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> print(cross_val_score(NRBFRegressor(), X, y).mean() > 0.4)
    True
    """

    def fit(self, X, y, sample_weight=None):
        """Keep the rows, and choose the width.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        self : NRBFRegressor
            The fitted regressor.
        """
        self._validate_params()
        X, y = self._read_rows(X, y=y, y_numeric=True)
        sample_weight = read_weights(sample_weight, X)

        self._mean = float(np.average(y, weights=sample_weight))
        targets = (y - self._mean)[:, np.newaxis]
        return self._fit_kernels(X, targets, sample_weight, columns_apart=False)

    def predict(self, X):
        """Predict the target of each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to predict.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Weighted means of the training rows' targets.
        """
        return self._average(X)[:, 0] + self._mean


def _part_by_column(X, sums):
    """Return the rows of each class, with no sums but those of the class."""
    for column in range(sums.shape[1] - 1):
        rows = np.flatnonzero(sums[:, column])
        only = np.zeros((len(rows), sums.shape[1]))
        only[:, column] = only[:, -1] = sums[rows, column]
        if len(rows):
            yield X[rows], only


def _cluster(X, weight, n_clusters, seed):
    """Find clusters of rows; give their centers, and the cluster of each row."""
    n_clusters = min(n_clusters, X.shape[0])
    clusters = KMeans(n_clusters, n_init=1, random_state=seed)
    label = clusters.fit_predict(X, sample_weight=weight)
    return clusters.cluster_centers_, label
