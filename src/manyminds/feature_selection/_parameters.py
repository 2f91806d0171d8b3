"""Paragraphs that docstrings of several selectors share; see `fill_docstring`."""

PARAMETERS = {
    "task": """
task : {"auto", "classification", "regression"}, default="auto"
    Type of the target. "auto": floats that are not all integers are a numeric target;
    anything else is class labels.
""",
    "categorical_features": """
categorical_features : array-like, "from_dtype" or None, default="from_dtype"
    Categorical columns: a boolean mask, positions or names; "from_dtype": the columns
    of a dataframe that have a categorical dtype; None: no column.
""",
    "n_features_to_select": """
n_features_to_select : int or float, default=10
    Number of features to select, or their share of all features.
""",
    "max_bins": """
max_bins : int, default=255
    Maximum number of bins per column, up to 65,535.
""",
    "max_depth": """
max_depth : int, default=None
    Maximum number of splits between the root and a leaf.
""",
    "n_jobs": """
n_jobs : int, default=None
    Number of threads; -1 means all processors. The result does not depend on it.
""",
    "n_features_in": """
n_features_in_ : int
    Number of features seen during ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, if all of them are strings.
""",
    "ranking": """
ranking_ : ndarray of int of shape (n_features,)
    Rank of each feature, 1 for the best; among equals the first goes first.
""",
    "support": """
support_ : ndarray of bool of shape (n_features,)
    Mask of the selected features.
""",
    # parameters of ``fit``, and what it returns
    "x": """
X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    Training samples; NaN is a missing value.
""",
    "x_of_estimator": """
X : {array-like, dataframe} of shape (n_samples, n_features)
    Training samples. NaN is a missing value if the estimator supports it, as our
    forests do.
""",
    "x_of_members": """
X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    Training samples, in any form that the wrapped estimators support.
""",
    "y": """
y : array-like of shape (n_samples,)
    Class labels or numeric targets.
""",
    "y_of_classes": """
y : array-like of shape (n_samples,)
    Class labels.
""",
    "y_optional": """
y : array-like of shape (n_samples,), default=None
    Targets, if the wrapped selectors need them.
""",
    "sample_weight": """
sample_weight : array-like of shape (n_samples,), default=None
    Sample weights: a weight of 2 counts as two samples.
""",
    "draw_weight": """
sample_weight : array-like of shape (n_samples,), default=None
    Relative probability that a tree draws a sample.
""",
    "fitted": """
self : object
    The fitted selector.
""",
}
