"""Sequential filter: take a filter's best features, then its best of the rest."""

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from manyminds._compat import HasMethods, Interval
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import Selector, rank_in_order
from manyminds.feature_selection.filters.ssv import SSVSelector
from manyminds.feature_selection.member_selectors import (
    fit_member,
    read_inputs,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_columns

_COUNTS = ("n_features_to_select", "k")  # parameters for the number of features


@fill_docstring(**PARAMETERS)
class SequentialFilterSelector(Selector):
    """Select features in rounds: a filter's best, then its best of the rest, and so on.

    In each round the filter is fitted to the remaining features, and its best ones are
    selected [1]_. For a univariate filter this is equivalent to its ranking. A
    multivariate filter, such as a tree, stops where further features add nothing; in
    the next round, without the features selected before, it finds their substitutes.

    This is not the greedy search of scikit-learn's ``SequentialFeatureSelector``, which
    adds one feature at a time to a model of the selected features.

    Parameters
    ----------
    filter : selector, default=None
        Any selector, or a pipeline that ends in one. Its ``n_features_to_select`` or
        ``k``, if it has such a parameter, is set to ``n_per_round``. None:
        ``SSVSelector(method="tree")``.
    n_rounds : int, default=2
        Maximum number of rounds; fewer if no feature is left or the filter selects
        none.
    n_per_round : int or None, default=10
        Maximum number of features to select in a round. None: all that the filter
        selects.

    Attributes
    ----------
    rounds_ : ndarray of shape (n_features,)
        Round in which each feature was selected, from 1; 0: in none.
    ranking_ : ndarray of shape (n_features,)
        1 for the feature that was selected first. Features that were not selected share
        the next rank.
    {support}
    filters_ : list of selector
        The fitted filter of each round.
    {n_features_in}

    {complex_models_paper}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.feature_selection import SequentialFilterSelector, SSVSelector
    >>> X, y = load_wine(return_X_y=True)
    >>> tree = SSVSelector(None, method="tree", random_state=0)
    >>> SequentialFilterSelector(tree, n_per_round=3).fit(X, y).rounds_
    array([2, 0, 0, 0, 0, 2, 1, 0, 0, 2, 0, 1, 1])
    """

    _parameter_constraints = {
        "filter": [HasMethods(["fit"]), None],
        "n_rounds": [Interval(Integral, 1, None, closed="left")],
        "n_per_round": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, filter=None, *, n_rounds=2, n_per_round=10):
        self.filter = filter
        self.n_rounds = n_rounds
        self.n_per_round = n_per_round

    def fit(self, X, y=None, sample_weight=None):
        """Run the filter round by round.

        {fit_members}
        """
        self._validate_params()
        X, y, sample_weight = read_inputs(self, X, y, sample_weight)

        left, selected = np.arange(self.n_features_in_), []
        self.filters_, self.rounds_ = [], np.zeros(len(left), dtype=np.int64)
        while len(self.filters_) < self.n_rounds and len(left):
            one = self._set_count(len(left))
            X_left = take_columns(X, left)
            one, support, ranking = fit_member("filter", one, X_left, y, sample_weight)
            self.filters_.append(one)
            best = _list_best(support, ranking, self.n_per_round)
            if len(best) == 0:
                break
            self.rounds_[left[best]] = len(self.filters_)
            selected.extend(left[best])
            left = np.delete(left, best)
        self.ranking_ = rank_in_order(selected, self.n_features_in_)
        self.support_ = self.rounds_ > 0
        return self

    def _get_filter(self):
        if self.filter is not None:
            return self.filter
        return SSVSelector(method="tree", random_state=0)

    def _set_count(self, n_left):
        """Return the filter with its number of features set."""
        one = self._get_filter()
        name = _find_count(one)
        if self.n_per_round is None or name is None:
            return one
        return clone(one).set_params(**{name: min(self.n_per_round, n_left)})

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self._get_filter())
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.sparse = True  # the filter checks whether it supports this
        tags.target_tags.required = inner.target_tags.required
        return tags


def _find_count(selector):
    """Return the name of the parameter for the number of features, or None."""
    if isinstance(selector, Pipeline):
        name, last = selector.steps[-1]
        inner = _find_count(last)
        return None if inner is None else f"{name}__{inner}"
    known = selector.get_params(deep=False)
    return next((name for name in _COUNTS if name in known), None)


def _list_best(support, ranking, max_listed):
    """List the selected features, the best first, at most ``max_listed``."""
    chosen = np.flatnonzero(support)
    if ranking is not None:
        chosen = chosen[np.argsort(ranking[chosen], kind="stable")]
    return chosen[:max_listed]
