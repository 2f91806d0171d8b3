"""Data, models and measures of the paper on random prototype-based experts."""

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.ensemble import HMEClassifier, HMRPEClassifier
from manyminds.experiments.measures import Fold
from manyminds.reproductions.published import Find

MAX_ROWS = 1_500  # of a data set; the paper has up to 20,000
VOWEL_NOT_USED = ["Train_or_Test", "Speaker_Number"]
HME, DISJOINT, OVERLAPPING = "HME", "HMRPE disjoint", "HMRPE overlapping"
CONTROL, FASTER = "Average of nets", "Average of nets, steps of overlapping"
N_EXPERTS, N_MODULES, N_HIDDEN = 3, 2, 10


def make_models(max_iter: int) -> dict[str, Any]:
    """Return the methods of the paper and the control, with the same nets.

    Parameters
    ----------
    max_iter : int
        Maximum number of passes over the samples.

    Returns
    -------
    models : dict of str to estimator
    """
    shared = {"n_hidden": N_HIDDEN, "max_iter": max_iter}
    uniform = tuple(np.full(N_EXPERTS, 1.0 / N_EXPERTS))
    equal = {"strategy": "static", "eta": uniform, **shared}
    return {
        HME: HMEClassifier(N_EXPERTS, N_MODULES, **shared),
        DISJOINT: HMRPEClassifier(N_EXPERTS, N_MODULES, strategy="static", **shared),
        OVERLAPPING: HMRPEClassifier(N_EXPERTS, N_MODULES, **shared),
        CONTROL: HMRPEClassifier(N_EXPERTS, N_MODULES, **equal),
        # Dynamic weights add up to N - 1, static ones to 1: larger steps of training.
        FASTER: HMRPEClassifier(
            N_EXPERTS, N_MODULES, learning_rate=0.1 * (N_EXPERTS - 1), **equal
        ),
    }


def load(find: Find, name: str) -> Dataset:
    """Load a data set as numbers, of a large one a random draw of rows.

    Parameters
    ----------
    find : callable
    name : str

    Returns
    -------
    data : Dataset
    """
    data = find(name)
    if name == "vowel":  # eleven attributes: ten numbers and, most likely, the sex
        X = data.X.drop(columns=VOWEL_NOT_USED)
        X["Sex"] = (X["Sex"].astype(str) == "Male").astype(np.float64)
        data = replace(data, X=X)
    data = replace(data, X=data.X.astype(np.float64))
    if data.n_samples <= MAX_ROWS:
        return data
    rows = np.random.RandomState(0).permutation(data.n_samples)[:MAX_ROWS]
    return data.take(np.sort(rows))


@dataclass(frozen=True)
class ExpertMeasures:
    """Accuracy in percent, seconds of processor time of training, passes."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the mixture; measure it on the test samples."""
        X, y = fold.X_train, fold.y_train
        begun = time.thread_time()
        estimator.fit(X, y)
        seconds = time.thread_time() - begun
        return {
            "accuracy": float(estimator.score(fold.X_test, fold.y_test)),
            "seconds": seconds,
            "seconds_per_pass": seconds / estimator.n_iter_,
            "passes": float(estimator.n_iter_),
        }
