"""Paragraphs that docstrings of rotation forests share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import N_JOBS, describe_fit
from manyminds.trees._parameters import (
    CCP_ALPHA,
    CLASSES,
    COLUMNS,
    GROWTH_LIMITS,
    NAMES,
    SPLIT_LIMITS,
    SQUARED_ERROR,
)

N_MEMBERS = """\
n_estimators : int, default=35
    Number of members.
"""
FAMILIES = """\
    Families of members, by name or as a pair of a name and an estimator. Names are
    "tree" (of depth 10 at most), "elm" (extreme learning machine: ridge regression
    with an intercept on its hidden units), "plain_elm" (the same by the
    pseudo-inverse, without either, as in the authors' slides), "knn", "svm" (with an
    RBF kernel), "forest" (of ten trees), "adaboost" and "{last}".
"""
ODDS = """\
odds : array-like of shape (n_families,), default=None
    Probability of drawing each family, up to a factor; None: all are equal.
"""
PILOT = """\
pilot_size : float, default=0.3
    Fraction of the training rows in the pilot, on which the families are scored.
min_pilot : int, default=50
    Minimum number of rows of the pilot, if there are as many: with fewer, the ranks of
    the families are random variation. Only with ``refit_on_all``.
cv : int, default=5
    Number of folds of the pilot.
ranking : {"fibonacci", "uniform", "winner"} or array-like of shape (n_families,), \
default="fibonacci"
    Odds of the ranks, best first: Fibonacci's numbers backwards (13, 8, 5, 3, 2, 1, 1
    for seven families); equal odds, as without a pilot; all members to the best; or
    these odds.
ties : {"share", "random", "last"}, default="share"
    What families of equal score get: the mean odds of their ranks; random ranks; or,
    as in the authors' program, the better rank for the one that comes later in
    ``families``.
refit_on_all : bool, default=True
    Whether members are fitted on all training rows or only on those outside the
    pilot. The pilot decides proportions only: using its rows twice leaks nothing.
"""
ROTATE = """\
rotate : {"always", "never"} or float, default="always"
    Which members are varied by a rotation: all, none, or each with this probability.
    The others see the table as it is.
features_per_block : int, default=4
    The features are divided into ``n_features // features_per_block`` blocks, one at
    least, whose sizes differ by one at most.
row_share : float or None, default=0.75
    Size of the bootstrap sample of rows from which a block's components are computed;
    None: all rows.
"""
CLASS_SUBSETS = """\
class_subsets : bool, default=True
    Whether a block's components are computed from the rows of some classes only, drawn
    for each block.
"""
INVARIANT = """\
invariant : {{"bootstrap", "subspace", "rotate"}}, default="bootstrap"
    How members vary whose family is invariant to rotations, such as neighbors and
    support vectors: by rows drawn with replacement{strata};
    by half of the features; or by a rotation nonetheless, so that they are all equal.
"""
VOTING = """\
voting : {"hard", "soft"}, default="hard"
    Whether members vote for a class each, or with their probabilities, which are not
    comparable between families.
"""
FAMILY_NAMES = """\
family_names_ : list of str
    Names of the families.
"""
PROBABILITIES = """\
probabilities_ : ndarray of shape (n_families,)
    Probability of a member to be of each family.
"""
PILOT_ROWS = """\
pilot_rows_ : ndarray of shape (n_pilot,)
    The rows of the pilot, rising; counted among training rows of positive weight.
"""
RANKS = """\
ranks_ : ndarray of shape (n_families,)
    Rank of each family by its mean score, 1 for the best.
"""
MEMBERS = """\
member_families_ : ndarray of shape (n_estimators,)
    Number of each member's family.
estimators_ : list of estimators
    The members, fitted on {target}.
views_ : list of BlockRotation, ndarray or None
    What a member sees of the standardized table: a rotation of it, some columns of it,
    or all of it.
means_, scales_ : ndarray of shape (n_features,)
    Mean and standard deviation of each column in training.
"""
TARGET_SCALE = """\
target_mean_, target_scale_ : float
    Mean and standard deviation of the target in training.
"""
CLASS_MEMBERS = PROBABILITIES + MEMBERS.format(target="class numbers") + CLASSES + NAMES
TARGET_MEMBERS = (
    PROBABILITIES + MEMBERS.format(target="standardized targets") + TARGET_SCALE + NAMES
)
SCALING = """\
rotation : {"pca", "random"}, default="pca"
    Principal components, or a random rotation of each block.
scale : {"standard"} or None, default="standard"
    Whether to scale columns to mean 0 and variance 1 before they are rotated.
"""
GROWTH = f"""\
{GROWTH_LIMITS}\
max_features : int, float, {{"sqrt", "log2"}} or None, default=None
    Number of rotated features, or fraction of them, that a node considers; None: all.
{SPLIT_LIMITS}{CCP_ALPHA}"""
ROTATIONS = """\
rotations_ : list of BlockRotation
    The transformation of the scaled columns into those that each tree sees; None if
    all columns are categorical.
trees_ : Trees
    The node arrays of all trees; features are rotated ones.
"""
SCALES = f"""\
center_ : ndarray of shape (n_features,)
    Mean of each column, which is subtracted from it.
scale_ : ndarray of shape (n_features,)
    Standard deviation of each column, by which it is then divided.
{NAMES}\
feature_importances_ : ndarray of shape (n_features,)
    Mean over the trees of each feature's share in the decrease of impurity. The
    importance of a rotated feature is divided by the squares of its loadings.
"""
_DENSE = "{array-like, dataframe}"
_FILLED = "a missing value (NaN) counts as the mean of its column"
_FAMILY_WEIGHT = "Their weights. Families that take none get rows drawn by these odds."
_TREE_WEIGHT = "Their weights in the trees, and the odds of being drawn for a rotation."

PARAGRAPHS = {
    "class_members": CLASS_MEMBERS,
    "classes": CLASSES,
    "classifier_families": FAMILIES.format(last="bayes"),
    "classifier_rotation": ROTATE
    + CLASS_SUBSETS
    + INVARIANT.format(strata=" within each class")
    + VOTING
    + N_JOBS,
    "columns": COLUMNS + N_JOBS,
    "families": FAMILY_NAMES,
    "fit_hybrid_classes": describe_fit(_DENSE, _FILLED, weight=_FAMILY_WEIGHT),
    "fit_hybrid_targets": describe_fit(_DENSE, _FILLED, "targets", _FAMILY_WEIGHT),
    "fit_rotated_classes": describe_fit(
        _DENSE, "NaN is a missing value", weight=_TREE_WEIGHT
    ),
    "fit_rotated_targets": describe_fit(
        _DENSE, "NaN is a missing value", "targets", _TREE_WEIGHT
    ),
    "growth": GROWTH,
    "n_members": N_MEMBERS,
    "odds": ODDS,
    "pilot": PILOT,
    "pilot_rows": FAMILY_NAMES + PILOT_ROWS,
    "ranked_classes": RANKS + CLASS_MEMBERS,
    "ranked_targets": RANKS + TARGET_MEMBERS,
    "regressor_families": FAMILIES.format(last="ridge"),
    "regressor_rotation": ROTATE + INVARIANT.format(strata="") + N_JOBS,
    "rotations": ROTATIONS,
    "scales": SCALES,
    "scaling": SCALING,
    "squared_error": SQUARED_ERROR,
    "target_members": TARGET_MEMBERS,
}
