"""TRISKEL: two biased learners predict where they agree, a third one elsewhere."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import draw_member_seeds, make_member, read_probabilities
from manyminds.ensemble.homogeneous import HomogeneousClassifier, fit_member
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class TriskelClassifier(HomogeneousClassifier):
    """Classify by pairs of learners biased towards either class, then by a third one.

    Of the two learners of a pair, one is biased to predict the second class only with
    high confidence, the other the first. A row is covered if both predict the same
    class. The next pair is fitted to the rows that are not covered, and rows that the
    last pair does not cover are predicted by a learner without bias [1]_.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone; it must take sample weights. None:
        `MDLTreeClassifier`.
    n_pairs : int, default=1
        Maximum number of biased pairs.
    bias : float, default=5.0
        Factor of the weight of the class that a learner should not miss.
    covered_weight : float, default=0.0
        Weight of covered rows for later members. 0: they are dropped; more: their
        weight is reduced, as in boosting.
    random_state : int, RandomState instance or None, default=None
        Seeds the members.

    Attributes
    ----------
    estimators_ : list of classifiers
        The pairs, one after the other, and the last learner; fitted on class
        numbers. The first of a pair is confident of the second class.
    precisions_ : ndarray of shape (n_pairs, 2)
        Precision of the confident predictions of each biased learner on the rows that
        its pair was fitted to; NaN if it has none.
    is_nested_ : ndarray of bool of shape (n_pairs,)
        Whether, on these rows, the other learner agrees with all confident predictions
        of one. Then the precisions are lower bounds of the precision of the pair.
    n_covered_ : ndarray of shape (n_pairs,)
        How many rows each pair covers.
    {two_class_names}

    Notes
    -----
    For two classes only. Precisions on training rows flatter learners that follow
    single rows.

    References
    ----------
    .. [1] Khoussainov, Heß and Kushmerick, "Ensembles of biased classifiers", ICML,
       2005.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import TriskelClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> triskel = TriskelClassifier().fit(X[::2], y[::2])
    >>> print(triskel.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _is_multiclass = False

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_pairs": [Interval(Integral, 1, None, closed="left")],
        "bias": [Interval(Real, 1.0, None, closed="left")],
        "covered_weight": [Interval(Real, 0.0, 1.0, closed="both")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        *,
        n_pairs=1,
        bias=5.0,
        covered_weight=0.0,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_pairs = n_pairs
        self.bias = bias
        self.covered_weight = covered_weight
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the pairs, each to what the ones before leave over, and the last learner.

        {fit_two_classes}
        """
        self._validate_params()
        X, label, _ = self._read_training_set(X, y, None)
        rng = check_random_state(self.random_state)

        seeds = iter(draw_member_seeds(rng, 2 * self.n_pairs + 1))
        weights, self.estimators_ = np.ones(len(label)), []
        precisions, is_nested, n_covered = [], [], []
        for _ in range(self.n_pairs):
            predicted = []
            for heavy in (0, 1):  # what it must not miss; confident of the other
                biased = weights * np.where(label == heavy, self.bias, 1.0)
                member = self._fit_member(next(seeds), X, label, biased)
                predicted.append(np.asarray(member.predict(X), dtype=np.intp))
            here, covered = weights == 1.0, predicted[0] == predicted[1]
            precisions.append(_rate_pair(*predicted, label, here))
            disagree = (predicted[0] == 1) & (predicted[1] == 0)
            is_nested.append(not np.any(here & disagree))
            n_covered.append(np.sum(here & covered))
            weights = np.where(here & covered, self.covered_weight, weights)
            if not (weights == 1.0).any():
                break
        rest = weights if weights.any() else np.ones(len(label))
        self._fit_member(next(seeds), X, label, rest)
        self.precisions_, self.is_nested_ = np.array(precisions), np.array(is_nested)
        self.n_covered_ = np.array(n_covered)
        return self

    def _fit_member(self, seed, X, label, weights):
        """Fit the next member to the rows with weight."""
        kept = weights > 0.0
        member = fit_member(
            make_member(self._base, seed), X[kept], label[kept], weights[kept]
        )
        self.estimators_.append(member)
        return member

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Mean of the first pair that agrees on the row, or the prediction of the last
            learner.
        """
        X = self._read_table(X)
        p, open_rows = np.empty((len(X), self.n_classes_)), np.arange(len(X))
        for first in range(0, len(self.estimators_) - 1, 2):
            if len(open_rows) == 0:
                break
            pair = [
                read_probabilities(member, X[open_rows], self.n_classes_)
                for member in self.estimators_[first : first + 2]
            ]
            agree = pair[0].argmax(axis=1) == pair[1].argmax(axis=1)
            p[open_rows[agree]] = (pair[0][agree] + pair[1][agree]) / 2.0
            open_rows = open_rows[~agree]
        if len(open_rows) > 0:
            last = self.estimators_[-1]
            p[open_rows] = read_probabilities(last, X[open_rows], self.n_classes_)
        return p


def _rate_pair(first, second, label, here):
    """Return the precision of the first for class 1 and of the second for class 0."""
    sure = here & (first == 1), here & (second == 0)
    return [
        np.mean(label[rows] == c) if rows.any() else np.nan
        for rows, c in zip(sure, (1, 0))
    ]
