"""Time learners of many labels, and set them beside their peers.

python benchmarks/bench_multilabel.py [part of a name, e.g. forest]
python benchmarks/bench_multilabel.py --peers FOLDER [sets]
python benchmarks/bench_multilabel.py --quality FOLDER [sets]

``--peers`` times fit and predict beside scikit-learn's forest with a target of two
dimensions and, where it is installed, scikit-multilearn-ng. ``--quality`` measures all
learners on held-out rows. Both read sets ``ml-*.csv.gz`` from a folder; their targets
are the columns ``target_*``.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier as TheirTree

from manyminds import ensemble
from manyminds.ensemble import (
    AdaBoostMHClassifier,
    EnsembleOfChainsClassifier,
    MLkNNClassifier,
    MultiLabelForestClassifier,
    RAkELClassifier,
    measure_labels,
)
from manyminds.trees import DecisionTreeClassifier
from timing import run_all

SETS = ("ml-emotions", "ml-scene", "ml-yeast", "ml-enron")
SHOWN = ("hamming_loss", "subset_accuracy", "f1", "micro_f1", "macro_f1", "macro_auc",
         "ranking_loss", "average_precision")  # fmt: skip


def many_labels(seed=0):
    """2,000 rows, 40 columns, 30 labels, of which a row has three."""
    X, Y = make_multilabel_classification(
        2000, 40, n_classes=30, n_labels=3, random_state=seed
    )
    return X + 0.1 * np.random.default_rng(seed).normal(size=X.shape), Y


def bench_forest_fit(benchmark):
    benchmark(MultiLabelForestClassifier(random_state=0).fit, *many_labels())


def bench_forest_predict(benchmark):
    X, Y = many_labels()
    model = MultiLabelForestClassifier(random_state=0).fit(X, Y)
    benchmark(model.predict, X)


def bench_chains_fit(benchmark):
    benchmark(EnsembleOfChainsClassifier(random_state=0).fit, *many_labels())


def bench_rakel_fit(benchmark):
    benchmark(RAkELClassifier(random_state=0).fit, *many_labels())


def bench_ml_knn_fit(benchmark):
    benchmark(MLkNNClassifier().fit, *many_labels())


def bench_adaboost_mh_fit(benchmark):
    benchmark(AdaBoostMHClassifier().fit, *many_labels())


# ---------------------------------------------------------------- peers


def read_set(folder, name):
    """Return features as numbers and labels of a stored set."""
    frame = pd.read_csv(
        Path(folder) / f"{name}.csv.gz", keep_default_na=False, na_values=[""]
    )
    targets = [c for c in frame.columns if c.startswith("target_")]
    X = frame.drop(columns=targets)
    X = X.apply(lambda c: c if c.dtype.kind in "fiu" else pd.factorize(c)[0])
    return X.to_numpy(float), frame[targets].to_numpy(int)


def list_pairs(n_labels):
    """Yield (name, ours, theirs); theirs as functions that fit and predict."""
    yield (
        "forest",
        MultiLabelForestClassifier(50, random_state=0),
        TheirForest(50, random_state=0),
    )
    try:
        from skmultilearn.adapt import MLkNN
        from skmultilearn.ensemble import RakelO
    except ImportError:
        return
    yield "ML-kNN", MLkNNClassifier(), MLkNN(k=10)
    tree = DecisionTreeClassifier()
    rakel = RakelO(
        base_classifier=TheirTree(random_state=0),
        base_classifier_require_dense=[True, True],
        labelset_size=3,
        model_count=2 * n_labels,
    )
    yield "RAkEL", RAkELClassifier(tree, random_state=0), rakel
    chains = EnsembleOfChainsClassifier(tree, voting="hard", random_state=0)
    yield "ECC", chains, TheirChains()


class TheirChains:
    """Ten chains of scikit-multilearn-ng on 67% of the rows each, which vote."""

    def fit(self, X, Y):
        """Fit ten chains of random orders."""
        from skmultilearn.problem_transform import ClassifierChain

        rng = np.random.default_rng(0)
        self.chains = []
        for _ in range(10):
            rows = rng.permutation(len(X))[: round(0.67 * len(X))]
            order = rng.permutation(Y.shape[1]).tolist()
            chain = ClassifierChain(
                classifier=TheirTree(), require_dense=[True, True], order=order
            )
            self.chains.append(chain.fit(X[rows], Y[rows]))
        return self

    def predict(self, X):
        """Return the majority of the chains."""
        votes = sum(chain.predict(X).toarray() for chain in self.chains)
        return (votes > 5).astype(int)


def time_call(function, *arguments, repeats=3):
    """Return the best time of some calls, and the last result."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        result = function(*arguments)
        best = min(best, time.perf_counter() - start)
    return best, result


def compare_with_peers(folder, sets):
    """Print the times of both, and theirs divided by ours."""
    print("| set | method | fit ours | fit theirs | x | predict ours | theirs | x |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sets:
        X, Y = read_set(folder, name)
        is_train = np.arange(len(X)) % 3 > 0
        train, test = (X[is_train], Y[is_train]), X[~is_train]
        for method, ours, theirs in list_pairs(Y.shape[1]):
            ours.fit(*train).predict(test)  # compile
            fits = [time_call(model.fit, *train) for model in (ours, theirs)]
            asks = [time_call(model.predict, test) for model in (ours, theirs)]
            cells = [
                f"{a[0]:.3f} s | {b[0]:.3f} s | {b[0] / a[0]:.1f}"
                for a, b in (fits, asks)
            ]
            print(f"| {name} | {method} | {' | '.join(cells)} |", flush=True)


# ---------------------------------------------------------------- quality


def list_learners():
    """Return all learners of many labels, as they are by default."""
    forest = ensemble.RandomForestClassifier(100)
    return {
        "binary relevance": ensemble.BinaryRelevanceClassifier(),
        "label powerset": ensemble.LabelPowersetClassifier(),
        "classifier chain": ensemble.ClassifierChain(),
        "pruned sets": ensemble.PrunedSetsClassifier(),
        "EBR": ensemble.BaggedRelevanceClassifier(),
        "ECC": EnsembleOfChainsClassifier(),
        "ECC of forests": EnsembleOfChainsClassifier(forest),
        "EPS": ensemble.EnsembleOfPrunedSetsClassifier(),
        "RAkEL": RAkELClassifier(),
        "RAkEL of forests": RAkELClassifier(forest),
        "disjoint RAkEL": ensemble.DisjointRAkELClassifier(),
        "label ranking": ensemble.CalibratedLabelRankingClassifier(),
        "HOMER": ensemble.HOMERClassifier(),
        "ML-kNN": make_pipeline(StandardScaler(), MLkNNClassifier()),
        "AdaBoost.MH": AdaBoostMHClassifier(200),
        "forest": MultiLabelForestClassifier(),
        "forest, threshold": ensemble.LabelThresholdClassifier(),
    }


def measure_quality(folder, sets):
    """Print the measures of all learners on every third row, and those of no model."""
    for name in sets:
        X, Y = read_set(folder, name)
        is_train = np.arange(len(X)) % 3 > 0
        print(
            f"\n### {name}: {len(X)} rows, {X.shape[1]} columns, {Y.shape[1]} labels\n"
        )
        print("| learner | seconds | " + " | ".join(SHOWN) + " |")
        print("|" + "---|" * (len(SHOWN) + 2))
        shares = np.tile(Y[is_train].mean(axis=0), (np.sum(~is_train), 1))
        chance = measure_labels(Y[~is_train], (shares > 0.5).astype(int), shares)
        rows = {"the same for all rows": (0.0, chance)}
        for learner, model in list_learners().items():
            if "random_state" in model.get_params():
                model.set_params(random_state=0)
            start = time.perf_counter()
            model.fit(X[is_train], Y[is_train])
            labels = model.predict(X[~is_train])
            seconds = time.perf_counter() - start
            scores = model.predict_proba(X[~is_train])
            rows[learner] = seconds, measure_labels(Y[~is_train], labels, scores)
        for learner, (seconds, measures) in rows.items():
            cells = " | ".join(f"{measures[m]:.3f}" for m in SHOWN)
            print(f"| {learner} | {seconds:.2f} | {cells} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peers"]:
        compare_with_peers(sys.argv[2], sys.argv[3:] or SETS)
    elif sys.argv[1:2] == ["--quality"]:
        measure_quality(sys.argv[2], sys.argv[3:] or SETS)
    else:
        run_all(dict(globals()))
