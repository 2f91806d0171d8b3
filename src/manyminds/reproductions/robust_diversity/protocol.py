"""The random subspaces of the thesis on diversity."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted


class SubspaceMember(ClassifierMixin, BaseEstimator):
    """Fit a learner to a random half of the features.

    Parameters
    ----------
    estimator : classifier
        The learner.
    share : float, default=0.5
        Share of the features.
    random_state : int, RandomState instance or None, default=None
        Draws the features.

    Attributes
    ----------
    features_ : ndarray of shape (n_drawn,)
        The features.
    estimator_ : classifier
        The fitted learner.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    """

    def __init__(
        self, estimator: Any, share: float = 0.5, random_state: Any = None
    ) -> None:
        self.estimator = estimator
        self.share = share
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "SubspaceMember":
        """Draw the features and fit the learner."""
        rng, n_drawn = check_random_state(self.random_state), self.share * X.shape[1]
        self.features_ = rng.permutation(X.shape[1])[: max(1, round(n_drawn))]
        self.estimator_ = clone(self.estimator).fit(X[:, self.features_], y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the learner's answer."""
        check_is_fitted(self)
        return self.estimator_.predict(X[:, self.features_])
