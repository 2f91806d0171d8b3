"""SSV: rank features by the pairs of classes that their best split separates."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import StrOptions
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    Selector,
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

MAX_CATEGORIES = 12  # of which all subsets are tried; of more, only some orders are cut
_BLOCK_CELLS = 2**19  # of columns that are sorted at a time
_ROUNDING = 1e-12  # no fall of an error


class SSVSelector(Selector):
    """Select the features whose splits separate the classes.

    The separability of a split value [1]_ counts the pairs of rows of different classes
    that a split parts, and takes off what it tears of each class. With ``L`` and ``R``
    for the rows of the two sides and a class as index,

        SSV = 2 sum_c L_c (R - R_c)  -  sum_c min(L_c, R_c).

    A *ranking* scores each feature by its best split of all rows. A *tree* ranks the
    features together: a full tree is grown, then cut back from its leaves, the least
    useful final splits first; the longer a feature stays in the tree, the better. So
    features come out that complement each other, but only those that the tree uses.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=10
        Number of features to keep, or their share of all. None: all whose best split is
        better than no split; of a tree, all that it uses. A tree never selects a
        feature that it does not use, whatever number is asked for.
    method : {"ranking", "tree"}, default="ranking"
        Whether features are scored one by one or by a tree.
    balanced : bool, default=False
        Whether a split should lower the balanced error of the larger classes of its
        sides, in place of SSV: every class counts the same, however rare it is.
    lexicographic : bool, default=False
        Whether the most parted pairs come first, and what is torn of the classes only
        settles ties, as the paper's text says; its formula, the default, weighs the
        two against each other. Not together with ``balanced``.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.
    max_bins : int, default=65535
        Most bins of a column of the tree: with so many, the tree sees all values of up
        to 65,535 rows. Fewer bins are quicker.
    random_state : int, RandomState instance or None, default=None
        Draws among splits of the tree that are equally good.
    n_jobs : int, default=None
        Number of threads for a ranking.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        For a ranking the criterion at the best split: SSV; twice the parted pairs if
        ``lexicographic``; the fall of the balanced error if ``balanced``. For a tree
        the number of rounds of pruning until a feature is gone; 0: it is not used.
    ranking_ : ndarray of shape (n_features,)
        1 for the best feature. Features that leave the tree in one round are ranked by
        the errors that their splits save, and those with the score 0 share the last
        rank.
    support_ : ndarray of shape (n_features,)
        Which features are selected.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    tree_ : DecisionTreeClassifier
        The full tree, if ``method="tree"``.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    Notes
    -----
    What ranks first in a tree is what its root splits by, which leaves last. Where no
    single split tells the classes apart, as in an XOR of two evenly spread numbers,
    any column may be at the root: both outranked six columns of noise in 46 of 200
    draws of 300 rows.

    A missing value takes the side that is better for its column. Up to 12 categories,
    all ways of parting them are tried, of more those that order them by the share of a
    class; a missing one counts as a category. ``sample_weight`` counts rows: SSV
    compares pairs with single rows, so it changes with the scale of the weights.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

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

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts.

        Returns
        -------
        self : SSVSelector
            The fitted selector.
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
        """Refuse what does not go together."""
        if len(self.classes_) < 2:
            raise ValueError(
                "SSVSelector needs two classes or more; y has only one class."
            )
        if self.lexicographic and self.balanced:
            raise ValueError(
                "lexicographic=True is a way to read SSV, which balanced=True "
                "replaces: set one of them to False."
            )

    def _weigh_classes(self, label, weight):
        """Return what a row of each class counts: one, or so that classes add up alike.

        The classes of the balanced error add up to one together.
        """
        n_classes = len(self.classes_)
        if not self.balanced:
            return np.ones(n_classes)
        total = np.bincount(label, weight, n_classes)
        share = np.zeros(n_classes)
        np.divide(1.0 / np.count_nonzero(total), total, out=share, where=total > 0.0)
        return share

    def _score(self, X, is_categorical, label, weight):
        """Score each column by its best split; give what settles ties as well."""
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
        if self.balanced:  # one class for all rows gets its own share right
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
        """Mark the best features, as many as wanted, if they are of any use."""
        useful = self.scores_ > 0.0
        if self.n_features_to_select is None:
            return useful
        wanted = count_to_select(self.n_features_to_select, self.n_features_in_)
        chosen = self.ranking_ <= wanted
        return chosen & useful if self.method == "tree" else chosen

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _cut(X):
    """Yield first and last column of blocks that are sorted one at a time."""
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
    """Sort some columns of an array; give values, rows and where columns begin."""
    block = np.ascontiguousarray(X[:, first:last].T)
    rows = np.argsort(block, axis=1)
    values = np.take_along_axis(block, rows, axis=1)
    starts = np.arange(last - first + 1) * X.shape[0]
    return values.ravel(), rows.ravel(), starts


def _sort_sparse(X, first, last):
    """Sort what is stored of some columns of a sparse matrix, in the same form."""
    block = X[:, first:last]
    block.sum_duplicates()
    starts = block.indptr.astype(np.int64)
    column = np.repeat(np.arange(last - first), np.diff(starts))
    order = np.lexsort((block.data, column))
    return block.data[order], block.indices[order].astype(np.int64), starts


def _score_categories(column, label, weight, scale, criterion):
    """Find the best way to part a column's categories in two; give score and loss."""
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
    gain, loss = _score_partings(left, table.sum(axis=0), scale, criterion)
    best = np.lexsort((loss, -gain))[0]
    return gain[best], loss[best]


def _score_partings(left, total, scale, criterion):
    """Score many partings of all rows, given the classes of their left sides."""
    right = total - left
    if criterion == BALANCED:
        gain = (scale * left).max(axis=1) + (scale * right).max(axis=1)
        return gain, np.zeros(len(gain))
    n_right = right.sum(axis=1, keepdims=True)
    parted = 2.0 * np.sum(left * (n_right - right), axis=1)
    torn = np.minimum(left, right).sum(axis=1)
    if criterion == LEXICOGRAPHIC:
        return parted, torn
    return parted - torn, np.zeros(len(torn))


def _rank(scores, losses):
    """Rank features by falling score, equals by rising loss, then by position."""
    return rank_in_order(np.lexsort((losses, -scores)), len(scores))
