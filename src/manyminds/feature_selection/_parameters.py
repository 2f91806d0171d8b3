"""Paragraphs that docstrings of several selectors share; see `fill_docstring`."""

from manyminds.utils.references import GRABCZEWSKI_2006, cite

PARAMETERS = {
    "task": """
task : {"auto", "classification", "regression"}, default="auto"
    Type of the target. "auto": floats that are not all integers are numeric
    targets, anything else is class labels.
""",
    "categorical_features": """
categorical_features : array-like, "from_dtype" or None, default="from_dtype"
    Categorical columns: a boolean mask, positions or names; "from_dtype": the
    columns of a dataframe with a categorical dtype; None: no column.
""",
    "n_features_to_select": """
n_features_to_select : int or float, default=10
    Number of features to select, or their share of all features.
""",
    "discretize": """
discretize : str or None, default="auto"
    One of "auto", "mdl", "quantile", "uniform" and "mean_std".
    How numeric columns are discretized, see
    :func:`~manyminds.feature_selection.make_code_table`. "auto" is "mdl" for
    classes and "quantile" for a numeric target; None: each value is a level.
""",
    "n_bins": """
n_bins : int, default=10
    Number of levels of "quantile" and "uniform", and of a numeric target.
""",
    "coded_scores": """
scores_ : ndarray of shape (n_features,)
    Association of each feature with the target.
""",
    "greedy_ranking": """
ranking_ : ndarray of shape (n_features,)
    1, 2, ... for the selected features, the most relevant first; all others
    share the next rank.
""",
    "n_estimators": """
n_estimators : int, default=100
    Number of trees.
""",
    "weighting": """
weighting : {"complexity", "uniform"}, default="complexity"
    Weight of a node in the means: its `node_complexity`, or 1 for every node.
""",
    "bag": """
bag : {"unique", "bootstrap"}, default="unique"
    Samples of a tree are drawn with replacement. "unique": a sample drawn
    repeatedly counts once; "bootstrap": as often as it was drawn. Copies, which no
    split can separate, then inflate the gains of all features, so that "exact" and
    "midpoint" expectations are too low and all features are selected.
""",
    "on_constant": """
on_constant : {"redraw", "leaf"}, default="redraw"
    What to do if the drawn feature is constant in a node: draw another one, or
    make the node a leaf, as the thesis seems to do.
""",
    "gain_task": """
task : {"auto", "classification", "regression"}, default="auto"
    Type of the target. For a numeric target the gain is the decrease of the
    variance, as a share of the variance of y. Needs ``expected_gain="shadow"``.
""",
    "gain_statistics": """
gain_statistics_ : GainStatistics
    Sums over the nodes of each feature.
""",
    "fallback": """
fallback : {"best", "all", "none"}, default="best"
    Which features to select if none passes; the thesis does not say.
""",
    "feature_cost": """
feature_cost : {"full", "index", "none"}, default="full"
    Cost of naming a feature, see `MDLTreeClassifier`.
choose : {"gain", "saving"}, default="gain"
    Which of the splits that shorten the description to take: the one with the
    largest information gain, or the one that saves most bits.
""",
    "mdl_fallback": """
fallback : {"best", "all", "none"}, default="best"
    Which features to select if no split shortens the description: the one that
    comes closest, all, or none; the thesis does not say.
""",
    "importance_categories": """
categorical_features : array-like, "from_dtype" or None, default="from_dtype"
    Categorical columns: a boolean mask, positions or names; "from_dtype": the
    columns of a dataframe with a categorical dtype; None: no column. Our models
    split them into sets of categories; other models get their codes.
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
    Number of threads; -1 means all processors. The result does not depend on
    it.
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
    "x": """
X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    Training samples; NaN is a missing value.
""",
    "x_of_codes": """
X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    Training samples. Missing values are a level of their own.
""",
    "x_of_estimator": """
X : {array-like, dataframe} of shape (n_samples, n_features)
    Training samples. NaN is a missing value if the estimator supports it, as
    our forests do.
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
    "estimator_weight": """
sample_weight : array-like of shape (n_samples,), default=None
    Sample weights, passed to the estimator.
""",
    "member_weight": """
sample_weight : array-like of shape (n_samples,), default=None
    Sample weights, if the wrapped selectors support them.
""",
    "complex_models_paper": cite(GRABCZEWSKI_2006),
    "selections": """
selections : array-like, sparse matrix or list of array-like of int
    A mask for each selection, of shape (n_selections, n_features); or, with
    ``n_features``, the positions of the features of each selection.
n_features : int, default=None
    Number of features, needed with positions.
""",
}
# Paragraphs that always go together.
GROUPS = {
    "coded_parameters": (
        "discretize",
        "n_bins",
        "task",
        "categorical_features",
        "n_jobs",
    ),
    "random_splits": ("weighting", "bag", "on_constant", "max_depth"),
    "gain_table": ("fallback", "gain_task", "max_bins", "categorical_features"),
    "mdl_parameters": ("feature_cost", "max_depth", "mdl_fallback", "max_bins"),
}
# Parameters of methods, and what they return.
METHODS = {
    "fit_coded": ("x_of_codes", "y", "sample_weight", "fitted"),
    "fit_weighted": ("x", "y", "sample_weight", "fitted"),
    "fit_classes": ("x", "y_of_classes", "sample_weight", "fitted"),
    "fit_forest": ("x", "y", "draw_weight", "fitted"),
    "fit_estimator": ("x_of_estimator", "y", "estimator_weight", "fitted"),
    "fit_members": ("x_of_members", "y_optional", "member_weight", "fitted"),
    "fit_learner": ("x_of_members", "y", "fitted"),
}


def _join(names):
    return "\n".join(PARAMETERS[name].strip("\n") for name in names)


PARAMETERS |= {name: _join(names) for name, names in GROUPS.items()}
PARAMETERS |= {
    name: f"Parameters\n----------\n{_join(names[:-1])}\n\n"
    f"Returns\n-------\n{_join(names[-1:])}"
    for name, names in METHODS.items()
}
