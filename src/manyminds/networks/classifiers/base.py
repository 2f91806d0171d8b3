"""What classifiers on categories share: coding of columns and the last softmax."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.networks.bayesian.columns import ColumnsMixin
from manyminds.trees.cuts import apply_cuts, find_cuts

DISCRETIZE = """\
discretize : {"mdl", "quantile", "uniform"} or None, default="mdl"
    How numeric columns become categories: where that shortens the description of the
    classes, into ``n_bins`` intervals with about equally many rows, or of equal width.
    None: each value is a category.
n_bins : int, default=10
    Number of intervals of "quantile" and "uniform".
smoothing : float, default=1.0
    Rows that are added to each distribution.
"""
CLASSES = """\
classes_ : ndarray of shape (n_classes,)
    The class labels, sorted.
n_states_ : ndarray of shape (n_features,)
    Number of categories of each column.
"""
FIT = """\
Parameters
----------
X : array-like or dataframe of shape (n_samples, n_features)
    Samples. Missing values are allowed.
y : array-like of shape (n_samples,)
    Classes.
sample_weight : array-like of shape (n_samples,), default=None
    Sample weights; a weight of 2 counts as two rows.
"""


class CodedClassifier(ColumnsMixin, ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Base class: codes in, log probabilities of classes out.

    A subclass has ``_fit_codes`` and ``_join_classes``.
    """

    _parameter_constraints = {
        "discretize": [StrOptions({"mdl", "quantile", "uniform"}), None],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        "smoothing": [Interval(Real, 0.0, None, closed="neither")],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "n_jobs": [Integral, None],
    }

    def _fit(self, X, y, sample_weight):
        """Check and code a training set; call ``_fit_codes``."""
        self._validate_params()
        X, n_states, weight, label = self._read_labeled_table(X, y, sample_weight)

        is_numeric = n_states == 0
        values = np.ascontiguousarray(X[:, is_numeric].T)
        self._cuts = find_cuts(values, weight, label, self.discretize, self.n_bins)
        n_states[is_numeric] = np.isfinite(self._cuts).sum(axis=1) + 1
        self._is_numeric, self.n_states_ = is_numeric, n_states
        self._fit_codes(self._code(X), label, weight)
        return self

    def _code(self, X):
        """Return codes of all columns, one column after the other; -1: missing."""
        codes = np.empty(X.shape[::-1], dtype=np.int32)
        numeric, others = np.flatnonzero(self._is_numeric), ~self._is_numeric
        if len(numeric):
            values = np.ascontiguousarray(X[:, numeric].T)
            codes[numeric] = apply_cuts(values, self._cuts)
        missing = np.isnan(X).T
        with np.errstate(invalid="ignore"):
            codes[others] = X[:, others].T
        codes[missing] = -1
        return codes

    def predict_joint_log_proba(self, X):
        """Return the log of the joint probability of each class and what is known.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples. Missing values, and categories that the training rows did not
            have, are no evidence.

        Returns
        -------
        log_joint : ndarray of shape (n_samples, n_classes)
            Up to a constant of each row.
        """
        X = self._read_table(X)
        return self._join_classes(np.ascontiguousarray(self._code(X).T))

    def predict_log_proba(self, X):
        """Return the log probabilities of the classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        log_joint = self.predict_joint_log_proba(X)
        log_joint = log_joint - log_joint.max(axis=1, keepdims=True)
        return log_joint - np.log(np.exp(log_joint).sum(axis=1, keepdims=True))

    def predict_proba(self, X):
        """Return the probabilities of the classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        log_joint = self.predict_joint_log_proba(X)
        joint = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
        return joint / joint.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Return the most probable class of each row; of ties the first.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
