"""Calibrated label ranking: pairs of labels vote, and a virtual one draws the line."""

from itertools import combinations
from numbers import Integral

import numpy as np

from manyminds._compat import StrOptions
from manyminds.ensemble.base import draw_member_seeds, run_on_members
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.members import MemberFitter, read_member
from manyminds.trees.decision_tree import DecisionTreeClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import FUERNKRANZ_2008, cite


@fill_docstring(**PARAGRAPHS, references=cite(FUERNKRANZ_2008))
class CalibratedLabelRankingClassifier(MultiLabelClassifier):
    """Rank labels by pairwise votes; those above a virtual label are predicted.

    A classifier for each pair of labels learns from the rows that have one of the two.
    One classifier for each label decides between it and the virtual label, which is
    better than all labels that a row has not. A row has the labels with more votes than
    the virtual one [1]_. There are q (q + 1) / 2 classifiers of q labels.

    Parameters
    ----------
    {tree_estimator}
    voting : {{"hard", "soft"}}, default="hard"
        Whether a pair votes for one label, or its probabilities for both.
    {n_jobs}
    {member_state}

    Attributes
    ----------
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import CalibratedLabelRankingClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> model = CalibratedLabelRankingClassifier(random_state=0).fit(X, y)
    >>> model.predict(X[:2]).shape
    (2, 3)
    """

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "voting": [StrOptions({"hard", "soft"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    _default = DecisionTreeClassifier

    def __init__(
        self, estimator=None, *, voting="hard", n_jobs=None, random_state=None
    ):
        self.estimator = estimator
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit a classifier for each pair of labels, and for each label.

        {fit}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y, sample_weight)

        # The virtual label is the last one; a row prefers it to all that it has not.
        n_labels = self.n_labels_
        self._pairs = list(combinations(range(n_labels + 1), 2))
        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        seeds = draw_member_seeds(self.random_state, len(self._pairs))

        def fit_pair(a, b, seed):
            if b == n_labels:
                return fitter.fit(Y[:, a], 2, weights, seed)
            differs = np.where(Y[:, a] != Y[:, b], weights, 0.0)
            return fitter.fit(Y[:, a], 2, differs, seed) if differs.any() else None

        tasks = ((a, b, seed) for (a, b), seed in zip(self._pairs, seeds))
        self._members = list(run_on_members(fit_pair, tasks, self.n_jobs))
        return self

    def _score_labels(self, X):
        """Return (votes - votes of the virtual label) / 2q + 1/2."""
        X = self._read_table(X)
        votes = np.zeros((len(X), self.n_labels_ + 1))

        def read(member):
            if member is None:  # no row told the two apart
                return np.full(len(X), 0.5)
            first = read_member(member, X, 2)[:, 1]
            return first if self.voting == "soft" else (first > 0.5).astype(float)

        tasks = ((member,) for member in self._members)
        for (a, b), first in zip(self._pairs, run_on_members(read, tasks, self.n_jobs)):
            votes[:, a] += first
            votes[:, b] += 1.0 - first
        return 0.5 + (votes[:, :-1] - votes[:, -1:]) / (2.0 * self.n_labels_)
