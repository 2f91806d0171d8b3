"""Slow twins, written from the formulas: splits by trial of all, rows by hand."""

from itertools import combinations
from math import log2

import numpy as np


def goes_left(trees, node, x):
    """Which rows of x, all at ``node`` of a single tree, go left there."""
    values = x[:, trees.feature[node]]
    missing = np.isnan(values)
    number = trees.category_set[node]
    if number < 0:
        left = values <= trees.threshold[node]
    else:
        words = [int(word) for word in trees.category_sets[number]]
        codes = np.where(missing, 0, values).astype(int).tolist()
        left = np.array([words[c // 64] >> (c % 64) & 1 == 1 for c in codes], bool)
    return np.where(missing, trees.missing_left[node], left)


def rows_of_nodes(trees, x):
    """For each node of a single tree, the rows of x that reach it."""
    rows = {0: np.arange(len(x))}
    for node in range(len(trees.feature)):
        if trees.feature[node] >= 0:
            left = goes_left(trees, node, x[rows[node]])
            rows[trees.left[node]] = rows[node][left]
            rows[trees.left[node] + 1] = rows[node][~left]
    return rows


def naive_apply(trees, x):
    """The leaf of each row of x in a single tree."""
    leaves = np.empty(len(x), int)
    for node, rows in rows_of_nodes(trees, x).items():
        if trees.feature[node] < 0:
            leaves[rows] = node
    return leaves


def class_weights(y, w, n_classes):
    return np.array([w[y == c].sum() for c in range(n_classes)])


def naive_impurity(criterion, y, w, n_classes=1, root=None):
    """Weight of the rows times their impurity."""
    if criterion == "squared_error":
        mean = np.average(y, weights=w)
        return (w * (y - mean) ** 2).sum()
    counts = class_weights(y, w, n_classes)
    if criterion == "balanced_error":
        balanced = counts / root
        return balanced.sum() - balanced.max()
    shares = counts[counts > 0] / counts.sum()
    if criterion == "entropy":
        return -counts.sum() * sum(p * log2(p) for p in shares)
    return counts.sum() * (1 - (shares**2).sum())


def naive_score(criterion, y, w, left, n_classes=1, root=None):
    """How good it is to part the rows into ``left`` and the others."""
    if criterion.startswith("ssv"):
        ours = class_weights(y[left], w[left], n_classes)
        others = class_weights(y[~left], w[~left], n_classes)
        pairs = sum(
            ours[c] * others[d]
            for c in range(n_classes)
            for d in range(n_classes)
            if c != d
        )
        torn = np.minimum(ours, others).sum()
        if criterion == "ssv_lexicographic":
            torn /= 1 + w.sum()  # less than any pair of whole rows
        return 2 * pairs - torn
    whole, first, second = (
        naive_impurity(criterion, y[side], w[side], n_classes, root)
        for side in (np.ones_like(left), left, ~left)
    )
    return whole - first - second


def all_partings(values, categorical):
    """Every way that one feature can part rows, as masks of the rows that go left."""
    missing = np.isnan(values)
    known = np.unique(values[~missing])
    if categorical:
        sets = [s for k in range(1, len(known)) for s in combinations(known, k)]
        partings = [np.isin(values, s) for s in sets]
    else:
        partings = [values <= cut for cut in known[:-1]]
    if missing.any():
        partings = partings + [part | missing for part in partings]
        if len(known) > 0:
            partings.append(~missing)
    return partings


def best_score(
    criterion,
    x,
    y,
    w,
    *,
    categorical=(),
    min_samples_leaf=1,
    min_weight=0.0,
    n_classes=1,
    root=None,
):
    """The best score of all partings of a node by a feature; -inf if there is none."""
    best = -np.inf
    for j in range(x.shape[1]):
        for left in all_partings(x[:, j], j in categorical):
            n_least = min(left.sum(), (~left).sum())
            w_least = min(w[left].sum(), w[~left].sum())
            if n_least >= min_samples_leaf and w_least >= min_weight:
                score = naive_score(criterion, y, w, left, n_classes, root)
                best = max(best, score)
    return best
