"""Time pruning: selection against fits, sizes against forests, rules against NumPy.

    python benchmarks/pruning_speed.py [--out FILE.md] [--repeats 5] [--quick]

Ratios are those of one process: the best of several alternating runs, on one thread.
Rules of dynamic selection are compared with the same rules in plain NumPy on the same
neighbors, and as whole predictions with a pool of scikit-learn's trees, each of which
predicts by itself, as packages for dynamic selection do it.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.neighbors import NearestNeighbors

from machine import describe_machine, markdown_table
from manyminds.ensemble import (
    DynamicSelectionClassifier,
    FitselectClassifier,
    PrunedClassifier,
    RandomForestClassifier,
)
from manyminds.ensemble.pruning.competence import RULES, Region
from manyminds.ensemble.pruning.fitselect import ALPHAS, order_by_fitness
from manyminds.ensemble.pruning.votes import (
    choose_size,
    member_accuracy,
    member_diversity,
    score_prefixes,
)

METHODS = ("ola", "lca", "knora-e", "knora-u", "des-knn", "mcb")
N_NEAR = 7


def main():
    """Measure and print, or write a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    n_rows, n_trees = (1_000, 50) if options.quick else (6_000, 100)
    X, y = make_classification(
        3 * n_rows, 20, n_informative=8, flip_y=0.1, random_state=0
    )
    parts = [(X[i::3], y[i::3]) for i in range(3)]
    page = "\n\n".join(
        [
            describe_machine(["numpy", "scikit-learn", "manyminds"]),
            report_selection(*parts[0], n_trees, options.repeats),
            report_sizes(parts, n_trees, options.repeats),
            report_rules(parts, n_trees, options.repeats),
        ]
    )
    print(page)
    if options.out is not None:
        options.out.write_text(page + "\n")


def best_of(repeats, *calls):
    """Return the least seconds of each call, in turn; one call each to warm up."""
    for call in calls:
        call()
    seconds = np.full(len(calls), np.inf)
    for _ in range(repeats):
        for k, call in enumerate(calls):
            begun = time.perf_counter()
            call()
            seconds[k] = min(seconds[k], time.perf_counter() - begun)
    return seconds


def report_selection(X, y, n_trees, repeats):
    """Compare the parts of a fit of Fitselect: forests, predictions, selection."""
    model = FitselectClassifier(n_estimators=n_trees, random_state=0).fit(X, y)
    pools, folds = model._fit_pools(X, y, np.random.RandomState(0))
    tables = [pool.labels(X[rows], model.classes_) for pool, rows in zip(pools, folds)]

    def grow():
        model._fit_pools(X, y, np.random.RandomState(0))

    def predict():
        for pool, rows in zip(pools, folds):
            pool.labels(X[rows], model.classes_)

    def select():
        for labels, rows in zip(tables, folds):
            accuracy = member_accuracy(labels, y[rows])
            diversity = member_diversity(labels)
            for alpha in ALPHAS:
                order = order_by_fitness(accuracy, diversity, alpha)
                choose_size(
                    score_prefixes(labels, order, y[rows], 2), np.arange(1, n_trees)
                )

    forests, predictions, selection = best_of(repeats, grow, predict, select)
    rows = [
        ["three forests", f"{forests:.3f} s", ""],
        ["predictions", f"{predictions:.3f} s", f"{predictions / forests:.1%}"],
        ["selection", f"{selection:.3f} s", f"{selection / forests:.1%}"],
    ]
    head = ["part of fit", "time", "of the forests"]
    title = f"Fitselect, {n_trees} trees a fold, {len(y)} rows\n\n"
    return title + markdown_table(head, rows)


def report_sizes(parts, n_trees, repeats):
    """Compare time and accuracy of a forest and of fewer of its trees."""
    (X, y), (X_valid, y_valid), (X_new, y_new) = parts
    forest = RandomForestClassifier(n_trees, random_state=0).fit(X, y)
    sizes = sorted({max(1, round(share * n_trees)) for share in (0.05, 0.1, 0.2, 0.5)})
    models = [
        PrunedClassifier(forest, size=size, prefit=True).fit(X_valid, y_valid)
        for size in sizes
    ]
    calls = [lambda one=one: one.predict(X_new) for one in [forest, *models]]
    seconds = best_of(repeats, *calls)
    rows = [
        [
            size,
            f"{1e3 * s:.1f} ms",
            f"{seconds[0] / s:.1f}",
            f"{m.score(X_new, y_new):.4f}",
        ]
        for size, s, m in zip([n_trees, *sizes], seconds, [forest, *models])
    ]
    head = ["trees", f"predict {len(y_new)} rows", "times as fast", "accuracy"]
    return "Reduced-error pruning of a forest\n\n" + markdown_table(head, rows)


def report_rules(parts, n_trees, repeats):
    """Compare rules of dynamic selection with NumPy, and whole predictions."""
    (X, y), (X_valid, y_valid), (X_new, _) = parts
    ours = RandomForestClassifier(n_trees, random_state=0).fit(X, y)
    theirs = TheirForest(n_trees, random_state=0).fit(X, y)
    index = NearestNeighbors(n_neighbors=N_NEAR).fit(X_valid)
    near = index.kneighbors(X_new, return_distance=False)
    known = np.ascontiguousarray(ours.predict_all(X_valid).T, dtype=np.int32)
    labels = np.ascontiguousarray(ours.predict_all(X_new).T, dtype=np.int32)
    right = (known == y_valid[:, None]).astype(np.uint8)
    region = Region(right, known, near, labels)
    rows = []
    for method in METHODS:
        rule, plain = RULES[method], PLAIN[method]
        np.testing.assert_array_equal(rule(region), plain(region))
        fast, slow = best_of(
            repeats, lambda rule=rule: rule(region), lambda plain=plain: plain(region)
        )
        model = DynamicSelectionClassifier(
            ours, method, standardize=False, prefit=True
        ).fit(X_valid, y_valid)

        def predict_plainly(plain=plain):
            close = index.kneighbors(X_new, return_distance=False)
            votes = np.stack([tree.predict(X_new) for tree in theirs.estimators_], 1)
            votes = votes.astype(np.int32)
            weights = plain(Region(right, known, close, votes))
            shares = [((votes == c) * weights).sum(axis=1) for c in (0, 1)]
            return np.argmax(shares, axis=0)

        whole, plainly = best_of(
            max(1, repeats // 2), lambda m=model: m.predict(X_new), predict_plainly
        )
        rows.append(
            [method, f"{1e3 * fast:.1f} ms", f"{slow / fast:.1f}", f"{whole:.3f} s",
             f"{plainly / whole:.1f}"]
        )  # fmt: skip
    head = ["rule", "weights", "times NumPy's speed", "predict", "times as fast"]
    title = f"Dynamic selection, {n_trees} trees, {len(X_new)} rows\n\n"
    return title + markdown_table(head, rows)


# ---------------------------------------------------------------- plain NumPy


def plain_ola(region):
    """Right about most neighbors."""
    count = region.right[region.near].sum(axis=1, dtype=int)
    return (count == count.max(axis=1, keepdims=True)).astype(float)


def plain_lca(region):
    """Right about most neighbors assigned to the class of the row."""
    same = region.known_labels[region.near] == region.labels[:, None]
    hits = (same & (region.right[region.near] == 1)).sum(axis=1)
    rate = hits / np.maximum(same.sum(axis=1), 1)
    return (rate >= rate.max(axis=1, keepdims=True) - 1e-12).astype(float)


def plain_knora_e(region):
    """Right about all of the nearest neighbors."""
    run = np.cumprod(region.right[region.near], axis=1, dtype=np.uint8).sum(axis=1)
    return (run == run.max(axis=1, keepdims=True)).astype(float)


def plain_knora_u(region):
    """Number of neighbors that a member is right about."""
    return region.right[region.near].sum(axis=1, dtype=int).astype(float)


def plain_des_knn(region):
    """Most accurate, then most diverse by double fault."""
    right = region.right[region.near]
    n_members = right.shape[2]
    n_accurate, n_diverse = -(-n_members // 2), int(np.ceil(0.3 * n_members))
    order = np.argsort(-right.sum(axis=1, dtype=int), axis=1, kind="stable")
    order = order[:, :n_accurate]
    wrong = np.take_along_axis(right, order[:, None], axis=2) == 0
    fault = (wrong * (wrong.sum(axis=2, keepdims=True) - 1)).sum(axis=1)
    chosen = np.argsort(fault, axis=1, kind="stable")[:, :n_diverse]
    weights = np.zeros((len(right), n_members))
    np.put_along_axis(weights, np.take_along_axis(order, chosen, axis=1), 1.0, axis=1)
    return weights


def plain_mcb(region):
    """Accurate on neighbors with similar votes."""
    same = (region.known_labels[region.near] == region.labels[:, None]).sum(axis=2)
    similar = same > 0.7 * region.labels.shape[1]
    similar[~similar.any(axis=1)] = True
    right = region.right[region.near]
    rate = (right * similar[:, :, None]).sum(axis=1) / similar.sum(axis=1)[:, None]
    return (rate.max(axis=1, keepdims=True) - rate < 0.1 - 1e-9).astype(float)


PLAIN = {
    "ola": plain_ola,
    "lca": plain_lca,
    "knora-e": plain_knora_e,
    "knora-u": plain_knora_u,
    "des-knn": plain_des_knn,
    "mcb": plain_mcb,
}


if __name__ == "__main__":
    main()
