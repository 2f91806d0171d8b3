"""Adjust the scores of categorical features for their number of levels."""

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state, get_tags

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import N_TO_SELECT, ScoreSelector
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.member_selectors import read_inputs
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_columns

MAX_REFERENCES = 10  # numeric features that are scored for permuted targets
MIN_LEVELS = 3  # two levels have as many degrees of freedom as a number


@fill_docstring(**PARAMETERS)
class LevelAdjustedSelector(ScoreSelector):
    """Select by a selector's scores, adjusted for the number of levels of categories.

    Most scores of a categorical feature increase with the number of its levels, and are
    highest for an identifier: each level fits the target of its few samples. Here, the
    selector is also fitted to permuted targets. The excess of a categorical feature's
    mean score over that of numeric features for these targets is subtracted from its
    score.

    Parameters
    ----------
    selector : selector, default=None
        Selector with ``scores_`` after ``fit``, higher is better. None: a
        `CorrelationSelector`.
    n_features_to_select : int or float, default=10
        Number of features to select, or their share of all features; never one whose
        score is 0 or less.
    n_permutations : int, default=5
        Number of permuted targets.
    random_state : int, RandomState instance or None, default=None
        Permutes targets and seeds the selector.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Adjusted scores; those of numeric and binary features are not changed.
    null_scores_ : ndarray of shape (n_features,)
        Mean score for permuted targets of the adjusted features, and of those that
        they were compared with; NaN for all others.
    ranking_ : ndarray of shape (n_features,)
        1 for the best feature; among equals the first goes first.
    {n_features_in}

    Notes
    -----
    The selector is fitted once to all features and ``n_permutations`` times to the
    categorical ones and up to ten others.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from manyminds.feature_selection import CorrelationSelector
    >>> from manyminds.feature_selection import LevelAdjustedSelector
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) % 2
    >>> X = pd.DataFrame({"size": y + rng.normal(size=60)})
    >>> X["town"] = pd.Categorical(rng.integers(60, size=60))
    >>> print(CorrelationSelector(1).fit(X, y).get_feature_names_out())
    ['town']
    >>> selector = LevelAdjustedSelector(CorrelationSelector(), 1, random_state=0)
    >>> print(selector.fit(X, y).get_feature_names_out())
    ['size']
    """

    _parameter_constraints = {
        "selector": [HasMethods(["fit", "get_params"]), None],
        "n_features_to_select": N_TO_SELECT,
        "n_permutations": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        selector=None,
        n_features_to_select=10,
        *,
        n_permutations=5,
        random_state=None,
    ):
        self.selector = selector
        self.n_features_to_select = n_features_to_select
        self.n_permutations = n_permutations
        self.random_state = random_state

    def fit(self, X, y):
        """Score the features, and those with many levels for permuted targets as well.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training samples; categorical features are the columns of a dataframe with a
            categorical dtype.
        {y}

        Returns
        -------
        {fitted}
        """
        self._validate_params()
        X, y, _ = read_inputs(self, X, y, None)
        floats, is_categorical = self._read_features(X)
        state = check_random_state(self.random_state)
        selector = CorrelationSelector() if self.selector is None else self.selector
        selector = make_member(selector, draw_member_seeds(state, 1)[0])
        if "categorical_features" in selector.get_params():
            X = floats  # so that it is encoded once

        everything = np.arange(X.shape[1])
        self.scores_ = _score(selector, X, y, everything, is_categorical)
        self.null_scores_ = np.full(len(everything), np.nan)
        is_adjusted = _find_many_levels(floats, is_categorical)
        adjusted = np.flatnonzero(is_adjusted)
        if not len(adjusted):
            return self
        others = everything[~is_adjusted]
        others = others[:: max(1, len(others) // MAX_REFERENCES)][:MAX_REFERENCES]
        some, y = np.concatenate([adjusted, others]), np.asarray(y)
        orders = [state.permutation(len(y)) for _ in range(self.n_permutations)]
        null = [_score(selector, X, y[each], some, is_categorical) for each in orders]
        self.null_scores_[some] = np.mean(null, axis=0)
        base = self.null_scores_[others if len(others) else adjusted]
        excess = self.null_scores_[adjusted] - base.mean()
        self.scores_[adjusted] -= np.maximum(excess, 0.0)
        return self

    def _get_support_mask(self):
        return super()._get_support_mask() & (self.scores_ > 0.0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        selector = CorrelationSelector() if self.selector is None else self.selector
        tags.input_tags.allow_nan = get_tags(selector).input_tags.allow_nan
        tags.input_tags.sparse = get_tags(selector).input_tags.sparse
        tags.target_tags.required = True
        return tags


def _score(selector, X, y, columns, is_categorical):
    """Fit a clone of the selector to some columns; return its scores."""
    member = clone(selector)
    if "categorical_features" in member.get_params():
        mask = is_categorical[columns]
        member.set_params(categorical_features=mask if mask.any() else None)
    member.fit(take_columns(X, columns), y)
    return np.array(member.scores_, dtype=np.float64)


def _find_many_levels(X, is_categorical):
    """Return the mask of categorical features with three levels or more."""
    found = np.zeros(X.shape[1], dtype=bool)
    for j in np.flatnonzero(is_categorical):
        levels = X[:, j][~np.isnan(X[:, j])]
        found[j] = len(np.unique(levels)) >= MIN_LEVELS
    return found
