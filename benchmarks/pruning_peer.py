"""Run DESlib's rules of dynamic selection on a stored problem; for pruning_speed.py.

    python benchmarks/pruning_peer.py FOLDER

Needs an environment with DESlib 0.3.7, which runs on scikit-learn before 1.4 only.
FOLDER/problem.npz holds three parts of a data set and the predictions of a pool of
trees for two of them; FOLDER/peer.json gets seconds, and FOLDER/peer.npz predictions.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier

# Members that are equally competent all vote, where there is such an option.
METHODS = {
    "ola": ("OLA", {"selection_method": "all"}),
    "lca": ("LCA", {"selection_method": "all"}),
    "knora-e": ("KNORAE", {}),
    "knora-u": ("KNORAU", {}),
    "des-knn": ("DESKNN", {}),
    "mcb": ("MCB", {"selection_method": "all"}),
    "meta-des": ("METADES", {}),
}


MAX_SECONDS = 3.0  # slower calls are not repeated
MAX_PAIRS = 5_000_000  # rows by pairs of members; more would take DES-kNN minutes


class TableMember(ClassifierMixin, BaseEstimator):
    """A member whose predictions are stored: it knows tables by their length."""

    def __init__(self, by_length):
        self.by_length = by_length
        self.classes_ = np.array([0, 1])

    def fit(self, X, y):
        """Do nothing."""
        return self

    def predict(self, X):
        """Return the stored classes."""
        return self.by_length[len(X)].argmax(axis=1)

    def predict_proba(self, X):
        """Return the stored probabilities."""
        return self.by_length[len(X)]


def make_tables(problem):
    """Return members that only look their predictions up."""
    known, new = problem["values_known"], problem["values_new"]
    return [
        TableMember({len(one): one for one in (known[m], new[m])})
        for m in range(len(known))
    ]


def main(folder):
    """Measure all methods, with stored predictions and with scikit-learn's trees."""
    import deslib
    from deslib import dcs, des

    problem = dict(np.load(folder / "problem.npz"))
    n_near, repeats = int(problem["n_near"]), int(problem["repeats"])
    X_known, y_known, X_new = (problem[k] for k in ("X_known", "y_known", "X_new"))
    tables = make_tables(problem)
    forest = RandomForestClassifier(len(tables), random_state=0)
    forest.fit(problem["X"], problem["y"])
    seconds, predictions = {}, {}
    n_pairs = len(X_new) * len(tables) ** 2
    for method, (rule, options) in METHODS.items():
        if method == "des-knn" and n_pairs > MAX_PAIRS:
            continue
        seconds[method] = {}
        for name, pool in (("tables", tables), ("forest", forest)):
            kind = getattr(dcs if hasattr(dcs, rule) else des, rule)
            model = kind(pool, k=n_near, random_state=0, **options)
            model.fit(X_known, y_known)
            begun = time.perf_counter()
            found = model.predict(X_new)
            first = time.perf_counter() - begun
            more = repeats if first < MAX_SECONDS else 0
            again = [time_call(model.predict, X_new) for _ in range(more)]
            seconds[method][name] = min(again, default=first)
            if name == "tables":
                predictions[method] = found
    versions = f"DESlib {deslib.__version__} on scikit-learn {sklearn.__version__}"
    result = {"versions": versions, "seconds": seconds}
    (folder / "peer.json").write_text(json.dumps(result))
    np.savez(folder / "peer.npz", **predictions)


def time_call(function, *arguments):
    """Return the seconds of one call."""
    begun = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main(Path(sys.argv[1]))
