"""Support vector machines with kernels by their width, the exponential one included."""

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
from manyminds.learners.elm import read_weights
from manyminds.learners.width_kernels import WidthKernel, measure_scale

# Our names for kernels, and those of libsvm; None: it has none.
_KERNELS = {
    "linear": "linear",
    "gaussian": "rbf",
    "exponential": None,
    "polynomial": "poly",
    "sigmoid": "sigmoid",
}
_CHECKS = {"dtype": np.float64, "accept_sparse": "csr"}
_SEED = 0  # never used, but libsvm would ask NumPy's global generator for one


class _SVM(DocLinkMixin, BaseEstimator):
    """Choose the kernel and its width, and leave the rest to libsvm."""

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
        """Check what ``fit`` is given; leave out rows that weigh nothing."""
        X, y = validate_data(self, X, y, **_CHECKS, **checks)
        sample_weight = read_weights(sample_weight, X)
        self._is_sparse, rows = issparse(X), np.arange(X.shape[0])
        if sample_weight is not None:
            rows = np.flatnonzero(sample_weight)
            X, y, sample_weight = X[rows], y[rows], sample_weight[rows]
        return _sort(X), y, sample_weight, rows

    def _choose_kernel(self, X, sample_weight):
        """Settle the width; give the arguments that name the kernel to libsvm."""
        width = self.width
        if self.width == "scale":
            width = measure_scale(X, sample_weight, self.kernel)
        self.width_ = self.width_factor * width
        name, gamma = _KERNELS[self.kernel], 1.0 / self.width_
        if name is None or X.shape[1] > X.shape[0]:
            # All products at once, by BLAS: on wide tables libsvm, which takes them row
            # by row, is tens of times slower.
            name = WidthKernel(self.kernel, self.width_, self.degree, self.coef0)
            gamma = "scale"  # not looked at
        return {
            "kernel": name,
            "gamma": gamma,
            "degree": self.degree,
            "coef0": self.coef0,
            "C": self.C,
            "tol": self.tol,
        }

    def _read_questions(self, X):
        """Check rows to predict, and put them in the form of the training rows."""
        check_is_fitted(self)
        X = _sort(validate_data(self, X, reset=False, **_CHECKS))
        return X.toarray() if issparse(X) and not self._is_sparse else X

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


class KernelWidthSVC(ClassifierMixin, _SVM):
    r"""Classify by a support vector machine whose kernel has a width.

    libsvm, by way of scikit-learn, finds the wide margin; this face gives the kernels
    the names and the width :math:`\sigma` that [1]_ gives them:

    - "linear": :math:`x \cdot x'`, which has no width;
    - "gaussian": :math:`\exp(-\lVert x - x' \rVert^2 / \sigma)`;
    - "exponential": :math:`\exp(-\lVert x - x' \rVert / \sigma)`;
    - "polynomial": :math:`(x \cdot x' / \sigma + c)^d`;
    - "sigmoid": :math:`\tanh(x \cdot x' / \sigma + c)`.

    Parameters
    ----------
    kernel : str, default="gaussian"
        "linear", "gaussian", "exponential", "polynomial" or "sigmoid".
    width : float or "scale", default="scale"
        The width. "scale": half the mean squared distance of two rows, which is the sum
        of the columns' variances; its square root for the exponential kernel.
    width_factor : float, default=1.0
        What the width is multiplied by: so it can be tuned in units of the data's own.
    C : float, default=1.0
        Cost of an error; small costs keep the margin wide.
    class_weight : dict, "balanced" or None, default=None
        What costs of each class are multiplied by. "balanced": classes cost the same
        in all, however rare they are.
    degree : int, default=3
        The power :math:`d` of the polynomial kernel.
    coef0 : float, default=1.0
        The constant :math:`c` of the polynomial and the sigmoid kernel.
    probability : bool, default=False
        Whether to offer ``predict_proba``: the outputs of machines for rows that they
        were not fitted on are turned into probabilities by Platt's sigmoid [2]_. Takes
        ``cv`` more fits.
    cv : int, cross-validation generator or iterable, default=5
        The folds for this.
    tol : float, default=0.001
        When to stop.

    Attributes
    ----------
    model_ : sklearn.svm.SVC
        The machine.
    calibrator_ : CalibratedClassifierCV
        What gives probabilities, if there are any.
    width_ : float
        The width.
    support_ : ndarray of shape (n_support,)
        Which training rows are support vectors.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    Notes
    -----
    Probabilities need not agree with ``predict``, which asks on which side of the
    border a row lies. With more columns than rows, and for the exponential kernel, the
    kernel of all pairs of rows is computed at once, and held.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.
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
        **_SVM._parameter_constraints,
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
        """Find the support vectors.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            What the costs of errors are multiplied by.

        Returns
        -------
        self : KernelWidthSVC
            The fitted classifier.
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
        """Return how far each row lies on the side of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            For two classes one column, positive for the second of them.
        """
        X = self._read_questions(X)
        return self.model_.decision_function(X)

    def predict(self, X):
        """Predict the class of each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        X = self._read_questions(X)
        return self.model_.predict(X)

    @available_if(lambda self: self.probability)
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
        X = self._read_questions(X)
        return self.calibrator_.predict_proba(X)


class KernelWidthSVR(RegressorMixin, _SVM):
    r"""Predict a number by a support vector machine whose kernel has a width.

    libsvm, by way of scikit-learn, finds the function that stays within ``epsilon`` of
    most targets; this face gives kernels the names and the width :math:`\sigma` that
    [1]_ gives them. See ``KernelWidthSVC`` for their formulas.

    Parameters
    ----------
    kernel : str, default="gaussian"
        "linear", "gaussian", "exponential", "polynomial" or "sigmoid".
    width : float or "scale", default="scale"
        The width. "scale": half the mean squared distance of two rows, which is the sum
        of the columns' variances; its square root for the exponential kernel.
    width_factor : float, default=1.0
        What the width is multiplied by: so it can be tuned in units of the data's own.
    C : float, default=1.0
        Cost of an error, in units of the target; small costs keep the function flat.
    epsilon : float, default=0.1
        Errors up to this cost nothing.
    degree : int, default=3
        The power of the polynomial kernel.
    coef0 : float, default=1.0
        The constant of the polynomial and the sigmoid kernel.
    tol : float, default=0.001
        When to stop.

    Attributes
    ----------
    model_ : sklearn.svm.SVR
        The machine.
    width_ : float
        The width.
    support_ : ndarray of shape (n_support,)
        Which training rows are support vectors.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

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
        **_SVM._parameter_constraints,
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
        """Find the support vectors.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            What the costs of errors are multiplied by.

        Returns
        -------
        self : KernelWidthSVR
            The fitted regressor.
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
        """Predict the target of each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to predict.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        X = self._read_questions(X)
        return self.model_.predict(X)


def _sort(X):
    """Copy a sparse matrix that is not in order: libsvm would sort it in place."""
    return X.sorted_indices() if issparse(X) and not X.has_sorted_indices else X
