"""Max wins: the class with the most votes of all pairs."""

import numpy as np

from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.graphs._parameters import PARAGRAPHS
from manyminds.ensemble.graphs.base import PairwiseClassifier
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class MaxWinsClassifier(PairwiseClassifier):
    """Classify by the votes of one member for each pair of classes.

    Each member votes for one of its two classes; the class with the most votes is
    predicted [1]_.

    Parameters
    ----------
    {estimator}
    {run}

    Attributes
    ----------
    {members}
    {class_names}

    See Also
    --------
    DecisionDAGClassifier : As many fits, but fewer predictions.
    PairwiseCouplingClassifier : Probabilities in place of votes.

    Notes
    -----
    Of classes with equal votes the first is predicted. scikit-learn's
    `OneVsOneClassifier` compares sums of confidences instead, which are comparable only
    if those of its members are.

    References
    ----------
    .. [1] Friedman, "Another approach to polychotomous classification", Technical
       report, Stanford University, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from manyminds.ensemble import MaxWinsClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = MaxWinsClassifier(DecisionTreeClassifier(), random_state=0).fit(X, y)
    >>> model.count_votes(X[:1])
    array([[2, 0, 1]])
    """

    def __init__(self, estimator=None, *, n_jobs=None, random_state=None):
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit a member to each pair of classes.

        {fit_pairs}
        """
        self._validate_params()
        X, label, weight = self._read_training_set(X, y, sample_weight)

        self._fit_pairs(self._base, X, label, weight)
        return self

    def count_votes(self, X):
        """Count the votes for each class.

        {classify_rows}
        votes : ndarray of shape (n_samples, n_classes)
            How many of the pairs of a class it wins.
        """
        X = self._read_table(X)
        votes = np.zeros((X.shape[0], self.n_classes_), dtype=np.intp)
        with self._limit_threads():
            answers = run_on_members(
                self._decide, ((pair, X) for pair in self.pairs_), self.n_jobs
            )
            for (first, second), wins in zip(self.pairs_, answers):
                votes[:, first] += wins
                votes[:, second] += ~wins
        return votes

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_rows}
        y : ndarray of shape (n_samples,)
            The class with the most votes; the first of equals.
        """
        votes = self.count_votes(X)
        return self.classes_[votes.argmax(axis=1)]
