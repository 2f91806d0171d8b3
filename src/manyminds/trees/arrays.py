"""What the grower takes and gives: tuples of arrays, with the meaning of each."""

from typing import NamedTuple

import numpy as np

from manyminds.kernels.growing import END_OF_CHAIN, FEW, IS_CATEGORICAL, N_BINS


class Table(NamedTuple):
    """A binned training table.

    codes    (n_features * n_samples,)  uint8 or uint16, one column after the other; or
             twice as long, with the same codes once more, one row after the other
    columns  (n_features, 4)  int64: number of bins of values (a missing value has this
             number as its code), where its bins begin in edges, whether the column has
             missing values, whether it is categorical
    edges    (2, sum of bins)  float64, least and greatest value of each bin
    """

    codes: np.ndarray
    columns: np.ndarray
    edges: np.ndarray


class Rules(NamedTuple):
    """When and how a node is split; see ``manyminds.trees.growing.GrowthRules``."""

    criterion: int
    n_classes: int
    max_features: int
    random_cuts: bool
    redraw_constant: bool
    max_depth: int
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_impurity_decrease: float
    max_leaf_nodes: int
    balance_classes: bool


class Sampling(NamedTuple):
    """Which rows and features a tree sees.

    weights          (n_trees or 1, n_samples)   float64, sample weights
    n_draws          int, size of the bootstrap sample; 0 for none
    draw_bounds      (n_samples,) or (0,)  float64, running sum of the odds of a draw
    feature_odds     (n_trees or 1 or 0, n_features)  int64, odds of a feature's draw:
                     whole numbers, so that taking features out leaves no rounding
                     behind
    """

    weights: np.ndarray
    n_draws: int
    draw_bounds: np.ndarray
    feature_odds: np.ndarray


class Work(NamedTuple):
    """What a thread works in, made by ``make_work``: clean between nodes.

    rows            (2, n_samples)  uint32: rows of the open nodes; those that go right
    reals           (5, n_samples)  float64: target, weight, weight times target (or
    times
                    "is of the second class"); target and weight of those that go right
    classes         (n_samples,)  uint16, class among those of the row's node
    class_of        (n_classes,)  int64, where a class stands among those of the node
    class_weight    (n_classes,)  float64, of the tree's rows if the criterion balances
    chains, heads   uint32, see ``_chain_rows``
    mask            (2, words)  uint64, see ``_chain_rows``
    hist, n_hist    weights per bin and class, and rows per bin; zero between features
    order           uint32, bins of a feature in the order of the scan
    sums            (6, longest)  float64, class weights left, right and in all,
    factors of
                    classes, scores of cuts, keys of bins
    sets            (2, twice the words)  uint64, categories that go left and that occur
    draws           (3, n_features + 1)  int64: features, their swaps, sums of their
    odds state           (1,)  int64, the generator
    open_nodes      (n_samples + 4, 5)  int64: node, start, end, depth, seed
    urgencies       (n_samples + 4,)  float64, of the open nodes
    """

    rows: np.ndarray
    reals: np.ndarray
    classes: np.ndarray
    class_of: np.ndarray
    class_weight: np.ndarray
    chains: np.ndarray
    heads: np.ndarray
    mask: np.ndarray
    hist: np.ndarray
    n_hist: np.ndarray
    order: np.ndarray
    sums: np.ndarray
    sets: np.ndarray
    draws: np.ndarray
    state: np.ndarray
    open_nodes: np.ndarray
    urgencies: np.ndarray


def make_work(table, rules, n_samples, n_words):
    """Allocate what one thread works in."""
    n_features = len(table.columns)
    n_codes = max(2, table.columns[:, N_BINS].max() + 1)
    n_channels = max(rules.n_classes, 2)
    return Work(
        rows=np.empty((2, n_samples), np.uint32),
        reals=np.empty((5, n_samples)),
        classes=np.empty(n_samples, np.uint16),
        class_of=np.zeros(n_channels, np.int64),
        class_weight=np.ones(n_channels),
        chains=np.empty(n_samples, np.uint32),
        heads=np.full(n_codes, END_OF_CHAIN),
        mask=np.zeros((2, n_codes // 64 + 1), np.uint64),
        hist=np.zeros(n_codes * n_channels),
        n_hist=np.zeros(n_codes, np.int32),
        order=np.empty(n_codes + 1, np.uint32),
        sums=np.empty((6, max(n_codes, n_channels, FEW) + 1)),
        sets=np.zeros((2, 2 * n_words), np.uint64),
        draws=np.empty((3, n_features + 1), np.int64),
        state=np.empty(1, np.int64),
        open_nodes=np.empty((n_samples + 4, 5), np.int64),
        urgencies=np.empty(n_samples + 4),
    )


class Record(NamedTuple):
    """Grown trees, one after the other; with room for the largest trees there can be.

    ints    (6, n_nodes)  int32: feature, left child counted within its tree, number of
            rows, whether missing values go left, category set, code of the split
    floats  (3, n_nodes)  float64: threshold, impurity, weight
    values  (n_nodes, n_values)  float64: class shares, or the mean
    chosen  (n_sets, n_words)  uint64, the categories that go left
    ends    (n_trees, 2)  int64, where the nodes and the sets of each tree end
    """

    ints: np.ndarray
    floats: np.ndarray
    values: np.ndarray
    chosen: np.ndarray
    ends: np.ndarray


def make_record(table, rules, n_samples, n_words, n_trees):
    """Allocate room for trees: memory that is never touched costs nothing."""
    n_leaves = min(n_samples, rules.max_leaf_nodes or n_samples)
    n_nodes = n_trees * (2 * n_leaves + 1)
    n_sets = n_nodes if table.columns[:, IS_CATEGORICAL].any() else 1
    return Record(
        ints=np.empty((6, n_nodes), np.int32),
        floats=np.empty((3, n_nodes)),
        values=np.empty((n_nodes, rules.n_classes)),
        chosen=np.empty((n_sets, n_words), np.uint64),
        ends=np.empty((n_trees, 2), np.int64),
    )
