"""Fitselect: order members by accuracy and diversity, keep the best prefix."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.base import draw_member_seeds
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.ensemble.pruning._parameters import PARAGRAPHS
from manyminds.ensemble.pruning.base import (
    PoolClassifier,
    PrunedClassifierMixin,
    hold_out,
)
from manyminds.ensemble.pruning.votes import (
    choose_size,
    list_sizes,
    member_accuracy,
    member_diversity,
    score_prefixes,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds
from manyminds.utils.tables import take_rows

ALPHAS = tuple((np.arange(11) / 10).tolist())


@fill_docstring(**PARAGRAPHS)
class FitselectClassifier(PrunedClassifierMixin, PoolClassifier):
    r"""Keep the members that are accurate and diverse, by cross-validation.

    One forest is grown outside each of ``cv`` folds, and its trees are ordered by their
    fitness inside [1]_,

    .. math:: f_\alpha(h_i) = \alpha \frac{a(h_i)}{\max_k a(h_k)}
                            + (1 - \alpha) \frac{d(h_i)}{\max_k d(h_k)}

    where :math:`a` is a tree's accuracy and :math:`d` the share of predictions in which
    it differs from the other trees. As many of the first ones are kept as vote best on
    the fold. The :math:`\alpha` with the best mean over folds is taken; the kept trees
    of all folds vote together.

    Parameters
    ----------
    estimator : classifier or list of classifiers, default=None
        Where the members come from: an ensemble of ours, another one with
        ``estimators_``, or a list of classifiers. None: a random forest.
    n_estimators : int, default=500
        Number of trees for each fold, if ``estimator`` is None.
    cv : int, default=3
        Number of stratified folds; 1: one third of the rows is held out once.
    alphas : array-like of float, default=None
        Values of :math:`\alpha` between 0 and 1, in increasing order; the greatest of
        equally good ones is taken. None: 0, 0.1, ..., 1.
    step : int, default=1
        Numbers of trees are its multiples. The counts of the paper are multiples of 10.
    min_size : int, default=1
        Least number of trees kept of each fold.
    max_size : int, default=None
        Greatest number; None: all but one, as in the paper.
    scoring : {"accuracy", "roc_auc"}, default="accuracy"
        What a vote is rated by; the area under the ROC curve, for two classes only.
    nested : bool, default=False
        Whether an :math:`\alpha` is rated by rows other than those that chose the
        number of trees: by two halves of each fold. Otherwise the ratings are those of
        the paper, which are optimistic.
    ties : {"first", "probability"}, default="first"
        Which of the classes with the most votes is predicted: the first, or the one
        with the greatest mean of the members' probabilities, for which they predict
        once more.
    prefit : bool, default=False
        Whether ``estimator`` is fitted already. It is one pool then, and all rows
        passed to ``fit`` rate its members.
    {common}

    Attributes
    ----------
    alpha_ : float
        The trade-off taken.
    alpha_scores_ : ndarray of shape (n_alphas,)
        Mean over folds of the best vote's score for each :math:`\alpha`.
    sizes_ : ndarray of shape (n_folds,)
        Number of trees kept of each fold.
    {kept}
    {class_names}

    See Also
    --------
    PrunedClassifier : Other ways of pruning, with one validation set.

    Notes
    -----
    Predictions are made once for each tree and fold, whatever the number of
    :math:`\alpha`; with T trees and n rows the selection takes O(T n) steps for each
    :math:`\alpha`. A forest on all rows sees more rows for each tree than those of the
    folds: compare also with all trees of all folds.

    References
    ----------
    .. [1] Elghazel, Aussem and Perraud, "Trading-off diversity and accuracy for optimal
       ensemble tree selection in random forests", SUEMA, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import FitselectClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = FitselectClassifier(n_estimators=60, random_state=0)
    >>> forest.fit(X[::2], y[::2]).n_members_
    180
    >>> print(len(forest.selected_members_) < 90, forest.score(X[1::2], y[1::2]) > 0.9)
    True True
    """

    _parameter_constraints = {
        "estimator": PoolClassifier._parameter_constraints["estimator"],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "cv": [Interval(Integral, 1, None, closed="left")],
        "alphas": ["array-like", None],
        "step": [Interval(Integral, 1, None, closed="left")],
        "min_size": [Interval(Integral, 1, None, closed="left")],
        "max_size": [Interval(Integral, 1, None, closed="left"), None],
        "scoring": [StrOptions({"accuracy", "roc_auc"})],
        "nested": ["boolean"],
        "ties": [StrOptions({"first", "probability"})],
        "prefit": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=500,
        *,
        cv=3,
        alphas=None,
        step=1,
        min_size=1,
        max_size=None,
        scoring="accuracy",
        nested=False,
        ties="first",
        prefit=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.cv = cv
        self.alphas = alphas
        self.step = step
        self.min_size = min_size
        self.max_size = max_size
        self.scoring = scoring
        self.nested = nested
        self.ties = ties
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members outside each fold, and select inside.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value, if the members take it.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: of those that members are fitted to, if their ``fit``
            takes weights, and of those by which they are rated. Not for
            ``scoring="roc_auc"``.

        Returns
        -------
        self : FitselectClassifier
            The fitted ensemble.
        """
        self._validate_params()
        alphas = self._read_alphas()
        X, label = self._read_training_set(X, y)
        self._check_scoring(sample_weight)
        X, label, weight = self._drop_weightless(X, label, sample_weight)

        rng = check_random_state(self.random_state)
        pools, folds = self._fit_pools(X, label, rng, weight)
        sizes = [self._list_sizes(len(pool)) for pool in pools]
        rated = [
            _Fold(
                pool.labels(take_rows(X, rows), self.classes_),
                label[rows],
                None if weight is None else weight[rows],
            )
            for pool, rows in zip(pools, folds)
        ]
        scores = np.array(
            [
                [self._rate(fold, alpha, some) for fold, some in zip(rated, sizes)]
                for alpha in alphas
            ]
        )
        self.alpha_scores_ = scores.mean(axis=1)
        self.alpha_ = float(alphas[_last_best(self.alpha_scores_)])
        kept = [
            self._select(fold, self.alpha_, some)[0] for fold, some in zip(rated, sizes)
        ]
        self.sizes_ = np.array([len(some) for some in kept])
        self._keep(pools, kept, is_hard=True)
        return self

    @fill_docstring(**PARAGRAPHS)
    def predict(self, X):
        """Predict the class of each row of X.

        {classify_table}
        y : ndarray of shape (n_samples,)
            The class with the most votes; see ``ties``.
        """
        votes = self.predict_proba(X)
        if self.ties == "probability":
            is_first = votes >= votes.max(axis=1, keepdims=True) - 1e-12
            votes = np.where(is_first, self._mean_value(X, is_hard=False), -1.0)
        return self._decode(votes.argmax(axis=1))

    @property
    def _base(self):
        if self.estimator is not None:
            return self.estimator
        return RandomForestClassifier(self.n_estimators, n_jobs=self.n_jobs)

    def _read_alphas(self):
        alphas = np.array(ALPHAS if self.alphas is None else self.alphas, dtype=float)
        is_good = alphas.ndim == 1 and len(alphas) > 0
        if not is_good or not ((alphas >= 0.0) & (alphas <= 1.0)).all():
            raise ValueError(
                f"alphas must be numbers between 0 and 1; got {self.alphas!r}."
            )
        return np.sort(alphas)

    def _check_scoring(self, sample_weight):
        if self.scoring == "roc_auc" and sample_weight is not None:
            raise ValueError("sample_weight must be None for scoring='roc_auc'.")
        if self.scoring == "roc_auc" and len(self.classes_) > 2:
            raise ValueError(
                f"scoring='roc_auc' takes two classes; y has {len(self.classes_)}."
            )

    def _fit_pools(self, X, label, rng, weight=None):
        """Return a pool of members for each fold, and the rows of the fold."""
        if self._is_prefit:
            return [self._adopt_pool()], [np.arange(len(label))]
        n_folds = min(self.cv, len(label))
        if n_folds == 1:
            fold = np.where(hold_out(label, 1.0 / 3.0, True, rng), 0, -1)
        else:
            fold = assign_folds(label, n_folds, rng)
        seeds = draw_member_seeds(rng, n_folds)
        pools = [
            self._fit_pool(X, label, np.flatnonzero(fold != j), seeds[j], weight)
            for j in range(n_folds)
        ]
        return pools, [np.flatnonzero(fold == j) for j in range(n_folds)]

    def _list_sizes(self, n_members):
        """Return the numbers of members that may be kept of a pool."""
        last = n_members - 1 if self.max_size is None else min(self.max_size, n_members)
        return list_sizes(n_members, self.step, self.min_size, max(last, 1))

    def _rate(self, fold, alpha, sizes):
        """Return the score of the best vote by the order of this alpha."""
        if not self.nested or len(fold.y) < 4:
            return self._select(fold, alpha, sizes)[1]
        halves = np.arange(len(fold.y)) % 2 == 0  # rows of a fold have no order
        scores = []
        for chosen_by, rated_by in ((halves, ~halves), (~halves, halves)):
            kept, _ = self._select(fold.take(chosen_by), alpha, sizes)
            scores.append(self._score(fold.take(rated_by), kept)[-1])
        return float(np.mean(scores))

    def _select(self, fold, alpha, sizes):
        """Return the kept members, best first, and the score of their vote."""
        order = order_by_fitness(fold.accuracy, fold.diversity, alpha)
        scores = self._score(fold, order)
        size = choose_size(scores, sizes)
        return order[:size], scores[size - 1]

    def _score(self, fold, order):
        n_classes = len(self.classes_)
        return score_prefixes(
            fold.labels, order, fold.y, n_classes, self.scoring, fold.weight
        )


class _Fold:
    """Predictions of a pool for a fold, with the members' accuracy and diversity."""

    def __init__(self, labels, y, weight):
        # As the kernel takes them: no copy for each alpha.
        self.labels, self.y = np.ascontiguousarray(labels, dtype=np.int32), y
        self.weight = weight
        self.accuracy = member_accuracy(labels, y, weight)
        self.diversity = member_diversity(labels, weight)

    def take(self, rows):
        """Return the same for some of the rows."""
        weight = None if self.weight is None else self.weight[rows]
        return _Fold(self.labels[:, rows], self.y[rows], weight)


def order_by_fitness(accuracy, diversity, alpha):
    """Order members by a trade-off of accuracy and diversity, the fittest first.

    Parameters
    ----------
    accuracy, diversity : ndarray of shape (n_members,)
        Both not negative; each is divided by its greatest value.
    alpha : float
        Weight of accuracy, from 0 to 1; diversity has the rest.

    Returns
    -------
    order : ndarray of int of shape (n_members,)
        Members with the same fitness in their own order.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.fitselect import order_by_fitness
    >>> accuracy, diversity = np.array([0.9, 0.8, 0.6]), np.array([0.1, 0.2, 0.4])
    >>> order_by_fitness(accuracy, diversity, 1.0).tolist()
    [0, 1, 2]
    >>> order_by_fitness(accuracy, diversity, 0.0).tolist()
    [2, 1, 0]
    """
    fitness = alpha * _share_of_greatest(accuracy)
    fitness = fitness + (1.0 - alpha) * _share_of_greatest(diversity)
    return np.argsort(-fitness, kind="stable")


def _share_of_greatest(values):
    greatest = values.max()
    return values / greatest if greatest > 0.0 else np.zeros_like(values)


def _last_best(scores, tolerance=1e-12):
    """Return the place of the last of the greatest scores; rounding does not count."""
    return int(np.flatnonzero(scores >= scores.max() - tolerance)[-1])
