"""Paragraphs that docstrings of learners of many labels share."""

from manyminds.ensemble._parameters import N_JOBS, RETURNS
from manyminds.trees._parameters import NAMES
from manyminds.utils._paragraphs import ROWS

FIT = """\
Parameters
----------
X : {table} of shape (n_samples, n_features)
    Training rows{missing}.
y : array-like or sparse matrix of shape (n_samples, n_labels)
    1 if a row has a label, otherwise 0; any other two values for a column work too.
    One dimension: a single label.
"""
WEIGHT = """\
sample_weight : array-like of shape (n_samples,), default=None
    {weight}
"""
_MISSING = "; NaN is a missing value"
_IF_TAKEN = f"{_MISSING}, if the estimator takes it"
LABELS = """\
classes_ : ndarray of shape (n_labels, 2)
    The two values of each label; of shape (2,) if ``y`` had one dimension.
n_labels_ : int
    Number of labels.
"""
ESTIMATOR = """\
estimator : estimator, default=None
    Classifier to clone; None: a `{default}`. Trees and forests of this package share
    one binned table and take missing values and categories.
"""
RANDOM_STATE = """\
random_state : int, RandomState instance or None, default=None
    {purpose}
"""
THRESHOLD = """\
threshold : float, default=0.5
    A row has the labels whose score is greater.
"""
_TABLE = "{array-like, dataframe}"
_WEIGHT = WEIGHT.format(weight="Their weights, for estimators that take them.")


def describe_fit(table=_TABLE, missing=_IF_TAKEN, weight=_WEIGHT):
    """Return the sections of the docstring of a ``fit``."""
    return FIT.format(table=table, missing=missing) + weight + RETURNS


PARAGRAPHS = {
    **ROWS,
    "estimator": ESTIMATOR.format(default="RandomForestClassifier"),
    "tree_estimator": ESTIMATOR.format(default="DecisionTreeClassifier"),
    "fit": describe_fit(),
    "fit_unweighted": describe_fit(weight=""),
    "fit_table": describe_fit("{array-like, sparse matrix, dataframe}", _MISSING),
    "fit_finite": describe_fit(missing="", weight=""),
    "fit_finite_weighted": describe_fit(
        missing="", weight=WEIGHT.format(weight="Their weights.")
    ),
    "label_names": LABELS + NAMES,
    "labels": LABELS,
    "n_jobs": N_JOBS,
    "member_state": RANDOM_STATE.format(purpose="Seeds of the members."),
    "draw_state": RANDOM_STATE.format(purpose="Draws, and seeds of the members."),
    "threshold": THRESHOLD,
}
