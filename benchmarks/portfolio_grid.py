"""The pipelines from which a portfolio is chosen, and the list written by hand.

A pipeline is a part of one: the options and values that differ from the defaults.
"""

BOOSTING = (
    {},
    {"learning_rate": 0.02},
    {"learning_rate": 0.1, "max_features": 1.0},
    {"max_leaf_nodes": 12, "min_samples_leaf": 8, "max_features": 0.4},
    {"learning_rate": 0.03, "max_leaf_nodes": 4, "min_samples_leaf": 3},
    {"max_leaf_nodes": 8, "min_samples_leaf": 1, "max_features": 0.2},
    {"max_leaf_nodes": 100, "min_samples_leaf": 2, "max_features": 0.3},
    {"min_samples_leaf": 5, "max_features": 0.2, "l2": 3.0},
)
FORESTS = (
    {},
    {"max_features": 0.3},
    {"max_features": 0.7},
    {"max_features": 0.7, "min_samples_leaf": 5},
)
BOTH = {
    "gb": BOOSTING,
    "rf": FORESTS,
    "et": FORESTS,
    "rotation_forest": ({}, {"features_per_block": 6, "max_features": 0.5}),
    "flt": ({},),
    "gaussian_svm": (
        {},
        {"C": 30.0, "width": 4.0},
        {"C": 300.0, "width": 10.0},
        {"C": 1.0, "width": 0.5},
        {"scale": "quantile"},
        {"C": 30.0, "width": 4.0, "scale": "quantile"},
    ),
    "exponential_svm": ({}, {"C": 30.0, "width": 2.0}),
    "linear_svm": ({}, {"C": 0.03}),
    "knn_cv": ({}, {"metric": "manhattan"}, {"scale": "quantile"}),
    "nrbf": ({},),
    "elm": ({},),
    "real_mlp": ({},),
    "extra_gb": ({},),
    "symmetric_gb": ({}, {"random_thresholds": False, "max_features": 1.0}),
}
CLASSIFIERS = {
    **BOTH,
    "logistic": (
        {},
        {"C": 0.03},
        {"C": 30.0},
        {"scale": "quantile"},
        {"select": "mrmr"},
        {"select": "forest_gain", "forest_gain.share": 0.3},
    ),
    "lda": ({},),
    "nb": ({},),
    "aode": ({},),
    "tan": ({},),
    "ssv_tree": ({},),
    "rpboost": ({},),
}
REGRESSORS = {
    **BOTH,
    "ridge": ({}, {"alpha": 30.0}, {"scale": "quantile"}),
    "elastic_net": ({}, {"alpha": 0.1, "l1_ratio": 0.9}, {"scale": "quantile"}),
    "gp": ({}, {"scale": "quantile"}),
}
BOOSTERS = {
    "lightgbm": ({}, {"num_leaves": 8}, {"num_leaves": 63, "min_child_samples": 5}),
    "xgboost": ({}, {"max_depth": 3}, {"max_depth": 8, "min_child_weight": 1.0}),
    "catboost": ({}, {"depth": 4}),
}

# The order that searches had before: learners with defaults, then settings.
HAND_ORDER = (
    "gb", "rf", "logistic", "ridge", "et", "gaussian_svm", "lda", "rotation_forest",
    "linear_svm", "flt", "real_mlp", "knn_cv", "nrbf", "gp", "exponential_svm", "elm",
    "aode", "elastic_net", "rpboost", "nb", "tan", "ssv_tree",
)  # fmt: skip
HAND_GOOD = (
    {"max_leaf_nodes": 12, "min_samples_leaf": 8, "max_features": 0.4},
    {"learning_rate": 0.03, "max_leaf_nodes": 4, "min_samples_leaf": 3},
)


def list_candidates(task, boosters=()):
    """List the pipelines to evaluate, as partial descriptions."""
    grid = CLASSIFIERS if task == "classification" else REGRESSORS
    grid = grid | {name: BOOSTERS[name] for name in boosters}
    return [
        describe(learner, values)
        for learner, settings in grid.items()
        for values in settings
    ]


def describe(learner, values):
    """Describe a pipeline with some values of its learner, or options of its stages."""
    pipeline = {"learner": learner}
    for name, value in values.items():
        is_stage = name in ("encode", "scale", "reduce", "select") or "." in name
        pipeline[name if is_stage else f"{learner}.{name}"] = value
    return pipeline


def list_by_hand(task):
    """List the pipelines that searches began with before there was a portfolio."""
    grid = CLASSIFIERS if task == "classification" else REGRESSORS
    plain = [{"learner": name} for name in HAND_ORDER if name in grid]
    good = [describe("gb", values) for values in HAND_GOOD]
    late = [
        {"learner": "et", "et.max_features": 0.7},
        {"learner": "gaussian_svm", "gaussian_svm.C": 30.0, "gaussian_svm.width": 4.0},
    ]
    return [*plain[:6], *good, *plain[6:], *late]
