"""SSV trees: grown until leaves are pure, pruned to a cross-validated degree."""

import numpy as np
from scipy.sparse import issparse
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state

from manyminds._compat import StrOptions
from manyminds.trees._parameters import PARAGRAPHS
from manyminds.trees.base import SingleTree, TreeClassifierMixin
from manyminds.trees.folds import limit_folds, renumber_folds
from manyminds.trees.growing import draw_seeds, grow, make_sampling
from manyminds.trees.pruning import cost_complexity_path, keep, prune_cost_complexity
from manyminds.trees.rules import export_rules
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GRABCZEWSKI_2006, cite

_SHARED = ("max_depth", "min_samples_leaf", "max_bins", "categorical_features")
_SHARED += ("random_state",)
_ROUNDING = 1e-10  # share of all rows; errors that differ by less are equal


@fill_docstring(**PARAGRAPHS, references=cite(GRABCZEWSKI_2006))
class SSVTreeClassifier(TreeClassifierMixin, SingleTree):
    """Classify by a tree of splits that separate classes, pruned by cross-validation.

    The separability of a split value [1]_ counts the pairs of rows of different classes
    that a split separates, minus the rows of the smaller part of each class. With ``L``
    and ``R`` for the rows of the two sides and a class as index,

        SSV = 2 sum_c L_c (R - R_c)  -  sum_c min(L_c, R_c).

    The tree grows by the best split of all features until leaves are pure. Then it is
    pruned to the degree with the best cross-validation score. Of equal
    degrees the highest is taken, that is, the smallest tree.

    Parameters
    ----------
    pruning : {"g", "cost_complexity"} or None, default="g"
        What a degree means. "g": final splits, those with two leaves below, are pruned
        as long as one decreases the error by no more than this share of all rows.
        "cost_complexity": the price of a leaf, see ``ccp_alpha`` of
        ``DecisionTreeClassifier``. None: the tree is not pruned.
    cv : int, cross-validation generator or iterable, default=10
        Folds to choose the degree; a number is that of stratified folds, or fewer if
        no class has so many rows.
    balanced : bool, default=False
        Whether all classes have the same weight, and splits decrease the error of the
        larger classes of their sides, in place of SSV.
    lexicographic : bool, default=False
        Whether the number of separated pairs comes first, and the second term only
        breaks ties, as in the paper's text; its formula, the default, is the
        difference of the two. Not together with ``balanced``.
    {max_depth}
    {min_samples_leaf}
    random_state : int, RandomState instance or None, default=None
        Draws among splits that are equally good.
    max_bins : int, default=65535
        Maximum number of bins of a column: with the default, the tree sees all values
        of up to 65,535 rows. Fewer bins are faster.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.

    Attributes
    ----------
    tree_ : Trees
        The pruned tree's node arrays.
    degree_ : float
        The degree of pruning.
    degrees_ : ndarray of shape (n_degrees,)
        The degrees tried, rising, if the tree is pruned.
    cv_scores_ : ndarray of shape (n_degrees,)
        Share of rows that trees of the other folds get right at each of them; if
        ``balanced``, the mean over the classes.
    {classes}
    {names}
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of impurity.

    Notes
    -----
    If several neighboring thresholds are equally good, the one nearest to their
    average is taken; if there are worse ones between them, or categories, one is drawn.
    The lexicographic preference distinguishes scores up to their tenth digit, and so
    breaks ties in nodes of up to some 2,000 rows; in larger ones they stay ties.
    ``sample_weight`` counts rows: SSV compares pairs with single rows, so it changes
    with the scale of the weights.

    The paper prunes by a degree without saying what it is. Here "g" takes the order in
    which the paper ranks features: final splits with the smallest savings go first.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.trees import SSVTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = SSVTreeClassifier(random_state=0).fit(X[:, 2:], y)
    >>> print(tree.export_rules(feature_names=["length", "width"]))
    IF width <= 0.80 THEN 0 (50 rows, 100%)
    IF 0.80 < width <= 1.65 AND length <= 4.95 THEN 1 (47 rows, 100%)
    IF 0.80 < width <= 1.65 AND length > 4.95 THEN 2 (5 rows, 80%)
    IF width > 1.65 THEN 2 (48 rows, 96%)
    """

    # What these trees leave as it is.
    min_samples_split, max_leaf_nodes, max_features = 2, None, None
    min_weight_fraction_leaf = min_impurity_decrease = 0.0

    _parameter_constraints = {
        **{name: SingleTree._parameter_constraints[name] for name in _SHARED},
        "pruning": [StrOptions({"g", "cost_complexity"}), None],
        "cv": ["cv_object"],
        "balanced": ["boolean"],
        "lexicographic": ["boolean"],
    }

    def __init__(
        self,
        *,
        pruning="g",
        cv=10,
        balanced=False,
        lexicographic=False,
        max_depth=None,
        min_samples_leaf=1,
        random_state=None,
        max_bins=65535,
        categorical_features="from_dtype",
    ):
        self.pruning = pruning
        self.cv = cv
        self.balanced = balanced
        self.lexicographic = lexicographic
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state
        self.max_bins = max_bins
        self.categorical_features = categorical_features

    @property
    def criterion(self):
        """Criterion of the splits."""
        if self.balanced:
            return "balanced_error"
        return "ssv_lexicographic" if self.lexicographic else "ssv"

    def fit(self, X, y, sample_weight=None):
        """Grow the tree and prune it.

        {fit_counts}
        """
        self._validate_params()
        if self.balanced and self.lexicographic:
            raise ValueError(
                "lexicographic=True is a way to read SSV, which balanced=True "
                "replaces: set one of them to False."
            )
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)
        weight = np.ones(len(y)) if sample_weight is None else sample_weight
        if self.balanced:
            weight = _balance(y.astype(np.intp), weight)
        folds = self._split_folds(y, weight)

        trees = self._grow(X, y, weight, folds)
        self.tree_, self.degree_ = trees.tree(0), 0.0
        for name in ("degrees_", "cv_scores_"):
            vars(self).pop(name, None)
        if folds:
            self.degrees_ = _list_degrees(self.tree_, self.pruning)
            self.cv_scores_ = self._try_degrees(X, y, weight, trees, folds)
            best = np.flatnonzero(_is_greatest(self.cv_scores_))[-1]
            self.degree_ = float(self.degrees_[best])
            self.tree_ = _prune(self.tree_, self.pruning, self.degree_)
        return self

    def _split_folds(self, y, weight):
        """Split the rows into folds: no folds if nothing is to be chosen."""
        cv = renumber_folds(self.cv, self._has_weight)
        cv = limit_folds(cv, y, by_class=True)
        if self.pruning is None or cv == 1:
            return []
        folds = check_cv(cv, y, classifier=True).split(np.zeros((len(y), 1)), y)
        return [fold for fold in folds if all(weight[rows].sum() > 0 for rows in fold)]

    def _grow(self, X, y, weight, folds):
        """Grow the tree of all rows and, after it, those of the folds, not pruned."""
        weights = np.zeros((len(folds) + 1, len(y)))
        weights[0] = weight
        for of_tree, (train, _) in zip(weights[1:], folds):
            np.add.at(of_tree, train, weight[train])
        rules = self._make_rules(X, weight.sum())
        seeds = draw_seeds(check_random_state(self.random_state), len(weights))
        return grow(self._bin(X), y, rules, make_sampling(*X.shape, weights), seeds)

    def _try_degrees(self, X, y, weight, trees, folds):
        """Return the out-of-fold accuracy by weight for each degree."""
        right, total = np.zeros(len(self.degrees_)), 0.0
        X = X.tocsr() if issparse(X) else X
        for t, (_, test) in enumerate(folds, start=1):
            rows = X[test].toarray() if issparse(X) else X[test]
            total += weight[test].sum()
            label, n_nodes = None, np.inf
            for k, degree in enumerate(self.degrees_):
                pruned = _prune(trees.tree(t), self.pruning, degree)
                if len(pruned.left) < n_nodes:
                    label, n_nodes = pruned.labels_by_tree(rows)[0], len(pruned.left)
                right[k] += weight[test] @ (label == y[test])
        return right / total

    def export_rules(self, *, feature_names=None, class_names=None, decimals=2):
        """Write the tree as rules, one line for each leaf.

        Parameters
        ----------
        feature_names : array-like of shape (n_features,), default=None
            Names of the columns.
        class_names : array-like of shape (n_classes,), default=None
            Names of the classes.
        decimals : int, default=2
            Number of decimals.

        Returns
        -------
        rules : str
            See ``manyminds.trees.export_rules``.
        """
        return export_rules(
            self,
            feature_names=feature_names,
            class_names=class_names,
            decimals=decimals,
        )


def error_gains(tree):
    """Return the decrease of the error by each split, as a share of all rows.

    Parameters
    ----------
    tree : Trees
        A single classification tree.

    Returns
    -------
    gains : ndarray of shape (n_nodes,)
        Weight that a node misclassifies less that of its children, by the weight of
        all rows; 0 in leaves. Rounded, so that sums in another order make no difference
        between equals.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> from manyminds.trees.ssv_tree import error_gains
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=1).fit(X, y).tree_
    >>> (150 * error_gains(tree)).round(1)
    array([50.,  0.,  0.])
    """
    counts = tree.value * tree.weight[:, np.newaxis]
    error = (counts.sum(axis=1) - counts.max(axis=1)) / tree.weight[0]
    gains, is_split = np.zeros(len(error)), tree.left >= 0
    children = tree.left[is_split]
    gains[is_split] = error[is_split] - error[children] - error[children + 1]
    return np.rint(gains / _ROUNDING) * _ROUNDING


def last_degrees(tree):
    """Return the lowest degree of "g" that prunes each split; 0 in leaves.

    A split goes only after all below it are gone: its degree is the largest gain of
    the branch.
    """
    degrees = error_gains(tree)
    for node in np.flatnonzero(tree.left >= 0)[::-1]:  # children come after parents
        child = tree.left[node]
        degrees[node] = max(degrees[node], degrees[child], degrees[child + 1])
    return degrees


def _list_degrees(tree, pruning):
    """List degrees that make a difference: 0, then one between each two of a tree's.

    Trees of other rows lose the like of a branch at another degree, higher or lower.
    """
    if pruning == "cost_complexity":
        steps = cost_complexity_path(tree)[0]
    else:
        steps = last_degrees(tree)[tree.left >= 0]
    steps = np.unique(steps[steps > 0.0])
    between = np.sqrt(steps[:-1] * steps[1:])
    return np.concatenate([[0.0], between, 2.0 * steps[-1:]])


def _prune(tree, pruning, degree):
    """Prune a single tree to a degree."""
    if pruning == "cost_complexity":
        return prune_cost_complexity(tree, degree)
    return keep(tree, last_degrees(tree) <= degree + _ROUNDING / 2)


def _is_greatest(scores):
    """Mark the greatest scores, and those that only rounding makes smaller."""
    return scores >= scores.max() - _ROUNDING


def _balance(label, weight):
    """Scale weights so that classes have equal sums; the total stays the same."""
    total = np.bincount(label, weight)
    share = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0.0)
    return weight * share[label] * (weight.sum() / np.count_nonzero(total))
