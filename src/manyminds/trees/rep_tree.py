"""REP trees: grown on two thirds of the rows, pruned by the error on the others."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import is_classifier
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions
from manyminds.trees._parameters import PARAGRAPHS
from manyminds.trees.base import SingleTree, TreeClassifierMixin, TreeRegressorMixin
from manyminds.trees.growing import CLASS_CRITERIA, draw_seeds, grow, make_sampling
from manyminds.trees.pruning import keep, prune_reduced_error
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import QUINLAN_1987, WITTEN_2005, cite

_SHARED = ("max_depth", "min_samples_leaf", "max_features", "max_bins")
_SHARED += ("categorical_features", "random_state")
_TIE_SEED = 1  # the winner among equal splits is the same in every tree


@fill_docstring(**PARAGRAPHS)
class _REPTree(SingleTree):
    """Grow one tree, and prune it by rows that were held out."""

    # Parameters of decision trees that a REP tree does not have.
    splitter, min_samples_split, max_leaf_nodes = "best", 2, None
    min_weight_fraction_leaf = min_impurity_decrease = 0.0
    feature_weights = None
    min_variance_share = 0.0  # of a classifier

    _parameter_constraints = {
        **{name: SingleTree._parameter_constraints[name] for name in _SHARED},
        "prune": ["boolean"],
        "n_folds": [Interval(Integral, 2, None, closed="left")],
        "backfit": ["boolean"],
    }

    def fit(self, X, y, sample_weight=None):
        """Grow the tree and prune it.

        {fit}
        """
        self._validate_params()
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        state = check_random_state(self.random_state)
        self.tree_ = grow_rep_trees(self, self._bin(X), X, y, weights[None], state)
        return self


@fill_docstring(**PARAGRAPHS, references=cite(QUINLAN_1987, WITTEN_2005))
class REPTreeClassifier(TreeClassifierMixin, _REPTree):
    """Classify by a tree that is pruned by the error on rows held out.

    One of ``n_folds`` stratified folds of the rows is held out. The tree grows on the
    others; then, from the bottom upwards, a branch becomes a leaf where
    this makes no more errors on the rows held out [1]_ [2]_. Finally the rows held out
    join the class probabilities of the leaves. This is the tree that Weka calls
    REPTree, except for its splits: categories are divided into two sets, not into one
    branch each, and a missing value takes the better side, not both by weight.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "ssv", "ssv_lexicographic", \
"balanced_error"}, \
default="entropy"
        What a split decreases; see ``DecisionTreeClassifier``.
    {max_depth}
    min_samples_leaf : int or float, default=2
        Minimum number of rows, or fraction of them, on either side of a split.
    {rep_options}

    Attributes
    ----------
    {classes}
    {names}
    {tree}
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of impurity.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.trees import REPTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = REPTreeClassifier(random_state=0).fit(X, y)
    >>> tree.get_n_leaves() <= REPTreeClassifier(prune=False).fit(X, y).get_n_leaves()
    True
    """

    _parameter_constraints = {
        **_REPTree._parameter_constraints,
        "criterion": [StrOptions(CLASS_CRITERIA)],
    }

    def __init__(
        self,
        *,
        criterion="entropy",
        max_depth=None,
        min_samples_leaf=2,
        max_features=None,
        prune=True,
        n_folds=3,
        backfit=True,
        random_state=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.prune = prune
        self.n_folds = n_folds
        self.backfit = backfit
        self.random_state = random_state
        self.max_bins = max_bins
        self.categorical_features = categorical_features


@fill_docstring(**PARAGRAPHS, references=cite(QUINLAN_1987, WITTEN_2005))
class REPTreeRegressor(TreeRegressorMixin, _REPTree):
    """Predict a number by a tree that is pruned by the error on rows held out.

    One of ``n_folds`` folds of the rows is held out. The tree grows on the others;
    then, from the bottom upwards, a branch becomes a leaf where its squared error on
    the rows held out is not larger [1]_ [2]_. Finally the rows held out join the means
    of the leaves. This is the tree that Weka calls REPTree, except for its splits:
    categories are divided into two sets, not into one branch each, and a missing value
    takes the better side, not both by weight.

    Parameters
    ----------
    {squared_error}
    {max_depth}
    min_samples_leaf : int or float, default=2
        Minimum number of rows, or fraction of them, on either side of a split.
    min_variance_share : float, default=0.001
        A node is split only if its variance is at least this share of the root's.
    {rep_options}

    Attributes
    ----------
    {names}
    {tree}
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of the variance.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.trees import REPTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> full = REPTreeRegressor(prune=False).fit(X, y)
    >>> REPTreeRegressor(random_state=0).fit(X, y).get_n_leaves() < full.get_n_leaves()
    True
    """

    _parameter_constraints = {
        **_REPTree._parameter_constraints,
        "criterion": [StrOptions({"squared_error"})],
        "min_variance_share": [Interval(Real, 0.0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        criterion="squared_error",
        max_depth=None,
        min_samples_leaf=2,
        min_variance_share=0.001,
        max_features=None,
        prune=True,
        n_folds=3,
        backfit=True,
        random_state=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_variance_share = min_variance_share
        self.max_features = max_features
        self.prune = prune
        self.n_folds = n_folds
        self.backfit = backfit
        self.random_state = random_state
        self.max_bins = max_bins
        self.categorical_features = categorical_features


def grow_rep_trees(
    model, table, X, y, weights, state, *, feature_weights=None, n_jobs=None
):
    """Grow and prune a REP tree for each row of weights, all at once.

    Parameters
    ----------
    model : REPTreeClassifier or REPTreeRegressor
        Whose parameters hold. It has read a training set.
    table : Table
        The rows, binned.
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The same rows as numbers.
    y : ndarray of shape (n_samples,)
        Targets, or the numbers of the classes.
    weights : ndarray of shape (n_trees, n_samples)
        Sample weights of each tree; a row with weight 0 has no effect.
    state : RandomState
        Random numbers of the trees, one after the other.
    feature_weights : array-like of shape (n_trees, n_features), default=None
        0 for a feature that a tree must not use, else 1.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.

    Returns
    -------
    trees : Trees
    """
    held_out = np.zeros(weights.shape, dtype=bool)
    if model.prune:
        held_out = hold_out(weights, state, model.n_folds, y, is_classifier(model))
    n_seen = X.shape[1]
    if feature_weights is not None:
        n_seen = int(np.count_nonzero(feature_weights[0]))
    rules = model._make_rules(X[:, :n_seen], 1.0, splitter=model.splitter)
    sampling = make_sampling(
        *X.shape, np.where(held_out, 0.0, weights), feature_weights=feature_weights
    )
    seeds = _draw_seeds(model, state, len(weights))
    trees = grow(table, y, rules, sampling, seeds, n_jobs=n_jobs)
    if model.min_variance_share > 0.0:
        trees = keep(trees, _has_little_variance(trees, model.min_variance_share))
    if not model.prune:
        return trees
    return prune_reduced_error(
        trees,
        X.toarray() if issparse(X) else X,
        y,
        np.where(held_out, weights, 0.0),
        kind="classification" if is_classifier(model) else "regression",
        backfit=model.backfit,
        n_jobs=n_jobs,
    )


def hold_out(weights, state, n_folds, y, by_class):
    """Choose the rows that each tree is pruned by: every ``n_folds``-th of its rows.

    Its rows, those of positive weight, are put in random order, and within that order
    by class. A single row is not held out.

    Returns
    -------
    held_out : ndarray of bool of shape (n_trees, n_samples)
    """
    held_out = np.zeros(weights.shape, dtype=bool)
    for of_tree, is_held in zip(weights, held_out):
        rows = state.permutation(np.flatnonzero(of_tree))
        if by_class:
            rows = rows[np.argsort(y[rows], kind="stable")]
        is_held[rows[::n_folds] if len(rows) > 1 else rows[:0]] = True
    return held_out


def _draw_seeds(model, state, n_trees):
    """Draw the seeds of the trees, if they draw features; else ties are all they do."""
    if model.max_features is None:
        return np.full(n_trees, _TIE_SEED, dtype=np.int64)
    return draw_seeds(state, n_trees)


def _has_little_variance(trees, share):
    """Mark the nodes whose variance is below a share of that of their tree's root."""
    of_root = np.repeat(trees.impurity[trees.starts[:-1]], trees.node_counts)
    return trees.impurity < share * of_root
