"""Extreme learning machines: a random hidden layer and linear outputs."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.output_layer import (
    code_classes,
    decode_classes,
    fit_scaler,
    solve_ridge,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import HUANG_2006, cite
from manyminds.utils.weights import read_weights

_MAX_HIDDEN = 1000
_ACTIVATIONS = {
    "tanh": np.tanh,
    "sigmoid": lambda input: 0.5 * (1.0 + np.tanh(0.5 * input)),
    "sine": np.sin,
    "relu": lambda input: np.maximum(input, 0.0),
}


class _ELM(DocLinkMixin, BaseEstimator):
    """Base class: draw a hidden layer and fit the output weights."""

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
        """Draw the hidden layer, then solve for the outputs."""
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
        """Return the activations of the hidden units for a checked table."""
        X = X if self.scaler_ is None else self.scaler_.transform(X)
        inputs = X @ self.hidden_weights_
        inputs += self.hidden_biases_
        return _ACTIVATIONS[self.activation](inputs)

    def _output(self, X):
        """Return the outputs for a table that is not checked yet."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._hide(X) @ self.coef_ + self.intercept_


@fill_docstring(**PARAMETERS, references=cite(HUANG_2006))
class ELMClassifier(ClassifierMixin, _ELM):
    """Classify by linear regression on a layer of random hidden units.

    {elm_story}

    Parameters
    ----------
    {elm_layer}
    output : {"onehot", "integer"}, default="onehot"
        "onehot": one output for each class with targets 1 and -1 (a single output for
        two classes). "integer": one output with the class number as target, which
        assumes ordered classes and is poor for more than two.
    {scale}
    {draws_layer}

    Attributes
    ----------
    {classes}
    {hidden}
    coef_ : ndarray of shape (n_hidden, n_outputs)
        Output weights.
    intercept_ : ndarray of shape (n_outputs,)
        Intercepts of the outputs.
    {scaler}
    {n_features_in}

    {references}

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

        {fit_classes}
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
        """Return the scores of the classes; the highest is predicted.

        Parameters
        ----------
        {x_new}

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            Outputs; for two classes one column, positive for the second class. With
            ``output="integer"`` the negative distances to the class numbers.
        """
        outputs = self._output(X)
        if self.output == "integer":
            outputs = -np.abs(outputs - np.arange(len(self.classes_)))
            if len(self.classes_) == 2:
                return outputs[:, 1] - outputs[:, 0]
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    def predict(self, X):
        """Predict the class with the highest output, or the nearest class number.

        {predict}
        """
        scores = self.decision_function(X)
        return self.classes_[decode_classes(scores.reshape(len(scores), -1))]


@fill_docstring(**PARAMETERS, references=cite(HUANG_2006))
class ELMRegressor(RegressorMixin, _ELM):
    """Predict a numeric target by linear regression on random hidden units.

    {elm_story}

    Parameters
    ----------
    {elm_layer}
    {scale}
    {draws_layer}

    Attributes
    ----------
    {hidden}
    coef_ : ndarray of shape (n_hidden, 1)
        Output weights.
    intercept_ : ndarray of shape (1,)
        Intercept of the output.
    {scaler}
    {n_features_in}

    {references}

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

        {fit_numbers}
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        sample_weight = read_weights(sample_weight, X)

        return self._fit_layers(X, y.astype(np.float64)[:, np.newaxis], sample_weight)

    def predict(self, X):
        """Predict the target of each sample.

        {predict}
        """
        return self._output(X)[:, 0]


def _count_hidden(X, sample_weight):
    """Return a third of the number of distinct samples, at most 1,000.

    Equal samples do not increase the rank of the hidden layer; so a weight of three is
    equivalent to three equal samples.
    """
    if sample_weight is not None:
        X = X[sample_weight > 0.0]
    return int(np.clip(len(np.unique(X, axis=0)) // 3, 1, _MAX_HIDDEN))
