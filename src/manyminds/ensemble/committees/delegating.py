"""Delegating: predict where one is confident, and delegate the rest to the next."""

from math import ceil
from numbers import Integral, Real

import numpy as np
from sklearn.model_selection import cross_val_predict
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import draw_member_seeds, make_member, read_probabilities
from manyminds.ensemble.homogeneous import HomogeneousClassifier, fit_member
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class DelegatingClassifier(HomogeneousClassifier):
    r"""Classify by a chain of learners, each of which predicts where it is confident.

    A learner predicts a row if its confidence, the highest of its probabilities, is at
    least :math:`\gamma`: the largest threshold at which it still covers the fraction
    :math:`p` of its training rows [1]_. The next learner is fitted to the rows that are
    left, and predicts those that are delegated to it.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone, with ``predict_proba``; None:
        `MDLTreeClassifier`.
    n_estimators : int, default=2
        Maximum number of members. The last one predicts all rows delegated to it.
    coverage : float, default=0.5
        :math:`p`, the minimum fraction of the rows that a member predicts itself.
    cv : int, default=None
        Number of folds for out-of-fold confidences. None: confidences of the member
        on its training rows, as in the paper, for learners that do not overfit.
    random_state : int, RandomState instance or None, default=None
        Seeds the members.

    Attributes
    ----------
    estimators_ : list of classifiers
        The members, fitted on class numbers.
    thresholds_ : ndarray of shape (n_members,)
        :math:`\gamma` of each member; 0 for the last.
    n_fitted_ : ndarray of shape (n_members,)
        How many rows each member was fitted to.
    {class_names}

    References
    ----------
    .. [1] Ferri, Flach and Hernández-Orallo, "Delegating classifiers", ICML, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import DelegatingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> chain = DelegatingClassifier(coverage=0.5).fit(X[::2], y[::2])
    >>> print(chain.n_fitted_[1] < chain.n_fitted_[0] / 2)
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "coverage": [Interval(Real, 0.0, 1.0, closed="right")],
        "cv": [Interval(Integral, 2, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=2,
        *,
        coverage=0.5,
        cv=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.coverage = coverage
        self.cv = cv
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the members, each to what the ones before leave over.

        {fit}
        """
        self._validate_params()
        X, label, _ = self._read_training_set(X, y, None)
        rng = check_random_state(self.random_state)

        left_over = np.arange(len(label))
        self.estimators_, thresholds, n_fitted = [], [], []
        for seed in draw_member_seeds(rng, self.n_estimators):
            rows, classes = X[left_over], label[left_over]
            member = fit_member(make_member(self._base, seed), rows, classes)
            confidence = self._rate(member, rows, classes)
            self.estimators_.append(member)
            thresholds.append(find_threshold(confidence, self.coverage))
            n_fitted.append(len(left_over))
            left_over = left_over[confidence < thresholds[-1]]
            if len(left_over) == 0:
                break
        thresholds[-1] = 0.0
        self.thresholds_, self.n_fitted_ = np.array(thresholds), np.array(n_fitted)
        return self

    def _rate(self, member, X, label):
        """Return the confidence of a member in its training rows."""
        if self.cv is None or np.bincount(label).max() < self.cv:
            return read_probabilities(member, X, self.n_classes_).max(axis=1)
        p = cross_val_predict(member, X, label, cv=self.cv, method="predict_proba")
        return p.max(axis=1)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Probabilities of the first member that is confident enough.
        """
        X = self._read_table(X)
        p, open_rows = np.empty((len(X), self.n_classes_)), np.arange(len(X))
        for member, threshold in zip(self.estimators_, self.thresholds_):
            if len(open_rows) == 0:
                break
            values = read_probabilities(member, X[open_rows], self.n_classes_)
            is_sure = values.max(axis=1) >= threshold
            p[open_rows[is_sure]] = values[is_sure]
            open_rows = open_rows[~is_sure]
        return p


def find_threshold(confidence, coverage):
    """Return the largest threshold that at least a share of the confidences reaches.

    Parameters
    ----------
    confidence : array-like of shape (n_samples,)
        Confidence of a learner in each row.
    coverage : float
        The share, above 0 and up to 1.

    Returns
    -------
    threshold : float

    Examples
    --------
    >>> from manyminds.ensemble.committees.delegating import find_threshold
    >>> find_threshold([0.6, 0.9, 0.7, 0.8], 0.5)
    0.8
    """
    falling = np.sort(np.asarray(confidence, dtype=np.float64))[::-1]
    return float(falling[ceil(coverage * len(falling) - 1e-9) - 1])
