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

import deslib
import numpy as np
import sklearn
from deslib.dcs import LCA, MCB, OLA
from deslib.des import DESKNN, KNORAE, KNORAU, METADES
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier

# Members that are equally competent all vote, where there is such an option.
METHODS = {
    "ola": (OLA, {"selection_method": "all"}),
    "lca": (LCA, {"selection_method": "all"}),
    "knora-e": (KNORAE, {}),
    "knora-u": (KNORAU, {}),
    "des-knn": (DESKNN, {}),
    "mcb": (MCB, {"selection_method": "all"}),
    "meta-des": (METADES, {}),
}


class TableMember(ClassifierMixin, BaseEstimator):
    """A member whose predictions are stored: it knows tables by their length."""

    def __init__(self, by_length, values_by_length):
        self.by_length = by_length
        self.values_by_length = values_by_length
        self.classes_ = np.array([0, 1])

    def predict(self, X):
        """Return the stored classes."""
        return self.by_length[len(X)]

    def predict_proba(self, X):
        """Return the stored probabilities."""
        return self.values_by_length[len(X)]


def main(folder):
    """Measure all methods, with stored predictions and with scikit-learn's trees."""
    problem = np.load(folder / "problem.npz")
    n_near, repeats = int(problem["n_near"]), int(problem["repeats"])
    X_known, y_known, X_new = (problem[k] for k in ("X_known", "y_known", "X_new"))
    known, new = problem["values_known"], problem["values_new"]
    tables = [
        TableMember(
            {len(one): one.argmax(axis=1) for one in (known[m], new[m])},
            {len(one): one for one in (known[m], new[m])},
        )
        for m in range(len(known))
    ]
    forest = RandomForestClassifier(len(known), random_state=0)
    forest.fit(problem["X"], problem["y"])
    seconds, predictions = {}, {}
    for method, (rule, options) in METHODS.items():
        seconds[method] = {}
        for name, pool in (("tables", tables), ("forest", forest)):
            model = rule(pool, k=n_near, random_state=0, **options)
            model.fit(X_known, y_known)
            found = model.predict(X_new)
            seconds[method][name] = min(
                time_call(model.predict, X_new) for _ in range(repeats)
            )
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
