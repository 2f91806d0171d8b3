"""Fit our forest and scikit-learn's on bundled data; print time and accuracy."""

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.model_selection import StratifiedKFold

from manyminds.ensemble import RandomForestClassifier as OurForest

DATA_SETS: dict[str, Callable[..., Any]] = {
    "breast cancer": load_breast_cancer,
    "digits": load_digits,
}
N_TREES = 200
N_FOLDS = 10
N_JOBS = 2


class Outcome(NamedTuple):
    """What cross-validation found: seconds over all folds, accuracy of each."""

    fit_seconds: float
    predict_seconds: float
    accuracies: np.ndarray


def main() -> None:
    """Warm up, cross-validate both forests on each data set, print the table."""
    print(
        f"Random forests of {N_TREES} trees, {N_JOBS} threads, {N_FOLDS}-fold "
        f"cross-validation,\nours beside that of scikit-learn {sklearn.__version__}.\n"
    )
    print(f"First call, compiling what is not compiled yet: {warm_up():.1f} s\n")
    print("\n".join(table(compare())))
    print(
        "\nSeconds are summed over the folds; accuracy is the mean over the folds "
        "with its\nstandard error. Both forests have their default parameters and "
        "see the same folds."
    )


def warm_up() -> float:
    """Fit and predict once, so that compiling is not timed later; return seconds."""
    X, y = load_breast_cancer(return_X_y=True)
    start = perf_counter()
    OurForest(n_estimators=2, n_jobs=N_JOBS, random_state=0).fit(X, y).predict(X)
    return perf_counter() - start


def compare() -> Iterable[tuple[str, Outcome, Outcome]]:
    """Yield each data set's name, our outcome and scikit-learn's."""
    for name, load in DATA_SETS.items():
        X, y = load(return_X_y=True)
        ours = OurForest(n_estimators=N_TREES, n_jobs=N_JOBS, random_state=0)
        theirs = TheirForest(n_estimators=N_TREES, n_jobs=N_JOBS, random_state=0)
        yield name, cross_validate(ours, X, y), cross_validate(theirs, X, y)


def cross_validate(forest: Any, X: np.ndarray, y: np.ndarray) -> Outcome:
    """Fit and score the forest on each fold, one after the other."""
    fit_seconds = predict_seconds = 0.0
    accuracies = []
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        start = perf_counter()
        forest.fit(X[train], y[train])
        fitted = perf_counter()
        predicted = forest.predict(X[test])
        predict_seconds += perf_counter() - fitted
        fit_seconds += fitted - start
        accuracies.append(np.mean(predicted == y[test]))
    return Outcome(fit_seconds, predict_seconds, np.array(accuracies))


def table(outcomes: Iterable[tuple[str, Outcome, Outcome]]) -> Iterable[str]:
    """Yield the lines of the printed table."""
    yield f"{'data set':15}{'forest':14}{'fit':>9}{'predict':>9}   accuracy"
    for data_set, ours, theirs in outcomes:
        for name, outcome in ("manyminds", ours), ("scikit-learn", theirs):
            error = outcome.accuracies.std(ddof=1) / len(outcome.accuracies) ** 0.5
            yield (
                f"{data_set:15}{name:14}{outcome.fit_seconds:7.2f} s"
                f"{outcome.predict_seconds:7.2f} s"
                f"{100 * outcome.accuracies.mean():8.2f} % ± {100 * error:.2f}"
            )


if __name__ == "__main__":
    main()
