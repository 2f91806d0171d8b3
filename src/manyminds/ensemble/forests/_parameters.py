"""Paragraphs that docstrings of forests share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import (
    N_JOBS,
    OOB_CLASSES,
    OOB_TARGETS,
    describe_fit,
)
from manyminds.trees._parameters import (
    CCP_ALPHA,
    CLASSES,
    COLUMNS,
    GROWTH_LIMITS,
    MAX_DEPTH,
    MIN_SAMPLES_LEAF,
    NAMES,
    SPLIT_LIMITS,
    SQUARED_ERROR,
)
from manyminds.utils._paragraphs import ROWS

N_TREES = """\
n_estimators : int, default=100
    Number of trees.
"""
CRITERION = """\
criterion : {"gini", "entropy", "log_loss", "ssv", "ssv_lexicographic", \
"balanced_error"}, default="gini"
    What a split decreases; see ``manyminds.trees.DecisionTreeClassifier``.
"""
MAX_FEATURES = """\
max_features : int, float, {{"sqrt", "log2"}} or None, default={default}
    Number of features, or fraction of them, that a node considers; None: all. If all
    of them are constant in the node, more are drawn until one is not.
"""
BOOTSTRAP = """\
bootstrap : bool, default={default}
    Whether a tree draws as many rows as there are, with replacement, or sees all.
    Sample weights, and weights of the classes, are then the odds of the draw.
"""
OOB_SCORE = """\
oob_score : bool or callable, default=False
    Whether to predict each row by the trees that did not draw it, and to score that
    by {score} or by ``oob_score(y_true, y_pred)``.
"""
VERBOSE = """\
verbose : int, default=0
    If positive, report the progress of growing on the error stream.
"""
RUN = f"""\
{N_JOBS}\
random_state : int, RandomState instance or None, default=None
    Draws rows, features and thresholds.
{VERBOSE}\
warm_start : bool, default=False
    Keep the trees of the last fit and grow only those that are missing up to
    ``n_estimators``.
"""
CLASS_WEIGHT = """\
class_weight : dict, {"balanced", "balanced_subsample"} or None, default=None
    Weights of the classes. "balanced": inversely to their frequency;
    "balanced_subsample": to their frequency in each tree's draw.
"""
DRAWS = f"""\
{CCP_ALPHA}\
max_samples : int or float, default=None
    Number of rows that a tree draws, or fraction of the rows (of the total weight, if
    there are sample weights); None: as many as there are.
feature_weights : array-like of shape (n_features,) or (n_estimators, n_features), \
default=None
    Relative frequency by which a feature is drawn, for all trees or for each tree. A
    feature with weight 0 is never used.
{COLUMNS}\
    Beyond ``max_bins`` levels the rarest share a code.
"""
LIMITS = f"""\
{MAX_DEPTH}{MIN_SAMPLES_LEAF}\
on_constant : {{"redraw", "leaf"}}, default="redraw"
    If the drawn feature is constant in a node: draw another one, or make the node a
    leaf, as the thesis seems to do.
{OOB_SCORE.format(score="accuracy")}"""
BATCH_JOBS = """\
n_jobs : int, default=None
    Number of threads; -1: all processors. The result does not depend on it. Only
    trees of one batch, see ``update_every``, grow at the same time.
"""
DRAW_STATE = """\
random_state : int, RandomState instance or None, default=None
    Draws rows and features.
"""
ALL_TREES = """\
trees_ : Trees
    The node arrays of all trees.
"""
ATTRIBUTES = """\
feature_importances_ : ndarray of shape (n_features,)
    Mean over the trees of each feature's share in the decrease of impurity.
estimators_ : list of {tree}
    The trees as fitted estimators, made on access.
estimators_samples_ : list of ndarray
    The rows that each tree drew.
"""
CLASS_ATTRIBUTES = CLASSES + NAMES + ATTRIBUTES.format(tree="DecisionTreeClassifier")

PARAGRAPHS = {
    **ROWS,
    "batch_options": LIMITS + BATCH_JOBS + DRAW_STATE + VERBOSE + COLUMNS,
    "bootstrap": BOOTSTRAP.format(default="True"),
    "class_attributes": CLASS_ATTRIBUTES,
    "classifier_attributes": ALL_TREES + CLASS_ATTRIBUTES + OOB_CLASSES,
    "classifier_growth": N_TREES
    + CRITERION
    + GROWTH_LIMITS
    + MAX_FEATURES.format(default='"sqrt"')
    + SPLIT_LIMITS,
    "classifier_options": OOB_SCORE.format(score="accuracy")
    + RUN
    + CLASS_WEIGHT
    + DRAWS,
    "fit": describe_fit(
        "{array-like, sparse matrix, dataframe}",
        "NaN is a missing value",
        weight="Odds of drawing each row.",
    ),
    "n_trees": N_TREES,
    "no_bootstrap": BOOTSTRAP.format(default="False"),
    "options": LIMITS + N_JOBS + DRAW_STATE + VERBOSE + COLUMNS,
    "regressor_attributes": ALL_TREES
    + NAMES
    + ATTRIBUTES.format(tree="DecisionTreeRegressor")
    + OOB_TARGETS,
    "regressor_growth": N_TREES
    + SQUARED_ERROR
    + GROWTH_LIMITS
    + MAX_FEATURES.format(default="1.0")
    + SPLIT_LIMITS,
    "regressor_options": OOB_SCORE.format(score="R²") + RUN + DRAWS,
    "run": N_JOBS + DRAW_STATE + COLUMNS,
}
