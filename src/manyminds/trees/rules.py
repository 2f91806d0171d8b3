"""Rules: a tree as lines of text, one for each leaf."""

from dataclasses import dataclass, field

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted


@dataclass
class _Condition:
    """What a path asks of one column: ``low < value <= high``, or some categories."""

    low: float = -np.inf
    high: float = np.inf
    may_miss: bool = True
    categories: set = field(default_factory=set)  # empty: a column of numbers


def export_rules(
    model, *, feature_names=None, class_names=None, decimals=2, show_missing=False
):
    """Write a single tree as rules, one line for each leaf.

    A rule names each column once, with all that the way from the root to the leaf asks
    of it. Behind the answer come the number of training rows that the rule holds for
    and, of a class, its share among them.

    Parameters
    ----------
    model : estimator
        A fitted tree of this room, of any kind.
    feature_names : array-like of shape (n_features,), default=None
        Names of the columns; by default those that the tree was fitted with, or "x0",
        "x1" and so on.
    class_names : array-like of shape (n_classes,), default=None
        Names of the classes, in the order of ``classes_``, which is the default.
    decimals : int, default=2
        Digits behind the point.
    show_missing : bool, default=False
        Whether to say where a missing value satisfies a condition, too.

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
    answers = _write_answers(model, class_names, decimals)
    encoder = getattr(model, "_encoder", None)
    categories = {} if encoder is None else encoder.categories
    lines = []
    for leaf, conditions in _walk(model.tree_, categories):
        texts = [
            _write_condition(
                names[j], conditions[j], categories.get(j), decimals, show_missing
            )
            for j in conditions
        ]
        asked = " AND ".join(text for text in texts if text) or "true"
        lines.append(f"IF {asked} THEN {answers[leaf]}")
    return "\n".join(lines)


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


def _write_answers(model, class_names, decimals):
    """Write what each node would say, were it a leaf."""
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
    """Yield each leaf, from left to right, with what is asked of columns on its way."""
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
            asked = _ask_more(known, tree, node, goes_left)
            waiting.append((int(child), {**conditions, j: asked}))


def _ask_more(known, tree, node, goes_left):
    """Add what one split asks to what is asked of its column already."""
    asked = _Condition(
        known.low,
        known.high,
        known.may_miss and bool(tree.missing_left[node]) == goes_left,
        set(known.categories),
    )
    if tree.category_set[node] >= 0:
        words = tree.category_sets[tree.category_set[node]]
        asked.categories = {
            c
            for c in known.categories
            if bool(int(words[c // 64]) >> (c % 64) & 1) == goes_left
        }
    elif goes_left:
        asked.high = min(known.high, float(tree.threshold[node]))
    else:
        asked.low = max(known.low, float(tree.threshold[node]))
    return asked


def _write_condition(name, asked, categories, decimals, show_missing):
    """Write what is asked of one column; nothing if all values will do."""
    low, high = f"{asked.low:.{decimals}f}", f"{asked.high:.{decimals}f}"
    if categories is not None:
        chosen = ", ".join(str(list(categories)[c]) for c in sorted(asked.categories))
        text = f"{name} in {{{chosen}}}" if chosen else ""
    elif asked.low == np.inf:
        text = ""
    elif asked.low == -np.inf and asked.high == np.inf:
        return "" if asked.may_miss else f"{name} is known"
    elif asked.low == -np.inf:
        text = f"{name} <= {high}"
    else:
        text = (
            f"{name} > {low}" if asked.high == np.inf else f"{low} < {name} <= {high}"
        )
    if not text:
        return f"{name} is missing"
    return f"{text} or missing" if show_missing and asked.may_miss else text
