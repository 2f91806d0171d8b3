"""Pairwise coupling: probabilities of all classes from those of pairs."""

from numbers import Integral

import numpy as np
from sklearn.calibration import CalibratedClassifierCV

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.graphs._parameters import PARAGRAPHS
from manyminds.ensemble.graphs.base import PairwiseClassifier
from manyminds.ensemble.graphs.coupling import (
    couple_by_divergence,
    couple_by_least_squares,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_rows

_BLOCK_CELLS = 2**21  # probabilities of pairs held at once


@fill_docstring(**PARAGRAPHS)
class PairwiseCouplingClassifier(PairwiseClassifier):
    r"""Classify by probabilities that agree best with those of all pairs of classes.

    The member of classes i and j returns :math:`r_{ij}`, the probability of i if the
    class is one of the two. The probabilities :math:`p` of all classes are those that
    minimize, for "least_squares" [1]_ and for "divergence" [2]_,

    .. math::

       \sum_i \sum_{j \ne i} (r_{ji} p_i - r_{ij} p_j)^2 \quad \text{or} \quad
       \sum_{i < j} n_{ij} \, KL\Bigl(r_{ij} \Big\Vert \frac{p_i}{p_i + p_j}\Bigr),

    where :math:`n_{ij}` is the weight of the training samples of the two classes.

    Parameters
    ----------
    {estimator}
    coupling : {"least_squares", "divergence"}, default="least_squares"
        What is minimal: one solution of linear equations, or the limit of an
        iteration.
    cv : int, default=3
        Number of folds by which an estimator without ``predict_proba`` is calibrated:
        Platt's sigmoid of its out-of-fold outputs [3]_. Fewer if a class has fewer
        samples.
    {run}

    Attributes
    ----------
    {members}
    pair_sizes_ : ndarray of shape (n_classes, n_classes)
        Weight of the training samples of each two classes.
    {class_names}

    See Also
    --------
    DecisionDAGClassifier : Fewer predictions, but no probabilities.

    References
    ----------
    .. [1] Wu, Lin and Weng, "Probability estimates for multi-class classification by
       pairwise coupling", Journal of Machine Learning Research 5, 2004, second method.
    .. [2] Hastie and Tibshirani, "Classification by pairwise coupling", Annals of
       Statistics 26, 1998.
    .. [3] Platt, "Probabilistic outputs for support vector machines", in Advances in
       Large Margin Classifiers, MIT Press, 2000.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from manyminds.ensemble import PairwiseCouplingClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = PairwiseCouplingClassifier(GaussianNB()).fit(X, y)
    >>> model.predict_proba(X[:1]).round(3)
    array([[1., 0., 0.]])
    """

    _parameter_constraints = {
        **PairwiseClassifier._parameter_constraints,
        "coupling": [StrOptions({"least_squares", "divergence"})],
        "cv": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        *,
        coupling="least_squares",
        cv=3,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.coupling = coupling
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit a member with probabilities to each pair of classes.

        {fit_pairs}
        """
        self._validate_params()
        X, label, weight = self._read_training_set(X, y, sample_weight)
        member = self._calibrate(label)

        self._fit_pairs(member, X, label, weight)
        sizes = np.bincount(label, weights=weight)
        self.pair_sizes_ = np.add.outer(sizes, sizes)
        return self

    def _calibrate(self, label):
        """Return the estimator, calibrated if it has no probabilities of its own."""
        if hasattr(self._base, "predict_proba"):
            return self._base
        counts = np.bincount(label)
        if counts.min() < 2:
            raise ValueError(
                f"estimator={self._base!r} has no predict_proba, and calibrating it "
                "needs two samples or more of each class; class "
                f"{self.classes_[counts.argmin()]} has one."
            )
        n_folds = min(self.cv, int(counts.min()))
        return CalibratedClassifierCV(self._base, cv=n_folds, ensemble=False)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_rows}
        p : ndarray of shape (n_samples, n_classes)
            Coupled probabilities; columns in the order of ``classes_``.
        """
        X = self._read_table(X)
        n_rows = max(1, _BLOCK_CELLS // self.n_classes_**2)
        with self._limit_threads():
            blocks = [
                self._couple(take_rows(X, slice(first, first + n_rows)))
                for first in range(0, X.shape[0], n_rows)
            ]
        return np.concatenate(blocks)

    def _couple(self, X):
        """Return the probabilities of a block of rows."""
        pairs = np.zeros((X.shape[0], self.n_classes_, self.n_classes_))
        if self.n_classes_ == 1:
            return np.ones((X.shape[0], 1))
        found = run_on_members(
            lambda member: member.predict_proba(X)[:, 0],
            ((member,) for member in self.estimators_),
            self.n_jobs,
        )
        for (first, second), share in zip(self.pairs_, found):
            pairs[:, first, second], pairs[:, second, first] = share, 1.0 - share
        if self.coupling == "divergence":
            return couple_by_divergence(pairs, self.pair_sizes_)
        return couple_by_least_squares(pairs)

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_rows}
        y : ndarray of shape (n_samples,)
            The class with the highest probability; the first of equals.
        """
        p = self.predict_proba(X)
        return self.classes_[p.argmax(axis=1)]
