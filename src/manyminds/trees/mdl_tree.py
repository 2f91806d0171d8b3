"""Trees that stop where a split no longer shortens the description of the labels."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse

from manyminds._compat import Interval, StrOptions
from manyminds.kernels.describing import (
    FEATURE,
    FULL_COST,
    IMPURITY,
    INDEX_COST,
    LEFT,
    MISSING_LEFT,
    N_SAMPLES,
    NO_COST,
    NODE_WEIGHT,
    THRESHOLD,
    grow_described_tree,
)
from manyminds.trees._parameters import PARAGRAPHS
from manyminds.trees.base import SingleTree, TreeClassifierMixin
from manyminds.trees.binning import MAX_BINS, bin_table
from manyminds.trees.structure import Trees
from manyminds.utils.docstrings import fill_docstring

_FEATURE_COSTS = {"none": NO_COST, "index": INDEX_COST, "full": FULL_COST}
_NO_LIMIT = 2**62
_LONGEST_TABLE = 2**16  # of n log2 n: 512 kB


@fill_docstring(**PARAGRAPHS)
class MDLTreeClassifier(TreeClassifierMixin, SingleTree):
    r"""Classify by a tree that grows while splits shorten a description of the labels.

    A node of :math:`n` rows is split only if the bits that its labels need less, after
    the split, pay for the bits that describe the split [1]_:

    .. math::

       n \cdot IG \ge \log_2 (n - 1) + \log_2 (3^k - 2) - k E + k_1 E_1 + k_2 E_2 + c

    where :math:`IG` is the information gain, :math:`E, E_1, E_2` are the entropies of
    node and children and :math:`k, k_1, k_2` the numbers of their classes. The last
    term, :math:`c`, names the feature [2]_: with :math:`s` features used in
    :math:`d` splits so far, one of these costs :math:`\log_2 s`, and a new one of
    :math:`F` costs :math:`\log_2 F + (d + 1) \log_2 (s + 1) - d \log_2 s`. So features
    that the tree knows are cheaper, and it uses few of them. Nodes are split in the
    order in which they arose, level by level.

    The tree needs no pruning, draws nothing, and hardly overfits: a base learner for
    ensembles that weigh rows by how they are classified in training.

    Parameters
    ----------
    feature_cost : {"full", "index", "none"}, default="full"
        What naming a feature costs: as above, without :math:`\log_2 F`, or nothing.
    choose : {"gain", "saving"}, default="gain"
        Among the splits that pay, take the one with the largest information gain, or
        the one that leaves most bits after all costs.
    {max_depth}
    {max_bins}

    Attributes
    ----------
    {tree}
    {classes}
    {names}
    features_used_ : ndarray of shape (n_used,)
        Columns that the tree splits by, in the order of their first split.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of entropy.

    Notes
    -----
    Weights count as numbers of rows: a weight of 2 is a row that is there twice.
    With weights that add up to 1, as in boosting, no split shortens the description.
    Missing values take the side that saves more bits; columns must be numbers.

    The thesis [2]_ does not state in which order nodes are split, on which the cost of
    features depends, nor how the feature is chosen among those that pay: level by
    level and "gain" are our reading. Its tables fit "full" on some data sets and
    "index" on others.

    References
    ----------
    .. [1] Fayyad and Irani, "Multi-interval discretization of continuous-valued
       attributes for classification learning", IJCAI, 1993.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 2.3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.trees import MDLTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = MDLTreeClassifier().fit(X, y)
    >>> tree.get_n_leaves(), tree.features_used_, round(tree.score(X, y), 2)
    (4, array([2, 3]), 0.97)
    """

    categorical_features = None  # only numbers have an order to cut

    _parameter_constraints = {
        "feature_cost": [StrOptions(set(_FEATURE_COSTS))],
        "choose": [StrOptions({"gain", "saving"})],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both")],
    }

    def __init__(
        self, *, feature_cost="full", choose="gain", max_depth=None, max_bins=255
    ):
        self.feature_cost = feature_cost
        self.choose = choose
        self.max_depth = max_depth
        self.max_bins = max_bins

    def fit(self, X, y, sample_weight=None):
        """Grow the tree.

        {fit_counts}
        """
        self._validate_params()
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)
        weights = np.ones(len(y)) if sample_weight is None else sample_weight

        X = X.tocsc() if issparse(X) else X
        self._grow(bin_table(X, max_bins=self.max_bins), y, weights)
        return self

    def _grow(self, table, y, weights):
        """Grow the tree on a binned table; return the leaf of each row."""
        limit = _NO_LIMIT if self.max_depth is None else self.max_depth
        rules = _FEATURE_COSTS[self.feature_cost], self.choose == "saving", limit
        self.tree_, leaves = grow_described(table, y, weights, self.n_classes_, rules)
        return leaves

    def _grow_member(self, table, classes, y, weights):
        """Become a fitted member of an ensemble; return the class of each row.

        The ensemble has checked all parameters and rows, has binned the table once for
        all members and has numbered the classes.
        """
        self.classes_, self.n_classes_ = classes, len(classes)
        self.n_features_in_, self._encoder = len(table.columns), None
        leaves = self._grow(table, y, weights)
        return self.tree_.value.argmax(axis=1)[leaves]

    @property
    def features_used_(self):
        """Columns that the tree splits by, in the order of their first split."""
        split = self.tree_.feature[~self.tree_.is_leaf]
        _, first = np.unique(split, return_index=True)
        return split[np.sort(first)].astype(np.intp)


def grow_described(table, y, weights, n_classes, rules):
    """Grow one tree on a binned table.

    Parameters
    ----------
    table : Table
        From ``bin_table``.
    y : ndarray of shape (n_samples,)
        Numbers of the classes.
    weights : ndarray of shape (n_samples,)
        Number of rows that each row represents; a row with 0 only gets its leaf.
    n_classes : int
        Number of classes.
    rules : tuple of (int, bool, int)
        Code of the feature cost, whether to choose by the saving, maximum depth.

    Returns
    -------
    tree : Trees
        The tree.
    leaves : ndarray of shape (n_samples,)
        The leaf of each row.
    """
    weights = np.require(weights, np.float64, "CW")
    most_nodes = 2 * np.count_nonzero(weights) + 1
    ints, floats = np.empty((7, most_nodes), np.int64), np.empty((3, most_nodes))
    values, leaves = np.empty((most_nodes, n_classes)), np.empty(len(y), np.int64)
    n_nodes = grow_described_tree(
        *table,
        np.require(y, np.int64, "CW"),
        weights,
        _make_logarithms(weights.sum()),
        np.array(rules, dtype=np.int64),
        ints,
        floats,
        values,
        leaves,
    )
    return _make_tree(ints[:, :n_nodes], floats[:, :n_nodes], values, table), leaves


def _make_logarithms(total):
    """Return n log2 n for all n up to the total, if it is not too large."""
    n = np.arange(1.0, min(int(total) + 1, _LONGEST_TABLE) + 1.0)
    return np.append(0.0, n * np.log2(n))


def _make_tree(ints, floats, values, table):
    """Put the grower's record in the form of all trees."""
    n_nodes = ints.shape[1]
    return Trees(
        feature=ints[FEATURE].astype(np.int32),
        threshold=floats[THRESHOLD].copy(),
        left=ints[LEFT].astype(np.int32),
        missing_left=ints[MISSING_LEFT] == 1,
        category_set=np.full(n_nodes, -1, dtype=np.int32),
        category_sets=np.empty((0, 1), dtype=np.uint64),
        impurity=floats[IMPURITY].copy(),
        weight=floats[NODE_WEIGHT].copy(),
        n_samples=ints[N_SAMPLES].astype(np.int32),
        value=values[:n_nodes].copy(),
        starts=np.array([0, n_nodes]),
        n_features=len(table.columns),
        max_categories=0,
    )
