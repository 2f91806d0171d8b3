"""A pipeline as the mean of its models of all folds, instead of a fit to all rows."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

from manyminds.search.choice.vote import BaseVote
from manyminds.search.evaluation.metrics import predict_class_probabilities

__all__ = ["FoldVoteClassifier", "FoldVoteRegressor"]


class _FoldVote(BaseVote):
    """Base class: models that were fitted to codes of classes, perhaps of an array."""

    def __init__(
        self, estimators: Sequence[Any], takes_array: bool, n_jobs: int | None = None
    ) -> None:
        self.estimators = estimators
        self.takes_array = takes_array
        self.n_jobs = n_jobs

    def _read(self, X: Any) -> Any:
        return X.to_numpy() if self.takes_array and hasattr(X, "to_numpy") else X


class FoldVoteClassifier(ClassifierMixin, _FoldVote):
    """Average the class probabilities of the models of all folds.

    Parameters
    ----------
    estimators : list of classifier
        Of codes of the classes.
    takes_array : bool
        Whether they were fitted to an array rather than to a table with names.
    n_jobs : int or None, default=None
        Estimators fitted in parallel.

    Attributes
    ----------
    estimators_ : list of classifier
        Fitted.
    classes_ : ndarray of shape (n_classes,)

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from manyminds.search.choice.fold_vote import FoldVoteClassifier
    >>> X, codes = np.arange(8.0).reshape(-1, 1), np.repeat([0, 1], 4)
    >>> folds = [GaussianNB().fit(X[k::2], codes[k::2]) for k in range(2)]
    >>> vote = FoldVoteClassifier.of_fitted(folds, np.where(codes, "z", "a"), True)
    >>> vote.predict([[0.0], [7.0]])
    array(['a', 'z'], dtype='<U1')
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a clone of each estimator to all rows.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,)
        sample_weight : ndarray of shape (n_samples,), default=None

        Returns
        -------
        self : object
        """
        codes = np.unique(y, return_inverse=True)[1]
        super().fit(self._read(X), codes, sample_weight)
        self._set_target(y)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the mean probability of each class.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        X, codes = self._read(X), np.arange(len(self.classes_))
        X = X if hasattr(X, "shape") else np.asarray(X)
        made = [predict_class_probabilities(one, X, codes) for one in self.estimators_]
        return np.asarray(np.mean(made, axis=0))

    def predict(self, X: Any) -> np.ndarray:
        """Return the most probable class.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self.decide(self.predict_proba(X))

    def decide(self, probabilities: np.ndarray) -> np.ndarray:
        """Return the classes of rows whose probabilities are known.

        Parameters
        ----------
        probabilities : ndarray of shape (n_samples, n_classes)
            From `predict_proba`.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return np.asarray(self.classes_[probabilities.argmax(axis=1)])

    def _set_target(self, y: Any) -> None:
        self.classes_ = np.unique(y)


class FoldVoteRegressor(RegressorMixin, _FoldVote):
    """Average the numbers that the models of all folds predict.

    Parameters
    ----------
    estimators : list of regressor
    takes_array : bool
        Whether they were fitted to an array rather than to a table with names.
    n_jobs : int or None, default=None
        Estimators fitted in parallel.

    Attributes
    ----------
    estimators_ : list of regressor
        Fitted.
    """

    def predict(self, X: Any) -> np.ndarray:
        """Return the mean of the predictions.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        X = self._read(X)
        made = [np.ravel(one.predict(X)) for one in self.estimators_]
        return np.asarray(np.mean(made, axis=0))
