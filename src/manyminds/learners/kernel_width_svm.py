"""Support vector machines whose kernels are parametrized by a width."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import SVC, SVR
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.width_kernels import WidthKernel, measure_scale
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.weights import read_weights

# Names of the kernels, and those of libsvm; None: it lacks the kernel.
_KERNELS = {
    "linear": "linear",
    "gaussian": "rbf",
    "exponential": None,
    "polynomial": "poly",
    "sigmoid": "sigmoid",
}
_CHECKS = {"dtype": np.float64, "accept_sparse": "csr"}
_SEED = 0  # has no effect; without it libsvm draws from NumPy's global generator


class _KernelWidthSVM(DocLinkMixin, BaseEstimator):
    """Base class: set up the kernel by its width for scikit-learn's machines."""

    _parameter_constraints = {
        "kernel": [StrOptions(set(_KERNELS))],
        "width": [
            Interval(Real, 0.0, None, closed="neither"),
            StrOptions({"scale"}),
        ],
        "width_factor": [Interval(Real, 0.0, None, closed="neither")],
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
    }

    def _read_training_set(self, X, y, sample_weight, **checks):
        """Check a training set; drop samples of weight 0."""
        X, y = validate_data(self, X, y, **_CHECKS, **checks)
        sample_weight = read_weights(sample_weight, X)
        self._is_sparse, rows = issparse(X), np.arange(X.shape[0])
        if sample_weight is not None:
            rows = np.flatnonzero(sample_weight)
            X, y, sample_weight = X[rows], y[rows], sample_weight[rows]
        return _sort(X), y, sample_weight, rows

    def _choose_kernel(self, X, sample_weight):
        """Set the width; return the arguments of scikit-learn's machine."""
        width = self.width
        if self.width == "scale":
            width = measure_scale(X, sample_weight, self.kernel)
        self.width_ = self.width_factor * width
        name, gamma = _KERNELS[self.kernel], 1.0 / self.width_
        if name is None or X.shape[1] > X.shape[0]:
            # All products at once, by BLAS: on wide tables libsvm, which computes them
            # row by row, is tens of times slower.
            name = WidthKernel(self.kernel, self.width_, self.degree, self.coef0)
            gamma = "scale"  # ignored
        return {
            "kernel": name,
            "gamma": gamma,
            "degree": self.degree,
            "coef0": self.coef0,
            "C": self.C,
            "tol": self.tol,
        }

    def _read_samples(self, X):
        """Check samples to predict; make them dense if the training samples were."""
        check_is_fitted(self)
        X = _sort(validate_data(self, X, reset=False, **_CHECKS))
        return X.toarray() if issparse(X) and not self._is_sparse else X

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


@fill_docstring(**PARAMETERS)
class KernelWidthSVC(ClassifierMixin, _KernelWidthSVM):
    r"""Classify by a support vector machine whose kernel is parametrized by a width.

    scikit-learn's `SVC` with the kernels, and the width :math:`\sigma`, of [1]_:

    - "linear": :math:`x \cdot x'`, which has no width;
    - "gaussian": :math:`\exp(-\lVert x - x' \rVert^2 / \sigma)`;
    - "exponential": :math:`\exp(-\lVert x - x' \rVert / \sigma)`;
    - "polynomial": :math:`(x \cdot x' / \sigma + c)^d`;
    - "sigmoid": :math:`\tanh(x \cdot x' / \sigma + c)`.

    Parameters
    ----------
    {kernel_width}
    C : float, default=1.0
        Cost of errors; the smaller, the wider the margin.
    class_weight : dict, "balanced" or None, default=None
        Factors of ``C`` for each class. "balanced": inversely proportional to class
        frequencies.
    {degree}
    probability : bool, default=False
        Whether to enable ``predict_proba``: out-of-fold outputs are calibrated by
        Platt's sigmoid [2]_. Takes ``cv`` more fits.
    cv : int, cross-validation generator or iterable, default=5
        Splitter for the calibration.
    {tol}

    Attributes
    ----------
    model_ : sklearn.svm.SVC
        The fitted machine.
    calibrator_ : CalibratedClassifierCV
        The calibrated machine, if ``probability=True``.
    {width}
    {classes}
    {n_features_in}

    Notes
    -----
    Probabilities need not agree with ``predict``, which uses the sign of the decision
    function. With more features than samples, and for the exponential kernel, the
    kernel matrix of all samples is computed at once and held in memory.

    {complex_models_paper}
    .. [2] Platt, "Probabilistic outputs for support vector machines", in Advances in
       Large Margin Classifiers, MIT Press, 2000.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from manyminds.learners import KernelWidthSVC
    >>> X, y = load_wine(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), KernelWidthSVC("exponential", C=10.0))
    >>> print(cross_val_score(model, X, y).mean() > 0.96)
    True
    """

    _parameter_constraints = {
        **_KernelWidthSVM._parameter_constraints,
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "probability": ["boolean"],
        "cv": ["cv_object"],
    }

    def __init__(
        self,
        kernel="gaussian",
        *,
        width="scale",
        width_factor=1.0,
        C=1.0,
        class_weight=None,
        degree=3,
        coef0=1.0,
        probability=False,
        cv=5,
        tol=1e-3,
    ):
        self.kernel = kernel
        self.width = width
        self.width_factor = width_factor
        self.C = C
        self.class_weight = class_weight
        self.degree = degree
        self.coef0 = coef0
        self.probability = probability
        self.cv = cv
        self.tol = tol

    def fit(self, X, y, sample_weight=None):
        """Fit the machine, and calibrate it if need be.

        {fit_costs_of_classes}
        """
        self._validate_params()
        X, y, sample_weight, rows = self._read_training_set(X, y, sample_weight)
        check_classification_targets(y)

        options = self._choose_kernel(X, sample_weight)
        machine = SVC(class_weight=self.class_weight, random_state=_SEED, **options)
        if self.probability:
            self.calibrator_ = CalibratedClassifierCV(
                machine, method="sigmoid", cv=self.cv, ensemble=False
            ).fit(X, y, sample_weight=sample_weight)
            (fitted,) = self.calibrator_.calibrated_classifiers_
            machine = fitted.estimator
        else:
            machine.fit(X, y, sample_weight=sample_weight)
        self.model_, self.classes_ = machine, machine.classes_
        self.support_ = rows[machine.support_]
        return self

    def decision_function(self, X):
        """Return the decision function of each class.

        Parameters
        ----------
        {x_new_sparse}

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            For two classes one column, positive for the second class.
        """
        X = self._read_samples(X)
        return self.model_.decision_function(X)

    def predict(self, X):
        """Predict the class of each sample.

        {predict_sparse}
        """
        X = self._read_samples(X)
        return self.model_.predict(X)

    @available_if(lambda self: self.probability)
    @fill_docstring(**PARAMETERS)
    def predict_proba(self, X):
        """Predict the probability of each class for each sample.

        {proba_sparse}
        """
        X = self._read_samples(X)
        return self.calibrator_.predict_proba(X)


@fill_docstring(**PARAMETERS)
class KernelWidthSVR(RegressorMixin, _KernelWidthSVM):
    r"""Predict by a support vector machine whose kernel is parametrized by a width.

    scikit-learn's `SVR` with the kernels, and the width :math:`\sigma`, of [1]_. See
    ``KernelWidthSVC`` for their formulas.

    Parameters
    ----------
    {kernel_width}
    C : float, default=1.0
        Cost of errors, in units of the target; the smaller, the smoother the function.
    epsilon : float, default=0.1
        Errors up to this have no cost.
    {degree}
    {tol}

    Attributes
    ----------
    model_ : sklearn.svm.SVR
        The fitted machine.
    {width}
    {n_features_in}

    {complex_models_paper}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import KernelWidthSVR
    >>> X, y = load_diabetes(return_X_y=True)
    >>> print(cross_val_score(KernelWidthSVR(C=100.0), X, y).mean() > 0.4)
    True
    """

    _parameter_constraints = {
        **_KernelWidthSVM._parameter_constraints,
        "epsilon": [Interval(Real, 0.0, None, closed="left")],
    }

    def __init__(
        self,
        kernel="gaussian",
        *,
        width="scale",
        width_factor=1.0,
        C=1.0,
        epsilon=0.1,
        degree=3,
        coef0=1.0,
        tol=1e-3,
    ):
        self.kernel = kernel
        self.width = width
        self.width_factor = width_factor
        self.C = C
        self.epsilon = epsilon
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol

    def fit(self, X, y, sample_weight=None):
        """Fit the machine.

        {fit_costs_of_numbers}
        """
        self._validate_params()
        X, y, sample_weight, rows = self._read_training_set(
            X, y, sample_weight, y_numeric=True
        )

        options = self._choose_kernel(X, sample_weight)
        self.model_ = SVR(epsilon=self.epsilon, **options)
        self.model_.random_state = _SEED
        self.model_.fit(X, y, sample_weight=sample_weight)
        self.support_ = rows[self.model_.support_]
        return self

    def predict(self, X):
        """Predict the target of each sample.

        {predict_sparse}
        """
        X = self._read_samples(X)
        return self.model_.predict(X)


def _sort(X):
    """Return a sparse matrix with sorted indices: libsvm would sort it in place."""
    return X.sorted_indices() if issparse(X) and not X.has_sorted_indices else X
