"""Time pruning: selection against fits, sizes against forests, rules against NumPy.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/pruning_speed.py \\
        [--out FILE.md] [--repeats 5] [--quick] [--deslib PYTHON]

Ratios are those of one process: the best of several alternating runs, on one thread.
Rules of dynamic selection are compared with the same rules in plain NumPy on the same
neighbors, and as whole predictions with a pool of scikit-learn's trees, each of which
predicts by itself, as packages for dynamic selection do it. With an interpreter that
has DESlib, its predictions are timed too, in a process of their own: once with
scikit-learn's forest as the pool, and once, as ours are, with members that only look
their predictions up; of these, the share of rows with the same class is counted.
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

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
from pruning_peer import METHODS, make_tables

N_NEAR = 7
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def main():
    """Measure and print, or write a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--deslib", metavar="PYTHON", help="interpreter with DESlib")
    options = parser.parse_args()
    n_rows, n_trees = (1_000, 50) if options.quick else (6_000, 100)
    X, y = make_classification(
        3 * n_rows, 20, n_informative=8, flip_y=0.1, random_state=0
    )
    parts = [(X[i::3], y[i::3]) for i in range(3)]
    parts[2] = parts[2][0][:-1], parts[2][1][:-1]  # tables are told by their length
    forest = RandomForestClassifier(n_trees, random_state=0).fit(*parts[0])
    problem = make_problem(parts, forest)
    page = "\n\n".join(
        [
            describe_machine(["numpy", "scikit-learn", "manyminds"]),
            report_selection(*parts[0], n_trees, options.repeats),
            report_sizes(parts, n_trees, options.repeats),
            report_rules(problem, options.repeats),
            report_predictions(problem, forest, options.repeats, options.deslib),
        ]
    )
    print(page)
    if options.out is not None:
        options.out.write_text(page + "\n")


def make_problem(parts, forest):
    """Return the data of dynamic selection: three parts, predictions for two."""
    (X, y), (X_known, y_known), (X_new, _) = parts
    return {
        "X": X,
        "y": y,
        "X_known": X_known,
        "y_known": y_known,
        "X_new": X_new,
        "values_known": forest._members.values(X_known),
        "values_new": forest._members.values(X_new),
    }


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


def report_rules(problem, repeats):
    """Compare rules of dynamic selection with NumPy on the same neighbors."""
    near = NearestNeighbors(n_neighbors=N_NEAR).fit(problem["X_known"])
    near = near.kneighbors(problem["X_new"], return_distance=False)
    known, labels = (
        np.ascontiguousarray(problem[name].argmax(axis=2).T, dtype=np.int32)
        for name in ("values_known", "values_new")
    )
    region = Region(known, problem["y_known"].astype(np.int32), near, labels)
    rows = []
    for method in PLAIN:
        rule, plain = RULES[method], PLAIN[method]
        np.testing.assert_array_equal(rule(region), plain(region))
        fast, slow = best_of(
            repeats, lambda rule=rule: rule(region), lambda plain=plain: plain(region)
        )
        rows.append([method, ms(fast), ms(slow), f"{slow / fast:.1f}"])
    n_rows, n_trees = labels.shape
    title = f"Rules alone, {n_trees} trees, {n_rows} rows\n\n"
    return title + markdown_table(["rule", "ours", "NumPy", "times as fast"], rows)


def report_predictions(problem, forest, repeats, interpreter):
    """Compare whole predictions with NumPy, and with DESlib if there is one."""
    peer, theirs = None, {}
    if interpreter is not None:
        peer, theirs = run_peer(problem, repeats, interpreter)
    plain = make_plain_predictor(problem)
    rows = []
    for method in METHODS:
        model = DynamicSelectionClassifier(
            forest, method, standardize=False, prefit=True
        ).fit(problem["X_known"], problem["y_known"])
        table = DynamicSelectionClassifier(
            make_tables(problem), method, standardize=False, prefit=True
        ).fit(problem["X_known"], problem["y_known"])
        calls = [lambda m=model: m.predict(problem["X_new"])]
        calls.append(lambda m=table: m.predict(problem["X_new"]))
        if method in PLAIN:
            calls.append(lambda method=method: plain(method))
        seconds = best_of(repeats, *calls)
        row = [method, ms(seconds[0])]
        row.append(f"{seconds[2] / seconds[0]:.1f}" if len(calls) > 2 else "")
        if peer is not None and method not in peer:
            row += ["", "", ms(seconds[1]), "", "", ""]
        elif peer is not None:
            whole, table_only = (peer[method][name] for name in ("forest", "tables"))
            same = np.mean(calls[0]() == theirs[method])
            row += [ms(whole), f"{whole / seconds[0]:.1f}", ms(seconds[1])]
            row += [ms(table_only), f"{table_only / seconds[1]:.1f}", f"{same:.1%}"]
        rows.append(row)
    head = ["rule", "predict", "times NumPy"]
    if peer is not None:
        head += ["DESlib", "times", "from tables", "DESlib", "times", "same class"]
    title = "Whole predictions: members, neighbors, rule and vote"
    if peer is not None:
        title += f"; {peer['versions']}"
    return f"{title}\n\n{markdown_table(head, rows)}"


def make_plain_predictor(problem):
    """Return the function that predicts by scikit-learn's trees and NumPy's rules."""
    X_known, y_known, X_new = (problem[k] for k in ("X_known", "y_known", "X_new"))
    forest = TheirForest(len(problem["values_known"]), random_state=0)
    forest.fit(problem["X"], problem["y"])
    index = NearestNeighbors(n_neighbors=N_NEAR).fit(X_known)
    known = _vote(forest, X_known)

    def predict(method):
        near = index.kneighbors(X_new, return_distance=False)
        votes = _vote(forest, X_new)
        weights = PLAIN[method](Region(known, y_known, near, votes))
        shares = [((votes == c) * weights).sum(axis=1) for c in (0, 1)]
        return np.argmax(shares, axis=0)

    return predict


def _vote(forest, X):
    votes = [tree.predict(X) for tree in forest.estimators_]
    return np.stack(votes, axis=1).astype(np.int32)


def run_peer(problem, repeats, interpreter):
    """Return DESlib's seconds by rule and pool, and its predictions by rule."""
    with TemporaryDirectory() as folder:
        np.savez(
            Path(folder) / "problem.npz", n_near=N_NEAR, repeats=repeats, **problem
        )
        script = Path(__file__).with_name("pruning_peer.py")
        command = [interpreter, str(script), folder]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        subprocess.run(command, check=True, env=environment | ONE_THREAD)
        found = json.loads((Path(folder) / "peer.json").read_text())
        theirs = dict(np.load(Path(folder) / "peer.npz"))
    return {**found["seconds"], "versions": found["versions"]}, theirs


def ms(seconds):
    """Format seconds as milliseconds."""
    return f"{1e3 * seconds:.1f} ms"


# ---------------------------------------------------------------- plain NumPy


def is_right(region):
    """Whether members are right about neighbors: (n_rows, n_near, n_members)."""
    known = region.known_labels[region.near]
    return known == region.known_classes[region.near][:, :, None]


def plain_ola(region):
    """Right about most neighbors."""
    count = is_right(region).sum(axis=1, dtype=int)
    return (count == count.max(axis=1, keepdims=True)).astype(float)


def plain_lca(region):
    """Right about most neighbors assigned to the class of the row."""
    same = region.known_labels[region.near] == region.labels[:, None]
    hits = (same & is_right(region)).sum(axis=1)
    rate = hits / np.maximum(same.sum(axis=1), 1)
    return (rate >= rate.max(axis=1, keepdims=True) - 1e-12).astype(float)


def plain_knora_e(region):
    """Right about all of the nearest neighbors."""
    run = np.cumprod(is_right(region), axis=1, dtype=np.uint8).sum(axis=1)
    return (run == run.max(axis=1, keepdims=True)).astype(float)


def plain_knora_u(region):
    """Number of neighbors that a member is right about."""
    return is_right(region).sum(axis=1, dtype=int).astype(float)


def plain_des_knn(region):
    """Most accurate, then most diverse by double fault."""
    right = is_right(region)
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
    right = is_right(region)
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
