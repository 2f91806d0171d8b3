"""Gradient boosting from its formulas in plain NumPy, to compare the kernels with."""

import numpy as np

from manyminds.trees.binned import make_binned_table
from manyminds.trees.boosting import Booster, GrowthOptions


def make_booster(X, y, loss, baseline=0.0, categorical=None, rows=None, **options):
    """Return a booster on rows of a table, all of them by default."""
    names = GrowthOptions.__dataclass_fields__
    growth = {name: options.pop(name) for name in list(options) if name in names}
    X, y = np.asarray(X, np.float64), np.array(y, np.float64, order="C")
    n_outputs = int(y.max()) + 1 if loss == "softmax" else 1
    everything = np.arange(len(y), dtype=np.uint32)
    rows = everything if rows is None else np.asarray(rows, np.uint32)
    return Booster(
        make_binned_table(X, categorical),
        y,
        np.full((n_outputs, len(y)), float(baseline)),
        loss,
        GrowthOptions(**growth),
        rows,
        options.pop("held_out", np.empty(0, np.uint32)),
        **options,
    )


# ---------------------------------------------------------------- losses


def compute_loss(loss, y, raw, level=0.5, delta=1.0):
    """Return the loss of each row, up to a constant; raw is (n_outputs, n_rows)."""
    if loss == "softmax":
        shifted = raw - raw.max(axis=0)
        chosen = shifted[y.astype(int), np.arange(len(y))]
        return np.log(np.exp(shifted).sum(axis=0)) - chosen
    raw = raw[0]
    rest = y - raw
    return {
        "log_loss": lambda: np.logaddexp(0.0, raw) - y * raw,
        "squared_error": lambda: 0.5 * rest**2,
        "absolute_error": lambda: np.abs(rest),
        "quantile": lambda: np.where(rest > 0, level * rest, (level - 1) * rest),
        "huber": lambda: np.where(
            np.abs(rest) <= delta,
            0.5 * rest**2,
            delta * (np.abs(rest) - 0.5 * delta),
        ),
        "poisson": lambda: np.exp(raw) - y * raw,
        "gamma": lambda: raw + y * np.exp(-raw),
    }[loss]()


def differentiate(loss, y, raw, level=0.5, delta=1.0):
    """Return gradients and hessians, each (n_outputs, n_rows)."""
    if loss == "softmax":
        p = np.exp(raw - raw.max(axis=0))
        p /= p.sum(axis=0)
        return p - (y == np.arange(len(raw))[:, np.newaxis]), p * (1.0 - p)
    one = np.ones_like(raw)
    if loss == "log_loss":
        p = 1.0 / (1.0 + np.exp(-raw))
        return p - y, p * (1.0 - p)
    if loss == "squared_error":
        return raw - y, one
    if loss == "absolute_error":
        return np.sign(raw - y), one
    if loss == "quantile":
        return np.where(raw < y, -level, 1.0 - level), one
    if loss == "huber":
        return np.clip(raw - y, -delta, delta), one
    if loss == "poisson":
        return np.exp(raw) - y, np.exp(raw)
    return 1.0 - y * np.exp(-raw), y * np.exp(-raw)


def find_quantile(values, weights, level):
    """Return a weighted quantile by sorting."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    goal = level * total[-1]
    at = min(np.searchsorted(total, goal), len(values) - 1)
    if total[at] == goal and at + 1 < len(values):
        return 0.5 * (values[order[at]] + values[order[at + 1]])
    return values[order[at]]


def find_value(loss, rest, weights, g, h, l2=0.0, level=0.5, delta=1.0):
    """Return the value of a leaf with these residuals, gradients and hessians."""
    if loss in ("absolute_error", "quantile", "huber"):
        level = level if loss == "quantile" else 0.5
        middle = find_quantile(rest, weights, level)
        if loss != "huber":
            return middle
        return middle + np.average(np.clip(rest - middle, -delta, delta), None, weights)
    return -g.sum() / (h.sum() + l2)


# ---------------------------------------------------------------- trees


def score(g, h, l2):
    """Return twice the gain of a leaf."""
    return g.sum() ** 2 / (h.sum() + l2)


def list_cuts(column):
    """Yield the rows on the left of every cut, with missing values on either side."""
    missing = np.isnan(column)
    values = np.unique(column[~missing])
    for value in values[:-1]:
        yield (column <= value) | missing
        yield column <= value
    if missing.any():
        yield ~missing


def find_best_gain(X, g, h, *, min_samples_leaf=1, min_sum_hessian=1e-3, l2=0.0):
    """Return the gain of the best cut of all columns, -inf if there is none."""
    best = -np.inf
    for column in X.T:
        for left in list_cuts(column):
            n_left, h_left = left.sum(), h[left].sum()
            if min(n_left, len(g) - n_left) < min_samples_leaf:
                continue
            if min(h_left, h.sum() - h_left) < min_sum_hessian:
                continue
            best = max(best, compute_gain(left, g, h, l2))
    return best


def compute_gain(left, g, h, l2=0.0):
    """Return what a split gains."""
    parts = score(g[left], h[left], l2) + score(g[~left], h[~left], l2)
    return 0.5 * (parts - score(g, h, l2))


def goes_left(tree, node, X):
    """Return which rows a node of a tree sends left."""
    column = X[:, tree.feature[node]]
    left = column <= tree.threshold[node]
    if tree.category_set[node] >= 0:
        words = tree.category_sets[tree.category_set[node]]
        code = np.where(np.isnan(column), 0, column).astype(np.uint64)
        word = words[(code >> np.uint64(6)).astype(int)]
        left = (word >> (code & np.uint64(63))) & np.uint64(1) == 1
    return np.where(np.isnan(column), tree.missing_left[node], left)


def check_tree(tree, X, g, h, max_leaves, tolerance, **limits):
    """Check that a tree grew best leaf first by best cuts; return the rows of nodes.

    ``X`` holds binned values: one for each bin. Children are numbered in the order of
    the splits, so that the order is known.
    """
    rows = {0: np.arange(len(X))}
    gains = {0: find_best_gain(X, g, h, **limits)}
    inner = np.flatnonzero(tree.left >= 0)
    for node in inner[np.argsort(tree.left[inner])]:
        here = rows[node]
        left = goes_left(tree, node, X[here])
        gain = compute_gain(left, g[here], h[here], limits.get("l2", 0.0))
        slack = tolerance * score(g[here], h[here], 0.0) + tolerance * gain
        assert gain >= max(gains.values()) - slack  # the best cut of the best leaf
        smaller = min(left.sum(), (~left).sum())
        assert smaller >= limits.get("min_samples_leaf", 1)
        del gains[node]
        first = tree.left[node]
        rows[first], rows[first + 1] = here[left], here[~left]
        for child in (first, first + 1):
            some = rows[child]
            gains[child] = find_best_gain(X[some], g[some], h[some], **limits)
    n_leaves = len(gains)
    assert n_leaves == tree.n_leaves[0]
    if n_leaves < max_leaves:  # nothing was left to gain
        assert max(gains.values()) <= tolerance * score(g, h, 0.0) + 1e-12
    return {node: rows[node] for node in gains}


def follow(trees, X, y, loss, raw, *, rate, weights=None, max_leaves=31, level=0.5,
           tolerance=1e-9, **limits):  # fmt: skip
    """Boost by the formulas along trees, which are checked; return raw predictions."""
    weights = np.ones(len(y)) if weights is None else weights
    raw, n_outputs = raw.copy(), len(raw)
    for first in range(0, trees.n_trees, n_outputs):
        delta = find_quantile(np.abs(y - raw[0]), weights, level)
        all_g, all_h = differentiate(loss, y, raw, level, delta)
        for k in range(n_outputs):
            g, h = weights * all_g[k], weights * all_h[k]
            tree = trees.tree(first + k)
            leaves = check_tree(tree, X, g, h, max_leaves, tolerance, **limits)
            for leaf, rows in leaves.items():
                value = rate * find_value(
                    loss, (y - raw[k])[rows], weights[rows], g[rows], h[rows],
                    limits.get("l2", 0.0), level, delta,
                )  # fmt: skip
                np.testing.assert_allclose(
                    tree.value[leaf, 0], value, rtol=1e-5, atol=1e-7
                )
                raw[k, rows] += value
    return raw


# ---------------------------------------------------------------- symmetric trees


def find_best_level_gain(X, groups, g, h, **limits):
    """Return the greatest sum of gains of one cut in all groups of rows."""
    return max(
        (
            compute_level_gain(left, groups, g, h, **limits)
            for column in X.T
            for left in list_cuts(column)
        ),
        default=0.0,
    )


def compute_level_gain(
    left, groups, g, h, *, min_samples_leaf=1, min_sum_hessian=1e-3, l2=0.0
):
    """Return the sum of gains over groups; where a side has too few rows, nothing."""
    total = 0.0
    for rows in groups:
        side = left[rows]
        n, weight = side.sum(), h[rows][side].sum()
        enough = min(n, len(rows) - n) >= min_samples_leaf
        if enough and min(weight, h[rows].sum() - weight) >= min_sum_hessian:
            total += compute_gain(side, g[rows], h[rows], l2)
    return total


def check_symmetric_tree(tree, X, g, h, max_depth, tolerance, **limits):
    """Check that each level has one split, the best in sum; return the rows of leaves.

    The children of node k are 2 k + 1 and 2 k + 2.
    """
    groups, depth = [np.arange(len(X))], 0
    while tree.left[2**depth - 1] >= 0:
        level = np.arange(2**depth - 1, 2 ** (depth + 1) - 1)
        assert (tree.left[level] == 2 * level + 1).all()
        for part in (tree.feature, tree.threshold, tree.missing_left):
            assert len(np.unique(part[level])) == 1
        assert [len(rows) for rows in groups] == tree.n_samples[level].tolist()
        left = goes_left(tree, level[0], X)
        gain = compute_level_gain(left, groups, g, h, **limits)
        best = find_best_level_gain(X, groups, g, h, **limits)
        assert gain > 0.0
        assert gain >= best - tolerance * score(g, h, 0.0) - tolerance * best
        groups = [rows[side[rows]] for rows in groups for side in (left, ~left)]
        depth += 1
    assert depth <= max_depth
    assert len(groups) == tree.n_leaves[0] == 2**depth
    if depth < max_depth:
        best = find_best_level_gain(X, groups, g, h, **limits)
        assert best <= tolerance * score(g, h, 0.0) + 1e-12
    return groups


def widen(groups, leaf, min_samples_leaf):
    """Return the rows of a leaf, or of the nearest node above that has enough."""
    width = 1
    rows = groups[leaf]
    while len(rows) < min_samples_leaf and width < len(groups):
        width *= 2
        first = leaf // width * width
        rows = np.concatenate(groups[first : first + width])
    return rows
