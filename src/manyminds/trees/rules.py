"""Rules: a tree as lines of text, one for each leaf."""

from dataclasses import dataclass, field

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted


@dataclass
class _Condition:
    """Condition on one column: ``low < value <= high``, or some categories."""

    low: float = -np.inf
    high: float = np.inf
    may_miss: bool = True
    categories: set = field(default_factory=set)  # empty: a column of numbers


def export_rules(
    model, *, feature_names=None, class_names=None, decimals=2, show_missing=False
):
    """Format a single tree as rules, one line for each leaf.

    A rule names each column once, with all conditions on the path from the root to the
    leaf. After the prediction come the number of training rows that the rule covers
    and, for a class, its share among them.

    Parameters
    ----------
    model : estimator
        Any fitted tree of ``manyminds.trees``.
    feature_names : array-like of shape (n_features,), default=None
        Names of the columns; by default those that the tree was fitted with, or "x0",
        "x1" and so on.
    class_names : array-like of shape (n_classes,), default=None
        Names of the classes, in the order of ``classes_``, which is the default.
    decimals : int, default=2
        Number of decimals.
    show_missing : bool, default=False
        Whether to show where a missing value satisfies a condition, too.

    Returns
    -------
    rules : str
        Lines, in the order of leaves from left to right.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.trees import DecisionTreeClassifier, export_rules
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_leaf_nodes=3).fit(X[:, 3:], y)
    >>> print(export_rules(tree, feature_names=["width"]))
    IF width <= 0.80 THEN 0 (50 rows, 100%)
    IF 0.80 < width <= 1.75 THEN 1 (54 rows, 91%)
    IF width > 1.75 THEN 2 (46 rows, 98%)
    """
    check_is_fitted(model)
    names = _name_columns(model, feature_names)
    predictions = _format_predictions(model, class_names, decimals)
    categories = _name_levels(model)
    lines = []
    for leaf, conditions in _walk(model.tree_, categories):
        texts = [
            _format_condition(
                names[j], conditions[j], categories.get(j), decimals, show_missing
            )
            for j in conditions
        ]
        condition = " AND ".join(text for text in texts if text) or "true"
        lines.append(f"IF {condition} THEN {predictions[leaf]}")
    return "\n".join(lines)


def _name_levels(model):
    """Return the names of the category codes of each column; merged ones share one."""
    encoder = getattr(model, "_encoder", None)
    categories = {} if encoder is None else dict(encoder.categories)
    for j, codes in getattr(model, "_level_codes", {}).items():
        names = ["rare levels"] * (int(codes.max()) + 1)
        for level, code in zip(categories[j], codes):
            if code < codes.max():
                names[code] = level
        categories[j] = names
    return categories


def _name_columns(model, feature_names):
    """Choose the names of the columns."""
    n_features = model.n_features_in_
    if feature_names is None:
        numbered = [f"x{j}" for j in range(n_features)]
        return list(getattr(model, "feature_names_in_", numbered))
    if len(feature_names) != n_features:
        raise ValueError(
            f"feature_names has {len(feature_names)} names; the tree was fitted with "
            f"{n_features} columns."
        )
    return list(feature_names)


def _format_predictions(model, class_names, decimals):
    """Format the prediction of each node as a leaf."""
    tree = model.tree_
    rows = [f"{n:,} {'row' if n == 1 else 'rows'}" for n in tree.n_samples]
    if not is_classifier(model):
        return [f"{v:.{decimals}f} ({n})" for v, n in zip(tree.value[:, 0], rows)]
    names = model.classes_ if class_names is None else class_names
    if len(names) != len(model.classes_):
        raise ValueError(
            f"class_names has {len(names)} names; the tree knows "
            f"{len(model.classes_)} classes."
        )
    best = tree.value.argmax(axis=1)
    shares = tree.value.max(axis=1) / tree.value.sum(axis=1)
    return [f"{names[c]} ({n}, {p:.0%})" for c, n, p in zip(best, rows, shares)]


def _walk(tree, categories):
    """Yield each leaf, from left to right, with the conditions of its path."""
    waiting = [(0, {})]
    while waiting:
        node, conditions = waiting.pop()
        if tree.left[node] < 0:
            yield node, conditions
            continue
        for child, goes_left in ((tree.left[node] + 1, False), (tree.left[node], True)):
            j = int(tree.feature[node])
            known = conditions.get(j)
            if known is None:
                known = _Condition(categories=set(range(len(categories.get(j, ())))))
            condition = _add_split(known, tree, node, goes_left)
            waiting.append((int(child), {**conditions, j: condition}))


def _add_split(known, tree, node, goes_left):
    """Combine the condition of one split with those before it on its column."""
    condition = _Condition(
        known.low,
        known.high,
        known.may_miss and bool(tree.missing_left[node]) == goes_left,
        set(known.categories),
    )
    if tree.category_set[node] >= 0:
        words = tree.category_sets[tree.category_set[node]]
        condition.categories = {
            c
            for c in known.categories
            if bool(int(words[c // 64]) >> (c % 64) & 1) == goes_left
        }
    elif goes_left:
        condition.high = min(known.high, float(tree.threshold[node]))
    else:
        condition.low = max(known.low, float(tree.threshold[node]))
    return condition


def _format_condition(name, condition, categories, decimals, show_missing):
    """Format the condition on one column; empty if all values satisfy it."""
    low, high = f"{condition.low:.{decimals}f}", f"{condition.high:.{decimals}f}"
    if categories is not None:
        chosen = ", ".join(
            str(list(categories)[c]) for c in sorted(condition.categories)
        )
        text = f"{name} in {{{chosen}}}" if chosen else ""
    elif condition.low == np.inf:
        text = ""
    elif condition.low == -np.inf and condition.high == np.inf:
        return "" if condition.may_miss else f"{name} is known"
    elif condition.low == -np.inf:
        text = f"{name} <= {high}"
    else:
        text = (
            f"{name} > {low}"
            if condition.high == np.inf
            else f"{low} < {name} <= {high}"
        )
    if not text:
        return f"{name} is missing"
    return f"{text} or missing" if show_missing and condition.may_miss else text
