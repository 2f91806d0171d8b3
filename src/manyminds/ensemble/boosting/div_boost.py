"""DIVBOOST: draw the rows on which the votes are divided, not those that are wrong."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.boosting._parameters import PARAGRAPHS
from manyminds.ensemble.boosting.vote_weights import ambiguity, log_ambiguity
from manyminds.ensemble.homogeneous import (
    HomogeneousClassifier,
    ResamplingFitter,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


@fill_docstring(**PARAGRAPHS, references=cite(f"{ROGERS_2007}, chapters 4 and 5"))
class DivBoostClassifier(HomogeneousClassifier):
    r"""Classify by the vote of members that were fitted to undecided rows.

    Boosting draws the rows that it gets wrong, and with them every wrong label. Here
    a row is drawn by the likelihood of its votes under random voting, whether they are
    right or wrong [1]_: after :math:`t` votes of which :math:`h` were right and
    :math:`m = \min(h, t - h)`,

    .. math::

       W_1 \propto \sum_{j=0}^{m} {t \choose j},  \qquad  W_2 \propto {t \choose m}.

    A row that nearly all members get wrong, such as an outlier far from the border,
    soon has no weight. All members have the same vote.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone; None: `MDLTreeClassifier`. It must not overfit, for the
        votes are those on its own training rows: an unpruned tree gets every row right
        that it has drawn.
    n_estimators : int, default=100
        Number of members.
    weighting : {"w1", "w2"}, default="w1"
        Which likelihood; the second is flatter.
    mode : {"weigh", "remove"}, default="weigh"
        Whether rows are drawn by that likelihood, or with equal odds as long as their
        votes may be random variation and not at all afterwards.
    threshold : float, default=0.05
        With "remove": the likelihood below which a row is not drawn. If no row is left
        to draw, there are no more members.
    {run}

    Attributes
    ----------
    {members}
    sample_weights_ : ndarray of shape (n_samples,)
        Final weights of the training rows; they add up to 1.
    n_right_ : ndarray of shape (n_samples,)
        Number of members that get each training row right.
    n_runner_up_ : ndarray of shape (n_samples,)
        Number of members that predict the most frequent wrong class. With two classes,
        all others.
    {class_names}

    See Also
    --------
    manyminds.ensemble.boosting.vote_weights.flag_negative_margins : Find outliers.

    Notes
    -----
    The thesis [1]_ has two classes. With more we compare the right class
    with the strongest other one: :math:`t` is the number of votes for either. Its
    pseudo-code has :math:`\min(h, T - h)` with the final size :math:`T`, a misprint: in
    the first rounds it prefers rows that are right, and the published figures are not
    reproduced.

    The robustness to outliers holds away from the border. Flipped labels near it
    have as much weight as in AdaBoost.

    Sample weights multiply the odds of a draw.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import DivBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> boost = DivBoostClassifier(n_estimators=30, random_state=0).fit(X[::2], y[::2])
    >>> print(boost.score(X[1::2], y[1::2]) > 0.92)
    True
    """

    voting = "hard"

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "weighting": [StrOptions({"w1", "w2"})],
        "mode": [StrOptions({"weigh", "remove"})],
        "threshold": [Interval(Real, 0.0, 1.0, closed="both")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        weighting="w1",
        mode="weigh",
        threshold=0.05,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.weighting = weighting
        self.mode = mode
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members, one after the other.

        {fit_drawn}
        """
        self._validate_params()
        X, label, odds = self._read_training_set(X, y, sample_weight)

        rng = check_random_state(self.random_state)
        fitter = ResamplingFitter(self._base, X, label, odds)
        every_row = np.arange(len(label))
        votes = np.zeros((len(label), self.n_classes_), dtype=np.intp)
        self.estimators_, weights = [], odds
        while len(self.estimators_) < self.n_estimators and weights.any():
            self.sample_weights_ = weights / weights.sum()
            counts = fitter.draw(rng, self.sample_weights_)
            member, predicted = fitter.fit(counts, rng.randint(2**31 - 1))
            self.estimators_.append(member)
            votes[every_row, predicted] += 1
            self.n_right_, self.n_runner_up_ = count_pairwise_votes(votes, label)
            weights = odds * self._weigh(self.n_right_, self.n_runner_up_)
        if weights.any():
            self.sample_weights_ = weights / weights.sum()
        return self

    def _weigh(self, n_right, n_runner_up):
        """Weigh rows by the likelihood of their votes under random voting."""
        if self.mode == "remove":
            doubt = ambiguity(n_right, n_right + n_runner_up)
            return (doubt >= self.threshold).astype(np.float64)
        weights = log_ambiguity(n_right, n_right + n_runner_up, kind=self.weighting)
        return np.exp(weights - weights.max())


def count_pairwise_votes(votes, label):
    """Count the votes for each row's class, and for the strongest of the others."""
    every_row, others = np.arange(len(label)), votes.copy()
    others[every_row, label] = 0
    return votes[every_row, label], others.max(axis=1)
