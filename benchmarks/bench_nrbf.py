"""Time a normalized radial basis function network beside a plain version of it.

python benchmarks/bench_nrbf.py [number of rows]

The plain version takes scikit-learn's kernel matrix of all rows and new rows at once.
To choose among 20 widths by leaving rows out, it computes the matrix 20 times, with a
hole on its diagonal. Calls take turns, so that both meet the same machine.
"""

import sys
import time

import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import rbf_kernel

from manyminds.learners import NRBFClassifier


def table(n_samples, n_features=15):
    """Columns of numbers, with two classes."""
    return make_classification(n_samples, n_features, n_informative=8, random_state=0)


def predict_plainly(X, y, width, X_new):
    kernel = rbf_kernel(X_new, X, gamma=1.0 / width)
    return kernel @ np.eye(2)[y] / kernel.sum(axis=1, keepdims=True)


def choose_plainly(X, y, widths):
    errors, targets = [], np.eye(2)[y]
    for width in widths:
        kernel = rbf_kernel(X, gamma=1.0 / width)
        np.fill_diagonal(kernel, 0.0)
        total = kernel.sum(axis=1, keepdims=True) + 1e-300
        errors.append(((kernel @ targets / total - targets) ** 2).sum())
    return widths[np.argmin(errors)]


def time_call(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main(n_samples):
    X, y = table(2 * n_samples)
    X, X_new, y = X[:n_samples], X[n_samples:], y[:n_samples]
    model = NRBFClassifier().fit(X, y)
    calls = {
        "choose, plain": lambda: choose_plainly(X, y, model.widths_),
        "choose, ours": lambda: NRBFClassifier().fit(X, y),
        "predict, plain": lambda: predict_plainly(X, y, model.width_, X_new),
        "predict, ours": lambda: model.predict_proba(X_new),
    }
    best = dict.fromkeys(calls, np.inf)
    for _ in range(3):
        for name, call in calls.items():
            best[name] = min(best[name], time_call(call))
    print(f"{n_samples:,} rows of {X.shape[1]} columns, as many to predict:")
    for name, seconds in best.items():
        print(f"  {name:15} {seconds:8.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_600)
