"""Time contributions of forests beside shap's compiled TreeExplainer.

python benchmarks/bench_contributions.py [part of a name, e.g. ratio]

Both explain the same trees, ours, on one thread. The goal: faster than shap on trees of
any depth. On full trees shap gets a tenth of the rows, for it takes minutes for all.
"""

import statistics
import time

import numpy as np
from sklearn.datasets import make_classification

from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor
from timing import run_all

ONE_THREAD = {"n_estimators": 100, "n_jobs": 1, "random_state": 0}
N_ROWS, N_TURNS = 1000, 3


def table():
    """Return 5,000 rows, 20 columns, 2 classes."""
    return make_classification(5000, 20, n_informative=10, flip_y=0.1, random_state=0)


def classifier(**limits):
    """Return the rows to explain, and a forest that classifies them."""
    X, y = table()
    return X[:N_ROWS], RandomForestClassifier(**ONE_THREAD, **limits).fit(X, y)


def regressor(**limits):
    """Return the rows to explain, and a forest that predicts a number for them."""
    X, y = table()
    y = y + X[:, 0] * X[:, 1]
    return X[:N_ROWS], RandomForestRegressor(**ONE_THREAD, **limits).fit(X, y)


def bench_classifier_depth_6(benchmark):
    X, forest = classifier(max_depth=6)
    benchmark(forest.predict_contributions, X)


def bench_classifier_full_depth(benchmark):
    X, forest = classifier()
    benchmark(forest.predict_contributions, X)


def bench_regressor_depth_6(benchmark):
    X, forest = regressor(max_depth=6)
    benchmark(forest.predict_contributions, X)


def bench_regressor_full_depth(benchmark):
    X, forest = regressor()
    benchmark(forest.predict_contributions, X)


def bench_ratio_classifier_depth_6(benchmark):
    _print_ratio(*classifier(max_depth=6), N_ROWS)


def bench_ratio_classifier_full_depth(benchmark):
    _print_ratio(*classifier(), N_ROWS // 10)


def bench_ratio_regressor_depth_6(benchmark):
    _print_ratio(*regressor(max_depth=6), N_ROWS)


def bench_ratio_regressor_full_depth(benchmark):
    _print_ratio(*regressor(), N_ROWS // 10)


def _print_ratio(X, forest, n_peer_rows):
    """Print the time of shap for a row by ours, taking turns."""
    explainer = _make_explainer(forest)
    ours = forest.predict_contributions(X)[:n_peer_rows, :-1]  # compiles
    ratios = []
    for _ in range(N_TURNS):
        mine, _ = _spend(forest.predict_contributions, X)
        peer, theirs = _spend(explainer.shap_values, X[:n_peer_rows])
        ratios.append(peer / n_peer_rows / (mine / N_ROWS))
    error = np.abs(theirs.reshape(ours.shape) - ours).max()
    print(
        f"{statistics.median(ratios):12.1f} times faster than shap, median of "
        f"{N_TURNS} (lowest {min(ratios):.1f}); largest difference {error:.1g}"
    )


def _make_explainer(forest):
    """Return shap's explainer of our trees."""
    import shap

    trees, n_trees = forest.trees_, forest.trees_.n_trees
    tables = [
        {
            "children_left": tree.left,
            "children_right": tree.right,
            "children_default": tree.right,
            "features": tree.feature,
            "thresholds": np.nan_to_num(tree.threshold),
            "values": tree.value / n_trees,
            "node_sample_weight": tree.weight,
        }
        for tree in map(trees.tree, range(n_trees))
    ]
    return shap.TreeExplainer(
        {"trees": tables, "internal_dtype": np.float64, "input_dtype": np.float64},
        feature_perturbation="tree_path_dependent",
    )


def _spend(call, *args):
    """Return the processor time of a call, and what it returns."""
    start = time.process_time()
    result = call(*args)
    return time.process_time() - start, result


if __name__ == "__main__":
    run_all(dict(globals()))
