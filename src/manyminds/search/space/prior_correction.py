"""Correct class probabilities as if all classes were equally frequent."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import DocLinkMixin, HasMethods
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**ROWS)
class PriorCorrectedClassifier(
    DocLinkMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator
):
    """Predict as if all classes were equally frequent.

    The probabilities of a classifier are divided by the prior of each class in the
    training rows, and normalized again. If the probabilities are calibrated, the most
    likely class then minimizes the balanced error. The training rows are not
    reweighted.

    Parameters
    ----------
    estimator : classifier with ``predict_proba``, default=None
        None: logistic regression.

    Attributes
    ----------
    estimator_ : classifier
        Fitted.
    priors_ : ndarray of shape (n_classes,)
        Share of each class in the training rows, weighted by ``sample_weight``.
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
        If the estimator knows it.
    feature_names_in_ : ndarray of shape (n_features,)
        If the estimator knows them.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.metrics import balanced_accuracy_score
    >>> from manyminds.search import PriorCorrectedClassifier
    >>> X, y = make_classification(600, weights=[0.9], class_sep=0.5, random_state=0)
    >>> plain = LogisticRegression().fit(X, y)
    >>> even = PriorCorrectedClassifier(plain).fit(X, y)
    >>> print(round(balanced_accuracy_score(y, plain.predict(X)), 2))
    0.78
    >>> print(round(balanced_accuracy_score(y, even.predict(X)), 2))
    0.88
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
    }

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the classifier, and estimate the priors.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            Passed to the classifier, such as ``sample_weight``.

        Returns
        -------
        self : object
        """
        self._validate_params()
        self.estimator_ = clone(self._base()).fit(X, y, **fit_params)
        self.classes_ = self.estimator_.classes_
        codes = np.searchsorted(self.classes_, np.asarray(y).ravel())
        counts = np.bincount(codes, fit_params.get("sample_weight"))
        self.priors_ = counts / counts.sum()
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the corrected probabilities.

        {classify_table}
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        # A class of no weight is never predicted.
        even = self.estimator_.predict_proba(X) * _invert(self.priors_)
        return even / even.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of the highest corrected probability.

        {classify_table}
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    @property
    def n_features_in_(self) -> int:
        """Number of columns that the classifier was fitted on."""
        return self.estimator_.n_features_in_

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Names of the columns that the classifier was fitted on."""
        return self.estimator_.feature_names_in_

    def _base(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._base()).input_tags
        return tags


def _invert(shares: np.ndarray) -> np.ndarray:
    return np.divide(1.0, shares, out=np.zeros_like(shares), where=shares > 0)
