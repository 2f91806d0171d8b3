"""Single decision trees."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import is_classifier
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import StrOptions
from manyminds.trees._parameters import PARAGRAPHS
from manyminds.trees.base import SingleTree, TreeClassifierMixin, TreeRegressorMixin
from manyminds.trees.growing import (
    CLASS_CRITERIA,
    count_features,
    draw_seeds,
    grow,
    make_sampling,
)
from manyminds.trees.pruning import (
    cost_complexity_path,
    prune_cost_complexity,
    prune_reduced_error,
)
from manyminds.trees.surrogates import surrogate_splits
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GRABCZEWSKI_2006, cite


@fill_docstring(**PARAGRAPHS)
class _DecisionTree(SingleTree):
    """Grow one tree on all rows."""

    _parameter_constraints = {
        **SingleTree._parameter_constraints,
        "splitter": [StrOptions({"best", "random"})],
    }

    def _grow(self, X, y, sample_weight):
        """Grow the tree, not pruned."""
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        rules = self._make_rules(X, weights.sum(), splitter=self.splitter)
        sampling = make_sampling(
            *X.shape, weights, feature_weights=self.feature_weights
        )
        seeds = draw_seeds(check_random_state(self.random_state), 1)
        return grow(self._bin(X), y, rules, sampling, seeds)

    def fit(self, X, y, sample_weight=None):
        """Grow the tree.

        {fit}
        """
        self._validate_params()
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)
        if is_classifier(self):
            sample_weight = self._weigh_classes(y, sample_weight, self.class_weight)

        self.tree_ = self._grow(X, y, sample_weight)
        if self.ccp_alpha > 0.0:
            self.tree_ = prune_cost_complexity(self.tree_, self.ccp_alpha)
        self.max_features_ = count_features(self.max_features, X.shape[1])
        return self

    def decision_path(self, X):
        """Return which nodes each row of X passes.

        {walk_tree}
        indicator : sparse CSR matrix of shape (n_samples, n_nodes)
            1 where a row passes a node.
        """
        X = self._read_table(X)
        return self.tree_.decision_path(X.toarray() if issparse(X) else X)

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """Return the values of ``ccp_alpha`` at which branches are pruned.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        path : Bunch
            ``ccp_alphas``, rising, and ``impurities``, the sum of the leaves' weighted
            impurities of the tree pruned at each of them.
        """
        full = type(self)(**{**self.get_params(deep=False), "ccp_alpha": 0.0})
        alphas, impurities = cost_complexity_path(full.fit(X, y, sample_weight).tree_)
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    def prune_reduced_error(
        self, X, y, sample_weight=None, *, balanced=False, backfit=False
    ):
        """Prune the branches that do not decrease the error on rows outside training.

        From the bottom upwards, a branch becomes a leaf when the leaf's error on these
        rows is not larger than the branch's. Changes the tree itself.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to prune by.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.
        balanced : bool, default=False
            Whether every class weighs the same; for classification only.
        backfit : bool, default=False
            Whether these rows join the values of the leaves.

        Returns
        -------
        self : object
            The pruned tree.
        """
        check_is_fitted(self)
        if balanced and self._n_values == 1:
            raise ValueError(
                "balanced=True is for classification; this tree is a regressor."
            )
        X, y, sample_weight = self._read_training_set(X, y, sample_weight, reset=False)
        self.tree_ = prune_reduced_error(
            self.tree_,
            X.toarray() if issparse(X) else X,
            y,
            sample_weight,
            kind="classification" if is_classifier(self) else "regression",
            balanced=balanced,
            backfit=backfit,
        )
        return self

    def surrogate_splits(self, X, sample_weight=None, *, all_features=False):
        """Find, for each split, the split on another feature that imitates it best.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.
        all_features : bool, default=False
            Whether to return how well every feature imitates each split, too.

        Returns
        -------
        surrogates : Surrogates
            Arrays with an entry for each node that splits: its number, the surrogate's
            feature, threshold and direction, their agreement and their predictive
            association; see ``manyminds.trees.surrogate_splits``.
        """
        X = self._read_table(X)
        weights = np.ones(X.shape[0]) if sample_weight is None else sample_weight
        return surrogate_splits(
            self.tree_, self._bin(X), weights, all_features=all_features
        )


@fill_docstring(**PARAGRAPHS, references=cite(GRABCZEWSKI_2006))
class DecisionTreeClassifier(TreeClassifierMixin, _DecisionTree):
    """Classify by a binary tree of splits by single features.

    The tree is grown on binned columns: exactly as on the raw numbers where a column
    has at most ``max_bins`` distinct values, with thresholds between equally filled
    bins elsewhere. Missing values take the side that the training rows show to be
    better; categories are divided into two sets. Parameters that scikit-learn's tree
    has mean the same here.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "ssv", "ssv_lexicographic", \
"balanced_error"}, default="gini"
        What a split decreases. "ssv" is the separability of split value [1]_: twice the
        pairs of different classes that a split separates, minus the rows of the smaller
        part of each class that is split. "ssv_lexicographic" uses the second term only
        where two splits separate equally many pairs. "balanced_error" is the error of
        the majority class when every class weighs the same.
    {tree_growth}
    min_impurity_decrease : float, default=0.0
        Minimum decrease of the impurity, weighted by the node's share of all rows, for
        a split to be made. For "ssv": minimum ratio of the criterion to the squared
        weight of all rows.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    {ccp_alpha}
    feature_weights : array-like of shape (n_features,), default=None
        Relative frequency by which a feature is drawn; used only if ``max_features`` is
        below the number of features. A feature with weight 0 is never used.
    max_bins : int, default=255
        Maximum number of bins of a column, up to 65,535.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none. For two classes, the best split
        of the categories into two sets is found by ordering them by the share of a
        class; for more, the orders by each class's share are tried in turn.

    Attributes
    ----------
    {classes}
    max_features_ : int
        Number of features that a node considers.
    {names}
    {tree}
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of impurity.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    >>> tree.get_n_leaves(), round(tree.score(X, y), 2)
    (3, 0.96)
    """

    _parameter_constraints = {
        **_DecisionTree._parameter_constraints,
        "criterion": [StrOptions(CLASS_CRITERIA)],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    def __init__(
        self,
        *,
        criterion="gini",
        splitter="best",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=None,
        random_state=None,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        class_weight=None,
        ccp_alpha=0.0,
        feature_weights=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.feature_weights = feature_weights
        self.max_bins = max_bins
        self.categorical_features = categorical_features


@fill_docstring(**PARAGRAPHS)
class DecisionTreeRegressor(TreeRegressorMixin, _DecisionTree):
    """Predict a number by a binary tree of splits by single features.

    The tree is grown on binned columns: exactly as on the raw numbers where a column
    has at most ``max_bins`` distinct values, with thresholds between equally filled
    bins elsewhere. Missing values take the side that the training rows show to be
    better; categories are divided into the two best sets. Parameters that
    scikit-learn's tree has mean the same here.

    Parameters
    ----------
    {squared_error}
    {tree_growth}
    min_impurity_decrease : float, default=0.0
        Minimum decrease of the variance, weighted by the node's share of all rows, for
        a split to be made.
    ccp_alpha : float, default=0.0
        Prune branches that decrease the variance by less than this for each leaf.
    feature_weights : array-like of shape (n_features,), default=None
        Relative frequency by which a feature is drawn; used only if ``max_features`` is
        below the number of features. A feature with weight 0 is never used.
    {columns}

    Attributes
    ----------
    max_features_ : int
        Number of features that a node considers.
    {names}
    {tree}
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of the variance.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.trees import DecisionTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> tree = DecisionTreeRegressor(max_leaf_nodes=8, random_state=0).fit(X, y)
    >>> tree.get_n_leaves(), round(tree.score(X, y), 2)
    (8, 0.51)
    """

    _parameter_constraints = {
        **_DecisionTree._parameter_constraints,
        "criterion": [StrOptions({"squared_error"})],
    }

    def __init__(
        self,
        *,
        criterion="squared_error",
        splitter="best",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=None,
        random_state=None,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        ccp_alpha=0.0,
        feature_weights=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.feature_weights = feature_weights
        self.max_bins = max_bins
        self.categorical_features = categorical_features
