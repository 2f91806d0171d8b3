"""Paragraphs that docstrings of smaller ensembles share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import PARAGRAPHS as OF_ENSEMBLES

ESTIMATOR = """\
estimator : estimator or list of estimators, default=None
    Where the members come from: an ensemble of ours, another one with
    ``estimators_``, or a list of {kind}s, each of which is a member. None:
    ``{default}()``. {fitted}
"""
FITTED = """\
Already fitted, with ``prefit`` or as `sklearn.frozen.FrozenEstimator`, it is not
    fitted again, and all rows passed to ``fit`` are for the selection.\
"""
VALIDATION = """\
validation_fraction : float or None, default=0.3
    Share of the rows that members are not fitted to, and by which they are rated;
    stratified by class. None: the members' own training rows, which many an
    ensemble predicts without errors.
prefit : bool, default=False
    Whether ``estimator`` is fitted already.
"""
COMMON = """\
n_jobs : int, default=None
    Number of threads of the default ensemble and of the search for neighbors, if
    any; a given estimator has an ``n_jobs`` of its own.
random_state : int, RandomState instance or None, default=None
    Seeds the members and all draws.
"""
KEPT = """\
selected_members_ : ndarray of int
    The kept members, by their numbers in the whole ensemble.
weights_ : ndarray of shape (n_selected,)
    Their weights, which add up to 1.
n_members_ : int
    Number of members before the selection.
"""
CLASSES = """\
classes_ : ndarray of shape (n_classes,)
    The class labels, sorted.
"""
NAMES = """\
n_features_in_ : int
    Number of columns of the training set.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the columns, if X had any.
"""
FIT = """\
Parameters
----------
X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    Training rows; NaN is a missing value, if the members take it. If the members
    are fitted already, the rows by which they are rated.
y : array-like of shape (n_samples,)
    Their classes or targets.

Returns
-------
self : object
    The fitted ensemble.
"""


WEIGHTED_FIT = FIT.replace(
    "\n\nReturns",
    """
sample_weight : array-like of shape (n_samples,), default=None
    Weights of the rows: of those that members are fitted to, if their ``fit`` takes
    weights, and of those by which they are rated. {unweighted}

Returns""",
)


def describe_weighted_fit(unweighted=""):
    """Return the paragraphs about ``fit`` with weights, and what takes none."""
    text = WEIGHTED_FIT.replace("{unweighted}", unweighted)
    return "\n".join(line.rstrip() for line in text.split("\n"))


def describe_estimator(kind, default):
    """Return the paragraph about the parameter ``estimator``."""
    return ESTIMATOR.format(kind=kind, default=default, fitted=FITTED)


PARAGRAPHS = {
    **OF_ENSEMBLES,
    "classifier": describe_estimator("classifier", "RandomForestClassifier"),
    "regressor": describe_estimator("regressor", "RandomForestRegressor"),
    "validation": VALIDATION,
    "common": COMMON,
    "fit": FIT,
    "weighted_fit": describe_weighted_fit(),
    "kept": KEPT,
    "class_names": CLASSES + NAMES,
    "names": NAMES,
}
