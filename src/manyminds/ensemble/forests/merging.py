"""Merge forests of several partitions of a table into one forest."""

from copy import copy
from dataclasses import replace

import numpy as np
from sklearn.utils.validation import check_is_fitted

from manyminds.ensemble.forests.base import Forest
from manyminds.trees.structure import Trees

# About the rows of one fit; those of a merged forest are not in one place.
_OF_ONE_FIT = (
    "_has_weight",
    "_n_rows",
    "_n_draws",
    "_draw_bounds",
    "oob_score_",
    "oob_decision_function_",
    "oob_prediction_",
)


def merge_forests(forests):
    """Merge fitted forests into one that has the trees of all of them.

    For tables that no single machine holds: each grows a forest on its own rows, and
    only the trees are sent. All trees count the same: give larger partitions more of
    them. A tree that has seen a part of the rows is weaker than one of all rows, so
    that the merged forest is less accurate than a central one, the more so the smaller
    the partitions; see the page on several machines for figures.

    Parameters
    ----------
    forests : sequence of fitted forests
        Of the same class, such as `RandomForestClassifier` or `ExtraTreesRegressor`,
        and of the same columns. Classes may be absent from some partitions. The
        categories of a categorical column must be the same in all of them.

    Returns
    -------
    forest : fitted forest
        With the parameters of the first, but ``n_estimators`` of all. It predicts,
        explains and is saved like any other, but knows no training rows: there are no
        out-of-bag scores and no ``estimators_samples_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import RandomForestClassifier, merge_forests
    >>> X, y = load_iris(return_X_y=True)
    >>> parts = [
    ...     RandomForestClassifier(50, random_state=k).fit(X[k::3], y[k::3])
    ...     for k in range(3)
    ... ]
    >>> forest = merge_forests(parts)
    >>> forest.n_estimators
    150
    >>> print(forest.score(X, y) > 0.95)
    True
    """
    forests = list(forests)
    _check_forests(forests)

    first, trees = forests[0], [forest.trees_ for forest in forests]
    merged = copy(first)
    if hasattr(first, "classes_"):
        merged.classes_ = np.unique(np.concatenate([f.classes_ for f in forests]))
        merged.n_classes_ = len(merged.classes_)
        trees = [_widen(forest, merged.classes_) for forest in forests]
    merged.trees_ = Trees.concatenate(trees)
    merged._seeds = np.concatenate([forest._seeds for forest in forests])
    merged.n_estimators = merged.trees_.n_trees
    for name in _OF_ONE_FIT:
        vars(merged).pop(name, None)
    return merged


def _check_forests(forests):
    if not forests or not all(isinstance(forest, Forest) for forest in forests):
        kinds = sorted({type(forest).__name__ for forest in forests})
        raise TypeError(
            "forests must be one or more fitted forests of manyminds; got "
            f"{', '.join(kinds) or 'none'}."
        )
    first = forests[0]
    for number, forest in enumerate(forests):
        check_is_fitted(forest)
        if type(forest) is not type(first):
            raise TypeError(
                f"forests must be of one class; forests[{number}] is a "
                f"{type(forest).__name__}, forests[0] a {type(first).__name__}."
            )
        if _list_columns(forest) != _list_columns(first):
            raise ValueError(
                f"forests must have the same columns; forests[{number}] has others "
                "than forests[0], or in another order."
            )
        if not _equal_categories(forest, first):
            raise ValueError(
                f"forests must have the same categories in each categorical column; "
                f"forests[{number}] has others than forests[0]. Encode them as numbers "
                "in the same way on all machines, for instance one-hot."
            )


def _list_columns(forest):
    return forest.n_features_in_, list(getattr(forest, "feature_names_in_", ()))


def _equal_categories(one, other):
    """Check that categories have the same codes in both forests."""
    a, b = one._encoder, other._encoder
    if a.is_categorical is None or b.is_categorical is None:
        return a.is_categorical is b.is_categorical
    return (
        np.array_equal(a.is_categorical, b.is_categorical)
        and a.categories.keys() == b.categories.keys()
        and all(list(a.categories[k]) == list(b.categories[k]) for k in a.categories)
        and not one._level_codes
        and not other._level_codes
    )


def _widen(forest, classes):
    """Return the trees of a forest with a value for each of more classes."""
    values = forest.trees_.value
    value = np.zeros((len(values), len(classes)))
    value[:, np.searchsorted(classes, forest.classes_)] = values
    return replace(forest.trees_, value=value)
