"""Parallel update: draw features by their gains so far, at a given pace."""

from numbers import Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, with_callbacks
from manyminds.ensemble.forests.weighted_draws.base import (
    WeightedDrawsForest,
    cut_batches,
)
from manyminds.trees.nodes.feature_draws import normalize
from manyminds.trees.nodes.gain_statistics import list_node_gains
from manyminds.trees.structure import Trees


class LambdaWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by their gains in the trees before.

    Every node is split by a single feature, which tree T + 1 draws in proportion to
    [1]_ [2]_

    .. math:: v_f = \lambda \, H(y) + \sum_{t \le T} g_f(t)

    where :math:`H(y)` is the entropy of the classes and :math:`g_f(t)` the mean
    information gain of the feature in tree t, 0 if the tree does not use it.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    pace : float, default=10.0
        The factor :math:`\lambda`: the larger, the longer features are drawn about
        equally often. To be tuned, by ``oob_score`` say.
    update_every : int, default=1
        How many trees grow between two changes of the weights.
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
        Number of threads; -1: all processors. The result does not depend on
        it. Only trees of one batch, see ``update_every``, grow at the same time.
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
        How features would be drawn for the next tree; they add up to 1.
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
    CIWSForestClassifier : Needs no pace.

    References
    ----------
    .. [1] Borisov, Eruhimov and Tuv, "Tree-based ensembles with dynamic soft feature
       selection", in "Feature extraction: Foundations and applications", 2006.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 7.3.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.ensemble import LambdaWSForestClassifier
    >>> X, y = make_simple(random_state=0)
    >>> forest = LambdaWSForestClassifier(random_state=0).fit(X, y)
    >>> forest.feature_weights_.argmax()
    np.int64(1)
    """

    _parameter_constraints = {
        **WeightedDrawsForest._parameter_constraints,
        "pace": [Interval(Real, 0.0, None, closed="left")],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        pace=10.0,
        update_every=1,
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
        self.pace = pace
        self.update_every = update_every
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
        self : LambdaWSForestClassifier
            The fitted forest.
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        grow_trees = self._make_grower(X, y, sample_weight, self._bin(X, self.n_jobs))
        seeds = self._draw_seeds(check_random_state(self.random_state))
        batches = cut_batches(seeds, self.update_every)
        weights = np.full(X.shape[1], self.pace * _entropy(y, sample_weight))
        draws, parts = None, []
        for some in self._watch(batches, len(batches)):
            parts.append(grow_trees(some, draws))
            weights += _add_tree_means(parts[-1])
            draws = normalize(weights)
        self.feature_weights_ = draws
        return self._store_trees(Trees.concatenate(parts), given, y)


def _entropy(y, sample_weight):
    """Return the entropy of the classes in bits."""
    counts = np.bincount(y.astype(np.intp), sample_weight)
    shares = counts[counts > 0.0] / counts.sum()
    return float(-np.sum(shares * np.log2(shares)))


def _add_tree_means(trees):
    """Add up, over trees, the mean gain of each feature in each tree."""
    gains, n_features = list_node_gains(trees), trees.n_features
    tree = np.repeat(np.arange(trees.n_trees), trees.node_counts)[gains.nodes]
    cell = tree * n_features + gains.feature
    n_cells = trees.n_trees * n_features
    total = np.bincount(cell, weights=gains.gain, minlength=n_cells)
    n_nodes = np.bincount(cell, minlength=n_cells)
    return (total / np.maximum(n_nodes, 1)).reshape(-1, n_features).sum(axis=0)
