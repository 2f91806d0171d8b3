"""Data, methods and both readings of the errors of the paper on local classifiers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.datasets import Dataset
from manyminds.ensemble import (
    ClasswiseClusterLocalClassifier,
    ClusterLocalClassifier,
    FeatureSliceLocalClassifier,
    PartitionBlendClassifier,
    RandomSubsetLocalClassifier,
    measure_probabilities,
)
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.published import Find

TOYS = {"toy k=4": 4, "toy k=9": 9}
CENTERS = np.array([[0.0, 0.0], [4.5, 3.0], [1.0, 3.0], [3.0, 0.1]])
N_EACH = 10_000  # rows of each center, half of them to train on
SHUTTLE_ROWS = 43_500
EDUCATION = (
    "Grade 8 or less", "Grades 9 to 11", "Graduated High Scool",
    "1 to 3 years of college", "College graduate", "Grad Study",
)  # fmt: skip
AREA = ("-1 year", "1-3 years", "4-6 years", "7-10 years", "10+ years")
NUMBERS = (
    "None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight",
    "Nine or more",
)  # fmt: skip
AGE = ("14-17", "18-24", "25-34", "35-44", "45-54", "55-64", "65+")
ORDERED = {
    "AGE": AGE,
    "EDUCATION": EDUCATION,
    "AREA": AREA,
    "HOUSEHOLD.SIZE": NUMBERS,
    "UNDER18": NUMBERS,
}
POOR = ("-10.000)", "[10.000-15.000)", "[15.000-20.000)", "[20.000-25.000)",
        "[25.000-30.000)")  # fmt: skip


def make_methods(correction: str) -> dict[str, Any]:
    """Return the methods of the paper.

    Parameters
    ----------
    correction : {"none", "king-zeng", "paper-run"}
        Correction of class shares.

    Returns
    -------
    methods : dict of str to estimator
    """
    expert = make_pipeline(StandardScaler(), LogisticRegression(C=100.0, max_iter=300))
    shared = {"estimator": expert, "prior_correction": correction}
    return {
        "CLU": ClusterLocalClassifier(**shared),
        "CL2": ClasswiseClusterLocalClassifier(**shared),
        "FEA": FeatureSliceLocalClassifier(**shared),
        "MMM": PartitionBlendClassifier(**shared),
        "RSS": RandomSubsetLocalClassifier(**shared),
        "ALL": expert,
        "NAY": DummyClassifier(strategy="prior"),
    }


@dataclass(frozen=True)
class BothReadings:
    """Errors in percent: 0/1, soft, and as the paper most likely printed them.

    The printed error of the blend is the mean of the three 0/1 errors, that of the
    majority class its 0/1 error, and that of all others the soft error.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the method; measure it on the test samples."""
        n_regions = TOYS.get(fold.data.name)
        if n_regions is not None and "n_regions" in estimator.get_params():
            if isinstance(estimator, ClasswiseClusterLocalClassifier):
                n_regions = round(n_regions**0.5)
            estimator.set_params(n_regions=n_regions)
        X, y = (np.asarray(part) for part in (fold.X_train, fold.y_train))
        estimator.fit(X, y)
        X, y = (np.asarray(part) for part in (fold.X_test, fold.y_test))
        found = measure_probabilities(y, estimator.predict_proba(X), estimator.classes_)
        found["printed"] = found["soft"]
        if isinstance(estimator, DummyClassifier):
            found["printed"] = found["zero_one"]
        elif isinstance(estimator, PartitionBlendClassifier):
            found["printed"] = float(np.mean(estimator.predict_all(X) != y))
        return found


@dataclass(frozen=True)
class FirstHalf:
    """The first half of the rows to train on, the second to test on."""

    def __len__(self) -> int:
        return 1

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the one split."""
        half = len(y) // 2
        yield Split(0, 0, np.arange(half), np.arange(half, len(y)))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {"kind": "first half"}


def load(find: Find, name: str) -> Dataset:
    """Load a data set with two classes and numbers only.

    Parameters
    ----------
    find : callable
    name : str

    Returns
    -------
    data : Dataset
    """
    if name in TOYS:
        return draw_toy(name)
    data = find(name)
    if name == "shuttle":
        data = data.take(np.arange(SHUTTLE_ROWS))
        data = replace(data, y=np.where(np.asarray(data.y).astype(str) == "1", 1, 0))
    if name == "electricity":  # the paper's seven columns: without the date
        return replace(data, X=as_numbers(data.X.drop(columns="date")))
    if name == "esl-marketing":
        poor = np.isin(np.asarray(data.y).astype(str), POOR)
        return replace(data, X=code_marketing(data.X), y=poor.astype(np.int64))
    return replace(data, X=as_numbers(data.X, expand=name == "credit-g"))


def draw_toy(name: str) -> Dataset:
    """Draw the paper's four Gaussians; the first two are one class.

    Each toy has rows of its own: a store recognizes equal data by their content.
    """
    rng = np.random.default_rng(TOYS[name])
    X = CENTERS[:, None] + rng.normal(size=(4, N_EACH, 2))
    y = np.repeat([0, 0, 1, 1], N_EACH)
    frame = pd.DataFrame(X.reshape(-1, 2), columns=["x1", "x2"])
    return Dataset(name, frame, y, "classification")


def as_numbers(X: pd.DataFrame, expand: bool = False) -> pd.DataFrame:
    """Return columns of numbers; categories as numbers, or a column for each."""
    if expand:
        return pd.get_dummies(X).astype(np.float64)
    return pd.DataFrame(
        {
            name: pd.to_numeric(column.astype(str), errors="coerce").fillna(0.0)
            if isinstance(column.dtype, pd.CategoricalDtype)
            else column
            for name, column in X.items()
        }
    ).astype(np.float64)


def code_marketing(X: pd.DataFrame) -> pd.DataFrame:
    """Number ordered columns, expand the others, missing values as a category."""
    parts = []
    for name, column in X.items():
        text = column.astype(object)
        if name in ORDERED:
            code = text.map({word: k for k, word in enumerate(ORDERED[str(name)])})
            code = code.astype(np.float64)
            parts.append(code.fillna(code.mean()).rename(name))
        else:
            filled = text.where(text.notna(), "missing").astype(str)
            parts.append(pd.get_dummies(filled, prefix=str(name)).astype(np.float64))
    return pd.concat(parts, axis=1)
