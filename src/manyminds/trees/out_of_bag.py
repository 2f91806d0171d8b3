"""Growing trees whose features are chosen on out-of-bag rows."""

from typing import NamedTuple

import numpy as np

from manyminds.kernels.bundles import IS_CATEGORICAL, N_BINS, Samples
from manyminds.kernels.criteria import SQUARED_ERROR
from manyminds.kernels.growing.out_of_bag import (
    FIRST_SUM,
    Judgment,
    OutOfBag,
    grow_out_of_bag,
)
from manyminds.trees.arrays import make_record, make_work
from manyminds.trees.growing import list_draws, needs_general_path, read_record
from manyminds.trees.structure import Trees


class HonestTrees(NamedTuple):
    """Trees whose features were chosen on out-of-bag rows.

    Attributes
    ----------
    trees : Trees
        The grown trees.
    decrease : ndarray of shape (n_nodes,)
        Decrease of the impurity of the out-of-bag rows by each split, as a share of the
        weight of all out-of-bag rows of the tree; 0 in a leaf.
    leaf : ndarray of shape (n_trees or 0, n_rows), int32
        Leaf of each row, counted within its tree.
    """

    trees: Trees
    decrease: np.ndarray
    leaf: np.ndarray

    def importances(self):
        """Return the mean decrease by the splits of each feature over the trees."""
        splits = np.flatnonzero(self.trees.left >= 0)
        total = np.bincount(
            self.trees.feature[splits],
            self.decrease[splits],
            self.trees.n_features,
        )
        return total / self.trees.n_trees


class OutOfBagGrower:
    """Grow trees on bootstrap samples; choose the features of splits on other rows.

    In each node, the cut of every feature drawn is found on the rows of the bootstrap
    sample. Which of the features splits the node is decided on the out-of-bag rows that
    reach it: by how much the cut decreases their impurity. These decreases are honest
    importances: they do not favor features with many values.

    Parameters
    ----------
    table : Table
        Binned columns, from ``bin_table`` without ``row_copy``.
    rules : Rules
        From ``make_rules``, with the criterion "gini" or "squared_error".
    n_rows : int
        Number of rows of the table.
    n_trees : int
        Number of trees grown at most in one call.
    sample_weight : ndarray of shape (n_rows,), default=None
        Odds of a row's draw; weight of an out-of-bag row.
    min_oob : int, default=5
        In a node with fewer out-of-bag rows, the feature is chosen by the rows drawn.
        The decrease that counts is still that of the out-of-bag rows.
    unbiased : bool, default=True
        Whether to subtract from each decrease what a cut that is irrelevant in the node
        is expected to gain, which is the impurity within the sides, divided by the
        degrees of freedom. Decreases may then be negative, and their expectation is 0
        for such a cut. Otherwise no decrease is negative.
    """

    def __init__(
        self,
        table,
        rules,
        n_rows,
        n_trees,
        *,
        sample_weight=None,
        min_oob=5,
        unbiased=True,
    ):
        self._table, self._rules = table, rules
        self._judgment = Judgment(int(min_oob), bool(unbiased))
        categories = table.columns[table.columns[:, IS_CATEGORICAL] == 1, N_BINS]
        self._most_bins = int(categories.max(initial=0))
        n_words = max(1, -(-self._most_bins // 64))
        self._work = make_work(table, rules, n_rows, n_words)
        self._record = make_record(table, rules, n_rows, n_words, n_trees)
        self._others = Samples(
            rows=np.empty((2, n_rows), np.uint32),
            reals=np.empty((5, n_rows)),
            classes=np.empty(0, np.uint16),
        )
        self._bounds, self._weights = np.empty(0), np.ones(n_rows)
        if sample_weight is not None:
            self._bounds = np.cumsum(sample_weight, dtype=np.float64)
            self._weights = np.require(sample_weight, np.float64, "CW")
        self._sums = np.empty((2, FIRST_SUM + max(rules.n_classes, 1)))
        self._stack = np.empty((n_rows + 4, 7), np.int64)
        self._decrease = np.empty(self._record.ints.shape[1])

    def grow(self, y, seeds, want_leaves=False):
        """Grow a tree for each seed.

        Parameters
        ----------
        y : ndarray of shape (n_rows,)
            Targets as float64; for classification the numbers 0 ... n_classes - 1.
        seeds : ndarray of shape (n_trees,)
            From ``draw_seeds``.
        want_leaves : bool, default=False
            Whether to return the leaf of each row.

        Returns
        -------
        grown : HonestTrees
        """
        mean = 0.0
        if self._rules.criterion == SQUARED_ERROR:  # sums of squares lose no digits
            mean = np.average(y, weights=self._weights)
        leaf = np.empty((len(seeds) if want_leaves else 0, len(y)), np.int32)
        out = OutOfBag(
            self._others, self._weights, self._sums, self._stack, self._decrease, leaf
        )
        grow_out_of_bag(
            needs_general_path(self._table, self._rules),
            self._table,
            self._rules,
            self._judgment,
            len(y),
            self._bounds,
            np.require(y - mean, np.float64, "CW"),
            np.require(seeds, np.int64, "CW"),
            self._work,
            self._record,
            out,
        )
        n_features = len(self._table.columns)
        arrays = read_record(
            self._record, len(seeds), n_features, self._most_bins, mean
        )
        trees = Trees(**arrays)
        return HonestTrees(trees, self._decrease[: len(trees.left)].copy(), leaf)

    def count_draws(self, seeds):
        """Return how often the tree of each seed draws each row, (n_trees, n_rows)."""
        n_rows = len(self._weights)
        return list_draws(seeds, n_rows, n_rows, self._bounds)
