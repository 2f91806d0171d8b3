"""Wrapper: score features by the cross-validated gain of a learner."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.utils import get_tags
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    Selector,
    count_to_select,
    rank_scores,
)
from manyminds.feature_selection.member_selectors import read_inputs
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_columns, take_rows


@fill_docstring(**PARAMETERS)
class WrapperSelector(Selector):
    """Select the features that improve a learner most.

    Every feature is added, by itself, to a base set of features, and the learner is
    cross-validated on them [1]_. The features with the best scores are selected, or
    those that improve enough on the base set. The learner is fitted once per feature
    and fold, so that many features should be filtered first.

    Parameters
    ----------
    estimator : estimator, default=None
        The learner. None: five nearest neighbors.
    n_features_to_select : int, float or None, default=10
        Number of features to select, or their share of all features, including the base
        set, which is always selected. None: all that reach ``min_improvement``.
    base_features : array-like, default=None
        The base set: positions, a boolean mask, or names of columns. None: no feature,
        scored by a dummy estimator.
    min_improvement : float, default=None
        Minimum improvement on the score of the base set.
    cv : int, cross-validation generator or iterable, default=5
        Cross-validation splitter. All features use the same folds.
    scoring : str or callable, default=None
        Scoring; by default the learner's own ``score``.
    random_state : int, RandomState instance or None, default=None
        Seeds the learner, identically for all features.
    n_jobs : int, default=None
        Number of features that are scored in parallel.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean score with each feature added; that of the base set for its own features.
    base_score_ : float
        Mean score of the base set; if it is empty, of a dummy estimator.
    ranking_ : ndarray of shape (n_features,)
        Features of the base set share rank 1; the others follow by their scores.
    {support}
    {n_features_in}

    Notes
    -----
    The best of many scores is optimistic (selection bias): to evaluate a model of the
    selected features, cross-validate selector and model together.

    {complex_models_paper}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from manyminds.feature_selection import WrapperSelector
    >>> X, y = load_wine(return_X_y=True)
    >>> wrapper = WrapperSelector(
    ...     GaussianNB(), base_features=[6], n_features_to_select=3
    ... )
    >>> wrapper.fit(X, y).get_support(indices=True)
    array([ 0,  6, 12])
    >>> print(f"{wrapper.base_score_:.2f}, then {wrapper.scores_.max():.2f}")
    0.79, then 0.91
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_features_to_select": [*N_TO_SELECT, None],
        "base_features": ["array-like", None],
        "min_improvement": [Interval(Real, None, None, closed="neither"), None],
        "cv": ["cv_object"],
        "scoring": [str, callable, None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator=None,
        *,
        n_features_to_select=10,
        base_features=None,
        min_improvement=None,
        cv=5,
        scoring=None,
        random_state=None,
        n_jobs=None,
    ):
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.base_features = base_features
        self.min_improvement = min_improvement
        self.cv = cv
        self.scoring = scoring
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Cross-validate the learner with each feature added in turn.

        {fit_learner}
        """
        self._validate_params()
        X, y, _ = read_inputs(self, X, y, None)
        is_base = _read_base(self.base_features, X)
        learner, score = self._prepare(X, y)

        base, others = np.flatnonzero(is_base), np.flatnonzero(~is_base)
        self.base_score_ = score(learner if len(base) else _make_dummy(learner), base)
        run = Parallel(self.n_jobs, prefer="threads")
        found = run(delayed(score)(learner, [*base, f]) for f in others)
        self.scores_ = np.full(len(is_base), self.base_score_)
        self.scores_[others] = found
        self.ranking_ = np.ones(len(is_base), dtype=np.int64)
        self.ranking_[others] = rank_scores(self.scores_[others]) + bool(len(base))
        self.support_ = is_base | self._find_improving(is_base)
        return self

    def _prepare(self, X, y):
        """Return the seeded learner, and a function that scores it on some columns."""
        learner = self.estimator
        is_numeric = type_of_target(y, "y", raise_unknown=True).startswith("continuous")
        if learner is None:
            learner = KNeighborsRegressor() if is_numeric else KNeighborsClassifier()
        learner = make_member(learner, draw_member_seeds(self.random_state, 1)[0])
        scorer = check_scoring(learner, scoring=self.scoring)
        cv = check_cv(self.cv, y, classifier=is_classifier(learner))
        y = np.asarray(y)
        folds = [
            [(take_rows(X, rows), y[rows]) for rows in fold] for fold in cv.split(X, y)
        ]

        def score(model, columns):
            columns = columns if len(columns) else [0]
            return np.mean(
                [_fit_and_score(model, scorer, columns, *fold) for fold in folds]
            )

        return learner, score

    def _find_improving(self, is_base):
        """Return the mask of the best features that improve enough."""
        is_improving = ~is_base
        if self.min_improvement is not None:
            is_improving &= self.scores_ >= self.base_score_ + self.min_improvement
        if self.n_features_to_select is not None:
            wanted = count_to_select(self.n_features_to_select, len(is_base))
            most = max(wanted - is_base.sum(), 0)
            is_improving &= self.ranking_ <= most + is_base.any()
        return is_improving

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        learner = KNeighborsClassifier() if self.estimator is None else self.estimator
        tags.input_tags.allow_nan = get_tags(learner).input_tags.allow_nan
        tags.input_tags.sparse = True  # the learner checks whether it supports this
        tags.target_tags.required = True
        return tags


def _read_base(base_features, X):
    """Turn positions, a mask or names of columns into a mask."""
    is_base = np.zeros(X.shape[1], dtype=bool)
    if base_features is None or len(base_features) == 0:
        return is_base
    given = np.asarray(base_features)
    if given.dtype.kind == "b" and given.shape == is_base.shape:
        return given.copy()
    if given.dtype.kind not in "iu":
        names = list(getattr(X, "columns", []))
        given = [names.index(one) if one in names else -1 for one in given.tolist()]
        given = np.array(given)
    if given.ndim != 1 or given.min() < 0 or given.max() >= len(is_base):
        raise ValueError(
            "base_features must have positions below the number of features, "
            f"{len(is_base)}, names of columns of a dataframe, or be a mask of that "
            f"length; got {base_features!r}."
        )
    is_base[given] = True
    return is_base


def _fit_and_score(learner, scorer, columns, train, test):
    """Fit a clone to some columns of the training fold; score it on the test fold."""
    model = clone(learner).fit(take_columns(train[0], columns), train[1])
    return scorer(model, take_columns(test[0], columns), test[1])


def _make_dummy(learner):
    """Return a learner that uses no feature."""
    return DummyClassifier() if is_classifier(learner) else DummyRegressor()
