"""Paragraphs that docstrings of local forests share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import N_JOBS, describe_fit
from manyminds.trees._parameters import COLUMNS
from manyminds.utils._paragraphs import ROWS

GROWTH = r"""
n_estimators : int, default=10
    Number of trees.
max_features : int, float, {"sqrt", "log2"} or None, default=0.3
    Number of features, or fraction of them, that a node considers; None: all.
max_leaf_nodes : int, default=None
    Grow the best node of a tree first, until it has this many leaves.
subsample : float, default=1.0
    Fraction of the rows that a tree sees, drawn without replacement.
bootstrap : float, default=None
    Draw this many times as many rows as there are, with replacement and by their
    weights, and use the number of draws of each row as its weight; None: no draws,
    the tree sees the weights themselves.
precision : float, default=1.0
    :math:`\varphi`, how fast weights decrease with the distance; 0: not at all.
power : float, default=1.0
    :math:`p`, the power of the distance; 2 makes the weights a Gaussian.
metric : str or callable, default="euclidean"
    "euclidean" ("l2"), "sqeuclidean", "manhattan" ("cityblock", "l1"),
    "chebyshev", "canberra", "braycurtis", "cosine", "correlation", "hamming" or a
    function of two points. A sparse table takes the first and the third.
scaling_matrix : array-like of shape (n_columns, n_columns), default=None
    :math:`V` of the distance :math:`\sqrt{(x-c) V (x-c)^T}`: symmetric, without
    negative eigenvalues; None: the identity. There is a column for each number
    and for each category.
"""
OPTIONS = f"""\
scale : {{"minmax"}} or None, default="minmax"
    Whether columns are scaled to lie between 0 and 1 before distances are measured.
estimator : estimator, default=None
    Estimator to fit in place of trees: any that takes ``sample_weight``. It sees
    points, that is, the numbers by which distances are measured.
n_active : int, default=None
    Number of trees that predict a row, those whose weighted mean of the training rows
    is nearest; None: all. May be changed after ``fit``.
competence_weighted : bool, default=False
    Whether a tree is weighted by its competence, the weight that a row would have at
    its distance from that mean. May be changed after ``fit``.
{COLUMNS}\
random_state : int, RandomState instance or None, default=None
    Draws centroids, rows and features.
{N_JOBS}"""
ATTRIBUTES = """\
centroids_ : ndarray of shape (n_estimators, n_columns)
    The centroids of the trees.
sample_centroids_ : ndarray of shape (n_estimators, n_columns)
    Mean of the training points by the weights of each tree.
trees_ : Trees
    The node arrays of all trees; only without ``estimator``.
estimators_ : list of estimators
    The members, fitted. Trees are made on access, and see rows, not points.
feature_importances_ : ndarray of shape (n_features,)
    Mean over the trees of each feature's share in the decrease of impurity; only
    without ``estimator``.
"""
_TABLE = "{array-like, sparse matrix, dataframe}"
_MISSING = "NaN is a missing value"
_WEIGHT = """\
Their weights: the odds to become centroids, and a factor of their weights in each
    tree."""

PARAGRAPHS = {
    **ROWS,
    "attributes": ATTRIBUTES,
    "fit_classes": describe_fit(_TABLE, _MISSING, weight=_WEIGHT),
    "fit_targets": describe_fit(_TABLE, _MISSING, "targets", _WEIGHT),
    "growth": GROWTH,
    "options": OPTIONS,
}
