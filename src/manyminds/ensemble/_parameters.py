"""Paragraphs that docstrings of ensembles share; see ``fill_docstring``."""

from manyminds.trees._parameters import CATEGORICAL_FEATURES, CLASSES, NAMES
from manyminds.utils._paragraphs import ROWS

N_JOBS = """\
n_jobs : int, default=None
    Number of threads; -1: all processors. The result does not depend on it.
"""
PREDICTING_JOBS = """\
n_jobs : int, default=None
    Number of threads that predict; members are fitted one after the other.
"""
OOB_SCORE = """\
oob_score_ : float
    Score of the out-of-bag predictions; only with ``oob_score``.
"""
OOB_CLASSES = f"""\
{OOB_SCORE}\
oob_decision_function_ : ndarray of shape (n_samples, n_classes)
    Out-of-bag probabilities; only with ``oob_score``.
"""
OOB_TARGETS = f"""\
{OOB_SCORE}\
oob_prediction_ : ndarray of shape (n_samples,)
    Out-of-bag predictions; only with ``oob_score``.
"""
TWO_CLASSES = """\
classes_ : ndarray of shape (n_classes,)
    The two class labels, sorted.
n_classes_ : int
    Number of classes.
"""
FIT = """\
Parameters
----------
X : {table} of shape (n_samples, n_features)
    Training rows; {missing}.
y : array-like of shape (n_samples,)
    Their {target}.
"""
SAMPLE_WEIGHT = """\
sample_weight : array-like of shape (n_samples,), default=None
    {weight}
"""
RETURNS = """
Returns
-------
self : object
    The fitted ensemble.
"""
_IF_TAKEN = "NaN is a missing value, if the members take it"


def describe_fit(table="array-like", missing=_IF_TAKEN, target="classes", weight=None):
    """Return the sections of the docstring of a ``fit``."""
    parts = [FIT.format(table=table, missing=missing, target=target)]
    if weight is not None:
        parts.append(SAMPLE_WEIGHT.format(weight=weight))
    return "".join([*parts, RETURNS])


PARAGRAPHS = {
    **ROWS,
    "categorical_features": CATEGORICAL_FEATURES,
    "classes": CLASSES,
    "class_names": CLASSES + NAMES,
    "fit": describe_fit(),
    "fit_drawn": describe_fit(
        missing="NaN is a missing value",
        weight="Their odds of being drawn, or their weights if there is no bootstrap.",
    ),
    "fit_two_classes": describe_fit(target="classes, two of them"),
    "n_jobs": N_JOBS,
    "names": NAMES,
    "predicting_jobs": PREDICTING_JOBS,
    "two_class_names": TWO_CLASSES + NAMES,
}
