"""The final model of a search on many labels: mean scores, and where labels begin."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from manyminds.ensemble import center_thresholds
from manyminds.search.choice.vote import BaseVote

__all__ = ["LabelCommittee"]


class LabelCommittee(ClassifierMixin, BaseVote):
    """Average the label scores of pipelines, each with its threshold moved to 0.5.

    Parameters
    ----------
    estimators : list of estimator
        Learners of many labels; one is a committee too, with another threshold.
    weights : sequence of float
        Of the estimators; they sum to 1.
    thresholds : sequence of float or ndarray of shape (n_labels,)
        Of the estimators: a row has the labels whose score is greater.
    n_jobs : int or None, default=None
        Estimators fitted in parallel.

    Attributes
    ----------
    estimators_ : list of estimator
        Fitted.
    classes_ : ndarray of shape (n_labels, 2)
        0 and 1 for each label.
    """

    def __init__(
        self,
        estimators: Sequence[Any],
        weights: Sequence[float],
        thresholds: Sequence[Any],
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.thresholds = thresholds
        self.n_jobs = n_jobs

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the score of each label.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples, n_labels)
            Between 0 and 1; a row has the labels above 0.5.
        """
        parts = zip(self.estimators_, self.thresholds, strict=True)
        return self._average(
            center_thresholds(one.predict_proba(X), threshold)
            for one, threshold in parts
        )

    def predict(self, X: Any) -> np.ndarray:
        """Return 1 where a row has a label, otherwise 0.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples, n_labels)
        """
        return self.decide(self.predict_proba(X))

    def decide(self, probabilities: np.ndarray) -> np.ndarray:
        """Return the labels of rows whose probabilities are known.

        Parameters
        ----------
        probabilities : ndarray of shape (n_samples, n_labels)
            From `predict_proba`.

        Returns
        -------
        labels : ndarray of shape (n_samples, n_labels)
        """
        return (probabilities > 0.5).astype(np.int64)

    def _set_target(self, y: Any) -> None:
        self.classes_ = np.tile([0, 1], (np.shape(y)[1], 1))
