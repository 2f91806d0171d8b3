"""The learners and forests of the slides, and their peers."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from manyminds.datasets import Dataset
from manyminds.ensemble import (
    AHERFClassifier,
    HERFClassifier,
    RandomForestClassifier,
    RotationForestClassifier,
)
from manyminds.learners import ELMClassifier, OPELMClassifier
from manyminds.reproductions import published
from manyminds.trees import DecisionTreeClassifier

HYBRID = "AHERF"


def make_families() -> dict[str, Any]:
    """Return the single learners of the slides; BP is left out."""
    # The slides' network: the number of the class as its one output, no ridge.
    plain = ELMClassifier(
        alpha=0.0, weight_scale=1.0, fit_intercept=False, output="integer"
    )
    return {
        "SVM": make_pipeline(StandardScaler(), SVC()),
        "OP-ELM": OPELMClassifier(),
        "k-NN": make_pipeline(StandardScaler(), KNeighborsClassifier()),
        "ELM": plain,
        "DT": DecisionTreeClassifier(max_depth=10),
    }


def make_forests() -> dict[str, Any]:
    """Return the forests of the slides."""
    return {"HERF": HERFClassifier(), HYBRID: AHERFClassifier()}


def make_peers() -> dict[str, Any]:
    """Return methods that are not in the slides, or are ours."""
    return {
        "AHERF, 70 % of rows": AHERFClassifier(refit_on_all=False),
        "ELM, one output per class": ELMClassifier(),
        "Rotation Forest": RotationForestClassifier(n_estimators=35),
        "Random Forest": RandomForestClassifier(),
        "HistGradientBoosting": HistGradientBoostingClassifier(),
    }


def load_complete(find: published.Find, name: str) -> Dataset:
    """Load a set as in the slides: complete samples, categories as their numbers."""
    data = find(name)
    complete = np.flatnonzero(~data.X.isna().any(axis=1).to_numpy())
    data = data.take(complete) if len(complete) < data.n_samples else data
    return replace(data, X=data.X.astype(np.float64))
