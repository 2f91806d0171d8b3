"""Normalized radial basis functions: a Gaussian on each training sample."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse, vstack
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.kernel_sums import (
    average,
    leave_one_out,
    make_points,
    mean_squared_distance,
    merge_equal_rows,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.targets import check_magnitude
from manyminds.utils.weights import read_weights

MAX_EXACT_ROWS = 20_000  # max_samples="auto" leaves out each of so many samples ...
MAX_AUTO_PAIRS = MAX_EXACT_ROWS**2  # ... of more, as many as keep the cost equal ...
MIN_AUTO_ROWS = 1_000  # ... but at least these


class _NRBF(DocLinkMixin, BaseEstimator):
    """Base class: average the targets of training samples by Gaussian kernels."""

    _parameter_constraints = {
        "width": [
            Interval(Real, 0.0, None, closed="neither"),
            StrOptions({"loo"}),
        ],
        "n_prototypes": [Interval(Integral, 1, None, closed="left"), None],
        "max_samples": [
            Interval(Integral, 2, None, closed="left"),
            StrOptions({"auto"}),
            None,
        ],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        width="loo",
        *,
        n_prototypes=None,
        max_samples="auto",
        random_state=None,
        n_jobs=None,
    ):
        self.width = width
        self.n_prototypes = n_prototypes
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _read_rows(self, X, **checks):
        return validate_data(self, X, dtype=np.float64, accept_sparse="csr", **checks)

    def _fit_kernels(self, X, targets, weight, by_class):
        """Set up the kernels and choose their width if it is not given."""
        weight = np.ones(X.shape[0]) if weight is None else weight
        counts = np.flatnonzero(weight)
        X, targets, weight = X[counts], targets[counts], weight[counts, np.newaxis]
        squares = (weight * targets**2).sum(axis=1)
        X, sums, group = merge_equal_rows(X, np.hstack([weight * targets, weight]))
        squares, home = np.bincount(group, squares), np.arange(X.shape[0])
        self._points = make_points(X, sums)
        random_state = check_random_state(self.random_state)
        if self.n_prototypes is not None:
            groups = [(X, sums, squares)]
            if by_class:
                groups = _group_by_class(X, sums)
            X, sums, squares, home = self._find_prototypes(groups, random_state)
        self._choose_width(X, sums, squares, home, random_state)
        return self

    def _find_prototypes(self, groups, random_state):
        """Replace the samples of each group by cluster centers."""
        rows, sums, squares, places, totals, homes = [], [], [], [], [], []
        for X, of_rows, squares_of_rows in groups:
            seed = random_state.randint(2**31 - 1)
            centers, label = _cluster(X, of_rows[:, -1], self.n_prototypes, seed)
            total = np.zeros((len(centers), of_rows.shape[1]))
            np.add.at(total, label, of_rows)
            homes.append(label + sum(map(len, places)))
            rows.append(X)
            sums.append(of_rows)
            squares.append(squares_of_rows)
            places.append(centers)
            totals.append(total)
        self._points = make_points(np.concatenate(places), np.concatenate(totals))
        rows = vstack(rows).tocsr() if issparse(rows[0]) else np.concatenate(rows)
        return rows, *map(np.concatenate, (sums, squares, homes))

    def _choose_width(self, X, sums, squares, home, random_state):
        """Set the given width, or the best of many by leave-one-out."""
        for name in ("widths_", "loo_errors_", "loo_std_errors_", "n_loo_samples_"):
            vars(self).pop(name, None)
        if self.width != "loo":
            self.width_ = float(self.width)
            return
        if mean_squared_distance(self._points) == 0.0:
            self.width_ = 1.0  # all samples are equal: the width has no effect
            return
        n_rows = len(sums)
        some = _draw_rows(
            n_rows, len(self._points.squares), self.max_samples, random_state
        )
        self.widths_, losses = leave_one_out(
            X[some], sums[some], self._points, home[some], self.n_jobs
        )
        self.n_loo_samples_ = losses.shape[0]
        self.loo_errors_, self.loo_std_errors_ = _average_losses(
            losses + squares[some, np.newaxis], sums[some, -1], n_rows
        )
        self.width_ = float(self.widths_[self.loo_errors_.argmin()])

    @property
    def prototypes_(self):
        """Centers of the Gaussians."""
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


@fill_docstring(**PARAMETERS)
class NRBFClassifier(ClassifierMixin, _NRBF):
    r"""Classify by the shares of classes in Gaussian kernels on the training samples.

    A normalized radial basis function network has one Gaussian on each training sample
    [1]_:

    .. math::

       P(c \mid x) = \frac{\sum_{i: y_i = c} G(x, x_i)}{\sum_i G(x, x_i)}, \qquad
       G(x, x_i) = \exp(-\lVert x - x_i \rVert^2 / \sigma).

    It is also known as Parzen's classifier, the probabilistic neural network, and the
    Nadaraya-Watson estimator of class probabilities. As the width decreases it becomes
    the nearest neighbor classifier; as it increases, it predicts class frequencies.

    Parameters
    ----------
    width : float or "loo", default="loo"
        The width :math:`\sigma`, in units of squared distances. "loo": of 20 widths,
        each half of the previous one, from twice the mean squared distance of two
        samples, the one with the lowest leave-one-out squared error of the
        probabilities (Brier score); of ties the widest. Equal samples are left out
        together.
    {prototypes}

    Attributes
    ----------
    {loo}
    {classes}
    {n_features_in}

    See Also
    --------
    KNeighborsClassifierCV : Uses a fixed number of neighbors.

    Notes
    -----
    Distances depend on the units of the features: scale them first. The squared error
    is a proper score like the likelihood, but a single sample far from its class cannot
    dominate it. A prediction computes one distance for each Gaussian; so does each
    training sample that is left out to choose the width, whatever the number of widths:
    of many samples, ``max_samples`` are drawn for that, while the Gaussians remain on
    all of them. Distances are held in memory for a block of samples at a time.

    {complex_models_paper}

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
        """Set up the kernels and choose their width.

        {fit_sparse_classes}
        """
        self._validate_params()
        X, y = self._read_rows(X, y=y)
        sample_weight = read_weights(sample_weight, X)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)

        targets = np.eye(len(self.classes_))[label]
        return self._fit_kernels(X, targets, sample_weight, by_class=True)

    def predict_proba(self, X):
        """Predict the probability of each class for each sample.

        {proba_sparse}
        """
        return self._average(X)

    def predict(self, X):
        """Predict the most probable class of each sample; of ties the first.

        {predict_sparse}
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]


@fill_docstring(**PARAMETERS)
class NRBFRegressor(RegressorMixin, _NRBF):
    r"""Predict the mean of the training samples' targets, weighted by Gaussian kernels.

    There is one kernel on each training sample [1]_ [2]_:

    .. math::

       f(x) = \frac{\sum_i y_i G(x, x_i)}{\sum_i G(x, x_i)}, \qquad
       G(x, x_i) = \exp(-\lVert x - x_i \rVert^2 / \sigma).

    This is the Nadaraya-Watson estimator. As the width decreases it becomes the nearest
    neighbor; as it increases, the mean of all targets.

    Parameters
    ----------
    width : float or "loo", default="loo"
        The width :math:`\sigma`, in units of squared distances. "loo": of 20 widths,
        each half of the previous one, from twice the mean squared distance of two
        samples, the one with the lowest leave-one-out squared error; of ties the
        widest. Equal samples are left out together.
    {prototypes}

    Attributes
    ----------
    {loo}
    {n_features_in}

    See Also
    --------
    KNeighborsRegressorCV : Uses a fixed number of neighbors.

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
        """Set up the kernels and choose their width.

        {fit_sparse_numbers}
        """
        self._validate_params()
        X, y = self._read_rows(X, y=y, y_numeric=True)
        check_magnitude(y)
        sample_weight = read_weights(sample_weight, X)

        self._mean = float(np.average(y, weights=sample_weight))
        targets = (y - self._mean)[:, np.newaxis]
        return self._fit_kernels(X, targets, sample_weight, by_class=False)

    def predict(self, X):
        """Predict the weighted mean of the training targets.

        {predict_sparse}
        """
        return self._average(X)[:, 0] + self._mean


def _group_by_class(X, sums):
    """Yield the samples, sums and squared targets of each class only."""
    for column in range(sums.shape[1] - 1):
        rows = np.flatnonzero(sums[:, column])
        only = np.zeros((len(rows), sums.shape[1]))
        only[:, column] = only[:, -1] = sums[rows, column]
        if len(rows):
            yield X[rows], only, only[:, -1]


def _cluster(X, weight, n_clusters, seed):
    """Return the centers of clusters of samples, and the cluster of each sample."""
    n_clusters = min(n_clusters, X.shape[0])
    clusters = KMeans(n_clusters, n_init=1, random_state=seed)
    label = clusters.fit_predict(X, sample_weight=weight)
    return clusters.cluster_centers_, label


def _draw_rows(n_rows, n_points, max_samples, random_state):
    """Return the samples to leave out in turn: all, or some at random."""
    if max_samples == "auto":
        max_samples = max(MIN_AUTO_ROWS, MAX_AUTO_PAIRS // n_points)
    if max_samples is None or max_samples >= n_rows:
        return slice(None)
    return np.sort(random_state.permutation(n_rows)[:max_samples])


def _average_losses(losses, weight, n_rows):
    """Return the weighted mean losses, and their standard errors by the sampling.

    Each row of ``losses`` is already multiplied by its weight.
    """
    total, n_drawn = weight.sum(), len(weight)
    means = losses.sum(axis=0) / total
    if n_drawn == n_rows:
        return means, np.zeros_like(means)
    residuals = losses - weight[:, np.newaxis] * means
    variance = np.square(residuals).sum(axis=0) * n_drawn / (n_drawn - 1)
    return means, np.sqrt((1.0 - n_drawn / n_rows) * variance) / total
