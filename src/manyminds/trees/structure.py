"""Grown trees as flat arrays: prediction, paths, feature importances."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import csr_matrix

from manyminds.kernels import leaf_masks, walking
from manyminds.trees.chunks import divide_rows
from manyminds.trees.joining import NODE_ARRAYS, join_batches
from manyminds.trees.scratch import reserve
from manyminds.utils.threads import run_in_threads

_BLOCK_VALUES = 1 << 18  # values of X at a time, for all trees
_BLOCK_LEAVES = 1 << 18  # leaf numbers in memory at once per thread
_BLOCK_COUNTS = 1 << 21  # bootstrap counts in memory at once
_SERIAL_LEAVES = 200_000  # up to so many leaves, one thread is faster
_SERIAL_QUESTIONS = 1_000_000  # the same, of rows times nodes
_FEW_ROWS = 8  # that walk faster than all nodes can be asked


@dataclass(frozen=True, eq=False, repr=False)
class Trees:
    """Any number of grown trees; the nodes of all trees are stored one after the other.

    A row goes left at a numeric node if its value is at most the threshold, at a
    categorical node if the bit of its category's code is set. Missing values, and
    categories beyond the node's set, go left if ``missing_left``. A tree's root is its
    node 0, and children come after their parents.

    Only the number of columns is checked. The samples ``X`` of all methods are float64
    of shape (n_rows, n_features), with categories as codes 0, 1, 2, ... ``n_jobs`` is
    the number of threads over which rows are distributed; no result depends on it, to
    the last bit.

    Parameters
    ----------
    feature : ndarray of shape (n_nodes,), int32
        Column that the node splits by; -1 in a leaf.
    threshold : ndarray of shape (n_nodes,), float64
        Greatest value that goes left, may be infinite; NaN in a leaf and in a
        categorical split.
    left : ndarray of shape (n_nodes,), int32
        Left child's number within its tree, -1 in a leaf. The right child is next.
    missing_left : ndarray of shape (n_nodes,), bool
        Whether missing values go left.
    category_set : ndarray of shape (n_nodes,), int32
        Row of ``category_sets``; -1 unless the split is categorical.
    category_sets : ndarray of shape (n_sets, n_words), uint64
        Bit ``c % 64`` of word ``c // 64`` is set if category ``c`` goes left.
    impurity : ndarray of shape (n_nodes,), float64
        Impurity of the node.
    weight : ndarray of shape (n_nodes,), float64
        Sum of the weights of the training rows in the node.
    n_samples : ndarray of shape (n_nodes,), int32
        Number of training rows in the node.
    value : ndarray of shape (n_nodes, n_values), float64
        Shares of the classes, or the mean target.
    starts : ndarray of shape (n_trees + 1,), int64
        The nodes of tree ``t`` are ``starts[t]`` to ``starts[t + 1] - 1``.
    n_features : int
        Number of columns.
    max_categories : int
        Category codes are below this; 0 if no column is categorical.
    """

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    missing_left: np.ndarray
    category_set: np.ndarray
    category_sets: np.ndarray
    impurity: np.ndarray
    weight: np.ndarray
    n_samples: np.ndarray
    value: np.ndarray
    starts: np.ndarray
    n_features: int
    max_categories: int

    # ------------------------------------------------------------ shape

    @property
    def n_trees(self):
        """Number of trees."""
        return len(self.starts) - 1

    @property
    def n_values(self):
        """Number of values of a leaf: of classes, or 1 for regression."""
        return self.value.shape[1]

    @property
    def node_counts(self):
        """Number of nodes of each tree."""
        return np.diff(self.starts)

    @property
    def is_leaf(self):
        """Which nodes are leaves."""
        return self.left < 0

    @property
    def right(self):
        """Right child's number within its tree, -1 in a leaf."""
        return np.where(self.left < 0, np.int32(-1), self.left + np.int32(1))

    @property
    def parent(self):
        """Parent's number within its tree, -1 for a root."""
        return self._parent_and_depth[0]

    @property
    def depth(self):
        """Depth of each node; 0 for a root."""
        return self._parent_and_depth[1]

    @property
    def max_depth(self):
        """Depth of the deepest leaf of each tree."""
        return np.maximum.reduceat(self.depth, self.starts[:-1])

    @property
    def n_leaves(self):
        """Number of leaves of each tree."""
        return np.add.reduceat(self.is_leaf, self.starts[:-1], dtype=np.int64)

    # ------------------------------------------------------------ subsets

    def tree(self, t):
        """Return tree ``t`` alone; its arrays are views of these."""
        t = range(self.n_trees)[t]
        return self._between(t, t + 1)

    def select(self, indices):
        """Return the trees of these numbers, in this order."""
        indices = np.asarray(indices, dtype=np.int64)
        counts = self.node_counts[indices]
        starts = np.concatenate([[0], np.cumsum(counts)])
        shift = np.repeat(self.starts[indices] - starts[:-1], counts)
        return self._with_nodes(np.arange(starts[-1]) + shift, starts)

    @classmethod
    def concatenate(cls, parts):
        """Return the trees of all ``parts``, a list of Trees, one after the other."""
        names = [field.name for field in fields(cls)]
        batches = ({name: getattr(p, name) for name in names} for p in parts)
        return cls.join(batches, sum(p.n_trees for p in parts))

    @classmethod
    def join(cls, batches, n_trees):
        """Return the trees of all batches, dicts of what Trees consist of.

        Parameters
        ----------
        batches : iterable of dict
            They are emptied, and may be made one at a time: see ``join_batches``.
        n_trees : int
            Number of trees of all batches together, at most.
        """
        return cls(**join_batches(batches, n_trees))

    # ------------------------------------------------------------ rows

    def apply(self, X, n_jobs=None):
        """Return leaves (n_rows, n_trees), int64: node numbers within the tree."""
        leaves = np.empty((len(X), self.n_trees), dtype=np.int64)

        def note(rows, trees, leaf):
            leaves[rows, trees] = leaf.T

        self._walk(X, note, n_jobs, want_rows=False)
        return leaves

    def decision_path(self, X, n_jobs=None):
        """Return a CSR matrix (n_rows, n_nodes) with ones where a row passes a node.

        Leaves count. The columns of tree ``t`` begin with column ``starts[t]``.
        """
        leaves = self.apply(X, n_jobs)
        parent, depth = self._parent_and_depth
        lengths = (depth[leaves + self.starts[:-1]] + 1).sum(axis=1, dtype=np.int64)
        first = np.concatenate([[0], np.cumsum(lengths)])
        nodes = np.empty(first[-1], dtype=np.int64)
        walking.fill_paths(parent, depth, self.starts, leaves, first, nodes)
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, first), shape=(len(leaves), len(self.left)))

    def mean_value(self, X, n_jobs=None):
        """Return the mean of the values of each row's leaves: (n_rows, n_values)."""
        total = np.zeros((len(X), self.n_values))
        table = self._packed[1]

        def add(rows, trees, leaf_row):
            walking.add_leaf_values(table, leaf_row, total[rows])

        self._walk(X, add, n_jobs)
        total /= self.n_trees
        return total

    def sum_values(self, X, baseline, n_jobs=None):
        """Return the baseline and the sums of leaf values: (n_rows, n_outputs).

        Tree ``t`` belongs to output ``t % n_outputs``, as in boosting.
        """
        total = np.tile(np.asarray(baseline, np.float64), (len(X), 1))
        if len(X) < _FEW_ROWS or not self._fits_masks:
            table, n_outputs = self._packed[1], len(baseline)

            def add(rows, trees, leaf_row):
                first = trees.start % n_outputs
                walking.add_output_values(table, leaf_row, first, total[rows])

            self._walk(X, add, n_jobs)
            return total
        X = self._check_width(np.ascontiguousarray(X, dtype=np.float64))
        masks = self._masks

        def add_masked(rows):
            leaf_masks.sum_leaf_values(masks, X[rows], total[rows])

        is_small = len(X) * len(masks.place) <= _SERIAL_QUESTIONS
        n_threads = 1 if is_small else effective_n_jobs(n_jobs)
        longest = leaf_masks.BATCH * 64
        run_in_threads(add_masked, divide_rows(len(X), longest, n_threads), n_threads)
        return total

    def left_out_mean(self, X, in_bag, n_jobs=None):
        """Return the mean of leaf values over the trees for which a row is out of bag.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            The rows that the trees were grown from.
        in_bag : callable
            Takes a slice of the trees and returns how often each of them drew each row,
            an array of shape (some trees, n_rows). So the counts of all trees need not
            be in memory at once.
        n_jobs : int, default=None
            Number of threads.

        Returns
        -------
        mean : ndarray of shape (n_rows, n_values)
            NaN for a row that every tree drew.
        n_left_out : ndarray of shape (n_rows,), int64
            Number of trees for which the row is out of bag.
        """
        total = np.zeros((len(X), self.n_values))
        n_left_out = np.zeros(len(X), dtype=np.int64)
        table = self._packed[1]
        step = max(1, _BLOCK_COUNTS // max(1, len(X)))
        for first in range(0, self.n_trees, step):
            some = slice(first, min(first + step, self.n_trees))
            counts = in_bag(some)

            def add(rows, trees, leaf_row, counts=counts, first=first):
                of_some = slice(trees.start - first, trees.stop - first)
                left_out = counts[of_some, rows] == 0
                walking.add_left_out_values(
                    table, leaf_row, left_out, total[rows], n_left_out[rows]
                )

            self._walk(X, add, n_jobs, some)
        with np.errstate(invalid="ignore"):
            total /= n_left_out[:, np.newaxis]
        return total, n_left_out

    def values_by_tree(self, X, n_jobs=None):
        """Return the values of each row's leaves: (n_trees, n_rows, n_values)."""
        values = np.empty((self.n_trees, len(X), self.n_values))
        table = self._packed[1]

        def note(rows, trees, leaf_row):
            values[trees, rows] = table[leaf_row]

        self._walk(X, note, n_jobs)
        return values

    def labels_by_tree(self, X, n_jobs=None):
        """Return the greatest class of each row's leaves: (n_trees, n_rows), int32.

        The first one of classes that tie.
        """
        labels = np.empty((self.n_trees, len(X)), dtype=np.int32)
        leaf_label = self._packed[1].argmax(axis=1).astype(np.int32)

        def note(rows, trees, leaf_row):
            labels[trees, rows] = leaf_label[leaf_row]

        self._walk(X, note, n_jobs)
        return labels

    # ------------------------------------------------------------ features

    def list_decreases(self):
        """Return tree, feature and decrease of weight times impurity of each split."""
        inner = np.flatnonzero(self.left >= 0)
        tree = np.repeat(np.arange(self.n_trees), self.node_counts)[inner]
        left = self.starts[tree] + self.left[inner]
        loss = self.weight * self.impurity
        decrease = loss[inner] - loss[left] - loss[left + 1]
        return tree, self.feature[inner], decrease

    def feature_importances(self):
        """Return the features' shares of the decrease of impurity, tree by tree.

        The array of shape (n_trees, n_features) sums to 1 in each tree, and is all 0
        in a tree that gains nothing by splitting.
        """
        tree, feature, decrease = self.list_decreases()
        importances = np.bincount(
            tree * self.n_features + feature,
            weights=decrease,
            minlength=self.n_trees * self.n_features,
        ).reshape(self.n_trees, self.n_features)
        importances = importances.astype(np.float64)  # empty sums are integers
        importances /= self.weight[self.starts[:-1], np.newaxis]
        total = importances.sum(axis=1, keepdims=True)
        return np.divide(importances, total, out=importances, where=total > 0.0)

    # ------------------------------------------------------------ internals

    def __repr__(self):
        return f"<Trees: {self.n_trees} trees, {len(self.left)} nodes>"

    def __getstate__(self):
        # Cached properties are left out.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _between(self, first, last):
        """Return trees ``first`` to ``last - 1`` as views."""
        starts = self.starts[first : last + 1]
        return self._with_nodes(slice(starts[0], starts[-1]), starts - starts[0])

    def _with_nodes(self, nodes, starts):
        """Return the trees of these nodes."""
        return Trees(
            **{name: getattr(self, name)[nodes] for name in NODE_ARRAYS},
            category_sets=self.category_sets,
            starts=starts,
            n_features=self.n_features,
            max_categories=self.max_categories,
        )

    def _walk(self, X, use, n_jobs, trees=None, want_rows=True):
        """Call ``use(rows, trees, leaf)`` with the leaves of blocks of rows.

        ``rows`` and ``trees`` are slices, and the trees of a row come in their order;
        ``leaf`` of shape (trees, rows) holds rows of the table of leaf values, or the
        leaves' numbers within their trees. Rows are distributed over threads.
        """
        X = self._check_width(np.ascontiguousarray(X, dtype=np.float64))
        begin, end = (0, self.n_trees) if trees is None else (trees.start, trees.stop)
        _ = self._packed  # before there are threads

        def walk_block(rows):
            plain = not (self._has_categories or np.isnan(X[rows].min()))
            step = max(1, _BLOCK_LEAVES // (rows.stop - rows.start))
            for first in range(begin, end, step):
                some = slice(first, min(first + step, end))
                use(rows, some, self._find_leaves(X[rows], some, plain, want_rows))

        is_small = len(X) * (end - begin) <= _SERIAL_LEAVES
        n_threads = 1 if is_small else effective_n_jobs(n_jobs)
        blocks = _row_blocks(*X.shape, n_threads)
        run_in_threads(walk_block, blocks, n_threads)

    def _check_width(self, X):
        """Raise if X has fewer columns than the trees ask for, as of a forged file."""
        if X.shape[1] < self.n_features:
            raise ValueError(
                f"X has {X.shape[1]} columns, but the trees were grown on "
                f"{self.n_features}."
            )
        return X

    def _find_leaves(self, X, trees, plain, want_rows):
        """Return the leaves of all rows of X in a slice of the trees."""
        nodes = self._packed[0]
        starts = self.starts[trees.start : trees.stop + 1]
        leaf = np.empty((len(starts) - 1, len(X)), dtype=np.uint32)
        if plain:
            walking.walk(nodes, starts, X, want_rows, leaf)
        else:
            sets = self.category_set, self.category_sets
            walking.walk_with_missing(
                nodes, starts, self._missing_right, *sets, X, want_rows, leaf
            )
        return leaf

    @cached_property
    def _packed(self):
        """The nodes packed for walking, and the table of leaf values."""
        nodes = reserve((2 * len(self.left),), np.uint64)
        table_nodes = reserve((np.count_nonzero(self.left < 0),), np.int64)
        n_rows = walking.pack_nodes(
            self.feature,
            self.threshold,
            self.left,
            self.starts,
            self.value,
            nodes,
            table_nodes,
        )
        return nodes, self.value[table_nodes[:n_rows]]

    @cached_property
    def _fits_masks(self):
        return bool(self.n_leaves.max() <= leaf_masks.MAX_LEAVES)

    @cached_property
    def _masks(self):
        """The trees as masks of leaves."""
        is_inner = self.left >= 0
        remaining = np.empty(len(self.left), dtype=np.uint64)
        values = np.empty(np.count_nonzero(~is_inner))
        below = np.empty(len(self.left), dtype=np.int64)
        leaf_masks.make_masks(
            self.left, self.starts, self.value, below, remaining, values
        )
        tree = np.repeat(np.arange(self.n_trees), self.node_counts)
        kind = np.where(self.category_set >= 0, 2, ~self.missing_left)
        kind += leaf_masks.N_KINDS * tree
        inner = np.flatnonzero(is_inner)
        inner = inner[np.argsort(kind[inner], kind="stable")]
        n_of_kind = np.bincount(
            kind[inner], minlength=leaf_masks.N_KINDS * self.n_trees
        )
        used, place = np.unique(self.feature[inner], return_inverse=True)
        with_set = np.flatnonzero(self.category_set[inner] >= 0)
        sets = self.category_sets[self.category_set[inner[with_set]]]
        missing = np.where(self.missing_left[inner[with_set]], ~np.uint64(0), 0)
        category_set = np.full(len(inner), -1, dtype=np.int32)
        category_set[with_set] = np.arange(len(with_set))
        return leaf_masks.LeafMasks(
            place=place.astype(np.uint32),
            threshold=self.threshold[inner],
            remaining=remaining[inner],
            category_set=category_set,
            category_sets=np.column_stack([sets, missing.astype(np.uint64)]),
            starts=np.concatenate([[0], np.cumsum(n_of_kind)]),
            leaf_starts=np.concatenate([[0], np.cumsum(self.n_leaves)]),
            values=values,
            used=used.astype(np.int64),
            categorical=np.isin(np.arange(len(used)), place[with_set]),
        )

    @cached_property
    def _has_categories(self):
        return bool(np.any(self.category_set >= 0))

    @cached_property
    def _missing_right(self):
        return ~self.missing_left & (self.left >= 0)

    @cached_property
    def _parent_and_depth(self):
        parent, depth = np.empty_like(self.left), np.empty_like(self.left)
        walking.find_parents(self.left, self.starts, parent, depth)
        return parent, depth


def _row_blocks(n_rows, n_features, n_threads):
    """Divide the rows into slices of about equal length, equally many per thread."""
    longest = max(walking.BATCH, _BLOCK_VALUES // n_features)
    return divide_rows(n_rows, longest, n_threads)
