"""AdaBoost with resampling: draw the rows that the members so far get wrong."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.boosting._parameters import PARAGRAPHS
from manyminds.ensemble.boosting.vote_weights import class_free_weights
from manyminds.ensemble.homogeneous import (
    HomogeneousClassifier,
    ResamplingFitter,
)
from manyminds.utils.docstrings import fill_docstring

_MIN_ERROR = 1e-10
_NO_VOTE = 1e-10  # a tree that is drawn twice has error 1/2 then, up to rounding


@fill_docstring(**PARAGRAPHS)
class ResampledAdaBoostClassifier(HomogeneousClassifier):
    r"""Classify by the weighted vote of members fitted to misclassified rows.

    AdaBoost with members fitted to rows drawn by weight [1]_, [2]_. A member
    with weighted error :math:`\epsilon` on all rows has the vote
    :math:`\alpha = \frac12 \ln\frac{1 - \epsilon}{\epsilon}`; rows that it gets wrong
    have their weight multiplied by :math:`e^\alpha`, others divided. scikit-learn's
    ``AdaBoostClassifier`` passes the weights to the members instead.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone; None: `MDLTreeClassifier`.
    n_estimators : int, default=100
        Number of members.
    on_weak : {"reset", "negate"}, default="reset"
        What to do with a member that is no better than random: give it no vote and
        restart with equal weights, or negate its vote.
    class_free : bool, default=False
        Whether rows weigh :math:`e^{-|\sum \alpha h|}`, AdaBoost's weight without the
        class: rows are heavy when the vote on them is close, right or wrong.
    {run}

    Attributes
    ----------
    {members}
    estimator_weights_ : ndarray of shape (n_estimators,)
        Their votes :math:`\alpha`.
    sample_weights_ : ndarray of shape (n_samples,)
        Final weights of the training rows; they add up to 1.
    {class_names}

    Notes
    -----
    With :math:`K` classes the vote has :math:`\frac12 \ln (K - 1)` more, so that a
    member must only be better than a guess [3]_. Sample weights are the weights to
    start from.

    References
    ----------
    .. [1] Freund and Schapire, "A decision-theoretic generalization of on-line
       learning and an application to boosting", Journal of Computer and System
       Sciences 55, 1997.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, chapters 2 and 4.
    .. [3] Zhu, Zou, Rosset and Hastie, "Multi-class AdaBoost", Statistics and Its
       Interface 2, 2009.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import ResampledAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> boost = ResampledAdaBoostClassifier(n_estimators=30, random_state=0)
    >>> print(boost.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.92)
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "on_weak": [StrOptions({"reset", "negate"})],
        "class_free": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        on_weak="reset",
        class_free=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.on_weak = on_weak
        self.class_free = class_free
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members, one after the other.

        {fit_resampled}
        """
        self._validate_params()
        X, label, odds = self._read_training_set(X, y, sample_weight)

        rng = check_random_state(self.random_state)
        fitter = ResamplingFitter(self._base, X, label, odds)
        every_row = np.arange(len(label))
        scores = np.zeros((len(label), self.n_classes_))
        self.estimators_, alphas, weights = [], [], odds
        for _ in range(self.n_estimators):
            counts = fitter.draw(rng, weights)
            member, predicted = fitter.fit(counts, rng.randint(2**31 - 1))
            wrong = predicted != label
            alpha = self._weigh_member(weights[wrong].sum())
            self.estimators_.append(member)
            alphas.append(alpha)
            scores[every_row, predicted] += alpha
            if alpha == 0.0:
                weights = odds
            elif self.class_free:
                weights = odds * class_free_weights(scores)
            else:
                weights = weights * np.exp(np.where(wrong, alpha, -alpha))
            weights = weights / weights.sum()
        self.estimator_weights_, self.sample_weights_ = np.array(alphas), weights
        return self

    def _weigh_member(self, error):
        """Return a member's vote for its weighted error."""
        error = np.clip(error, _MIN_ERROR, 1.0 - _MIN_ERROR)
        alpha = 0.5 * np.log((1.0 - error) / error)
        alpha += 0.5 * np.log(max(self.n_classes_ - 1, 1))
        return 0.0 if alpha <= _NO_VOTE and self.on_weak == "reset" else alpha

    def predict_proba(self, X):
        """Predict the share of the vote that each class has for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            A member with a negative vote votes for all classes but the one that it
            predicts; if no member has a vote, all have the same.
        """
        X = self._read_table(X)
        alphas = self.estimator_weights_
        alphas = alphas if alphas.any() else np.ones(len(alphas))
        n_classes, total = self.n_classes_, 0.0
        for alpha, labels in zip(alphas, self._members.labels(X)):
            vote = np.eye(n_classes)[labels]
            against = (1.0 - vote) / max(n_classes - 1, 1)
            total = total + abs(alpha) * (vote if alpha >= 0.0 else against)
        return total / np.abs(alphas).sum()
