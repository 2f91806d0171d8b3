"""SSV: rank features by the pairs of classes that their best split separates."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    SupervisedSelector,
    count_to_select,
    rank_in_order,
    read_target,
    read_weight,
)
from manyminds.feature_selection.filters.ssv_tree import rank_by_pruning
from manyminds.kernels.separability import (
    BALANCED,
    LEXICOGRAPHIC,
    SSV,
    score_columns,
)
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.docstrings import fill_docstring

MAX_CATEGORIES = 12  # all subsets of up to so many categories are evaluated
_BLOCK_CELLS = 2**19  # cells of the columns that are sorted at a time
_ROUNDING = 1e-12  # a smaller decrease of the error is a rounding error


@fill_docstring(**PARAMETERS)
class SSVSelector(SupervisedSelector):
    """Select the features whose splits separate the classes.

    The separability of a split value (SSV) [1]_ counts the pairs of samples of
    different classes that a split separates, minus the samples of each class that it
    divides. With ``L`` and ``R`` for the numbers of samples of the two sides and a
    class as index,

        SSV = 2 sum_c L_c (R - R_c)  -  sum_c min(L_c, R_c).

    A *ranking* scores each feature by its best split of all samples. A *tree* ranks the
    features together: a full tree is grown, then pruned from its leaves, the splits of
    least gain first; the more pruning rounds a feature survives, the better. It selects
    complementary features, but only those that the tree uses.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=10
        Number of features to select, or their share of all features. None: all whose
        best split is better than no split; of a tree, all that it uses. A tree never
        selects a feature that it does not use.
    method : {"ranking", "tree"}, default="ranking"
        Whether features are scored one by one or by a tree.
    balanced : bool, default=False
        Whether to score a split by the decrease of the balanced error instead of SSV:
        all classes have equal weight, however rare they are.
    lexicographic : bool, default=False
        Whether separated pairs come first and the samples of divided classes only
        break ties, as in the paper's text; its formula, the default, subtracts one from
        the other. Not together with ``balanced``.
    {categorical_features}
    max_bins : int, default=65535
        Maximum number of bins per column of the tree: the default distinguishes all
        values of up to 65,535 samples. Fewer bins are faster.
    random_state : int, RandomState instance or None, default=None
        Breaks ties between splits of the tree.
    n_jobs : int, default=None
        Number of threads of a ranking.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        For a ranking the criterion at the best split: SSV; twice the separated pairs if
        ``lexicographic``; the decrease of the balanced error if ``balanced``. For a
        tree the number of pruning rounds that a feature survives; 0: it is not used.
    ranking_ : ndarray of shape (n_features,)
        1 for the best feature. Features that are pruned in the same round are ranked by
        the errors that their splits save; those with the score 0 share the last rank.
    {support}
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    tree_ : DecisionTreeClassifier
        The full tree, if ``method="tree"``.
    {n_features_in}

    Notes
    -----
    In a tree, the feature of the root is pruned last and ranks first. Where no single
    split separates the classes, as in an exclusive or of two uniform features, any
    column may be at the root: both outranked six noise columns in 46 of 200 draws of
    300 samples.

    Missing values go to the side that is better for the column. Of up to 12 categories
    all splits are evaluated, of more those that order them by the frequency of a class;
    a missing value is a category. ``sample_weight`` counts samples: SSV compares pairs
    with single samples, so it depends on the scale of the weights.

    {complex_models_paper}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import SSVSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> SSVSelector(2).fit(X, y).get_support(indices=True)
    array([2, 3])
    """

    _parameter_constraints = {
        "n_features_to_select": [*N_TO_SELECT, None],
        "method": [StrOptions({"ranking", "tree"})],
        "balanced": ["boolean"],
        "lexicographic": ["boolean"],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "max_bins": DecisionTreeClassifier._parameter_constraints["max_bins"],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        method="ranking",
        balanced=False,
        lexicographic=False,
        categorical_features="from_dtype",
        max_bins=65535,
        random_state=None,
        n_jobs=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.method = method
        self.balanced = balanced
        self.lexicographic = lexicographic
        self.categorical_features = categorical_features
        self.max_bins = max_bins
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Rank the features.

        {fit_classes}
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        label, self.classes_ = read_target(self, X, y, "classification")
        weight = read_weight(X, sample_weight)
        self._check_choices()

        if self.method == "ranking":
            self.scores_, losses = self._score(X, is_categorical, label, weight)
            self.ranking_ = _rank(self.scores_, losses)
        else:
            self.tree_ = self._grow(X, is_categorical, label, weight)
            self.scores_, saved = rank_by_pruning(
                self.tree_.tree_, self._weigh_classes(label, weight)
            )
            self.ranking_ = _rank(self.scores_, -saved)
            used = self.scores_ > 0.0
            self.ranking_[~used] = used.sum() + 1
        self.support_ = self._choose()
        return self

    def _check_choices(self):
        """Check that the parameters are compatible."""
        if len(self.classes_) < 2:
            raise ValueError(
                "SSVSelector needs two classes or more; y has only one class."
            )
        if self.lexicographic and self.balanced:
            raise ValueError(
                "lexicographic=True and balanced=True exclude each other: set one of "
                "them to False."
            )

    def _weigh_classes(self, label, weight):
        """Return the weight of a sample of each class: 1, or balanced class weights.

        Balanced weights sum to one over all samples.
        """
        n_classes = len(self.classes_)
        if not self.balanced:
            return np.ones(n_classes)
        total = np.bincount(label, weight, n_classes)
        share = np.zeros(n_classes)
        np.divide(1.0 / np.count_nonzero(total), total, out=share, where=total > 0.0)
        return share

    def _score(self, X, is_categorical, label, weight):
        """Score each column by its best split; return tie-breaking losses as well."""
        criterion = LEXICOGRAPHIC if self.lexicographic else SSV
        criterion = BALANCED if self.balanced else criterion
        scale = self._weigh_classes(label, weight)
        data = label, weight, scale, criterion
        sort_block = _sort_sparse if issparse(X) else _sort_dense
        run = Parallel(self.n_jobs, prefer="threads")
        best = np.vstack(
            run(delayed(_score_block)(sort_block, X, *ends, *data) for ends in _cut(X))
        )
        for j in np.flatnonzero(is_categorical):
            best[j] = _score_categories(X[:, j], *data)
        if self.balanced:  # predicting one class is right for its own share
            fall = best[:, 0] - 1.0 / np.count_nonzero(scale)
            best[:, 0] = np.where(fall > _ROUNDING, fall, 0.0)
        return best.T

    def _grow(self, X, is_categorical, label, weight):
        """Grow the full tree."""
        separability = "ssv_lexicographic" if self.lexicographic else "ssv"
        tree = DecisionTreeClassifier(
            criterion="balanced_error" if self.balanced else separability,
            random_state=self.random_state,
            max_bins=self.max_bins,
            categorical_features=is_categorical if is_categorical.any() else None,
        )
        return tree.fit(X, label, weight)

    def _choose(self):
        """Return the mask of the best features; in a tree, only of those it uses."""
        useful = self.scores_ > 0.0
        if self.n_features_to_select is None:
            return useful
        wanted = count_to_select(self.n_features_to_select, self.n_features_in_)
        chosen = self.ranking_ <= wanted
        return chosen & useful if self.method == "tree" else chosen


def _cut(X):
    """Yield the first and last column of each block of columns to sort."""
    n_stored = X.nnz if issparse(X) else X.shape[0] * X.shape[1]
    n_columns = max(1, _BLOCK_CELLS * X.shape[1] // max(n_stored, 1))
    for first in range(0, X.shape[1], n_columns):
        yield first, min(first + n_columns, X.shape[1])


def _score_block(sort_block, X, first, last, label, weight, scale, criterion):
    """Score the numeric splits of some columns."""
    best = np.empty((last - first, 2))
    columns = sort_block(X, first, last)
    score_columns(*columns, label, weight, scale, criterion, best)
    return best


def _sort_dense(X, first, last):
    """Sort some columns of an array; return values, rows and starts of columns."""
    block = np.ascontiguousarray(X[:, first:last].T)
    rows = np.argsort(block, axis=1)
    values = np.take_along_axis(block, rows, axis=1)
    starts = np.arange(last - first + 1) * X.shape[0]
    return values.ravel(), rows.ravel(), starts


def _sort_sparse(X, first, last):
    """Sort the stored values of some columns of a sparse matrix, in the same form."""
    block = X[:, first:last]
    block.sum_duplicates()
    starts = block.indptr.astype(np.int64)
    column = np.repeat(np.arange(last - first), np.diff(starts))
    order = np.lexsort((block.data, column))
    return block.data[order], block.indices[order].astype(np.int64), starts


def _score_categories(column, label, weight, scale, criterion):
    """Find the best split of a column's categories; return its score and loss."""
    codes = np.where(np.isnan(column), np.nanmax(column, initial=-1.0) + 1.0, column)
    n_classes = len(scale)
    cells = np.bincount(codes.astype(np.int64) * n_classes + label, weight)
    table = np.append(cells, np.zeros(-len(cells) % n_classes)).reshape(-1, n_classes)
    table = table[table.sum(axis=1) > 0.0]
    if len(table) <= MAX_CATEGORIES:
        subsets = np.arange(2 ** (len(table) - 1))[:, None] >> np.arange(len(table))
        left = (subsets & 1) @ table
    else:
        share = table / table.sum(axis=1, keepdims=True)
        orders = np.argsort(share, axis=0, kind="stable").T
        left = np.cumsum(table[orders], axis=1).reshape(-1, n_classes)
    gain, loss = _score_splits(left, table.sum(axis=0), scale, criterion)
    best = np.lexsort((loss, -gain))[0]
    return gain[best], loss[best]


def _score_splits(left, total, scale, criterion):
    """Score many splits of all samples, given the class counts of their left sides."""
    right = total - left
    if criterion == BALANCED:
        gain = (scale * left).max(axis=1) + (scale * right).max(axis=1)
        return gain, np.zeros(len(gain))
    n_right = right.sum(axis=1, keepdims=True)
    separated = 2.0 * np.sum(left * (n_right - right), axis=1)
    divided = np.minimum(left, right).sum(axis=1)
    if criterion == LEXICOGRAPHIC:
        return separated, divided
    return separated - divided, np.zeros(len(divided))


def _rank(scores, losses):
    """Rank features by decreasing score, then by increasing loss, then by position."""
    return rank_in_order(np.lexsort((losses, -scores)), len(scores))
