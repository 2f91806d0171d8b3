"""The chains of the paper, and a search for chains."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.datasets import Dataset, from_arrays, make_madelon_like
from manyminds.ensemble import CVCommittee
from manyminds.experiments.measures import Fold
from manyminds.learners import NRBFClassifier
from manyminds.reproductions import published
from manyminds.reproductions.protocols.challenge_2003 import (
    load_short,
    make_models,
    make_selectors_vote,
)
from manyminds.search import ComplexModelSearchClassifier

BUDGET, N_QUICK = "60s", 3
# The first chain that another plan has of each set is the paper's best one.
FIRST = {
    "dexter": "CC 8000, linear SVM",
    "dorothea": "HVS 12, balanced SSV 2000, PCA 2, RBF SVM",
    "gisette-valid": "CC 700, RBF SVM",
}


@dataclass(frozen=True)
class BalancedErrors:
    """Error with classes that count alike, and what a search itself expects."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit, and predict the test samples."""
        estimator.fit(fold.X_train, fold.y_train)
        said = estimator.predict(fold.X_test)
        error = 1.0 - balanced_accuracy_score(fold.y_test, said)
        found = {"balanced_error": float(error)}
        if hasattr(estimator, "honest_score_"):
            honest = estimator.honest_score_
            found["honest_error"] = 1.0 - float(honest.score)
            found["naive_error"] = 1.0 - float(honest.naive)
        return found


def make_chain(dataset: str) -> Any:
    """Return the chain that the paper ended with.

    Parameters
    ----------
    dataset : str

    Returns
    -------
    chain : estimator
    """
    if dataset.startswith("madelon"):
        committee = make_selectors_vote(10, threshold=1)
        return make_pipeline(committee, StandardScaler(), NRBFClassifier())
    if dataset == "arcene":
        chain = make_models("arcene")["SSV 7000, linear SVM"]
        return CVCommittee(chain, cv=9)
    return make_models(dataset)[FIRST[dataset]]


def make_search(quick: bool) -> ComplexModelSearchClassifier:
    """Return a search of some seconds on two cores; a quick one of a few chains."""
    return ComplexModelSearchClassifier(
        None if quick else BUDGET,
        n_trials=N_QUICK if quick else None,
        metric="balanced_accuracy",
        n_jobs=None if quick else 2,
        random_state=0,
    )


def find_or_make(find: published.Find, name: str) -> Dataset:
    """Return a data set; madelon-like is generated."""
    if name != "madelon-like":
        return load_short(find, name)
    X, y = make_madelon_like(2600, random_state=0)[:2]
    return from_arrays(np.asarray(X), y, task="classification", name=name)
