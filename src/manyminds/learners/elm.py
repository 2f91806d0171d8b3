"""Extreme learning machines: a random hidden layer, and least squares on top of it."""

from numbers import Integral, Real

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, svd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions, check_sample_weight

_MAX_HIDDEN = 1000
_ACTIVATIONS = {
    "tanh": np.tanh,
    "sigmoid": lambda input: 0.5 * (1.0 + np.tanh(0.5 * input)),
    "sine": np.sin,
    "relu": lambda input: np.maximum(input, 0.0),
}


class _ELM(DocLinkMixin, BaseEstimator):
    """Draw a hidden layer, and find the weights of its outputs."""

    _parameter_constraints = {
        "n_hidden": [Interval(Integral, 1, None, closed="left"), None],
        "activation": [StrOptions(set(_ACTIVATIONS))],
        "alpha": [Interval(Real, 0.0, None, closed="left")],
        "weight_scale": [
            Interval(Real, 0.0, None, closed="neither"),
            StrOptions({"features"}),
        ],
        "fit_intercept": ["boolean"],
        "scale": [StrOptions({"standard"}), None],
        "random_state": ["random_state"],
    }

    def _fit_layers(self, X, targets, sample_weight):
        """Draw the hidden layer, then solve for the outputs, one column each."""
        rng = check_random_state(self.random_state)
        self.scaler_ = fit_scaler(X, sample_weight, self.scale)
        n_hidden = self.n_hidden or _count_hidden(X, sample_weight)
        spread = self.weight_scale
        if spread == "features":
            spread = X.shape[1] ** -0.5
        self.hidden_weights_ = spread * rng.normal(size=(X.shape[1], n_hidden))
        self.hidden_biases_ = rng.normal(size=n_hidden)
        self.coef_, self.intercept_ = solve_ridge(
            self._hide(X), targets, self.alpha, sample_weight, self.fit_intercept
        )
        return self

    def _hide(self, X):
        """Return what the hidden units say about the rows of a checked table."""
        X = X if self.scaler_ is None else self.scaler_.transform(X)
        inputs = X @ self.hidden_weights_
        inputs += self.hidden_biases_
        return _ACTIVATIONS[self.activation](inputs)

    def _output(self, X):
        """Return the outputs for a table that users bring: one column each."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._hide(X) @ self.coef_ + self.intercept_


class ELMClassifier(ClassifierMixin, _ELM):
    """Classify by least squares on a layer of random hidden units.

    Weights and biases of the hidden units are drawn once and stay as they are; only
    the output weights are found, in one linear solve [1]_. By default the sum of their
    squares is held down by ``alpha``, and inputs of the units are brought to a range
    where they bend. The plain method is ``alpha=0``, ``weight_scale=1``,
    ``fit_intercept=False``.

    Parameters
    ----------
    n_hidden : int or None, default=None
        Number of hidden units. None: a third of the rows, equal rows counted once, but
        at most 1,000.
    activation : {"tanh", "sigmoid", "sine", "relu"}, default="tanh"
        What a unit does with its input.
    alpha : float, default=1.0
        Weight of the ridge penalty. 0: plain least squares; of many solutions the one
        with the smallest weights.
    weight_scale : float or "features", default="features"
        Standard deviation of the hidden weights. "features": one over the square root
        of the number of features, so that the inputs of units do not grow with it and
        saturate. Biases have standard deviation 1.
    fit_intercept : bool, default=True
        Whether outputs have a constant of their own, which is not penalized.
    output : {"onehot", "integer"}, default="onehot"
        One output for each class, to be 1 for its rows and -1 for others (for two
        classes, one output in all), or one output to be the number of the class, which
        pretends that classes come in an order and serves badly for more than two.
    scale : {"standard"} or None, default="standard"
        Whether to bring columns to mean 0 and variance 1 before all else.
    random_state : int, RandomState instance or None, default=None
        Draws the hidden layer.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    hidden_weights_ : ndarray of shape (n_features, n_hidden)
        Weights of the hidden units.
    hidden_biases_ : ndarray of shape (n_hidden,)
        Biases of the hidden units.
    coef_ : ndarray of shape (n_hidden, n_outputs)
        Output weights.
    intercept_ : ndarray of shape (n_outputs,)
        Constants of the outputs.
    scaler_ : StandardScaler or None
        What brings columns to one scale.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    References
    ----------
    .. [1] Huang, Zhu and Siew, "Extreme learning machine: Theory and applications",
       Neurocomputing 70, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import ELMClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> print(cross_val_score(ELMClassifier(random_state=0), X, y).mean() > 0.93)
    True
    """

    _parameter_constraints = {
        **_ELM._parameter_constraints,
        "output": [StrOptions({"onehot", "integer"})],
    }

    def __init__(
        self,
        n_hidden=None,
        *,
        activation="tanh",
        alpha=1.0,
        weight_scale="features",
        fit_intercept=True,
        output="onehot",
        scale="standard",
        random_state=None,
    ):
        self.n_hidden = n_hidden
        self.activation = activation
        self.alpha = alpha
        self.weight_scale = weight_scale
        self.fit_intercept = fit_intercept
        self.output = output
        self.scale = scale
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw the hidden layer and solve for the output weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        self : ELMClassifier
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        sample_weight = read_weights(sample_weight, X)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)

        targets = code_classes(label, len(self.classes_))
        if self.output == "integer":
            targets = label[:, np.newaxis].astype(np.float64)
        return self._fit_layers(X, targets, sample_weight)

    def decision_function(self, X):
        """Return how much speaks for each class; the greatest is predicted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            Outputs; for two classes one column, positive for the second of them. With
            ``output="integer"`` the distances to the numbers of the classes, negative.
        """
        outputs = self._output(X)
        if self.output == "integer":
            outputs = -np.abs(outputs - np.arange(len(self.classes_)))
            if len(self.classes_) == 2:
                return outputs[:, 1] - outputs[:, 0]
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    def predict(self, X):
        """Predict the class of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The class whose output is greatest, or whose number is nearest.
        """
        scores = self.decision_function(X)
        return self.classes_[read_codes(scores.reshape(len(scores), -1))]


class ELMRegressor(RegressorMixin, _ELM):
    """Predict a number by least squares on a layer of random hidden units.

    Weights and biases of the hidden units are drawn once and stay as they are; only
    the output weights are found, in one linear solve [1]_. By default the sum of their
    squares is held down by ``alpha``, and inputs of the units are brought to a range
    where they bend. The plain method is ``alpha=0``, ``weight_scale=1``,
    ``fit_intercept=False``.

    Parameters
    ----------
    n_hidden : int or None, default=None
        Number of hidden units. None: a third of the rows, equal rows counted once, but
        at most 1,000.
    activation : {"tanh", "sigmoid", "sine", "relu"}, default="tanh"
        What a unit does with its input.
    alpha : float, default=1.0
        Weight of the ridge penalty. 0: plain least squares; of many solutions the one
        with the smallest weights.
    weight_scale : float or "features", default="features"
        Standard deviation of the hidden weights. "features": one over the square root
        of the number of features, so that the inputs of units do not grow with it and
        saturate. Biases have standard deviation 1.
    fit_intercept : bool, default=True
        Whether the output has a constant of its own, which is not penalized.
    scale : {"standard"} or None, default="standard"
        Whether to bring columns to mean 0 and variance 1 before all else.
    random_state : int, RandomState instance or None, default=None
        Draws the hidden layer.

    Attributes
    ----------
    hidden_weights_ : ndarray of shape (n_features, n_hidden)
        Weights of the hidden units.
    hidden_biases_ : ndarray of shape (n_hidden,)
        Biases of the hidden units.
    coef_ : ndarray of shape (n_hidden, 1)
        Output weights.
    intercept_ : ndarray of shape (1,)
        Constant of the output.
    scaler_ : StandardScaler or None
        What brings columns to one scale.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    References
    ----------
    .. [1] Huang, Zhu and Siew, "Extreme learning machine: Theory and applications",
       Neurocomputing 70, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import ELMRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ELMRegressor(alpha=10.0, random_state=0)
    >>> print(cross_val_score(model, X, y).mean() > 0.4)
    True
    """

    def __init__(
        self,
        n_hidden=None,
        *,
        activation="tanh",
        alpha=1.0,
        weight_scale="features",
        fit_intercept=True,
        scale="standard",
        random_state=None,
    ):
        self.n_hidden = n_hidden
        self.activation = activation
        self.alpha = alpha
        self.weight_scale = weight_scale
        self.fit_intercept = fit_intercept
        self.scale = scale
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw the hidden layer and solve for the output weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        self : ELMRegressor
            The fitted regressor.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        sample_weight = read_weights(sample_weight, X)

        return self._fit_layers(X, y.astype(np.float64)[:, np.newaxis], sample_weight)

    def predict(self, X):
        """Predict the target of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to predict.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self._output(X)[:, 0]


def read_weights(sample_weight, X):
    """Check the weights of rows; None: there are none."""
    if sample_weight is None:
        return None
    sample_weight = check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    if sample_weight.sum() <= 0.0:
        raise ValueError("sample_weight has no positive weight.")
    return sample_weight


def fit_scaler(X, sample_weight, scale):
    """Learn how to bring columns to mean 0 and variance 1; None: leave them."""
    return StandardScaler().fit(X, sample_weight=sample_weight) if scale else None


def _count_hidden(X, sample_weight):
    """Take a third of the rows, at most 1,000; equal rows count once.

    They add nothing to the rank of the hidden layer, and so a weight of three and
    three equal rows mean the same.
    """
    if sample_weight is not None:
        X = X[sample_weight > 0.0]
    return int(np.clip(len(np.unique(X, axis=0)) // 3, 1, _MAX_HIDDEN))


def solve_ridge(hidden, targets, alpha, sample_weight=None, fit_intercept=True):
    """Solve for the output weights with the least squared error plus ridge penalty.

    Parameters
    ----------
    hidden : ndarray of shape (n_samples, n_hidden)
        What the hidden units say.
    targets : ndarray of shape (n_samples, n_outputs)
        What the outputs should be.
    alpha : float
        Weight of the squared output weights in the sum to be least. 0: plain least
        squares; of many solutions the one with the smallest weights.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights of the rows.
    fit_intercept : bool, default=True
        Whether outputs have a constant, which is not penalized.

    Returns
    -------
    coef : ndarray of shape (n_hidden, n_outputs)
        Output weights.
    intercept : ndarray of shape (n_outputs,)
        Constants; 0 without ``fit_intercept``.
    """
    center, level = np.zeros(hidden.shape[1]), np.zeros(targets.shape[1])
    if fit_intercept:
        share = np.ones(len(hidden)) if sample_weight is None else sample_weight
        share = share / share.sum()
        center, level = share @ hidden, share @ targets
    hidden, targets = hidden - center, targets - level
    if sample_weight is not None:
        root = np.sqrt(sample_weight)[:, np.newaxis]
        hidden, targets = hidden * root, targets * root
    coef = _solve_centered(hidden, targets, alpha)
    return coef, level - center @ coef


def _solve_centered(hidden, targets, alpha):
    """Solve by Cholesky on the smaller side, or by SVD where that would lose digits."""
    n_samples, n_hidden = hidden.shape
    if n_hidden == 0:  # LAPACK knows no empty matrices
        return np.zeros((0, targets.shape[1]))
    if alpha > 0.0:
        try:
            if n_hidden <= n_samples:
                gram = hidden.T @ hidden
                gram[np.diag_indices(n_hidden)] += alpha
                return cho_solve(cho_factor(gram), hidden.T @ targets)
            gram = hidden @ hidden.T
            gram[np.diag_indices(n_samples)] += alpha
            return hidden.T @ cho_solve(cho_factor(gram), targets)
        except LinAlgError:
            pass  # alpha is lost in the rounding of the products: take the long way
    left, singular, right = svd(hidden, full_matrices=False)
    smallest = singular.max(initial=0.0) * max(hidden.shape) * np.finfo(float).eps
    kept = singular > smallest
    shrink = singular[kept] / (singular[kept] ** 2 + alpha)
    return right[kept].T @ (shrink[:, np.newaxis] * (left[:, kept].T @ targets))


def code_classes(label, n_classes):
    """Code classes by 1 and -1: one column each, or one in all if there are two."""
    if n_classes <= 2:
        return np.where(label == 1, 1.0, -1.0)[:, np.newaxis]
    return np.where(label[:, np.newaxis] == np.arange(n_classes), 1.0, -1.0)


def read_codes(outputs):
    """Return the class number that the coded outputs of each row are nearest to."""
    if outputs.shape[1] == 1:
        return (outputs[:, 0] > 0.0).astype(np.intp)
    return outputs.argmax(axis=1)
