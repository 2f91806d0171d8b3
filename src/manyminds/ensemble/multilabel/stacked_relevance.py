"""Stacked binary relevance (2BR): second classifiers read the scores of all labels."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.bagging.estimator_fitting import fit_on_rows
from manyminds.ensemble.base import (
    draw_member_seeds,
    read_probabilities,
    run_on_members,
)
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.binary_relevance import Relevance
from manyminds.ensemble.multilabel.members import MemberFitter
from manyminds.ensemble.multilabel.stratification import assign_folds
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TSOUMAKAS_2009, cite


@fill_docstring(**PARAGRAPHS, references=cite(TSOUMAKAS_2009))
class StackedRelevanceClassifier(MultiLabelClassifier):
    """Correct the scores of binary relevance by those of the other labels (2BR).

    The second classifier of a label reads the first scores of all labels, or of those
    only whose φ-correlation with it is high enough [1]_. What it is trained on are
    scores of rows outside the folds that the first classifiers saw: their scores of
    rows they have seen, which the paper takes, are too good to learn from.

    Parameters
    ----------
    {estimator}
    final_estimator : estimator, default=None
        Second classifier to clone; None: a `LogisticRegression` of scikit-learn.
    min_correlation : float, default=0.0
        Least absolute φ-correlation of two labels in the training rows for one to be
        an input of the other; its own score always is.
    cv : int or None, default=5
        Number of folds, fewer if there are fewer rows; None: scores of rows that the
        first classifiers have seen.
    {n_jobs}
    {draw_state}

    Attributes
    ----------
    inputs_ : ndarray of bool of shape (n_labels, n_labels)
        Of which labels the second classifier of each label reads the score.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import StackedRelevanceClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> StackedRelevanceClassifier(random_state=0).fit(X, y).predict(X[:2]).shape
    (2, 3)
    """

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "final_estimator": [HasMethods(["fit", "predict"]), None],
        "min_correlation": [Interval(Real, 0.0, 1.0, closed="both")],
        "cv": [Interval(Integral, 2, None, closed="left"), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    _default = RandomForestClassifier

    def __init__(
        self,
        estimator=None,
        final_estimator=None,
        *,
        min_correlation=0.0,
        cv=5,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.final_estimator = final_estimator
        self.min_correlation = min_correlation
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit two classifiers for each label.

        {fit}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y, sample_weight)
        rng = check_random_state(self.random_state)

        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        seeds = draw_member_seeds(rng, self.n_labels_)
        self._first = Relevance.fit(fitter, Y, weights, seeds, self.n_jobs)
        scores = self._score_training_rows(fitter, Y, weights, rng)
        self.inputs_ = np.abs(phi_correlations(Y)) >= self.min_correlation
        np.fill_diagonal(self.inputs_, True)
        tasks = (
            (self._make_final(), scores[:, read], has, weights)
            for read, has in zip(self.inputs_, Y.T)
        )
        self._second = list(run_on_members(_fit_second, tasks, self.n_jobs))
        return self

    def _score_training_rows(self, fitter, Y, weights, rng):
        """Return first scores of the training rows, by classifiers of other folds."""
        if self.cv is None or len(Y) < 2:
            return self._first.score(fitter.X, self.n_jobs)
        n_folds = min(self.cv, len(Y))
        fold = assign_folds(Y == 1, np.full(n_folds, 1.0 / n_folds), rng)
        scores = np.empty(Y.shape)
        for k in range(n_folds):
            test, train = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
            seeds = draw_member_seeds(rng, Y.shape[1])
            part = fitter.take_rows(train)
            first = Relevance.fit(part, Y[train], weights[train], seeds, self.n_jobs)
            scores[test] = first.score(fitter.X[test], self.n_jobs)
        return scores

    def _make_final(self):
        if self.final_estimator is None:
            return LogisticRegression()
        return clone(self.final_estimator)

    def _score_labels(self, X):
        scores = self._first.score(self._read_table(X), self.n_jobs)
        tasks = (
            (member, scores[:, read], 2)
            for member, read in zip(self._second, self.inputs_)
        )
        both = run_on_members(read_probabilities, tasks, self.n_jobs)
        return np.column_stack([p[:, 1] for p in both])


def phi_correlations(Y):
    """Return the φ-correlation of each pair of labels.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.

    Returns
    -------
    correlations : ndarray of shape (n_labels, n_labels)
        Between -1 and 1; 0 for a label that all rows have, or none.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.multilabel.stacked_relevance import phi_correlations
    >>> Y = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 0], [0, 1, 0]])
    >>> phi_correlations(Y).round(2)
    array([[1.  , 0.58, 0.  ],
           [0.58, 1.  , 0.  ],
           [0.  , 0.  , 0.  ]])
    """
    centered = Y - Y.mean(axis=0)
    spread = np.sqrt((centered**2).sum(axis=0))
    products = centered.T @ centered
    scale = np.outer(spread, spread)
    return np.divide(products, scale, out=np.zeros_like(products), where=scale > 0.0)


def _fit_second(member, scores, has, weights):
    """Fit the second classifier of a label; a constant label needs none."""
    of_rows = has[weights > 0.0]
    if (of_rows == of_rows[0]).all():
        member = DummyClassifier(strategy="most_frequent")
    return fit_on_rows(member, scores, has, weights)
