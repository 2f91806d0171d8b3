"""Pruning for each row as multi-label learning: members are the labels."""

from numbers import Real

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.multilabel.ml_knn import MLkNNClassifier
from manyminds.ensemble.pruning._parameters import PARAGRAPHS
from manyminds.ensemble.pruning.base import PoolClassifier
from manyminds.ensemble.pruning.dynamic import RowwiseClassifier
from manyminds.kernels import member_votes
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds

THRESHOLDS = np.arange(1, 20) / 20.0
N_FOLDS = 3


@fill_docstring(**PARAGRAPHS)
class InstancePruningClassifier(RowwiseClassifier):
    """Classify each row by the members of which a multi-label learner approves.

    Each member is a label: a held-out row has the labels of the members that are right
    about it. A multi-label learner is fitted to that, and predicts which members will
    be right about a row [1]_.

    Parameters
    ----------
    {classifier}
    learner : multi-label classifier, default=None
        Predicts which members are right; None: `MLkNNClassifier`. Those of good
        precision suit best.
    threshold : float or "cv", default="cv"
        Members with a greater score vote. "cv": the one of 0.05, 0.1, ..., 0.95 with
        the best accuracy in a cross-validation of the held-out rows. Below all scores,
        all members vote, as without pruning.
    standardize : bool, default=True
        Whether columns get the same scale before the learner sees them. Missing values
        are replaced by means; codes of categories count as numbers.
    {validation}
    {common}

    Attributes
    ----------
    learner_ : multi-label classifier
        The fitted learner.
    threshold_ : float
        The threshold.
    n_members_ : int
        Number of members.
    {class_names}

    See Also
    --------
    DynamicSelectionClassifier : Select by simple rules on the nearest neighbors.

    Notes
    -----
    Ties of votes are broken by the sum of the scores, then by the frequency of the
    classes. If no member is approved of, or all are, all vote, and ties go to the first
    class.

    References
    ----------
    .. [1] Markatopoulou, Tsoumakas and Vlahavas, "Instance-based ensemble pruning via
       multi-label classification", ICTAI, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.ensemble import InstancePruningClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = InstancePruningClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.85)
    True
    """

    _parameter_constraints = {
        **PoolClassifier._parameter_constraints,
        "learner": [HasMethods(["fit", "predict"]), None],
        "threshold": [Interval(Real, None, None, closed="neither"), StrOptions({"cv"})],
        "standardize": ["boolean"],
    }

    def __init__(
        self,
        estimator=None,
        learner=None,
        *,
        threshold="cv",
        standardize=True,
        validation_fraction=0.3,
        prefit=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.learner = learner
        self.threshold = threshold
        self.standardize = standardize
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the members, and learn from held-out rows when they are right.

        {fit}
        """
        self._validate_params()
        learner = MLkNNClassifier() if self.learner is None else self.learner
        if not get_tags(learner).classifier_tags.multi_label:
            raise ValueError(f"learner must take several labels; got {learner!r}.")
        pool, X, label, _, rng = self._make_pool(X, y)

        points = self._store_known(pool, X, label)
        right = (self._known_labels == label[:, np.newaxis]).astype(np.uint8)
        self._prior = np.bincount(label, minlength=len(self.classes_)) / len(label)
        if self.threshold == "cv":
            self.threshold_ = self._choose_threshold(learner, points, right, rng)
        else:
            self.threshold_ = float(self.threshold)
        self.learner_ = _fit(learner, points, right)
        return self

    def _choose_threshold(self, learner, points, right, rng):
        """Return the threshold with the best accuracy on rows that were not learned."""
        label = self._known_classes
        fold = assign_folds(label, N_FOLDS, rng)
        scores = np.zeros(right.shape)
        for j in range(N_FOLDS):
            inside = fold == j
            if inside.any() and np.count_nonzero(~inside) >= 2:
                model = _fit(learner, points[~inside], right[~inside])
                scores[inside] = _score(model, points[inside])
        rates = []
        for threshold in THRESHOLDS:
            votes = self._count_chosen(self._known_labels, scores, threshold)
            rates.append(np.mean(votes.argmax(axis=1) == label))
        return float(THRESHOLDS[int(np.argmax(rates))])

    def _weigh(self, points, labels):
        return _score(self.learner_, points)

    def weigh_members(self, X):
        """Return the score of each member for each row of X.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_members)
            Members whose score is greater than ``threshold_`` vote; all if none is.
        """
        return super().weigh_members(X)

    def _count(self, labels, weights):
        return self._count_chosen(labels, weights, self.threshold_)

    def _count_chosen(self, labels, scores, threshold):
        """Return the shares of votes of the members above a threshold."""
        chosen = (scores > threshold).astype(np.float64)
        chosen[~chosen.any(axis=1)] = 1.0
        shape = len(labels), len(self.classes_)
        votes, approval = np.zeros(shape), np.zeros(shape)
        member_votes.sum_votes(labels, chosen, votes)
        member_votes.sum_votes(labels, chosen * np.maximum(scores, 0.0), approval)
        is_pruned = ~chosen.all(axis=1)[:, np.newaxis]
        votes /= chosen.sum(axis=1, keepdims=True)
        return _break_ties(votes, approval * is_pruned, self._prior * is_pruned)


def _break_ties(votes, approval, prior):
    """Move a little of the votes to the leading class that is to be preferred.

    It is far less than one vote, so that only ties are decided by it.
    """
    is_first = votes >= votes.max(axis=1, keepdims=True) - 1e-12
    is_tie = is_first.sum(axis=1) > 1
    if not is_tie.any():
        return votes
    approval = np.where(is_first, np.round(approval, 12), -1.0)
    is_first = approval >= approval.max(axis=1, keepdims=True)
    winner = np.where(is_first, prior, -1.0).argmax(axis=1)
    votes = votes.copy()
    rows = np.flatnonzero(is_tie & (approval.max(axis=1) > 0.0))
    votes[rows] *= 1.0 - 1e-9
    votes[rows, winner[rows]] += 1e-9
    return votes


def _fit(learner, points, right):
    return clone(learner).fit(points, right)


def _score(learner, points):
    """Return the score of each label: (n_rows, n_labels)."""
    if not hasattr(learner, "predict_proba"):
        return np.asarray(learner.predict(points), dtype=np.float64).reshape(
            len(points), -1
        )
    scores = learner.predict_proba(points)
    if not isinstance(scores, list):
        return np.asarray(scores, dtype=np.float64)
    # A forest of scikit-learn has probabilities of 0 and 1, or of one of them alone.
    columns = [
        p[:, list(values).index(1)] if 1 in values else np.zeros(len(p))
        for p, values in zip(scores, learner.classes_)
    ]
    return np.column_stack(columns)
