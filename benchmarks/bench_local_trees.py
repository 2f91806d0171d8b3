"""Time forests of local trees beside the same algorithm over scikit-learn's trees.

python benchmarks/bench_local_trees.py [part of a name, e.g. fit]
"""

import numpy as np
from joblib import Parallel, delayed
from scipy.spatial.distance import cdist
from sklearn.datasets import make_classification
from sklearn.preprocessing import MinMaxScaler
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import ForestOfLocalTreesClassifier
from timing import run_all


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


def bench_fit(benchmark):
    X, y, _, _ = draw_rows()
    benchmark(ForestOfLocalTreesClassifier(n_jobs=2, random_state=0).fit, X, y)


def bench_fit_over_scikit_learn_s_trees(benchmark):
    X, y, _, _ = draw_rows()
    benchmark(LocalTreesOverSklearn().fit, X, y)


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
