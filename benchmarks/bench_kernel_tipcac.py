"""Time the algebra of kernel TIPCAC beside the printed formula, and its landmarks.

python benchmarks/bench_kernel_tipcac.py [kernel | landmarks]

Calls take turns, so that both meet the same machine, and the better of two counts.
"""

import sys
import time

import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics.pairwise import rbf_kernel

from manyminds.learners import KernelTIPCACClassifier

N_TURNS = 2


def table(n_samples, n_classes, seed=0):
    """Twenty columns, of which 15 inform."""
    return make_classification(
        n_samples,
        20,
        n_informative=15,
        n_classes=n_classes,
        n_clusters_per_class=1,
        flip_y=0.0,
        random_state=seed,
    )


def take_turns(calls):
    """Return the best seconds of each call (function, arguments), and the answers."""
    best, answers = dict.fromkeys(calls, np.inf), {}
    for _ in range(N_TURNS):
        for name, (function, *arguments) in calls.items():
            start = time.perf_counter()
            answers[name] = function(*arguments)
            best[name] = min(best[name], time.perf_counter() - start)
    return best, answers


def project_densely(X, y, width, variance):
    """Solve by the printed formula: all eigenvectors of the whole matrix."""
    K = rbf_kernel(X, gamma=1.0 / width)
    H = np.eye(len(K)) - 1.0 / len(K)
    K = H @ K @ H
    values, A = np.linalg.eigh(K)
    values, A = np.maximum(values[::-1], 0.0), A[:, ::-1]
    d = 1 + np.argmax(np.cumsum(values) >= variance * values.sum())
    spectrum = np.append(values[:d], np.full(len(K) - d, values[d - 1]))
    n_a, n_b = np.sum(y == 0), np.sum(y == 1)
    n = np.where(y == 0, 1 / n_a, -1 / n_b)
    return K @ (np.sqrt(n_a * n_b) * A @ np.diag(1 / spectrum) @ A.T @ n)


def time_kernel():
    print("Kernel TIPCAC, exact, beside the printed formula with all eigenvectors:")
    for n_samples in (500, 1_500):
        X, y = table(n_samples, 2)
        for factor in (1.0, 8.0):
            model = KernelTIPCACClassifier(width_factor=factor).fit(X, y)
            calls = {
                "dense": (project_densely, X, y, model.width_, 0.955),
                "ours": (model.fit, X, y),
            }
            best, answers = take_turns(calls)
            gap = np.abs(answers["dense"] - model.project(X)).max()
            print(
                f"  {n_samples:,} rows, width factor {factor:g}: "
                f"{len(model.eigenvalues_)} eigenvalues inverted; dense "
                f"{best['dense']:.3f} s, ours {best['ours']:.3f} s; largest "
                f"difference {gap:.0e}"
            )


def time_landmarks(n_samples=4_000):
    X, y = table(2 * n_samples, 2)
    X, y, X_new, y_new = X[::2], y[::2], X[1::2], y[1::2]
    for factor in (1.0, 8.0):
        print(f"Landmarks or all of {n_samples:,} rows, width factor {factor:g}:")
        models = {None: KernelTIPCACClassifier(width_factor=factor)}
        for n_landmarks in (100, 300, 1_000):
            models[n_landmarks] = KernelTIPCACClassifier(
                width_factor=factor, n_landmarks=n_landmarks, random_state=0
            )
        for n_landmarks, model in models.items():
            start = time.perf_counter()
            model.fit(X, y)
            seconds = time.perf_counter() - start
            projections, exact = model.project(X_new), models[None].project(X_new)
            print(
                f"  {n_landmarks or 'all':>5} landmarks: {seconds:6.2f} s, error "
                f"{model.approximation_error_:.3f}, correlation of projections "
                f"{np.corrcoef(projections, exact)[0, 1]:.3f}, accuracy "
                f"{model.score(X_new, y_new):.3f}"
            )


PARTS = {"kernel": time_kernel, "landmarks": time_landmarks}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
