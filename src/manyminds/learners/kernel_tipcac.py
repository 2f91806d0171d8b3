"""Kernel TIPCAC: partial whitening in the feature space of a kernel."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.kernel_matrices import (
    approximate_kernel,
    center_kernel,
    find_spectrum,
    multiply_kernel,
)
from manyminds.learners.projection_classifier import ProjectionClassifier
from manyminds.learners.width_kernels import WidthKernel, measure_scale
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROZZA_2010, cite

MAX_EXACT_SAMPLES = 5_000  # more are approximated by landmarks
N_LANDMARKS = 1_000
_CENTERED = ("gaussian", "exponential")  # kernels of differences


@fill_docstring(**PARAMETERS, references=cite(ROZZA_2010))
class KernelTIPCACClassifier(ProjectionClassifier):
    r"""Separate two classes along the whitened difference of means of a kernel.

    With the eigenvalues :math:`\lambda_i` and eigenvectors :math:`a_i` of the centered
    kernel matrix, a sample is projected on [1]_

    .. math::

       \sum_j w_j \tilde k(x_j, x), \qquad
       w = \sqrt{N_A N_B} \sum_i g_i \, a_i a_i^T n,

    where :math:`n_j` is :math:`1 / N_A` for samples of the first class and
    :math:`-1 / N_B` for those of the second. The :math:`d` leading eigenvalues, which
    sum to the share ``variance`` of all, are inverted: :math:`g_i = 1 / \lambda_i`.
    The others are not removed: :math:`g_i = 1 / \lambda_d`, the partial whitening of
    `TIPCACClassifier`, or :math:`g_i = 1` with ``tail="one"``.

    Parameters
    ----------
    kernel : str, default="gaussian"
        "linear", "gaussian", "exponential" or "polynomial"; see `KernelWidthSVC`.
    width : float or "scale", default="scale"
        The width; :math:`2 \sigma^2` of a Gaussian with the standard deviation
        :math:`\sigma`. "scale": half the mean squared distance of two samples; its
        square root for the exponential kernel.
    width_factor : float, default=1.0
        Factor of the width, to tune it relative to the scale of the data.
    variance : float, default=0.955
        Share of the variance in the feature space that is whitened.
    n_components : int, default=None
        Number :math:`d` of eigenvalues that are inverted, in place of ``variance``.
    tail : {"continuous", "one"}, default="continuous"
        What the other eigenvalues become: the smallest inverted one, or 1.
    {threshold}
    {degree}
    n_landmarks : int, default=None
        Number of training samples, half of them of each class if it has as many, by
        whose kernels the others are approximated (Nyström's method). None: no
        approximation up to 5,000 samples, 1,000 landmarks for more.
    random_state : int, RandomState instance or None, default=None
        Draws the landmarks.

    Attributes
    ----------
    {classes}
    width_ : float
        The width.
    points_ : ndarray or sparse matrix of shape (n_points, n_features)
        The training samples, or the landmarks.
    coef_ : ndarray of shape (n_points,)
        Coefficients of their kernels.
    offset_ : float
        Projection of the mean of the training samples, which is subtracted.
    eigenvalues_ : ndarray of shape (n_inverted,)
        The inverted eigenvalues, in decreasing order.
    approximation_error_ : float
        Share of the variance in the feature space that landmarks do not represent:
        the nuclear norm of the error of the kernel matrix, relative to its trace. 0
        without landmarks.
    threshold_ : float
        Projections from which on samples are of the first class.
    {n_features_in}

    Notes
    -----
    With ``variance=1`` and a kernel matrix of full rank, all training samples of a
    class have the same projection, :math:`\sqrt{N_B / N_A}` or
    :math:`-\sqrt{N_A / N_B}`, whatever their labels: the rest of the spectrum must not
    be inverted. Training projections are always closer to these values than those of
    new samples.

    The literal ``tail="one"`` depends on the scale of the kernel: where eigenvalues
    are far from 1, the tail dominates or vanishes. The paper's kernel has
    :math:`\sigma = 8`, ``width=128`` if its Gaussian is
    :math:`\exp(-\lVert x - x' \rVert^2 / (2 \sigma^2))`, which it does not print.

    A weight of two is equivalent to two samples.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import KernelTIPCACClassifier
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> model = KernelTIPCACClassifier(width_factor=0.5)
    >>> print(cross_val_score(model, X, y).mean() > 0.97)
    True
    """

    _parameter_constraints = {
        **ProjectionClassifier._parameter_constraints,
        "kernel": [StrOptions({"linear", "gaussian", "exponential", "polynomial"})],
        "width": [
            Interval(Real, 0.0, None, closed="neither"),
            StrOptions({"scale"}),
        ],
        "width_factor": [Interval(Real, 0.0, None, closed="neither")],
        "variance": [Interval(Real, 0.0, 1.0, closed="right")],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "tail": [StrOptions({"continuous", "one"})],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, 0.0, None, closed="left")],
        "n_landmarks": [Interval(Integral, 2, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        kernel="gaussian",
        *,
        width="scale",
        width_factor=1.0,
        variance=0.955,
        n_components=None,
        tail="continuous",
        threshold="midpoint",
        threshold_score="accuracy",
        degree=3,
        coef0=1.0,
        n_landmarks=None,
        random_state=None,
    ):
        self.kernel = kernel
        self.width = width
        self.width_factor = width_factor
        self.variance = variance
        self.n_components = n_components
        self.tail = tail
        self.threshold = threshold
        self.threshold_score = threshold_score
        self.degree = degree
        self.coef0 = coef0
        self.n_landmarks = n_landmarks
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Decompose the kernel matrix, and find the projection and the threshold.

        {fit_sparse_classes}
        """
        self._validate_params()
        X, is_first, weight = self._read_training_set(X, y, sample_weight)

        self._set_kernel(X, weight)
        X = X if self._center is None else X - self._center
        landmarks = self._draw_landmarks(is_first)
        if landmarks is None:
            projections = self._fit_exactly(X, is_first, weight)
        else:
            projections = self._fit_to_landmarks(X, landmarks, is_first, weight)
        self._set_threshold(projections, is_first, weight)
        return self

    def _set_kernel(self, X, weight):
        """Set the width, and the center: distances are inaccurate far from zero."""
        width = self.width
        if self.width == "scale":
            width = measure_scale(X, weight, self.kernel)
        self.width_ = self.width_factor * width
        is_centered = self.kernel in _CENTERED and not issparse(X)
        self._center = np.average(X, axis=0, weights=weight) if is_centered else None

    @property
    def _kernel(self):
        return WidthKernel(self.kernel, self.width_, self.degree, self.coef0)

    def _draw_landmarks(self, is_first):
        """Return sorted indices of the landmarks; None: all samples are used."""
        n_samples, n_landmarks = len(is_first), self.n_landmarks
        if n_landmarks is None and n_samples > MAX_EXACT_SAMPLES:
            n_landmarks = N_LANDMARKS
        if n_landmarks is None or n_landmarks >= n_samples:
            return None
        rng = check_random_state(self.random_state)
        first, second = np.flatnonzero(is_first), np.flatnonzero(~is_first)
        half = n_landmarks // 2
        n_first = min(len(first), max(half, n_landmarks - len(second)))
        drawn = [
            rng.choice(group, size=size, replace=False)
            for group, size in ((first, n_first), (second, n_landmarks - n_first))
        ]
        return np.sort(np.concatenate(drawn))

    def _fit_exactly(self, X, is_first, weight):
        """Set the coefficients of all samples; return their projections."""
        matrix, means = center_kernel(self._kernel, X, weight)
        spectrum = self._decompose(matrix, X, weight)
        root = np.sqrt(weight)
        whitened = self._whiten(spectrum, root * _scale_contrast(is_first, weight))
        self.points_, self.coef_ = X, root * whitened
        self.coef_ -= weight * (self.coef_.sum() / weight.sum())  # rounding
        self.offset_ = float(means @ self.coef_)
        self.approximation_error_ = 0.0
        return (matrix @ whitened) / root

    def _fit_to_landmarks(self, X, landmarks, is_first, weight):
        """Set the coefficients of landmarks; return the projections of all samples."""
        self.points_ = X[landmarks]
        contrast = _scale_contrast(is_first, weight)
        found = approximate_kernel(self._kernel, X, self.points_, weight, contrast)
        spectrum = self._decompose(found.scatter, X, weight)
        direction = self._whiten(spectrum, found.contrast)
        self.coef_ = found.root @ direction
        self.offset_ = float(found.mean @ direction)
        self.approximation_error_ = found.error
        return self._add_kernels(X)

    def _decompose(self, matrix, X, weight):
        size = float(weight @ self._kernel.diagonal(X))
        return find_spectrum(matrix, self.variance, self.n_components, size)

    def _whiten(self, spectrum, vector):
        """Multiply a vector by the matrix with the inverted spectrum."""
        self.eigenvalues_, vectors = spectrum
        if len(self.eigenvalues_) == 0:  # all samples are equal
            return np.zeros_like(vector)
        tail = 1.0 if self.tail == "one" else 1.0 / self.eigenvalues_[-1]
        change = 1.0 / self.eigenvalues_ - tail
        return tail * vector + vectors @ (change * (vectors.T @ vector))

    def _add_kernels(self, X):
        return multiply_kernel(self._kernel, X, self.points_, self.coef_) - self.offset_

    def _project(self, X):
        return self._add_kernels(X if self._center is None else X - self._center)


def _scale_contrast(is_first, weight):
    """Return the contrast of the means times the root of the product of class sizes.

    Sizes enter by their ratio only: their product overflows, or is 0, early.
    """
    ratio = np.sqrt(weight[~is_first].sum()) / np.sqrt(weight[is_first].sum())
    return np.where(is_first, ratio, -1.0 / ratio)
