"""Learners of LightGBM, XGBoost and CatBoost, where these are installed.

A fitted model holds the text of the library's own dump: model files hold it without
pickle.
"""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.boosting.gradient.stopping import split_rows
from manyminds.search.space.booster_libraries import (
    LIBRARIES,
    Rows,
    count_threads,
    is_installed,
)
from manyminds.search.space.options import Learner
from manyminds.search.space.parameters import Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.suitability import (
    MAX_BOOSTED_VALUES,
    count_outputs,
    suits_boosting,
)
from manyminds.trees.columns import encode_table
from manyminds.utils.weights import read_weights

__all__ = ["BoosterClassifier", "BoosterRegressor", "list_boosters"]

HELD_OUT = 0.15  # share of the rows on which the number of rounds is chosen
MAX_ROUNDS = 1000
MAX_SLOW_ROUNDS = 300  # of a library whose trees of categories take long
MAX_SLOW_CLASSES = 5
MAX_TREES = 10_000  # each round grows a tree for each class


class Booster(BaseEstimator):
    """A model of a library of gradient boosting, with early stopping.

    The number of rounds is the best on held-out rows; then all rows are trained on.

    Parameters
    ----------
    library : {"lightgbm", "xgboost", "catboost"}, default="lightgbm"
    values : dict, default=None
        Parameters by the names of the library.
    max_iter : int, default=1000
        Maximum number of rounds.
    random_state : int, default=0
    """

    _parameter_constraints = {
        "library": [StrOptions(set(LIBRARIES))],
        "values": [dict, None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": [Integral],
    }

    def __init__(
        self,
        library: str = "lightgbm",
        *,
        values: Mapping[str, Any] | None = None,
        max_iter: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.library = library
        self.values = values
        self.max_iter = max_iter
        self.random_state = random_state

    def _train(self, X: Any, y: np.ndarray, weight: Any, n_classes: int) -> None:
        """Find the number of rounds, then train on all rows."""
        X, self._encoder = encode_table(self, X, reset=True)
        check_consistent_length(X, y)
        mask = self._encoder.is_categorical
        columns = () if mask is None else tuple(map(int, np.flatnonzero(mask)))
        rows = Rows(X, y, read_weights(weight, X), columns, n_classes)
        train, values = LIBRARIES[self.library].train, dict(self.values or {})
        stratify, n_threads = n_classes > 0, count_threads()
        kept, held_out = split_rows(y, HELD_OUT, stratify, self.random_state)
        _, self.n_iter_ = train(
            rows.take(kept), rows.take(held_out), values, self.max_iter,
            self.random_state, n_threads,
        )  # fmt: skip
        self.dump_, _ = train(
            rows, None, values, self.n_iter_, self.random_state, n_threads
        )
        self._columns, self._n_classes = columns, n_classes

    def _predict(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "dump_")
        X, _ = encode_table(self, X, self._encoder, reset=False)
        predict = LIBRARIES[self.library].predict
        return predict(self.dump_, X, self._columns, self._n_classes, count_threads())


class BoosterClassifier(ClassifierMixin, Booster):
    """A classifier of LightGBM, XGBoost or CatBoost."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the model."""
        self._validate_params()
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("BoosterClassifier needs two classes or more; y has one.")

        self._train(X, codes.astype(np.float64), sample_weight, len(self.classes_))
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probability of each class."""
        return self._predict(X)

    def predict(self, X: Any) -> np.ndarray:
        """Predict the most likely class."""
        best = self._predict(X).argmax(axis=1)
        return np.asarray(self.classes_.take(best))


class BoosterRegressor(RegressorMixin, Booster):
    """A regressor of LightGBM, XGBoost or CatBoost, of a standardized target."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the model."""
        self._validate_params()
        y = np.asarray(y, dtype=np.float64)
        self.mean_, self.scale_ = float(y.mean()), float(y.std()) or 1.0

        self._train(X, (y - self.mean_) / self.scale_, sample_weight, 0)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the target."""
        return self.mean_ + self.scale_ * self._predict(X)


# ------------------------------------------------------------------ options


def make_lightgbm(
    problem: Problem,
    learning_rate: float,
    num_leaves: int,
    min_child_samples: int,
    l2: float,
    max_features: float,
) -> Any:
    """Make a model of LightGBM."""
    values = {
        "learning_rate": learning_rate,
        "num_leaves": int(num_leaves),
        "min_data_in_leaf": int(min_child_samples),
        "lambda_l2": l2,
        "feature_fraction_bynode": max_features,
    }
    return _make("lightgbm", problem, values)


def make_xgboost(
    problem: Problem,
    learning_rate: float,
    max_depth: int,
    min_child_weight: float,
    l2: float,
    max_features: float,
) -> Any:
    """Make a model of XGBoost."""
    values = {
        "eta": learning_rate,
        "max_depth": int(max_depth),
        "min_child_weight": min_child_weight,
        "lambda": l2,
        "colsample_bynode": max_features,
    }
    return _make("xgboost", problem, values)


def make_catboost(problem: Problem, learning_rate: float, depth: int, l2: float) -> Any:
    """Make a model of CatBoost."""
    values = {"learning_rate": learning_rate, "depth": int(depth), "l2_leaf_reg": l2}
    return _make("catboost", problem, values)


def _make(library: str, problem: Problem, values: dict[str, Any]) -> Any:
    kind = BoosterClassifier if problem.n_classes else BoosterRegressor
    bound = MAX_SLOW_ROUNDS if library == "catboost" else MAX_ROUNDS
    n_rounds = int(min(bound, max(1, MAX_TREES // count_outputs(problem))))
    return kind(library, values=values, max_iter=n_rounds)


def suits_libraries(problem: Problem) -> bool:
    """Return whether there are few enough classes for trees of each of them."""
    values = problem.n_samples * count_outputs(problem)
    return suits_boosting(problem) and values <= MAX_BOOSTED_VALUES // 5


def suits_catboost(problem: Problem) -> bool:
    """Return whether trees of CatBoost, which take long of many classes, suit."""
    return suits_libraries(problem) and problem.n_classes <= MAX_SLOW_CLASSES


RATE = Number(0.01, 0.5, default=0.05, log=True)
L2 = Number(0.01, 30, default=1.0, log=True)
SHARE = Number(0.1, 1.0, default=0.5, log=True)
OPTIONS = (
    Learner(
        "lightgbm",
        make_lightgbm,
        {
            "learning_rate": RATE,
            "num_leaves": Number(3, 127, default=31, log=True, whole=True),
            "min_child_samples": Number(1, 50, default=20, log=True, whole=True),
            "l2": L2,
            "max_features": SHARE,
        },
        suits_libraries,
        reads_tables=True,
    ),
    Learner(
        "xgboost",
        make_xgboost,
        {
            "learning_rate": RATE,
            "max_depth": Number(1, 12, default=6, whole=True),
            "min_child_weight": Number(0.1, 30, default=1.0, log=True),
            "l2": L2,
            "max_features": SHARE,
        },
        suits_libraries,
        reads_tables=True,
    ),
    Learner(
        "catboost",
        make_catboost,
        {
            "learning_rate": Number(0.02, 0.5, default=0.1, log=True),
            "depth": Number(2, 8, default=6, whole=True),
            "l2": Number(0.1, 30, default=3.0, log=True),
        },
        suits_catboost,
        reads_tables=True,
    ),
)


def list_boosters() -> tuple[Learner, ...]:
    """List the learners of the libraries that are installed."""
    return tuple(one for one in OPTIONS if is_installed(one.name))
