"""Importances of columns by a fitted model: by gain, or out of bag."""

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from manyminds.ensemble.base import make_member
from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.feature_selection.base import drop_weightless, read_target, read_weight


def make_forest(is_classification, n_estimators, n_jobs=None):
    """Return the default forest.

    A regression forest draws a third of the columns in each node; with all of them, the
    weaker one of two redundant columns would never be used.
    """
    if is_classification:
        return RandomForestClassifier(n_estimators, n_jobs=n_jobs)
    return RandomForestRegressor(n_estimators, max_features=1 / 3, n_jobs=n_jobs)


def choose_importance(importance, estimator):
    """Resolve "auto": out-of-bag importance where it is available, else gain."""
    can_permute = hasattr(estimator, "oob_permutation_importance")
    if importance == "auto":
        return "permutation" if can_permute else "gain"
    if importance == "permutation" and not can_permute:
        raise ValueError(
            "importance='permutation' needs an estimator with the method "
            f"oob_permutation_importance, such as our forests; got {estimator!r}."
        )
    return importance


def read_rows(selector, X, y, sample_weight, task):
    """Check targets and weights; drop samples of weight 0.

    Parameters
    ----------
    selector : estimator
        Named in errors.
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Checked table.
    y : array-like of shape (n_samples,)
        Targets.
    sample_weight : array-like of shape (n_samples,) or None
        Weights.
    task : {"auto", "classification", "regression"}
        Type of the target.

    Returns
    -------
    X, y : ndarray
        Samples of positive weight, and their targets: class codes, or numbers.
    sample_weight : ndarray or None
        Their weights; None if all are 1.
    classes : ndarray or None
        The classes; None if the target is numeric.
    """
    y, classes = read_target(selector, X, y, task)
    if sample_weight is not None:
        X, y, sample_weight = drop_weightless(X, y, read_weight(X, sample_weight))
        # With weights, models draw samples from the same distribution in another way.
        sample_weight = None if np.all(sample_weight == 1.0) else sample_weight
    if X.shape[0] < 2:
        raise ValueError(
            f"{type(selector).__name__} needs at least 2 samples; got "
            f"n_samples={X.shape[0]}."
        )
    return X, y, sample_weight, classes


def check_takes_weight(estimator, sample_weight):
    """Raise an error if the model does not support the given weights."""
    if sample_weight is not None and not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(
            f"sample_weight was given, but estimator={estimator!r} takes none in fit."
        )


def measure_importances(
    estimator, importance, y, sample_weight, X, is_categorical, seed, in_errors=False
):
    """Fit a clone of a model; return its importance of each column.

    Parameters
    ----------
    estimator : estimator
        The model that is cloned, seeded and fitted.
    importance : {"gain", "permutation"}
        The model's own ``feature_importances_`` or absolute ``coef_``; or the increase
        of a forest's out-of-bag error when the column is shuffled.
    y : ndarray of shape (n_samples,)
        Targets.
    sample_weight : ndarray of shape (n_samples,) or None
        Sample weights.
    X : ndarray of shape (n_samples, n_features)
        Table of floats.
    is_categorical : ndarray of bool of shape (n_features,)
        Passed to a model with the parameter ``categorical_features``.
    seed : int
        Seed of the model, and of the permutations.
    in_errors : bool, default=False
        Whether to divide an increase of the out-of-bag error by its standard error.

    Returns
    -------
    importances : ndarray of shape (n_features,)
        Higher is more important.
    """
    model = make_member(estimator, seed)
    if is_categorical.any() and "categorical_features" in model.get_params(deep=False):
        model.set_params(categorical_features=is_categorical)
    options = {} if sample_weight is None else {"sample_weight": sample_weight}
    model.fit(X, y, **options)
    if importance == "permutation":
        found = model.oob_permutation_importance(X, y, random_state=int(seed))
        # A single tree has no standard error: all its columns get 0.
        increases = found.importances_z if in_errors else found.importances_mean
        return np.nan_to_num(increases, nan=0.0, posinf=np.inf, neginf=-np.inf)
    return read_importances(model)


def read_importances(model):
    """Return the ``feature_importances_`` or the absolute ``coef_`` of a fitted model.

    Parameters
    ----------
    model : estimator
        Fitted.

    Returns
    -------
    importances : ndarray of shape (n_features,)
        Absolute coefficients are summed over classes.
    """
    if hasattr(model, "feature_importances_"):
        return np.asarray(model.feature_importances_, dtype=np.float64)
    if hasattr(model, "coef_"):
        return np.abs(np.atleast_2d(model.coef_)).sum(axis=0).astype(np.float64)
    raise ValueError(
        f"estimator={model!r} has neither feature_importances_ nor coef_ after fit."
    )
