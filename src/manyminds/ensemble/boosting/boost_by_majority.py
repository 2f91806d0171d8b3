"""Boost-by-majority: draw the rows that the remaining votes can still decide."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.boosting._parameters import PARAGRAPHS
from manyminds.ensemble.boosting.vote_weights import boost_by_majority_weights
from manyminds.ensemble.homogeneous import (
    HomogeneousClassifier,
    ResamplingFitter,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class BoostByMajorityClassifier(HomogeneousClassifier):
    r"""Classify by the vote of a fixed number of members, each better than random.

    If every member is right with probability :math:`1/2 + \tau`, the probability is
    known that the remaining members leave a row one vote short. By that probability
    rows are drawn [1]_, [2]_: rows that are decided, right or wrong, have weight 0,
    which is robust to wrong labels.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone; None: `MDLTreeClassifier`.
    n_estimators : int, default=101
        Number of members; odd, so that votes do not tie. There are fewer if every row
        is decided before.
    edge : float, default=0.1
        :math:`\tau`, above 0 and below 1/2.
    {run}

    Attributes
    ----------
    {members}
    sample_weights_ : ndarray of shape (n_samples,)
        Weights of the training rows that the last member was fitted to.
    n_right_ : ndarray of shape (n_samples,)
        Number of members that get each training row right.
    {two_class_names}

    Notes
    -----
    For two classes only. Sample weights multiply the odds of a draw.

    References
    ----------
    .. [1] Freund, "Boosting a weak learning algorithm by majority", Information and
       Computation 121, 1995.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, chapter 4.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import BoostByMajorityClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> boost = BoostByMajorityClassifier(n_estimators=31, random_state=0)
    >>> print(boost.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.9)
    True
    """

    voting = "hard"
    _is_multiclass = False

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "edge": [Interval(Real, 0.0, 0.5, closed="neither")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=101,
        *,
        edge=0.1,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.edge = edge
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members, one after the other.

        {fit_drawn_two_classes}
        """
        self._validate_params()
        X, label, odds = self._read_training_set(X, y, sample_weight)

        rng = check_random_state(self.random_state)
        fitter = ResamplingFitter(self._base, X, label, odds)
        n_votes = self.n_estimators
        self.n_right_ = np.zeros(len(label), dtype=np.intp)
        self.estimators_ = []
        for n_cast in range(n_votes):
            weights = odds * boost_by_majority_weights(
                self.n_right_, n_cast, n_votes, self.edge
            )
            if not weights.any():
                break
            self.sample_weights_ = weights / weights.sum()
            counts = fitter.draw(rng, self.sample_weights_)
            member, predicted = fitter.fit(counts, rng.randint(2**31 - 1))
            self.estimators_.append(member)
            self.n_right_ += predicted == label
        return self
