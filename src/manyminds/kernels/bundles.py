"""Named tuples of the arrays that tree kernels take, and names of the arrays' rows.

Few arrays with named rows, not many arrays: each array that a helper takes costs time
to compile. So does each literal, hence NumPy's integers where a helper takes a row.
"""

from typing import NamedTuple

import numpy as np

N_BINS, FIRST_BIN, HAS_MISSING, IS_CATEGORICAL = range(4)  # Table.columns
LOW, HIGH = range(2)  # Table.edges

FEATURE, LEFT, N_SAMPLES, MISSING_LEFT, CATEGORY_SET, SPLIT_CODE = range(6)  # ints
THRESHOLD, IMPURITY, NODE_WEIGHT = range(3)  # floats

ROW, SPARE_ROW = range(2)  # Samples.rows
Y, WEIGHT, SHARE, SPARE_Y, SPARE_WEIGHT = np.arange(5)  # Samples.reals
LEFT_SUM, RIGHT_SUM, TOTAL, SCALE, SCORE, KEY = np.arange(6)  # Scratch.sums
TRIAL_SET, BEST_SET = range(2)  # Scratch.sets
FEATURES, SWAPPED, FENWICK = range(3)  # Scratch.draws


# ---------------------------------------------------------------- what trees grow from


class Table(NamedTuple):
    """A binned training table.

    codes    (n_features * n_samples,)  uint8 or uint16, one column after the other; or
             twice as long, with the same codes once more, one row after the other
    columns  (n_features, 4)  int64: number of bins of values (a missing value has this
             number as its code), index of its first bin in edges, whether the column
             has missing values, whether it is categorical
    edges    (2, sum of bins)  float64, smallest and largest value of each bin
    """

    codes: np.ndarray
    columns: np.ndarray
    edges: np.ndarray


class Rules(NamedTuple):
    """When and how a node is split; see ``manyminds.trees.growing.make_rules``."""

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


class Labels(NamedTuple):
    """Many targets of each sample: a set of labels, or a vector of numbers.

    first     (n_samples + 1,)  uint32, where the labels of a sample begin in ``label``
    label     (n_entries,)      uint16, the labels of all samples, one after the other
    words     (n_samples, n_words)  uint64, the same labels: four to a word, 16 bits
              each, all set if the sample has the label; no words if there are too many
              labels, or if weights are not whole numbers
    numbers   (n_samples, n_targets)  float64; no rows if samples have sets of labels
    main_bin  (n_features,)     int64, bin of values with half of a column's samples or
              more; -1: none, or the column is categorical
    """

    first: np.ndarray
    label: np.ndarray
    words: np.ndarray
    numbers: np.ndarray
    main_bin: np.ndarray


class RareCodes(NamedTuple):
    """Which rows have the rarer of the two codes of a column, row after row.

    first    (n_samples + 1,)  int64, where the features of a row begin in ``feature``
    feature  (n_entries,)      uint32, features whose rare code a row has, in order
    code     (n_features,)     int8, the rarer code, 0 or 1; -1: the column has others
    """

    first: np.ndarray
    feature: np.ndarray
    code: np.ndarray


class Sampling(NamedTuple):
    """Which rows and features a tree draws.

    weights          (n_trees or 1, n_samples)   float64, sample weights
    n_draws          int, size of the bootstrap sample; 0 for none
    draw_bounds      (n_samples,) or (0,)  float64, cumulative odds of a row's draw
    feature_odds     (n_trees or 1 or 0, n_features)  int64, odds of a feature's draw:
                     whole numbers, so that removing features leaves no rounding error
    """

    weights: np.ndarray
    n_draws: int
    draw_bounds: np.ndarray
    feature_odds: np.ndarray


# ---------------------------------------------------------------- what a thread uses


class Samples(NamedTuple):
    """The samples of a tree; those of a node are adjacent.

    rows     (2, n_samples)  uint32: rows of the table; spare room for a partition
    reals    (5, n_samples)  float64: target, weight, weight times target (or times
             "is of the second class"); spare room for target and weight
    classes  (n_samples,)  uint16, class among those of the sample's node
    """

    rows: np.ndarray
    reals: np.ndarray
    classes: np.ndarray


class Classes(NamedTuple):
    """The classes of a tree and of the current node.

    index   (n_classes,)  int64, index of a class among those of the node
    weight  (n_classes,)  float64, weight in the tree if the criterion is balanced
    """

    index: np.ndarray
    weight: np.ndarray


class Bins(NamedTuple):
    """The bins of one feature in one node; clean between features.

    chains, heads   uint32, see ``manyminds.kernels.growing.histograms.chain_rows``
    mask            (2, n_words)  uint64, see there; a third row for sums of labels
    hist            weight per bin and class; zero between features
    n_hist          int32, samples per bin; zero between features
    order           uint32, bins of a feature in the order of the scan
    """

    chains: np.ndarray
    heads: np.ndarray
    mask: np.ndarray
    hist: np.ndarray
    n_hist: np.ndarray
    order: np.ndarray


class Scratch(NamedTuple):
    """What the search of a node writes to.

    sums   (6, longest)  float64: class weights on the left, on the right and in total,
           factors of classes, scores of cuts, keys of bins
    sets   (2, twice the words)  uint64, categories that go left and that occur
    draws  (3, n_features + 1)  int64: features, their swaps, sums of their odds
    state  (1,)  int64, the random number generator
    rare   (n_features * n_classes,)  float64, class weights of the samples with each
           feature's rare code; empty if these are not listed
    """

    sums: np.ndarray
    sets: np.ndarray
    draws: np.ndarray
    state: np.ndarray
    rare: np.ndarray


class Work(NamedTuple):
    """What a thread works in, allocated by ``manyminds.trees.arrays.make_work``.

    open_nodes  (n_samples + 4, 5)  int64, stack or heap of OpenNode
    priorities  (n_samples + 4,)  float64, of the open nodes
    """

    samples: Samples
    classes: Classes
    bins: Bins
    scratch: Scratch
    open_nodes: np.ndarray
    priorities: np.ndarray


class OpenNode(NamedTuple):
    """A node that may be split: its number, samples ``start:end``, depth and seed."""

    number: int
    start: int
    end: int
    depth: int
    seed: int


class Span(NamedTuple):
    """The samples ``start:end`` of a node and the number of their classes."""

    start: int
    end: int
    n_classes: int


# ---------------------------------------------------------------- grown trees


class Record(NamedTuple):
    """Grown trees, one after the other, with room for the largest possible trees.

    ints           (6, n_nodes)  int32: feature, left child counted within its tree,
                   number of samples, whether missing values go left, category set,
                   code of the split
    floats         (3, n_nodes)  float64: threshold, impurity, weight
    values         (n_nodes, n_values)  float64: class proportions, or the mean
    category_sets  (n_sets, n_words)  uint64, the categories that go left
    ends           (n_trees, 2)  int64, where the nodes and the sets of each tree end
    """

    ints: np.ndarray
    floats: np.ndarray
    values: np.ndarray
    category_sets: np.ndarray
    ends: np.ndarray


class Splits(NamedTuple):
    """The splits of grown trees, as in ``manyminds.trees.structure.Trees``.

    The threshold of a categorical split is NaN, which no value compares with: kernels
    need not look up the category set of other splits.

    feature        (n_nodes,)         int32
    threshold      (n_nodes,)         float64
    left           (n_nodes,)         int32, within the tree; -1 in a leaf
    missing_left   (n_nodes,)         bool
    category_set   (n_nodes,)         int32, row of category_sets or -1
    category_sets  (n_sets, n_words)  uint64
    """

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    missing_left: np.ndarray
    category_set: np.ndarray
    category_sets: np.ndarray


class Paths(NamedTuple):
    """What the ways down grown trees have in common for all rows.

    share       (n_nodes,)           float64, of the weight of a node and its sibling;
                                     1/2 if neither has a weight
    excess      (n_nodes, n_values)  float64, value of the leaf from which the leaves
                                     below a node are counted, less that of its parent
    n_features  (n_trees,)           int64, most features that a path splits by
    max_depth   int                  of all trees
    """

    share: np.ndarray
    excess: np.ndarray
    n_features: np.ndarray
    max_depth: int


class Descent(NamedTuple):
    """The nodes from the root down to a node, and a batch of rows there.

    last_split  (n_features,)                  int64, depth of the last split by the
                                               feature; -1 for none
    node        (n_levels,)                    int64
    turn        (n_levels,)                    int64, child that is visited, 0 or 1; 2
                                               after both
    earlier     (n_levels,)                    int64, depth of the split before by the
                                               same feature; -1 for none
    share       (n_levels,)                    float64, of weight that passes the splits
                                               by the feature down to the child
    factor      (n_levels, 4, n_points)        float64, on the way to the child
    side        (n_levels, n_rows)             int64, child that a row goes to
    product     (n_levels, n_points, n_rows)   float64, over the features above
    sums        (n_levels, n_values, n_points, n_rows)  float64, stack: of the products
                                               of leaves times their values
    """

    last_split: np.ndarray
    node: np.ndarray
    turn: np.ndarray
    earlier: np.ndarray
    share: np.ndarray
    factor: np.ndarray
    side: np.ndarray
    product: np.ndarray
    sums: np.ndarray
