"""Paragraphs that docstrings of gradient boosting share; see ``fill_docstring``."""

from manyminds.trees._parameters import CATEGORICAL_FEATURES
from manyminds.utils._paragraphs import ANY_TABLE, ROWS, describe_rows
from manyminds.utils.references import cite

GROWTH = """\
learning_rate : float or "auto", default="auto"
    Factor of every tree. "auto": from 0.02 for a hundred rows to 0.1 for 60,000.
max_iter : int or "auto", default="auto"
    Number of rounds. "auto": as many as early stopping finds, up to 2,000.
max_leaf_nodes : int, default=31
    Maximum number of leaves of a tree, grown best leaf first; None: no limit.
max_depth : int, default=None
    Maximum number of splits between root and leaf.
min_samples_leaf : int, default=20
    Minimum number of rows on either side of a split.
min_sum_hessian : float, default=1e-3
    Minimum sum of hessians on either side of a split.
l2_regularization : float, default=1.0
    Added to the hessian of a leaf: shrinks the values of small leaves.
min_gain : float, default=0.0
    Decrease of the loss that a split must exceed.
max_features : int, float, {"sqrt", "log2"} or None, default=0.5
    Number of features, or fraction of them, that a node considers; None: all.
max_features_tree : int, float, {"sqrt", "log2"} or None, default=None
    Number of features, or fraction of them, that a tree considers; None: all.
subsample : float, default=0.8
    Fraction of the rows that a round draws.
sampling : {"without_replacement", "bootstrap", "minimal_variance"}, \
default="without_replacement"
    How rows are drawn. "minimal_variance": in proportion to the size of their
    gradients, with the inverse as weight.
random_thresholds : bool, default=False
    Draw one cut of each feature instead of searching the best, as extra-trees do. That
    of categories is one of their order, but for symmetric trees, which search it.
symmetric : bool, default=False
    Grow symmetric (oblivious) trees: all nodes of a level have the same split. They
    have ``max_depth`` levels (None: 6), and ``max_leaf_nodes`` is not looked at. A leaf
    with fewer than ``min_samples_leaf`` rows takes the value of the node above it.
monotonic_cst : array-like of int or dict of str to int, default=None
    For each feature 1 if predictions may only increase with it, -1 if only decrease,
    0 if it is free; or a dict with names of features. Two classes or regression.
interaction_cst : {"pairwise", "no_interactions"} or sequence of sequences of int, \
default=None
    Groups of features that may be split on the same path. Features that are in no
    group form one more.
"""
COLUMNS = f"""\
max_bins : int, default=255
    Maximum number of bins of a column, up to 255; a table of few rows gets fewer, three
    rows to a bin.
{CATEGORICAL_FEATURES}\
    Beyond 255 levels the rarest share a code. A level that was not seen counts as
    missing; where a node has not seen missing values, they follow most of its rows.
categorical_smoothing : float, default=10.0
    Added to the hessian of a level when levels are ordered by their mean gradients.
min_samples_level : int or "auto", default="auto"
    Levels of fewer rows share a code, if there are several of them: the best of many
    orders of rare levels fits noise. "auto": 1 % of the rows, at most 20.
"""
STOPPING = """\
early_stopping : bool or "auto", default="auto"
    Whether to stop when the loss of held-out rows has ceased to improve. "auto": if
    max_iter="auto", or if ``fit`` is given validation rows.
validation_fraction : float or int, default=0.1
    Share or number of rows to hold out, if there are no folds.
cv : int, splitter, iterable or "auto", default="auto"
    Folds whose mean loss finds the number of rounds; then all rows are fitted. "auto":
    five up to 5,000 rows; None: hold out ``validation_fraction``.
n_iter_no_change : int, default=20
    Rounds without improvement after which to stop. The best round is kept.
tol : float, default=1e-7
    Decrease of the loss that counts as an improvement; of a regression, as a share of
    the loss of a constant prediction.
refit : {"replay", "grow", "average"} or None, default="replay"
    After rows were held out: compute the values of all leaves anew from all rows with
    the same splits, grow again on all rows, or keep the model as it is (None). With
    ``monotonic_cst``, symmetric trees or linear leaves, trees are grown again.
    Validation rows that ``fit`` was given are never trained on. After folds, a model is
    always grown on all rows; "average" is the mean of it and of the models of the
    folds, each half: it varies less, takes no longer to fit and longer to predict.
    Without folds, "average" is "replay".
max_seconds : float or None, default=None
    Seconds after which no round is added where rows are held out or rounds are given;
    folds are not stopped. The model then depends on the speed of the machine.
"""
RUN = """\
warm_start : bool, default=False
    Add rounds to those of the last fit.
n_jobs : int, default=None
    Number of threads; -1: all processors. The result does not depend on it.
random_state : int, RandomState instance or None, default=None
    Draws rows, features and folds.
verbose : int, default=0
    Whether to report progress on the error stream.
"""
ATTRIBUTES = """\
trees_ : Trees
    The node arrays of all trees; tree t belongs to output ``t % n_outputs``.
n_iter_ : int
    Number of rounds.
train_score_ : ndarray of shape (n_rounds,)
    Mean loss of training rows (10,000 at most) after each round that was run, if
    held-out rows or ``verbose`` ask for it; else empty.
validation_score_ : ndarray of shape (n_rounds,)
    Mean loss of held-out rows after each round that was run; empty if there were none.
feature_importances_ : ndarray of shape (n_features,)
    Share of each feature in what all splits gain.
n_features_in_ : int
    Number of features.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, if X has names that are strings.
"""

FRIEDMAN_2001 = (
    'Friedman, "Greedy function approximation: A gradient boosting machine", Annals of '
    "Statistics 29, 2001"
)
KE_2017 = (
    'Ke et al., "LightGBM: A highly efficient gradient boosting decision tree", NIPS, '
    "2017"
)

PARAGRAPHS = {
    **ROWS,
    "growth": GROWTH,
    "columns": COLUMNS,
    "stopping": STOPPING,
    "run": RUN,
    "attributes": ATTRIBUTES,
    "predict_staged": describe_rows(ANY_TABLE, "predict", "Yields"),
    "references": cite(FRIEDMAN_2001, KE_2017),
}
