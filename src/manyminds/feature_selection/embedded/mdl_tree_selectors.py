"""DT1 and DT2: select the features that an MDL tree does, or could, split by."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    SupervisedSelector,
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
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


class MDLTreeSelector(SupervisedSelector):
    """Base class of selectors that grow one tree of minimum description length."""

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
        """Fit the tree; return the most bits that each feature saves in any node."""
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
        return tags


@fill_docstring(**PARAMETERS, references=cite(f"{ROGERS_2007}, section 8.3"))
class TreeSplitSelector(MDLTreeSelector):
    """Select the features that a tree of minimum description length splits by.

    The thesis calls it DT1. One `MDLTreeClassifier` is grown, in which every split has
    a cost and every new feature another, so that it uses few [1]_. It misses features
    that are only informative together with others, and of redundant features it selects
    one.

    Parameters
    ----------
    {mdl_parameters}

    Attributes
    ----------
    {support}
    ranking_ : ndarray of shape (n_features,)
        1 for the feature of the root, then in the order in which the tree first uses
        them, level by level; unused features share the next rank.
    tree_ : MDLTreeClassifier
        The tree.
    {n_features_in}

    See Also
    --------
    TreeCandidateSelector : Selects the features that the tree could have split by.

    {references}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.feature_selection import TreeSplitSelector
    >>> X, y = make_simple(random_state=0)
    >>> TreeSplitSelector().fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    def fit(self, X, y, sample_weight=None):
        """Grow the tree; select the features that it splits by.

        {fit_classes}
        """
        self._validate_params()
        savings = self._grow_tree(X, y, sample_weight)

        used = self.tree_.features_used_
        self.ranking_ = rank_in_order(used, len(savings))
        support = self.ranking_ <= len(used)
        self.support_ = fall_back(support, rank_scores(savings), self.fallback)
        return self


@fill_docstring(**PARAMETERS, references=cite(f"{ROGERS_2007}, section 8.3"))
class TreeCandidateSelector(MDLTreeSelector):
    """Select the features that a tree of minimum description length could split by.

    The thesis calls it DT2. One `MDLTreeClassifier` is grown. A feature is selected if
    in some node its best cut would have shortened the description, whether the tree
    took it or another one [1]_. So redundant features are all selected.

    Parameters
    ----------
    {mdl_parameters}

    Attributes
    ----------
    {support}
    scores_ : ndarray of shape (n_features,)
        Bits that the best cut of each feature saves in the best node; -inf if no cut
        has a gain anywhere.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature by its score, 1 for the best.
    tree_ : MDLTreeClassifier
        The tree.
    {n_features_in}

    See Also
    --------
    TreeSplitSelector : Selects the features that the tree splits by.

    {references}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.feature_selection import TreeCandidateSelector
    >>> X, y = make_simple(random_state=0)
    >>> TreeCandidateSelector().fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    def fit(self, X, y, sample_weight=None):
        """Grow the tree; select the features that it could split by.

        {fit_classes}
        """
        self._validate_params()
        self.scores_ = self._grow_tree(X, y, sample_weight)

        self.ranking_ = rank_scores(self.scores_)
        support = self.scores_ >= -ROUNDING
        self.support_ = fall_back(support, self.ranking_, self.fallback)
        return self
