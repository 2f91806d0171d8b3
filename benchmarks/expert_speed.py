"""Time experts: one batch against a loop of nets, prototypes against trained gates.

    python benchmarks/expert_speed.py [--out FILE.md] [--repeats 3] [--quick]

All figures are those of one process and one thread, the best of several alternating
runs. The loop fits one ``MLPClassifier`` for each expert with the same weights of the
samples, the same layers and the same number of passes. It is timed by plain stochastic
gradient descent with the batch sizes in the table, and at its strongest: Adam with its
default batches. Equal passes are not equal models: the last table has the accuracy on
other rows by time.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

from machine import describe_machine, markdown_table
from manyminds.ensemble import HMEClassifier, HMRPEClassifier, MRPEClassifier
from manyminds.ensemble.experts.prototypes import dynamic_weights, measure_distances
from pruning_speed import best_of

N_HIDDEN, N_EXPERTS = 10, 8
BATCHES = (1, 10, 50, 200)


def main():
    """Measure and print, or write a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    n_rows = 300 if options.quick else 1_500
    X, y = make_classification(
        2 * n_rows, 16, n_informative=12, n_redundant=0, n_classes=6,
        n_clusters_per_class=2, class_sep=1.5, random_state=0,
    )  # fmt: skip
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    with threadpool_limits(1):
        page = "\n\n".join(
            [
                describe_machine(["numpy", "scikit-learn", "manyminds"]),
                report_passes(X[:n_rows], y[:n_rows], options.repeats),
                report_time_to_accuracy(X, y, n_rows),
                report_gates(X[:n_rows], y[:n_rows], options.repeats),
            ]
        )
    print(page)
    if options.out is not None:
        options.out.write_text(page + "\n")


def fit_loop(X, y, share, n_passes, **options):
    """Fit one of scikit-learn's nets for each expert."""
    nets = []
    for e in range(share.shape[1]):
        net = MLPClassifier(
            (N_HIDDEN,), max_iter=n_passes, n_iter_no_change=n_passes, random_state=e,
            **options,
        )  # fmt: skip
        nets.append(net.fit(X, y, sample_weight=share[:, e]))
    return nets


def make_batch(n_passes, batch_size=1, **options):
    """Return a mixture that takes a fixed number of passes."""
    return MRPEClassifier(
        N_EXPERTS, n_hidden=N_HIDDEN, max_iter=n_passes, early_stopping=False,
        scale=None, batch_size=batch_size, random_state=0, **options,
    )  # fmt: skip


def report_passes(X, y, repeats):
    """Compare the times of equal passes by equal batches."""
    prototypes = make_batch(1).fit(X, y).prototypes_[0]
    share = dynamic_weights(measure_distances(X, prototypes))
    rows = []
    for size in BATCHES:
        n_passes = 1 if size == 1 else 5
        ours = make_batch(n_passes, size, prototypes=prototypes)
        plain = {
            "solver": "sgd", "activation": "logistic", "momentum": 0.0, "alpha": 0.0,
            "learning_rate_init": 0.1, "batch_size": size,
        }  # fmt: skip
        fast, slow = best_of(
            repeats if size > 1 else 1,
            lambda ours=ours: ours.fit(X, y),
            lambda plain=plain, n=n_passes: fit_loop(X, y, share, n, **plain),
        )
        rows.append(
            [size, f"{1e3 * fast / n_passes:.1f} ms", f"{1e3 * slow / n_passes:.1f} ms",
             f"{slow / fast:.1f}"]
        )  # fmt: skip
    head = ["batch size", "one batch of nets", "loop of MLPs, SGD", "times as fast"]
    title = (
        f"One pass over {len(X)} rows of {X.shape[1]} columns, {N_EXPERTS} experts "
        f"with {N_HIDDEN} hidden units\n\n"
    )
    return title + markdown_table(head, rows)


def report_time_to_accuracy(X, y, n_rows):
    """Compare accuracies on other rows after several times of training."""
    X_new, y_new = X[n_rows:], y[n_rows:]
    X, y = X[:n_rows], y[:n_rows]
    rows = []
    for loss, rate, n_passes in (
        ("squared", 0.3, 20),
        ("squared", 0.3, 80),
        ("squared", 0.3, 320),
        ("cross_entropy", 0.03, 80),
        ("cross_entropy", 0.03, 320),
    ):
        model = make_batch(n_passes, learning_rate=rate, loss=loss)
        begun = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - begun
        accuracy = model.score(X_new, y_new)
        name = f"batch of nets, {loss}"
        rows.append([name, n_passes, f"{seconds:.2f} s", f"{accuracy:.3f}"])
    prototypes = model.prototypes_[0]
    share, new_share = (
        dynamic_weights(measure_distances(rows_, prototypes)) for rows_ in (X, X_new)
    )
    for n_passes in (20, 80, 300):
        begun = time.perf_counter()
        nets = fit_loop(X, y, share, n_passes, learning_rate_init=0.01)
        seconds = time.perf_counter() - begun
        p = sum(
            new_share[:, [e]] * net.predict_proba(X_new) for e, net in enumerate(nets)
        )
        accuracy = np.mean(nets[0].classes_[p.argmax(axis=1)] == y_new)
        rows.append(
            ["loop of MLPs, Adam", n_passes, f"{seconds:.2f} s", f"{accuracy:.3f}"]
        )
    head = ["experts", "passes", "time", "accuracy"]
    return "Accuracy by time, each at its usual batches\n\n" + markdown_table(
        head, rows
    )


def report_gates(X, y, repeats):
    """Compare a pass of prototypes with one of trained gates."""
    shared = {
        "n_hidden": N_HIDDEN, "max_iter": 20, "early_stopping": False, "scale": None,
        "random_state": 0,
    }  # fmt: skip
    rows = []
    for n_experts in (2, 4, 8):
        models = [
            HMRPEClassifier(n_experts, **shared),
            HMEClassifier(n_experts, **shared),
        ]
        ours, gated = best_of(
            repeats, *(lambda one=one: one.fit(X, y) for one in models)
        )
        rows.append(
            [n_experts, f"{50 * ours:.1f} ms", f"{50 * gated:.1f} ms",
             f"{ours / gated:.2f}"]
        )  # fmt: skip
    head = ["experts of a module", "HMRPE", "HME", "ratio"]
    title = "One pass of two modules, with and without trained gates of modules\n\n"
    return title + markdown_table(head, rows)


if __name__ == "__main__":
    main()
