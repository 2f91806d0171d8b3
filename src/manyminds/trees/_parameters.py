"""Paragraphs that docstrings of trees share; see ``fill_docstring``."""

from manyminds.utils._paragraphs import ROWS

MAX_DEPTH = """\
max_depth : int, default=None
    Maximum number of splits between root and leaf.
"""
MIN_SAMPLES_LEAF = """\
min_samples_leaf : int or float, default=1
    Minimum number of rows, or fraction of them, on either side of a split.
"""
GROWTH_LIMITS = f"""\
{MAX_DEPTH}\
min_samples_split : int or float, default=2
    Minimum number of rows, or fraction of them, that a node needs to be split.
{MIN_SAMPLES_LEAF}\
min_weight_fraction_leaf : float, default=0.0
    Minimum fraction of the total weight on either side of a split.
"""
SPLIT_LIMITS = """\
max_leaf_nodes : int, default=None
    Grow the best node of a tree first, until it has this many leaves.
min_impurity_decrease : float, default=0.0
    Minimum decrease of the impurity, weighted by the node's share of all rows, for a
    split to be made.
"""
MAX_FEATURES = """\
max_features : int, float, {"sqrt", "log2"} or None, default=None
    Number of features, or fraction of them, that a node considers; None: all.
"""
SQUARED_ERROR = """\
criterion : {"squared_error"}, default="squared_error"
    What a split decreases.
"""
CCP_ALPHA = """\
ccp_alpha : float, default=0.0
    Prune branches that decrease the impurity by less than this for each leaf.
"""
MAX_BINS = """\
max_bins : int, default=255
    Maximum number of bins of a column, up to 65,535. A column with no more distinct
    values is split exactly.
"""
CATEGORICAL_FEATURES = """\
categorical_features : array-like, "from_dtype" or None, default="from_dtype"
    Which columns are categorical: a mask, positions or names, those of a dataframe
    with a categorical dtype, or none.
"""
COLUMNS = MAX_BINS + CATEGORICAL_FEATURES
TREE_GROWTH = f"""\
splitter : {{"best", "random"}}, default="best"
    Whether to search a feature's best threshold or to draw one.
{GROWTH_LIMITS}{MAX_FEATURES}\
random_state : int, RandomState instance or None, default=None
    Draws features and random thresholds, and breaks ties.
max_leaf_nodes : int, default=None
    Grow the best node first, until there are this many leaves.
"""
REP_OPTIONS = f"""\
{MAX_FEATURES}\
prune : bool, default=True
    Whether to hold rows out and prune. Without, and with all features considered,
    nothing about the tree is random.
n_folds : int, default=3
    Number of folds, of which one is held out.
backfit : bool, default=True
    Whether the rows held out join the values of the leaves after pruning.
random_state : int, RandomState instance or None, default=None
    Draws the rows held out, and features.
{COLUMNS}"""
CLASSES = """\
classes_ : ndarray of shape (n_classes,)
    The class labels, sorted.
n_classes_ : int
    Number of classes.
"""
NAMES = """\
n_features_in_ : int
    Number of columns of the training set.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the columns, if they are strings.
"""
TREE = """\
tree_ : Trees
    The tree's node arrays.
"""
FIT = """\
Parameters
----------
X : {{array-like, sparse matrix, dataframe}} of shape (n_samples, n_features)
    Training rows; NaN is a missing value.
y : array-like of shape (n_samples,)
    Their {target}.
sample_weight : array-like of shape (n_samples,), default=None
    {weight}

Returns
-------
self : object
    The fitted tree.
"""

PARAGRAPHS = {
    **ROWS,
    "ccp_alpha": CCP_ALPHA,
    "classes": CLASSES,
    "columns": COLUMNS,
    "fit": FIT.format(target="classes or targets", weight="Their weights."),
    "fit_counts": FIT.format(
        target="classes", weight="Number of rows that each row represents."
    ),
    "growth_limits": GROWTH_LIMITS,
    "max_bins": MAX_BINS,
    "max_depth": MAX_DEPTH,
    "min_samples_leaf": MIN_SAMPLES_LEAF,
    "names": NAMES,
    "rep_options": REP_OPTIONS,
    "squared_error": SQUARED_ERROR,
    "tree": TREE,
    "tree_growth": TREE_GROWTH,
}
