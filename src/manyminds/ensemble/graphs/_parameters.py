"""Paragraphs that docstrings of pairwise ensembles share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import N_JOBS, describe_fit
from manyminds.trees._parameters import CLASSES, NAMES
from manyminds.utils._paragraphs import describe_rows

_TABLE = "{array-like, sparse matrix}"
ESTIMATOR = """\
estimator : classifier, default=None
    Estimator to clone for each pair of classes; None: `TIPCACClassifier`.
"""
ORDER = """\
class_order : array-like of shape (n_classes,) or "sorted", default="sorted"
    Order of the labels in the list of candidates.
"""
RANDOM_STATE = """\
random_state : int, RandomState instance or None, default=None
    Seeds the members.
"""
MEMBERS = """\
estimators_ : list of classifiers
    The members, fitted on class numbers.
pairs_ : ndarray of shape (n_members, 2)
    Numbers of the two classes of each member.
"""
PARAGRAPHS = {
    "class_names": CLASSES + NAMES,
    "classify_rows": describe_rows(_TABLE, "classify"),
    "estimator": ESTIMATOR,
    "fit_pairs": describe_fit(
        _TABLE, weight="Their weights, if the members take them."
    ),
    "members": MEMBERS,
    "order": ORDER,
    "run": N_JOBS + RANDOM_STATE,
}
