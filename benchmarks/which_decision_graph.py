"""Compare ways to combine pairs of classes on sets with many unequal classes.

python benchmarks/which_decision_graph.py --data DIR [--sets NAME ...]

Five stratified folds; columns of text become indicator columns, missing numbers the
median of their column, and classes with fewer than five rows are left out. Of each set
at most 1,500 rows are drawn. The last set has the labels of ``yeast`` shuffled: a
method that gives up fewer classes there does so without having learned anything.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from manyminds.ensemble import (
    DDAGKTIPCACClassifier,
    DecisionDAGClassifier,
    MaxWinsClassifier,
    PairwiseCouplingClassifier,
)
from manyminds.learners import FisherSubspace, KernelTIPCACClassifier

MAX_ROWS, MIN_COUNT = 1_500, 5
SETS = ("yeast", "abalone", "avila", "arrhythmia", "primary-tumor", "soybean")


def read(folder, name):
    frame = pd.read_csv(folder / f"{name}.csv.gz")
    y, X = frame.iloc[:, -1].astype(str).to_numpy(), frame.iloc[:, :-1]
    numbers = X.select_dtypes("number")
    words = X.select_dtypes(exclude="number").astype(str)
    X = numbers.fillna(numbers.median()).to_numpy(float)
    if words.shape[1] > 0:
        X = np.hstack([X, pd.get_dummies(words).to_numpy(float)])
    rows = np.random.default_rng(0).permutation(len(y))[:MAX_ROWS]
    X, y = X[rows], y[rows]
    kept = pd.Series(y).map(pd.Series(y).value_counts()).to_numpy() >= MIN_COUNT
    return X[kept][:, X[kept].std(axis=0) > 0.0], y[kept]


def draw_unequal():
    """Generate twelve classes of 8 to 500 rows in 30 columns."""
    weights = np.geomspace(1.0, 60.0, 12)
    return make_classification(
        1_500, 30, n_informative=12, n_classes=12, n_clusters_per_class=1,
        weights=weights / weights.sum(), class_sep=1.5, random_state=0,
    )  # fmt: skip


def list_models():
    kernel = KernelTIPCACClassifier()
    return {
        "forest": RandomForestClassifier(50, random_state=0),
        "SVM": make_pipeline(StandardScaler(), SVC(C=10.0)),
        "SVM, balanced": make_pipeline(
            StandardScaler(), SVC(C=10.0, class_weight="balanced")
        ),
        "DDAG, linear": make_pipeline(StandardScaler(), DecisionDAGClassifier()),
        "DDAG K, paper": DDAGKTIPCACClassifier(
            KernelTIPCACClassifier(tail="one", threshold="candidates")
        ),
        "DDAG K": DDAGKTIPCACClassifier(),
        "DDAG K, 0.8": DDAGKTIPCACClassifier(KernelTIPCACClassifier(variance=0.8)),
        "DDAG K, wide": DDAGKTIPCACClassifier(KernelTIPCACClassifier(width_factor=4.0)),
        "DDAG K, means": DDAGKTIPCACClassifier(
            KernelTIPCACClassifier(width_factor=4.0, threshold="class_means")
        ),
        "max wins K": make_pipeline(FisherSubspace(), MaxWinsClassifier(kernel)),
        "coupled K": make_pipeline(
            FisherSubspace(), PairwiseCouplingClassifier(kernel)
        ),
    }


def main(folder, names):
    warnings.simplefilter("ignore")
    sets = {name: read(folder, name) for name in SETS}
    sets["generated"] = draw_unequal()
    X, y = sets["yeast"]
    sets["yeast, shuffled"] = X, np.random.default_rng(0).permutation(y)
    for name, (X, y) in sets.items():
        if names and name not in names:
            continue
        counts = np.unique(y, return_counts=True)[1]
        sizes = f"{len(counts)} classes of {counts.min()} to {counts.max()} rows"
        print(f"{name}: {X.shape}, {sizes}")
        cv = StratifiedKFold(5, shuffle=True, random_state=0)
        for title, model in list_models().items():
            predicted = cross_val_predict(model, X, y, cv=cv)
            f = f1_score(
                y, predicted, average=None, labels=np.unique(y), zero_division=0
            )
            weighted = np.average(f, weights=counts)
            print(
                f"  {title:14} weighted F {weighted:.3f}  mean F {f.mean():.3f}  "
                f"given up {np.sum(f == 0.0)}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="*")
    options = parser.parse_args()
    main(options.data, options.sets)
