"""How the paper on bias and variance drew data, trained nets and found the noise."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from manyminds.analysis.decomposition import (
    BiasVariance,
    bias_variance,
    bias_variance_of_problem,
    estimate_posterior,
)
from manyminds.datasets import Dataset
from manyminds.datasets.generators import (
    bayes_error,
    make_artificial_multi1,
    make_artificial_multi2,
    make_ringnorm,
    make_threenorm,
    make_twonorm,
)
from manyminds.experiments.measures import Fold
from manyminds.reproductions.published import Find

GENERATORS: dict[str, Callable[..., Any]] = {
    "twonorm": make_twonorm,
    "threenorm": make_threenorm,
    "ringnorm": make_ringnorm,
    "artificial-multi1": make_artificial_multi1,
    "artificial-multi2": make_artificial_multi2,
}
N_TRAIN = 300


class ClassPosterior(BaseEstimator):
    """Estimate the error that nobody can avoid.

    Parameters
    ----------
    calibration : str, default="inner"
        See `estimate_posterior`; "inner" is nearest to what the paper has.
    """

    def __init__(self, calibration: str = "inner") -> None:
        self.calibration = calibration

    def estimate_error(self, X: Any, y: Any) -> float:
        """Return the mean probability of all classes but the most likely one."""
        posterior = estimate_posterior(X, y, calibration=self.calibration)
        return float(1.0 - posterior.max(axis=1).mean())


@dataclass(frozen=True)
class NoiseMeasure:
    """The Bayes error of a problem: exact where it is generated, else estimated."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return it as "noise"."""
        name = fold.data.name
        if name in GENERATORS:
            return {"noise": bayes_error(name.replace("-", "_"))}
        return {"noise": estimator.estimate_error(fold.X_train, fold.y_train)}


@dataclass(frozen=True)
class FreshSamples:
    """Decompose the error of nets after each epoch, each trained on a fresh sample.

    Parameters
    ----------
    n_predictors : int, default=50
        Classifiers that are trained.
    n_test : int, default=2_000
        Samples to predict; the paper has 18,000, in ten runs.
    """

    n_predictors: int = 50
    n_test: int = 2_000

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return all parts, in percent, under the names of `name_value`."""
        stages = bias_variance_of_problem(
            estimator,
            GENERATORS[fold.data.name],
            n_samples=N_TRAIN,
            n_test=self.n_test,
            n_predictors=self.n_predictors,
            n_runs=1,
            staged=True,
            random_state=fold.seed,
        )
        return tell_stages(estimator.epochs, stages)


@dataclass(frozen=True)
class SubsampledRows:
    """Decompose the error of nets after each epoch by sub-sampled cross-validation.

    Parameters
    ----------
    n_predictors : int, default=50
        Answers to each row.
    """

    n_predictors: int = 50

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return all parts, in percent, under the names of `name_value`."""
        stages = bias_variance(
            estimator,
            np.asarray(fold.X_train, dtype=np.float64),
            np.asarray(fold.y_train),
            n_predictors=self.n_predictors,
            truth="svm",
            staged=True,
            random_state=fold.seed,
        )
        return tell_stages(estimator.epochs, stages)


def tell_stages(
    epochs: tuple[int, ...], stages: list[BiasVariance]
) -> dict[str, float]:
    """Name the means of all parts after each epoch."""
    return {
        name_value(part, epoch): 100.0 * mean
        for epoch, stage in zip(sorted(epochs), stages)
        for part, mean in stage.mean.items()
    }


def name_value(part: str, epoch: int) -> str:
    """Name a measured value."""
    return f"{part} after {epoch}"


def load_problem(find: Find, name: str) -> Dataset:
    """Load a data set: a sample of a generated problem, or the rows of a real one."""
    if name in GENERATORS:
        X, y = GENERATORS[name](N_TRAIN, random_state=0)
        columns = [f"x{i}" for i in range(X.shape[1])]
        return Dataset(name, pd.DataFrame(X, columns=columns), y, "classification")
    data = find(name)
    # Of dermatology, eight rows lack the age; nothing else is missing anywhere.
    return data.take(np.flatnonzero(~data.X.isna().any(axis=1)))
