"""Turn grown trees into scikit-learn's own, for tools that read those.

A template of the right class is fitted by scikit-learn to a few made-up rows, so that
it has every attribute of its version. Then its nodes are replaced by ours.
"""

from copy import copy

import numpy as np
from sklearn import ensemble, tree
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import make_tree_nodes, replace_boosted_trees

_CRITERIA = ("gini", "entropy", "log_loss", "squared_error")  # that both have
_LOSSES = ("absolute_error", "quantile", "poisson", "gamma")
N_BITS = 40  # of a mean of two float32, unless one is 2**16 times the other
_FIT_ONLY = ("random_state", "class_weight", "ccp_alpha", "warm_start", "max_samples")


class TreeExport:
    """Gives an estimator of one tree, or of averaged trees, ``to_sklearn``."""

    def to_sklearn(self):
        """Return a fitted estimator of scikit-learn that predicts the same.

        What reads scikit-learn's trees (its plots, shap, treelite) reads the result.

        Returns
        -------
        model : estimator
            A decision tree, random forest or extra-trees of scikit-learn. It rounds
            samples to float32: a value above a threshold by less than such a rounding
            goes to the other side. All other predictions, such as those of any float32,
            are the same to the last bit.

        Raises
        ------
        ValueError
            If a column is categorical: scikit-learn's trees have no such splits.
        """
        check_is_fitted(self)
        if hasattr(self, "trees_"):
            return convert_forest(self, self.trees_)
        return convert_tree(self, self.tree_)


def convert_tree(model, trees):
    """Return a decision tree of scikit-learn equal to a single fitted tree.

    Parameters
    ----------
    model : estimator
        Where the tree comes from: its classes, columns and parameters.
    trees : Trees
        The tree.

    Returns
    -------
    model : DecisionTreeClassifier or DecisionTreeRegressor of scikit-learn
    """
    _check_columns(model)
    kind = _pick(model, tree.DecisionTreeClassifier, tree.DecisionTreeRegressor)
    converted = _fit_template(kind(), model)
    converted.set_params(**_shared_params(model, kind))
    converted.tree_ = _convert_nodes(trees, converted.tree_)
    return converted


def convert_forest(model, trees):
    """Return a forest of scikit-learn equal to a fitted forest of averaged trees.

    Parameters
    ----------
    model : estimator
        Where the trees come from: their classes, columns and parameters.
    trees : Trees

    Returns
    -------
    model : estimator of scikit-learn
        A random forest, or extra-trees for trees with random thresholds.
    """
    _check_columns(model)
    name = "ExtraTrees" if model._splitter == "random" else "RandomForest"
    kind = getattr(ensemble, name + _pick(model, "Classifier", "Regressor"))
    converted = _fit_template(kind(n_estimators=1), model)
    params = _shared_params(model, kind)
    converted.set_params(**params | {"n_estimators": trees.n_trees, "oob_score": False})
    first = converted.estimators_[0]
    first.set_params(**_shared_params(model, type(first)))
    converted.estimators_ = []
    for t in range(trees.n_trees):
        member = copy(first)
        member.tree_ = _convert_nodes(trees.tree(t), first.tree_)
        converted.estimators_.append(member)
    return converted


def convert_boosting(model, trees, baseline, loss):
    """Return scikit-learn's histogram boosting equal to fitted gradient boosting.

    Parameters
    ----------
    model : estimator
        Where the trees come from: their classes, columns and parameters.
    trees : Trees
        Tree ``t`` belongs to output ``t % n_outputs``.
    baseline : ndarray of shape (n_outputs,)
        Raw prediction before the first round.
    loss : str
        Names the function from raw predictions to predictions.

    Returns
    -------
    model : HistGradientBoostingClassifier or HistGradientBoostingRegressor
    """
    _check_columns(model)
    n_outputs = len(baseline)
    kind = _pick(
        model,
        ensemble.HistGradientBoostingClassifier,
        ensemble.HistGradientBoostingRegressor,
    )
    params = {"max_iter": 1, "early_stopping": False, "categorical_features": None}
    if not is_classifier(model):
        # Huber's loss is not scikit-learn's; like the squared error, it has no link.
        params["loss"] = loss if loss in _LOSSES else "squared_error"
        params["quantile"] = model.quantile if loss == "quantile" else None
    names = ("learning_rate", "max_leaf_nodes", "max_depth", "min_samples_leaf")
    shared = {name: getattr(model, name) for name in names}
    if shared["learning_rate"] == "auto":
        del shared["learning_rate"]
    converted = _fit_template(kind(**params), model)
    converted.set_params(**shared, max_iter=trees.n_trees // n_outputs)
    nodes = [_list_boosted_nodes(trees.tree(t)) for t in range(trees.n_trees)]
    replace_boosted_trees(converted, nodes, baseline)
    return converted


# ---------------------------------------------------------------- template


def _pick(model, classifier, regressor):
    return classifier if is_classifier(model) else regressor


def _check_columns(model):
    """Raise if the trees split by sets of categories."""
    categorical = model._encoder.is_categorical
    if categorical is None:
        return
    columns = np.flatnonzero(categorical)
    names = getattr(model, "feature_names_in_", None)
    shown = columns.tolist() if names is None else names[columns].tolist()
    raise ValueError(
        f"to_sklearn needs numeric columns; {shown} are categorical: scikit-learn's "
        "trees do not split by sets of categories. Encode these columns as numbers "
        "before the fit."
    )


def _shared_params(model, kind):
    """Return the parameters of a model that scikit-learn's class has, too.

    Those that matter while trees grow, and then no more, stay at their defaults.
    """
    known = set(kind().get_params()) & set(model.get_params(deep=False))
    params = {name: getattr(model, name) for name in known.difference(_FIT_ONLY)}
    if params.get("criterion") not in _CRITERIA:
        params.pop("criterion", None)
    return params


def _fit_template(template, model):
    """Fit an estimator of scikit-learn to rows of zeros, one for each class."""
    y = model.classes_ if is_classifier(model) else np.ones(2)
    X = np.zeros((len(y), model.n_features_in_))
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        import pandas as pd

        X = pd.DataFrame(X, columns=names)
    return template.fit(X, y)


# ---------------------------------------------------------------- nodes


def _convert_nodes(trees, template):
    """Return a single tree as scikit-learn's compiled ``Tree``."""
    leaf = trees.is_leaf
    fields = {
        "left_child": trees.left,
        "right_child": trees.right,
        "feature": np.where(leaf, -2, trees.feature),
        "threshold": np.where(leaf, -2.0, _round_up(trees.threshold)),
        "impurity": trees.impurity,
        "n_node_samples": trees.n_samples,
        "weighted_n_node_samples": trees.weight,
        "missing_go_to_left": trees.missing_left,
    }
    depth = int(trees.max_depth[0])
    return make_tree_nodes(template, fields, trees.value[:, np.newaxis], depth)


def _round_up(threshold):
    """Return thresholds that no value up to them exceeds after rounding to float32.

    A threshold is the mean of two values, and may be a third value. If it has so few
    digits that the values were float32 already, it is right as it is.
    """
    digits = np.ldexp(np.frexp(threshold)[0], N_BITS)
    with np.errstate(over="ignore"):
        rounded = np.maximum(threshold, threshold.astype(np.float32))
    return np.where(digits == np.rint(digits), threshold, rounded)


def _list_boosted_nodes(trees):
    """Return the nodes of a single boosted tree by scikit-learn's names."""
    leaf = trees.is_leaf
    return {
        "value": trees.value[:, 0],
        "count": trees.n_samples,
        "feature_idx": np.where(leaf, 0, trees.feature),
        "num_threshold": np.where(leaf, 0.0, trees.threshold),
        "missing_go_to_left": trees.missing_left,
        "left": np.where(leaf, 0, trees.left),
        "right": np.where(leaf, 0, trees.right),
        "depth": trees.depth,
        "is_leaf": leaf,
    }
