"""Many classes and many labels: codes, pairs, nets and labels, in one report.

python benchmarks/codes_and_labels.py [codes predict pairs nets labels] [--out FILE]
python benchmarks/codes_and_labels.py codes --classes 10 100

codes    minimal codes against one-vs-one and one-vs-all, fit, predict and accuracy:
         Gaussian classes in 16 dimensions, fewer rows of each the more classes there
         are, SVC(C=10) for each column. One-vs-one has 499,500 columns at 1,000
         classes; only libsvm's own, inside of SVC, is run there.
predict  time of a prediction by ridge classifiers, each of which costs the same
pairs    decision graphs and votes beside scikit-learn's one-vs-one
nets     Levenberg-Marquardt beside scipy.optimize.least_squares with the exact
         Jacobian, from the same start: with as many evaluations as ours has steps,
         and with as many as it needs to reach the loss of ours. "lm" is MINPACK's.
labels   the calls of bench_multilabel.py: many labels

Calls take turns where two are compared, so that both meet the same machine.
"""

import argparse
import contextlib
import io
import time
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares
from sklearn.datasets import make_blobs, make_classification
from sklearn.linear_model import RidgeClassifier
from sklearn.multiclass import OneVsOneClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import bench_multilabel
from machine import describe_machine, markdown_table
from manyminds.ensemble import (
    DecisionDAGClassifier,
    ECOCClassifier,
    MaxWinsClassifier,
    MinimalECOCClassifier,
)
from manyminds.learners import TIPCACClassifier
from manyminds.learners.lm_net import _draw_start, train_nets
from timing import run_all

N_PER_CLASS = {10: 100, 100: 15, 1000: 3}
MAX_PAIRS = 100  # classes up to which one-vs-one has a learner of ours for each pair
N_STEPS = 8
EVALUATIONS = (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512)
NETS = ((10, 4), (30, 4), (20, 16), (120, 16))  # inputs, hidden units
PACKAGES = ("manyminds", "scikit-learn", "scipy", "numpy", "numba")


def clock(function, *arguments, n_turns=1):
    """Return the least seconds of some calls, and the last result."""
    best = np.inf
    for _ in range(n_turns):
        start = time.perf_counter()
        result = function(*arguments)
        best = min(best, time.perf_counter() - start)
    return best, result


# -------------------------------------------------------------------------- codes


def draw_classes(n_classes, n_test=1000):
    """Draw rows of many classes that overlap, and rows to predict."""
    n_train = n_classes * N_PER_CLASS[n_classes]
    X, y = make_blobs(
        2 * n_train + n_test, 16, centers=n_classes, cluster_std=5.0, random_state=0
    )
    order = np.argsort(np.arange(len(y)) % 2, kind="stable")
    X, y = X[order] / X.std(), y[order]
    return X[:n_train], y[:n_train], X[-n_test:], y[-n_test:]


def list_codes(n_classes):
    """Codes, from the longest to the shortest."""
    base, options = SVC(C=10.0), {"cv": None, "random_state": 0}
    codes = {
        "one-vs-one": "one_vs_one",
        "one-vs-all": "one_vs_all",
        "dense random": "dense",
        "binary minimal": "binary",
    }
    models = {
        name: ECOCClassifier(base, code=code, **options) for name, code in codes.items()
    }
    models["searched minimal"] = MinimalECOCClassifier(
        base,
        search="ga",
        search_estimator=GaussianNB(),
        population_size=16,
        n_generations=8,
        n_islands=2,
        **options,
    )
    models["libsvm, one-vs-one"] = base
    if n_classes > MAX_PAIRS:
        del models["one-vs-one"], models["dense random"]
    return models


def bench_codes(options):
    """Fit, predict and accuracy of codes, from ten classes to a thousand."""
    for n_classes in options.classes:
        X, y, X_new, y_new = draw_classes(n_classes)
        for name, model in list_codes(n_classes).items():
            fitting, _ = clock(model.fit, X, y)
            predicting, guess = clock(model.predict, X_new, n_turns=3)
            n_columns = n_classes * (n_classes - 1) // 2
            if hasattr(model, "code_"):
                n_columns = model.code_.shape[1]
            yield (
                f"{n_classes:,}",
                name,
                f"{n_columns:,}",
                f"{fitting:.2f}",
                f"{1e6 * predicting / len(X_new):,.0f}",
                f"{np.mean(guess == y_new):.3f}",
            )


def bench_predict(options):
    """Time of a prediction if all learners cost the same."""
    for n_classes in options.classes:
        X, y, X_new, _ = draw_classes(n_classes, n_test=5000)
        for code in ("one_vs_all", "dense", "binary"):
            model = ECOCClassifier(RidgeClassifier(), code=code, cv=None).fit(X, y)
            best, _ = clock(model.predict, X_new, n_turns=5)
            microseconds = 1e6 * best / len(X_new)
            n_columns = model.code_.shape[1]
            yield f"{n_classes:,}", code, f"{n_columns:,}", f"{microseconds:.2f}"


# -------------------------------------------------------------------------- pairs


def draw_pairs(n_samples, n_classes):
    """Draw twenty columns, of which 15 inform, and as many rows to predict."""
    X, y = make_classification(
        2 * n_samples, 20, n_informative=15, n_classes=n_classes,
        n_clusters_per_class=1, flip_y=0.0, random_state=0,
    )  # fmt: skip
    return X[::2], y[::2], X[1::2], y[1::2]


def bench_pairs(options):
    """Fit and predict of decision graphs, the better of two turns."""
    for n_classes in (10, 50):
        X, y, X_new, y_new = draw_pairs(2_000, n_classes)
        for base in (SVC(), TIPCACClassifier()):
            models = (
                OneVsOneClassifier(base),
                MaxWinsClassifier(base),
                DecisionDAGClassifier(base),
            )
            best = np.full((len(models), 2), np.inf)
            for _ in range(2):
                for k, model in enumerate(models):
                    fitting, _ = clock(model.fit, X, y)
                    predicting, _ = clock(model.predict, X_new)
                    best[k] = np.minimum(best[k], (fitting, predicting))
            for model, (fitting, predicting) in zip(models, best):
                yield (
                    str(n_classes),
                    type(base).__name__,
                    type(model).__name__,
                    f"{fitting:.2f}",
                    f"{predicting:.2f}",
                    f"{np.mean(model.predict(X_new) == y_new):.3f}",
                )


# -------------------------------------------------------------------------- nets


class ScipyNet:
    """One net, trained by SciPy with its exact Jacobian."""

    def __init__(self, X, target, n_hidden, seed):
        self.X = np.column_stack([X, np.ones(len(X))])
        self.target, self.n_hidden = target, n_hidden
        self.n_weights = self.X.shape[1] * n_hidden
        self.start = _draw_start(seed, self.X.shape[1], n_hidden)

    def run(self, parameters):
        weights = parameters[: self.n_weights].reshape(-1, self.n_hidden)
        hidden = np.tanh(self.X @ weights)
        out = hidden @ parameters[self.n_weights : -1] + parameters[-1]
        return hidden, 1.0 / (1.0 + np.exp(-out))

    def errors(self, parameters):
        return self.run(parameters)[1] - self.target

    def jacobian(self, parameters):
        hidden, out = self.run(parameters)
        slope = (out * (1.0 - out))[:, None]
        inner = slope * parameters[self.n_weights : -1] * (1.0 - hidden**2)
        by_inputs = (self.X[:, :, None] * inner[:, None, :]).reshape(len(self.X), -1)
        return np.hstack([by_inputs, slope * hidden, slope])

    def fit(self, n_evaluations):
        """Return the sum of squared errors."""
        method = "lm" if len(self.X) >= len(self.start) else "trf"
        found = least_squares(
            self.errors, self.start, self.jacobian, method=method,
            max_nfev=n_evaluations,
        )  # fmt: skip
        return 2.0 * found.cost

    def fit_down_to(self, loss):
        """Return the time of the first number of evaluations that reaches a loss."""
        for n_evaluations in EVALUATIONS:
            seconds, found = clock(self.fit, n_evaluations)
            if found <= 1.01 * loss:
                return seconds
        return np.nan


def train_ours(X, targets, n_hidden):
    """Train a net for each column; return the sums of squared errors."""
    seeds = np.arange(targets.shape[1])
    nets = train_nets(X, targets, n_hidden=n_hidden, max_iter=N_STEPS, seeds=seeds)
    return ((nets.outputs(X) - targets) ** 2).sum(axis=0)


def bench_nets(options):
    """Milliseconds per column of 400 rows, ours and SciPy's."""
    rng = np.random.default_rng(0)
    for n_inputs, n_hidden in NETS:
        n_columns = 10 if n_inputs * n_hidden < 200 else 1
        X = rng.normal(size=(400, n_inputs))
        noise = rng.normal(size=(400, n_columns))
        targets = X @ rng.normal(size=(n_inputs, n_columns)) + noise > 0
        targets = targets.astype(float)
        losses = train_ours(X, targets, n_hidden)  # compiles
        theirs = [ScipyNet(X, t, n_hidden, k) for k, t in enumerate(targets.T)]
        is_large = n_inputs * n_hidden > 1000
        ours = equal = np.inf
        for _ in range(1 if is_large else 3):
            ours = min(ours, clock(train_ours, X, targets, n_hidden)[0] / n_columns)
            turn = [clock(net.fit, N_STEPS)[0] for net in theirs]
            equal = min(equal, np.mean(turn))
        reached = np.nan
        if not is_large:
            spent = [net.fit_down_to(loss) for net, loss in zip(theirs, losses)]
            reached = float(np.median(spent))
        yield (
            str(n_inputs),
            str(n_hidden),
            f"{n_hidden * (n_inputs + 2) + 1:,}",
            f"{1e3 * ours:.2f}",
            f"{1e3 * equal:,.1f}",
            f"{equal / ours:.1f}",
            "not run" if is_large else f"{1e3 * reached:,.1f}",
            "" if is_large else f"{reached / ours:.1f}",
        )


# -------------------------------------------------------------------------- labels


def bench_labels(options):
    """Calls of learners of many labels, as bench_multilabel.py times them."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run_all(vars(bench_multilabel), chosen="")
    for line in printed.getvalue().splitlines():
        name, milliseconds = line.split(maxsplit=1)
        yield name.removeprefix("bench_").replace("_", " "), milliseconds


# -------------------------------------------------------------------------- report

PARTS = {
    "codes": (
        bench_codes,
        ("classes", "code", "columns", "fit s", "predict µs/row", "accuracy"),
    ),
    "predict": (bench_predict, ("classes", "code", "columns", "predict µs/row")),
    "pairs": (
        bench_pairs,
        ("classes", "members", "combined by", "fit s", "predict s", "accuracy"),
    ),
    "nets": (
        bench_nets,
        (
            *("inputs", "hidden", "weights", "ours ms", "SciPy ms, 8 evaluations"),
            *("ratio", "SciPy ms, equal loss", "ratio"),
        ),
    ),
    "labels": (bench_labels, ("call", "milliseconds")),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help=f"any of {', '.join(PARTS)}")
    parser.add_argument("--classes", nargs="*", type=int, default=list(N_PER_CLASS))
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part is called {sorted(unknown)[0]}; known: {list(PARTS)}")
    sections = ["# Many classes and many labels", describe_machine(PACKAGES)]
    for part in options.parts or PARTS:
        function, header = PARTS[part]
        rows = []
        for row in function(options):
            print(*row, sep="  ", flush=True)
            rows.append(row)
        sections.append(f"## {function.__doc__}\n\n{markdown_table(header, rows)}")
        if options.out is not None:  # a run that is stopped keeps what it has
            options.out.write_text("\n\n".join(sections) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
