"""DT1 and DT2: keep the features that a tree of shortest description can use."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection.base import (
    Selector,
    drop_weightless,
    rank_in_order,
    rank_scores,
    read_target,
    read_weight,
)
from manyminds.feature_selection.embedded.forest_gain_threshold import (
    FALLBACKS,
    fall_back,
)
from manyminds.feature_selection.embedded.mdl_savings import ROUNDING, find_savings
from manyminds.trees.binning import MAX_BINS, bin_table
from manyminds.trees.mdl_tree import MDLTreeClassifier


class MDLTreeSelector(Selector):
    """A selector that grows one tree of shortest description."""

    _parameter_constraints = {
        "feature_cost": [StrOptions({"full", "index", "none"})],
        "choose": [StrOptions({"gain", "saving"})],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "fallback": [StrOptions(set(FALLBACKS))],
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both")],
    }

    def __init__(
        self,
        *,
        feature_cost="full",
        choose="gain",
        max_depth=None,
        fallback="best",
        max_bins=255,
    ):
        self.feature_cost = feature_cost
        self.choose = choose
        self.max_depth = max_depth
        self.fallback = fallback
        self.max_bins = max_bins

    def _grow_tree(self, X, y, sample_weight):
        """Fit the tree; return what each feature would save at best in any node."""
        X, _ = self._read_features(X, None)
        y, classes = read_target(self, X, y, "classification")
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more; y has only one "
                f"class, {classes[0]!r}."
            )
        X, y, weights = drop_weightless(X, y, read_weight(X, sample_weight))

        self.tree_ = MDLTreeClassifier(
            feature_cost=self.feature_cost,
            choose=self.choose,
            max_depth=self.max_depth,
            max_bins=self.max_bins,
        ).fit(X, y, weights)
        table = bin_table(X, max_bins=self.max_bins)
        return find_savings(
            self.tree_.tree_, table, X, y.astype(np.float64), weights, self.feature_cost
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


class TreeSplitSelector(MDLTreeSelector):
    r"""Keep the features that a tree of shortest description splits by.

    One `MDLTreeClassifier` is grown, which pays for every split and once more for every
    new feature, so that it uses few [1]_. It sees no feature that tells something only
    together with others, and of two that tell the same it keeps one.

    Parameters
    ----------
    feature_cost : {"full", "index", "none"}, default="full"
        What naming a feature costs, see `MDLTreeClassifier`.
    choose : {"gain", "saving"}, default="gain"
        Among the splits that pay, take the one with the largest information gain, or
        the one that leaves most bits after all costs.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    fallback : {"best", "all", "none"}, default="best"
        What to keep if no split pays: the feature that comes nearest to paying, all, or
        none; the thesis does not say.
    max_bins : int, default=255
        Most bins of a column, up to 65,535.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which features are kept.
    ranking_ : ndarray of shape (n_features,)
        1 for the feature of the root, then in the order in which the tree takes them
        up, level by level; those that it does not use share the next rank.
    tree_ : MDLTreeClassifier
        The tree.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    TreeCandidateSelector : Keeps what the tree could have split by.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 8.3.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.feature_selection import TreeSplitSelector
    >>> X, y = make_simple(random_state=0)
    >>> TreeSplitSelector().fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    def fit(self, X, y, sample_weight=None):
        """Grow the tree and see what it splits by.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self : TreeSplitSelector
            The fitted selector.
        """
        self._validate_params()
        savings = self._grow_tree(X, y, sample_weight)

        used = self.tree_.features_used_
        self.ranking_ = rank_in_order(used, len(savings))
        support = self.ranking_ <= len(used)
        self.support_ = fall_back(support, rank_scores(savings), self.fallback)
        return self


class TreeCandidateSelector(MDLTreeSelector):
    r"""Keep the features that a tree of shortest description could split by.

    One `MDLTreeClassifier` is grown. A feature is kept if in some node of the tree its
    best cut would have paid for itself, whether the tree took it or another one [1]_.
    So of features that tell the same all are kept.

    Parameters
    ----------
    feature_cost : {"full", "index", "none"}, default="full"
        What naming a feature costs, see `MDLTreeClassifier`.
    choose : {"gain", "saving"}, default="gain"
        Among the splits that pay, take the one with the largest information gain, or
        the one that leaves most bits after all costs.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    fallback : {"best", "all", "none"}, default="best"
        What to keep if no split pays: the feature that comes nearest to paying, all, or
        none; the thesis does not say.
    max_bins : int, default=255
        Most bins of a column, up to 65,535.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which features are kept.
    scores_ : ndarray of shape (n_features,)
        Bits that the best cut of each feature leaves over after all costs, in the node
        where it leaves most; -inf if no cut gains anything anywhere.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature by its score, 1 for the best.
    tree_ : MDLTreeClassifier
        The tree.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    TreeSplitSelector : Keeps what the tree does split by.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 8.3.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.feature_selection import TreeCandidateSelector
    >>> X, y = make_simple(random_state=0)
    >>> TreeCandidateSelector().fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    def fit(self, X, y, sample_weight=None):
        """Grow the tree and see what it could split by.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self : TreeCandidateSelector
            The fitted selector.
        """
        self._validate_params()
        self.scores_ = self._grow_tree(X, y, sample_weight)

        self.ranking_ = rank_scores(self.scores_)
        support = self.scores_ >= -ROUNDING
        self.support_ = fall_back(support, self.ranking_, self.fallback)
        return self
