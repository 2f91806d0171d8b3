"""Time forests of local trees beside the same algorithm over scikit-learn's trees.

python benchmarks/bench_local_trees.py [part of a name, e.g. fit]
"""

import statistics
import time

import numpy as np
from joblib import Parallel, delayed
from scipy.spatial.distance import cdist
from sklearn.datasets import make_classification
from sklearn.preprocessing import MinMaxScaler
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import ForestOfLocalTreesClassifier
from timing import run_all

GOAL = 4.0  # times as fast as the baseline
N_REPEATS = 3


class LocalTreesOverSklearn:
    """The algorithm in its plainest form, a tree of scikit-learn's per centroid."""

    def __init__(self, n_estimators=10, max_features=0.3, n_jobs=2, random_state=0):
        self.n_estimators, self.max_features = n_estimators, max_features
        self.n_jobs, self.random_state = n_jobs, random_state

    def fit(self, X, y):
        rng = np.random.RandomState(self.random_state)
        self.scaler = MinMaxScaler().fit(X)
        Z = self.scaler.transform(X)
        log_odds, distances = np.zeros(len(Z)), []
        for _ in range(self.n_estimators):
            odds = np.exp(log_odds - log_odds.max())
            row = rng.choice(len(Z), p=odds / odds.sum())
            distances.append(cdist(Z[row : row + 1], Z)[0])
            with np.errstate(divide="ignore"):
                log_odds += np.log(np.log1p(distances[-1]))
        run = Parallel(self.n_jobs, prefer="threads")
        self.trees = run(
            delayed(self._grow)(Z, y, np.exp(-0.5 * distance), seed)
            for seed, distance in enumerate(distances)
        )
        return self

    def _grow(self, Z, y, weights, seed):
        tree = DecisionTreeClassifier(max_features=self.max_features, random_state=seed)
        return tree.fit(Z, y, sample_weight=weights)

    def predict(self, X):
        Z = self.scaler.transform(X)
        mean = sum(tree.predict_proba(Z) for tree in self.trees)
        return self.trees[0].classes_[mean.argmax(axis=1)]


def draw_rows():
    """20,000 rows x 50 columns to train on, 10,000 to test, of three classes."""
    X, y = make_classification(
        30_000, 50, n_informative=20, n_redundant=10, n_classes=3, random_state=0
    )
    return X[:20_000], y[:20_000], X[20_000:], y[20_000:]


def time_call(function, *args):
    """Median time in seconds of some calls, after one to compile."""
    function(*args)
    seconds = []
    for _ in range(N_REPEATS):
        start = time.perf_counter()
        function(*args)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def bench_fit_against_scikit_learn_s_trees(benchmark):
    X, y, X_new, y_new = draw_rows()
    ours = ForestOfLocalTreesClassifier(n_jobs=2, random_state=0)
    theirs = LocalTreesOverSklearn()
    mine, peer = time_call(ours.fit, X, y), time_call(theirs.fit, X, y)
    accuracies = [100 * np.mean(m.predict(X_new) == y_new) for m in (ours, theirs)]
    verdict = "met" if peer >= GOAL * mine else "NOT met"
    print(
        f"\n  ours {mine:.3f} s ({accuracies[0]:.1f} %), over scikit-learn's trees "
        f"{peer:.3f} s ({accuracies[1]:.1f} %): {peer / mine:.1f} times as fast; "
        f"goal of {GOAL:g} {verdict}"
    )


def bench_predict(benchmark):
    X, y, X_new, _ = draw_rows()
    benchmark(
        ForestOfLocalTreesClassifier(n_jobs=2, random_state=0).fit(X, y).predict, X_new
    )


def bench_predict_by_the_most_competent(benchmark):
    X, y, X_new, _ = draw_rows()
    forest = ForestOfLocalTreesClassifier(n_active=3, n_jobs=2, random_state=0)
    benchmark(forest.fit(X, y).predict, X_new)


if __name__ == "__main__":
    run_all(dict(globals()))
