"""Models that read the predictions of other models beside the columns of a table."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from manyminds.search.evaluation.metrics import predict_class_probabilities

__all__ = [
    "BaseStacked",
    "Inputs",
    "StackedClassifier",
    "StackedRegressor",
    "append_predictions",
    "count_appended",
    "predict_members",
]

# Returns what an input of a stacked model predicts.
Inputs = Callable[[Any], np.ndarray]


class BaseStacked(BaseEstimator):
    """Predict by a learner that was fitted to columns and out-of-fold predictions.

    It is made of fitted parts by `of_fitted`, as the search has them.

    Parameters
    ----------
    inputs : list of estimator
        Models whose predictions are columns; fitted.
    learner : estimator
        Fitted to a table from `append_predictions`.
    """

    inputs: Sequence[Any]
    learner: Any

    def __init__(self, inputs: Sequence[Any], learner: Any) -> None:
        self.inputs = inputs
        self.learner = learner

    @classmethod
    def of_fitted(cls, inputs: Sequence[Any], learner: Any, y: np.ndarray) -> Self:
        """Return the stacked model of fitted parts.

        Parameters
        ----------
        inputs, learner
            As for the class.
        y : ndarray of shape (n_samples,)
            The target to which they are fitted.

        Returns
        -------
        model : object
        """
        model = cls(list(inputs), learner)
        model.inputs_, model.learner_ = list(inputs), learner
        model._set_target(y)
        return model

    def append(self, X: Any, predict: Inputs) -> Any:
        """Append what the inputs predict to a table.

        Parameters
        ----------
        X : ndarray or DataFrame of shape (n_samples, n_features)
        predict : callable
            Returns what an input predicts for the table.

        Returns
        -------
        table : ndarray or DataFrame
        """
        return append_predictions(X, [predict(one) for one in self.inputs_])

    def _set_target(self, y: Any) -> None:
        """Set what is known of the target."""

    @property
    def n_features_in_(self) -> int:
        """Number of columns of the table."""
        return int(self.inputs_[0].n_features_in_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "learner_")


class StackedClassifier(ClassifierMixin, BaseStacked):
    """Classify by a learner that also reads class probabilities of other models.

    Parameters
    ----------
    inputs : list of classifier
    learner : classifier

    Attributes
    ----------
    inputs_ : list of classifier
        Fitted.
    learner_ : classifier
        Fitted.
    classes_ : ndarray of shape (n_classes,)

    References
    ----------
    .. [1] Wolpert, "Stacked generalization", *Neural Networks* 5, 1992.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from manyminds.search.choice.stacked import (
    ...     StackedClassifier,
    ...     append_predictions,
    ... )
    >>> X, y = np.arange(8.0).reshape(-1, 1), np.repeat([0, 1], 4)
    >>> first = GaussianNB().fit(X, y)
    >>> table = append_predictions(X, [first.predict_proba(X)])
    >>> model = StackedClassifier.of_fitted([first], GaussianNB().fit(table, y), y)
    >>> model.predict([[0.0], [7.0]])
    array([0, 1])
    """

    def predict_proba(self, X: Any, predict: Inputs | None = None) -> np.ndarray:
        """Return the probability of each class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        predict : callable, default=None
            Returns the probabilities of an input, where they are known already.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        X = X if hasattr(X, "shape") else np.asarray(X)

        def predict_input(model: Any) -> np.ndarray:
            return predict_class_probabilities(model, X, self.classes_)

        table = self.append(X, predict or predict_input)
        return predict_class_probabilities(self.learner_, table, self.classes_)

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def _set_target(self, y: Any) -> None:
        self.classes_ = np.unique(y)


class StackedRegressor(RegressorMixin, BaseStacked):
    """Predict numbers by a learner that also reads those of other models.

    Parameters
    ----------
    inputs : list of regressor
    learner : regressor

    Attributes
    ----------
    inputs_ : list of regressor
        Fitted.
    learner_ : regressor
        Fitted.
    """

    def predict(self, X: Any, predict: Inputs | None = None) -> np.ndarray:
        """Return what the learner predicts.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        predict : callable, default=None
            Returns the numbers of an input, where they are known already.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """

        def predict_input(model: Any) -> np.ndarray:
            return np.ravel(model.predict(X))

        table = self.append(X, predict or predict_input)
        return np.ravel(self.learner_.predict(table))


def append_predictions(X: Any, predictions: Sequence[np.ndarray]) -> Any:
    """Append predictions to a table, as columns of numbers.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_samples, n_features)
    predictions : sequence of ndarray of shape (n_samples[, n_classes])
        Of two classes, the probability of the second is appended.

    Returns
    -------
    table : ndarray or DataFrame of shape (n_samples, n_features + n_appended)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.choice.stacked import append_predictions
    >>> append_predictions(np.zeros((2, 1)), [np.array([[0.25, 0.75], [0.5, 0.5]])])
    array([[0.  , 0.75],
           [0.  , 0.5 ]])
    """
    columns = np.column_stack([_as_columns(one) for one in predictions])
    if not hasattr(X, "iloc"):
        return np.column_stack([np.asarray(X), columns])
    names = _name_columns(columns.shape[1], [str(name) for name in X.columns])
    return pd.concat([X, pd.DataFrame(columns, X.index, names)], axis=1)


def count_appended(n_classes: int) -> int:
    """Return how many columns the predictions of a model are; no classes: numbers."""
    return n_classes if n_classes > 2 else 1


def _as_columns(made: np.ndarray) -> np.ndarray:
    """Return columns; probabilities are rounded as those that a search stores."""
    if made.ndim == 1:
        return made[:, None]
    columns = made[:, 1:] if made.shape[1] == 2 else made
    return columns.astype(np.float32).astype(np.float64)


def _name_columns(n: int, known: Sequence[str]) -> list[str]:
    """Return names that the table does not have."""
    prefix = "prediction"
    while any(name.startswith(prefix) for name in known):
        prefix += "_"
    return [f"{prefix} {place + 1}" for place in range(n)]


def predict_members(
    models: Sequence[Any], predict: Callable[..., np.ndarray]
) -> Iterator[np.ndarray]:
    """Predict by each model; inputs of stacked models predict once.

    Parameters
    ----------
    models : sequence of estimator
    predict : callable
        Takes a model, and for a stacked one a callable that returns the predictions of
        an input.

    Yields
    ------
    predictions : ndarray
    """
    shared = {id(one) for model in models for one in _list_inputs(model)}
    known: dict[int, np.ndarray] = {}

    def predict_once(model: Any) -> np.ndarray:
        if id(model) not in shared:
            return predict(model)
        if id(model) not in known:
            known[id(model)] = predict(model)
        return known[id(model)]

    for model in models:
        if isinstance(model, BaseStacked):
            yield predict(model, predict_once)
        else:
            yield predict_once(model)


def _list_inputs(model: Any) -> Iterable[Any]:
    return model.inputs_ if isinstance(model, BaseStacked) else ()
