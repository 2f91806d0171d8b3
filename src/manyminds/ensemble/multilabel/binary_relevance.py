"""Binary relevance: one classifier for each label, independent of the others."""

from numbers import Integral

import numpy as np

from manyminds.ensemble.base import draw_member_seeds, run_on_members
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.members import MemberFitter, read_member
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TSOUMAKAS_2007, cite


@fill_docstring(**PARAGRAPHS, references=cite(TSOUMAKAS_2007))
class BinaryRelevanceClassifier(MultiLabelClassifier):
    """Predict each label by a classifier of its own.

    What labels tell about each other is not used [1]_.

    Parameters
    ----------
    {estimator}
    {n_jobs}
    {member_state}

    Attributes
    ----------
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import BinaryRelevanceClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> BinaryRelevanceClassifier(random_state=0).fit(X, y).predict(X[:2]).shape
    (2, 3)
    """

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    _default = RandomForestClassifier

    def __init__(self, estimator=None, *, n_jobs=None, random_state=None):
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit one classifier for each label.

        {fit}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y, sample_weight)

        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        seeds = draw_member_seeds(self.random_state, self.n_labels_)
        self._relevance = Relevance.fit(fitter, Y, weights, seeds, self.n_jobs)
        return self

    def _score_labels(self, X):
        return self._relevance.score(self._read_table(X), self.n_jobs)


class Relevance:
    """One member for each label; see `MemberFitter.fit`."""

    def __init__(self, members):
        self.members = members

    @classmethod
    def fit(cls, fitter, Y, weights, seeds, n_jobs=None):
        """Fit a member to each column of Y."""
        tasks = ((Y[:, j], 2, weights, seed) for j, seed in enumerate(seeds))
        return cls(list(run_on_members(fitter.fit, tasks, n_jobs)))

    def score(self, X, n_jobs=None):
        """Return the probability of each label."""
        tasks = ((member, X, 2) for member in self.members)
        both = run_on_members(read_member, tasks, n_jobs)
        return np.column_stack([p[:, 1] for p in both])

    def choose(self, X):
        """Return which labels are more probable than not."""
        return self.score(X) > 0.5
