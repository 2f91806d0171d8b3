"""Small data sets that suit an estimator's tags, and small copies of estimators."""

from dataclasses import dataclass
from importlib.util import find_spec
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    clone,
    is_classifier,
    is_clusterer,
    is_regressor,
)
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

__all__ = ["Case", "case_for", "fit", "ready", "seeded", "small"]

N_ESTIMATORS = 5
# Upper limits of parameters that make an estimator slow. Resamples come in pairs, and
# fewer permutations have no power.
MAX_VALUES = {
    "n_estimators": N_ESTIMATORS,
    "n_generations": 1,
    "n_init": 2,
    "n_permutations": 19,
    "n_regions": 2,
    "n_replicates": 3,
    "n_resamples": 4,
    "population_size": 8,
}
N_FAMILIES = 3
# A search with a time budget is slow and not reproducible.
SHORT_SEARCH = {"budget": None, "n_trials": 2, "cv": 2}


@dataclass(frozen=True)
class Case:
    """A learnable data set: ``X`` and ``y`` to fit, ``X_new`` to predict.

    ``y`` is None if ``fit`` takes none.
    """

    X: NDArray[Any]
    y: Any
    X_new: NDArray[Any]


def case_for(
    estimator: BaseEstimator, n_samples: int = 40, n_new: int = 40, seed: int = 0
) -> Case:
    """Generate a case with four columns and a target that suits the tags."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples + n_new, 4))
    score = X[:, 0] + 0.5 * X[:, 1]
    if get_tags(estimator).input_tags.positive_only:
        X = np.abs(X) + 0.1
        score = X[:, 0] - X[:, 1]
    # Not only if the tags require it: some estimators use an optional target.
    with_y = has_fit_parameter(estimator, "y")
    y = _target(estimator, score[:n_samples], rng) if with_y else None
    return Case(np.ascontiguousarray(X[:n_samples]), y, X[n_samples:].copy())


def _target(
    estimator: BaseEstimator, score: NDArray[Any], rng: np.random.Generator
) -> NDArray[Any]:
    tags = get_tags(estimator)
    several = not tags.target_tags.single_output
    if is_regressor(estimator):
        y = score + 0.1 * rng.normal(size=len(score))
        y = np.abs(y) + 0.1 if tags.target_tags.positive_only else y
        return np.column_stack([y, y[::-1]]) if several else y
    if several:
        return np.column_stack([score > 0, score > 0.5, score < 0.2]).astype(int)
    return labels_of(score, n_classes(estimator))


def labels_of(score: NDArray[Any], n_labels: int) -> NDArray[np.int64]:
    """Bin a score into ``n_labels`` classes of equal size, named 0, 1, ..."""
    rank = np.argsort(np.argsort(score, kind="stable"), kind="stable")
    return (rank * n_labels // len(score)).astype(np.int64)


def n_classes(estimator: BaseEstimator) -> int:
    """Return three if the tags allow many classes, else two."""
    tags = get_tags(estimator).classifier_tags
    return 3 if tags is not None and tags.multi_class else 2


def small(estimator: BaseEstimator) -> BaseEstimator:
    """Copy an estimator with at most five members, so that checks are fast.

    Parameters
    ----------
    estimator : estimator instance
        It is not changed.

    Returns
    -------
    copy : estimator instance
        An unfitted clone; every integer parameter ``n_estimators``, also of an
        estimator inside it, is five or less, ``n_generations`` one, ``n_init`` and
        ``n_regions`` two, ``population_size`` eight, ``n_replicates`` three,
        ``n_resamples`` four and ``n_permutations`` 19 or less, a list of ``families``
        of members has its first three, and a search with a ``budget`` has two trials.

    Examples
    --------
    >>> from sklearn.ensemble import BaggingRegressor
    >>> from manyminds.testing import small
    >>> small(BaggingRegressor(n_estimators=100))
    BaggingRegressor(n_estimators=5)
    """
    copy = clone(estimator)
    many: dict[str, Any] = {
        name: min(int(value), MAX_VALUES[name.split("__")[-1]])
        for name, value in copy.get_params(deep=True).items()
        if name.split("__")[-1] in MAX_VALUES and isinstance(value, Integral)
    }
    families = copy.get_params(deep=False).get("families")
    if isinstance(families, (list, tuple)):
        many["families"] = families[:N_FAMILIES]
    if "budget" in copy.get_params(deep=False):
        many |= SHORT_SEARCH
    return copy.set_params(**many)


def seeded(estimator: BaseEstimator, seed: object) -> BaseEstimator:
    """Set every ``random_state`` of the estimator, and return the estimator."""
    names = [
        name
        for name in estimator.get_params(deep=True)
        if name.split("__")[-1] == "random_state"
    ]
    return estimator.set_params(**dict.fromkeys(names, seed))


def ready(estimator: BaseEstimator, **params: object) -> BaseEstimator:
    """Return a small copy of an estimator with seed 0 and ``params``."""
    return seeded(small(estimator), 0).set_params(**params)


def fit(
    estimator: BaseEstimator, X: Any, y: Any = None, **fit_params: Any
) -> BaseEstimator:
    """Fit and return the estimator, without ``y`` if it is None."""
    if y is None:
        return estimator.fit(X, **fit_params)
    return estimator.fit(X, y, **fit_params)


# Predicates that select checks. Each takes an unfitted estimator and reads only its
# tags, its parameters and its methods.


def takes_tables(estimator: BaseEstimator) -> bool:
    """Return whether X is a table, not a kernel matrix or a list of texts."""
    tags = get_tags(estimator).input_tags
    return tags.two_d_array and not tags.pairwise


def validates(estimator: BaseEstimator) -> bool:
    """Return whether X is a table, and the estimator validates it."""
    return takes_tables(estimator) and not get_tags(estimator).no_validation


def needs_target(estimator: BaseEstimator) -> bool:
    """Return whether ``fit`` requires ``y``."""
    return get_tags(estimator).target_tags.required


def validates_target(estimator: BaseEstimator) -> bool:
    """Return whether ``fit`` requires one column ``y``, and validates it."""
    single = get_tags(estimator).target_tags.single_output
    return validates(estimator) and needs_target(estimator) and single


def classifies(estimator: BaseEstimator) -> bool:
    """Return whether it is a classifier of one column of labels."""
    single = get_tags(estimator).target_tags.single_output
    return takes_tables(estimator) and is_classifier(estimator) and single


def regresses(estimator: BaseEstimator) -> bool:
    """Return whether it is a regressor of one column of numbers."""
    single = get_tags(estimator).target_tags.single_output
    return takes_tables(estimator) and is_regressor(estimator) and single


def clusters(estimator: BaseEstimator) -> bool:
    """Return whether it is a clusterer of the rows of a table."""
    return takes_tables(estimator) and is_clusterer(estimator)


def repeats_itself(estimator: BaseEstimator) -> bool:
    """Return whether the same seed yields the same model."""
    return takes_tables(estimator) and not get_tags(estimator).non_deterministic


def has_n_jobs(estimator: BaseEstimator) -> bool:
    """Return whether it has ``n_jobs``."""
    return repeats_itself(estimator) and "n_jobs" in estimator.get_params()


def takes_weights(estimator: BaseEstimator) -> bool:
    """Return whether ``fit`` takes ``sample_weight`` and has no inner folds.

    Repeated rows may be in different folds, a weighted row cannot.
    """
    return (
        repeats_itself(estimator)
        and has_fit_parameter(estimator, "sample_weight")
        and "cv" not in estimator.get_params()
    )


def transforms(estimator: BaseEstimator) -> bool:
    """Return whether it is a transformer with named outputs."""
    return takes_tables(estimator) and hasattr(estimator, "set_output")


def takes_polars(estimator: BaseEstimator) -> bool:
    """Return whether X is a table, and polars is installed."""
    return repeats_itself(estimator) and find_spec("polars") is not None
