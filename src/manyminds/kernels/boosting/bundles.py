"""Named tuples of the arrays that the boosting kernels take.

A *team* is the threads that grow one tree together; a *thread* alone is a team of one,
when the trees of several classes grow side by side. Arrays with a leading ``n_teams``
are shared by a team, those with a leading ``n_threads`` belong to one thread.
"""

from typing import NamedTuple

import numpy as np

# Leaves.ints: what a thread knows of a leaf of the growing tree
(
    START, END, NODE, DEPTH, SLOT, TOTAL, FEATURE, CODE, KIND, LEFT_TOTAL,
) = range(10)  # fmt: skip
N_INTS = 10
GAIN, LOWER, UPPER = range(3)  # Leaves.reals
N_REALS = 3

# Nodes.ints and Nodes.reals: a grown tree
(NODE_FEATURE, NODE_CODE, NODE_LEFT, NODE_MISSING_LEFT, NODE_SET, NODE_N) = range(6)
NODE_VALUE, NODE_GAIN, NODE_WEIGHT = range(3)

# Team.rows
ROWS, LEFTS, RIGHTS = range(3)

# Leaves.ints[KIND]: where missing values go; whether the split is a set of categories
MISSING_GO_RIGHT, MISSING_GO_LEFT, NO_MISSING, A_SET, A_SET_NO_MISSING = range(5)

N_CHUNKS = 32  # of rows: sums over them do not depend on the number of threads

# losses
(
    LOG_LOSS, SOFTMAX, SQUARED_ERROR, ABSOLUTE_ERROR, QUANTILE, HUBER, POISSON, GAMMA,
) = range(8)  # fmt: skip

# ways to draw rows
ALL_ROWS, WITHOUT_REPLACEMENT, BOOTSTRAP, MINIMAL_VARIANCE = range(4)


# State.control, and State.losses
STOP, N_DRAWN, BEST_ROUND, N_DONE = range(4)
TRAINING, HELD_OUT = range(2)


class BoostTable(NamedTuple):
    """A binned table in two layouts, or in blocks alone.

    codes         (n_features * n_rows,)  uint8, column after column, or the blocks; a
                  missing value has the code ``n_bins`` of its column
    places        (n_features, 2)  uint64, where a column begins in ``codes``, and the
                  step from row to row
    blocks        (n_features * n_rows,)  uint8, the same in blocks of columns: within a
                  block, row after row
    block_starts  (n_blocks + 1,)  uint64, first column of each block
    offsets       (n_features + 1,)  uint64, where the bins of a column begin in a
                  histogram; the last bin of a column counts missing values
    categorical   (n_features,)  bool
    monotonic     (n_features,)  int8: 1 increasing, -1 decreasing, 0 free
    groups        (n_features, n_words)  uint64, bits of the interaction groups that a
                  column belongs to
    """

    codes: np.ndarray
    places: np.ndarray
    blocks: np.ndarray
    block_starts: np.ndarray
    offsets: np.ndarray
    categorical: np.ndarray
    monotonic: np.ndarray
    groups: np.ndarray


class Growth(NamedTuple):
    """When and how nodes are split."""

    max_leaves: int
    max_depth: int
    best_first: bool
    min_samples_leaf: int
    min_hessian: float
    l2: float
    min_gain: float
    smoothing: float
    categorical_l2: float
    random_cuts: bool
    max_features: int
    tree_features: int
    bounded: bool
    n_slots: int


class Sampling(NamedTuple):
    """Which rows a round draws.

    method  int
    n       int, number of rows
    """

    method: int
    n: int


class State(NamedTuple):
    """What changes from round to round.

    raw            (n_outputs, n_rows)  float64, sums of the trees so far
    probabilities  (n_outputs or 0, n_rows)  float32
    drawn          (n_train,)  uint32, training rows: first those that the round drew
    factors        (n_rows,) or (0,)  float32, weights of drawn rows
    partial        (256,)  float64, sums of losses and of weights; bounds of Huber's
                   loss
    losses         (2, max_iter + 1)  float64, of training and held-out rows
    control        (8,)  int64, see ``STOP`` and its siblings
    """

    raw: np.ndarray
    probabilities: np.ndarray
    drawn: np.ndarray
    factors: np.ndarray
    partial: np.ndarray
    losses: np.ndarray
    control: np.ndarray


class Schedule(NamedTuple):
    """The rounds of one call; ``offset`` rounds were run by an earlier fit."""

    first: int
    last: int
    offset: int
    learning_rate: float
    seed: int
    patience: int
    tolerance: float
    track: bool


class Target(NamedTuple):
    """What is learned.

    loss     int
    y        (n_rows,)  float64: targets; class numbers for SOFTMAX
    weights  (n_rows,) or (0,)  float64
    level    float, of the quantile, or of the residuals that Huber's loss trims
    rows     (n_train,)  uint32, training rows of the table
    held_out (n_valid,)  uint32, rows whose loss decides when to stop
    """

    loss: int
    y: np.ndarray
    weights: np.ndarray
    level: float
    rows: np.ndarray
    held_out: np.ndarray


class Packing(NamedTuple):
    """How gradient, hessian and count of a row are packed into one int64.

    A histogram of such words sums all three at once, and exactly: the histogram of a
    child is the difference of those of its parent and its sibling, bit by bit.
    """

    gradient_shift: int
    hessian_shift: int
    hessian_mask: int
    count_mask: int
    hessians_count: bool
    gradient_unit: float
    hessian_unit: float


class Team(NamedTuple):
    """Memory that a team shares.

    words       (n_teams * 16,)  int64, of the barriers
    rows        (n_teams, 3, n_train)  uint32: rows in the order of the leaves; room for
                a partition
    packed      (n_teams, n_rows)  int64
    gradients   (n_teams, 2, n_rows)  float32: gradients and hessians
    residuals   (n_teams, 2, n_train or 0)  float64: residuals and weights of leaves
    sums        (n_teams, 2, N_CHUNKS)  float64: sizes of gradients and hessians
    histograms  (n_teams, (n_slots + 2) * n_bins)  int64; the last two slots are lent
                to leaves for which no other is free
    """

    words: np.ndarray
    rows: np.ndarray
    packed: np.ndarray
    gradients: np.ndarray
    residuals: np.ndarray
    sums: np.ndarray
    histograms: np.ndarray


class Leaves(NamedTuple):
    """What every thread keeps for itself of the leaves of the tree that it grows.

    ints        (n_threads, max_leaves, 12)  int64
    reals       (n_threads, max_leaves, 3)  float64
    sets        (n_threads, max_leaves + 1, 4)  uint64: categories that go left
    side        (n_threads, 256)  uint8: 1 for codes that go left
    features    (n_threads, 3, n_features)  int64: the features of the tree; whether a
                feature is drawn for the one new leaf, for the other
    keys        (n_threads, 256)  float64, of categories; gains of cuts
    sums        (n_threads, 256)  int64, packed sums up to each bin
    order       (n_threads, 257)  int64, of categories
    free_slots  (n_threads, n_slots)  int64
    groups      (n_threads, max_leaves, n_words)  uint64: groups that all columns on the
                path to a leaf belong to
    """

    ints: np.ndarray
    reals: np.ndarray
    sets: np.ndarray
    side: np.ndarray
    features: np.ndarray
    keys: np.ndarray
    sums: np.ndarray
    order: np.ndarray
    free_slots: np.ndarray
    groups: np.ndarray


class Levels(NamedTuple):
    """What every thread needs for symmetric trees.

    gains        (n_threads, 257)  float64, sums over the leaves for each cut
    scores       (n_threads, max_leaves)  float64, of undivided leaves
    left_totals  (n_threads, max_leaves)  int64, packed sums of the left sides
    """

    gains: np.ndarray
    scores: np.ndarray
    left_totals: np.ndarray


class Candidates(NamedTuple):
    """The best split of two new leaves that each thread found among its columns.

    reals  (n_threads, 4, 8)  float64: gain; the rest keeps cache lines apart
    ints   (n_threads, 4, 8)  int64: feature, code, kind, total of the left
    sets   (n_threads, 4, 4)  uint64

    There are two pairs, taken in turn: a thread may still read one while another
    writes the next.
    """

    reals: np.ndarray
    ints: np.ndarray
    sets: np.ndarray


class Nodes(NamedTuple):
    """Grown trees, each with room for ``2 * max_leaves - 1`` nodes.

    ints    (n_trees, n_nodes, 6)  int32
    reals   (n_trees, n_nodes, 3)  float64
    sets    (n_trees, max_leaves - 1 or 0, 4)  uint64
    counts  (n_trees, 2)  int32: nodes, sets
    """

    ints: np.ndarray
    reals: np.ndarray
    sets: np.ndarray
    counts: np.ndarray
