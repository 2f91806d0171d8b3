"""TREE WS: a single tree tells how a forest draws features."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from manyminds._compat import with_callbacks
from manyminds.ensemble.forests.weighted_draws.base import WeightedDrawsForest
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling
from manyminds.trees.nodes.feature_draws import normalize
from manyminds.trees.nodes.node_complexity import node_complexity
from manyminds.trees.nodes.node_rows import list_all_gains


class TreeWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by what these would gain in one tree.

    First a single tree is grown that looks at all features in all nodes, and what each
    of them would have gained is noted in each node. The trees of the forest then draw a
    feature in proportion to the mean of these gains, weighted by `node_complexity`
    [1]_. One greedy tree sees few contexts: features that show only after splits it
    does not make are drawn too seldom.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    min_samples_leaf : int or float, default=1
        Fewest rows, or smallest share of them, on either side of a split.
    on_constant : {"redraw", "leaf"}, default="redraw"
        Where the drawn feature is constant in a node, draw another one, or make the
        node a leaf, as the thesis seems to do.
    oob_score : bool or callable, default=False
        Whether to predict each row by the trees that did not draw it, and to score that
        by accuracy or by ``oob_score(y_true, y_pred)``.
    n_jobs : int, default=None
        Number of threads; -1: all processors. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws rows and features.
    verbose : int, default=0
        Above 0: show on the error stream how far the forest has grown.
    max_bins : int, default=255
        Most bins of a column, up to 65,535.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        How features were drawn; they add up to 1.
    gain_means_ : ndarray of shape (n_features,)
        Weighted mean gain of each feature over the nodes of the single tree.
    trees_ : Trees
        The node arrays of all trees.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_classes_ : int
        Number of classes.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.
    feature_importances_ : ndarray of shape (n_features,)
        Mean over the trees of each feature's share in the fall of impurity.
    estimators_ : list of DecisionTreeClassifier
        The trees as fitted estimators, made when asked for.
    estimators_samples_ : list of ndarray
        The rows that each tree drew.
    oob_score_ : float
        Score of the out-of-bag predictions; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag probabilities; only with ``oob_score``.

    See Also
    --------
    TwoStageWSForestClassifier : Has a forest for a first stage.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 8.4.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.ensemble import TreeWSForestClassifier
    >>> X, y = make_simple(random_state=0)
    >>> forest = TreeWSForestClassifier(random_state=0).fit(X, y)
    >>> forest.feature_weights_.argmax()
    np.int64(1)
    """

    def __init__(
        self,
        n_estimators=100,
        *,
        max_depth=None,
        min_samples_leaf=1,
        on_constant="redraw",
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.on_constant = on_constant
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.max_bins = max_bins
        self.categorical_features = categorical_features

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Odds of a row's draw.

        Returns
        -------
        self : TreeWSForestClassifier
            The fitted forest.
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        table = self._bin(X, self.n_jobs)
        grow_trees = self._make_grower(X, y, sample_weight, table)
        rng = check_random_state(self.random_state)
        self.gain_means_ = self._ask_one_tree(X, y, sample_weight, table, rng)
        self.feature_weights_ = normalize(self.gain_means_)
        seeds = self._draw_seeds(rng)
        trees = grow_trees(seeds, self.feature_weights_, self._watch)
        return self._store_trees(trees, given, y)

    def _ask_one_tree(self, X, y, sample_weight, table, rng):
        """Grow a tree that looks at everything; average what features gain in it."""
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        rules = make_rules(
            *X.shape,
            self.n_classes_,
            weights.sum(),
            criterion=self.criterion,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
        )
        seed = draw_seeds(rng, 1)
        tree = grow(table, y, rules, make_sampling(*X.shape, weights), seed)
        complexity = node_complexity(tree.value * tree.weight[:, np.newaxis])
        X = X.tocsc() if issparse(X) else X
        total = np.zeros(X.shape[1])
        for node, gains, _ in list_all_gains(tree, table, X, y, weights):
            total += complexity[node] * gains
        return total / (complexity.sum() or 1.0)
