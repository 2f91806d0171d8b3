"""Time and score output codes at 10, 100 and 1,000 classes, and nets beside SciPy.

python benchmarks/bench_codes.py [codes|predict|nets] [numbers of classes]

Codes: Gaussian classes in 16 dimensions, fewer rows of each the more classes there are,
a support vector machine for each column. One-vs-one has 499,500 columns at 1,000
classes and is left out there. Predict: time per row of ridge classifiers, each of which
costs the same. Nets: seconds per column of our Levenberg-Marquardt
trainer and of ``scipy.optimize.least_squares``, with the exact Jacobian and with its
default of finite differences, from the same start, with as many evaluations as ours has
steps. Calls take turns.
"""

import sys
import time

import numpy as np
from scipy.optimize import least_squares
from sklearn.datasets import make_blobs
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from manyminds.ensemble import ECOCClassifier, MinimalECOCClassifier
from manyminds.learners.lm_net import _draw_start, train_nets

N_PER_CLASS = {10: 100, 100: 15, 1000: 3}
MAX_PAIRS = 100  # classes up to which one-vs-one is run


def draw_classes(n_classes, n_test=1000):
    """Rows of many classes that overlap, and rows to predict."""
    n_train = n_classes * N_PER_CLASS[n_classes]
    X, y = make_blobs(
        2 * n_train + n_test, 16, centers=n_classes, cluster_std=5.0, random_state=0
    )
    order = np.argsort(np.arange(len(y)) % 2, kind="stable")
    X, y = X[order] / X.std(), y[order]
    return X[:n_train], y[:n_train], X[-n_test:], y[-n_test:]


def list_models(n_classes):
    """Codes, from the longest to the shortest."""
    options = {"decoder": "auto", "cv": None, "random_state": 0}
    base = SVC(C=10.0)
    models = {
        "one-vs-one": ECOCClassifier(base, code="one_vs_one", **options),
        "one-vs-all": ECOCClassifier(base, code="one_vs_all", **options),
        "dense": ECOCClassifier(base, code="dense", **options),
        "searched minimal": MinimalECOCClassifier(
            base,
            search="ga",
            search_estimator=GaussianNB() if n_classes > 100 else None,
            population_size=16,
            n_generations=8,
            n_islands=2,
            **options,
        ),
        "binary minimal": ECOCClassifier(base, code="binary", **options),
    }
    if n_classes > MAX_PAIRS:
        del models["one-vs-one"]
    return models


def clock(function, *arguments):
    """Return the seconds of a call, and its result."""
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def bench_codes(sizes):
    print("classes  code              columns  fit s   predict us/row  accuracy")
    for n_classes in sizes:
        X, y, X_new, y_new = draw_classes(n_classes)
        for name, model in list_models(n_classes).items():
            fitting, _ = clock(model.fit, X, y)
            predicting, guess = min(
                (clock(model.predict, X_new) for _ in range(3)), key=lambda r: r[0]
            )
            n_columns, right = model.code_.shape[1], np.mean(guess == y_new)
            print(
                f"{n_classes:7,}  {name:17} {n_columns:7,}  {fitting:6.2f}  "
                f"{1e6 * predicting / len(X_new):14.1f}  {right:8.3f}",
                flush=True,
            )


def bench_predict(sizes):
    print("classes  code        columns  predict us/row")
    for n_classes in sizes:
        X, y, X_new, _ = draw_classes(n_classes, n_test=5000)
        for code in ("one_vs_all", "dense", "binary"):
            model = ECOCClassifier(RidgeClassifier(), code=code, cv=None)
            model.fit(X, y)
            best = min(clock(model.predict, X_new)[0] for _ in range(5))
            n_columns = model.code_.shape[1]
            time_of_row = 1e6 * best / len(X_new)
            print(f"{n_classes:7,}  {code:10} {n_columns:8,}  {time_of_row:14.2f}")


def fit_by_scipy(X, target, n_hidden, n_steps, seed, is_exact):
    """Train one net by SciPy, with its exact Jacobian or with finite differences."""
    X = np.column_stack([X, np.ones(len(X))])
    n_weights = X.shape[1] * n_hidden

    def run(parameters):
        hidden = np.tanh(X @ parameters[:n_weights].reshape(-1, n_hidden))
        out = hidden @ parameters[n_weights:-1] + parameters[-1]
        return hidden, 1.0 / (1.0 + np.exp(-out))

    def errors(parameters):
        return run(parameters)[1] - target

    def jacobian(parameters):
        hidden, out = run(parameters)
        slope = (out * (1.0 - out))[:, None]
        inner = slope * parameters[n_weights:-1] * (1.0 - hidden**2)
        by_inputs = (X[:, :, None] * inner[:, None, :]).reshape(len(X), -1)
        return np.hstack([by_inputs, slope * hidden, slope])

    start = _draw_start(seed, X.shape[1], n_hidden)
    method = "lm" if len(X) >= len(start) else "trf"
    by = jacobian if is_exact else "2-point"
    return least_squares(errors, start, by, method=method, max_nfev=n_steps)


def fit_all_by_scipy(X, targets, n_hidden, n_steps, is_exact):
    """Train a net for each column of targets, one after the other."""
    for k, target in enumerate(targets.T):
        fit_by_scipy(X, target, n_hidden, n_steps, k, is_exact)


def fit_all_by_ours(X, targets, n_hidden, n_steps):
    """Train a net for each column of targets, all at once."""
    seeds = np.arange(targets.shape[1])
    train_nets(X, targets, n_hidden=n_hidden, max_iter=n_steps, seeds=seeds)


def bench_nets():
    print("rows inputs hidden weights  ours ms/column  scipy exact  default  ratios")
    rng = np.random.default_rng(0)
    for n, m, h in ((400, 10, 4), (400, 30, 4), (400, 20, 16), (400, 120, 16)):
        X = rng.normal(size=(n, m))
        noise = rng.normal(size=(n, 10))
        targets = (X @ rng.normal(size=(m, 10)) + noise > 0).astype(float)
        fit_all_by_ours(X, targets, h, 8)  # compiles
        n_theirs = 10 if h * m < 200 else 1
        few = targets[:, :n_theirs]
        ours = exact = default = np.inf
        for _ in range(3 if h * m < 1000 else 1):
            ours = min(ours, clock(fit_all_by_ours, X, targets, h, 8)[0] / 10)
            spent = clock(fit_all_by_scipy, X, few, h, 8, True)[0]
            exact = min(exact, spent / n_theirs)
            spent = clock(fit_all_by_scipy, X, few, h, 8, False)[0]
            default = min(default, spent / n_theirs)
        print(
            f"{n:4} {m:6} {h:6} {h * (m + 2) + 1:7}  {1e3 * ours:14.2f}  "
            f"{1e3 * exact:11.1f} {1e3 * default:8.1f}  "
            f"{exact / ours:.1f} {default / ours:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else "codes"
    sizes = [int(n) for n in sys.argv[2:]] or list(N_PER_CLASS)
    if part == "nets":
        bench_nets()
    elif part == "predict":
        bench_predict(sizes)
    else:
        bench_codes(sizes)
