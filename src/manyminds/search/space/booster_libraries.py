"""Libraries of gradient boosting that may be installed: train, dump, predict.

Each function of a library takes a table of floats and category codes. A model is kept
as the text of the library's own dump, which a model file can hold, and read again at
the first prediction. Nothing is imported before it is used.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["LIBRARIES", "Library", "Rows", "is_installed"]

PATIENCE = 30  # rounds without improvement


@dataclass(frozen=True)
class Rows:
    """Rows to train on.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Numbers and category codes; NaN is a missing value.
    y : ndarray of shape (n_samples,)
        Class codes or numbers.
    weight : ndarray of shape (n_samples,) or None
    categorical : tuple of int
        Positions of the category columns.
    n_classes : int
        0 for a regression.
    """

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None
    categorical: tuple[int, ...]
    n_classes: int

    def take(self, rows: np.ndarray) -> "Rows":
        """Return some of the rows."""
        weight = None if self.weight is None else self.weight[rows]
        return Rows(
            self.X[rows], self.y[rows], weight, self.categorical, self.n_classes
        )


@dataclass(frozen=True)
class Library:
    """How to train a model and how to predict by its dump.

    Parameters
    ----------
    train : callable
        ``train(rows, held_out, values, n_rounds, seed, n_threads)`` returns the dump
        and the number of rounds: the best on the held-out rows, if there are any.
    predict : callable
        ``predict(dump, X, categorical, n_classes, n_threads)`` returns numbers, or
        probabilities of the classes.
    """

    train: Callable[..., tuple[str, int]]
    predict: Callable[..., np.ndarray]


def is_installed(library: str) -> bool:
    """Return whether a library can be imported, without importing it."""
    return find_spec(library) is not None


def count_threads() -> int:
    """Return the number of threads that the environment allows, or 1."""
    text = os.environ.get("OMP_NUM_THREADS", "1").split(",")[0]
    return max(1, int(text)) if text.isdigit() else 1


def _choose(n_classes: int, number: str, binary: str, many: str) -> str:
    """Return the name of an objective."""
    return number if not n_classes else binary if n_classes == 2 else many


# ------------------------------------------------------------------ LightGBM


def train_lightgbm(
    rows: Rows,
    held_out: Rows | None,
    values: Mapping[str, Any],
    n_rounds: int,
    seed: int,
    n_threads: int,
) -> tuple[str, int]:
    """Train LightGBM; return its dump and its number of rounds."""
    import lightgbm

    several = {"num_class": rows.n_classes} if rows.n_classes > 2 else {}
    params = {
        "objective": _choose(rows.n_classes, "regression", "binary", "multiclass"),
        "bagging_fraction": 0.8, "bagging_freq": 1, "deterministic": True,
        "force_row_wise": True, "num_threads": n_threads, "seed": seed,
        "verbosity": -1, **several, **values,
    }  # fmt: skip
    data = _make_lightgbm_data(rows, None)
    watched, callbacks = [], []
    if held_out is not None:
        watched = [_make_lightgbm_data(held_out, data)]
        callbacks = [lightgbm.early_stopping(PATIENCE, verbose=False)]
    booster = lightgbm.train(
        params, data, n_rounds, valid_sets=watched, callbacks=callbacks
    )
    return booster.model_to_string(), max(1, booster.best_iteration or n_rounds)


def _make_lightgbm_data(rows: Rows, reference: Any) -> Any:
    import lightgbm

    return lightgbm.Dataset(
        rows.X, rows.y, weight=rows.weight, reference=reference,
        categorical_feature=list(rows.categorical), params={"verbosity": -1},
    )  # fmt: skip


def predict_lightgbm(
    dump: str, X: np.ndarray, categorical: Any, n_classes: int, n_threads: int
) -> np.ndarray:
    """Predict by LightGBM."""
    made = _read_lightgbm(dump).predict(X, num_threads=n_threads)
    return _as_probabilities(np.asarray(made, dtype=np.float64), n_classes)


@lru_cache(maxsize=4)
def _read_lightgbm(dump: str) -> Any:
    import lightgbm

    return lightgbm.Booster(model_str=dump)


def _as_probabilities(made: np.ndarray, n_classes: int) -> np.ndarray:
    """Turn the probability of the second of two classes into those of both."""
    return np.column_stack([1.0 - made, made]) if n_classes == 2 else made


# ------------------------------------------------------------------ XGBoost


def train_xgboost(
    rows: Rows,
    held_out: Rows | None,
    values: Mapping[str, Any],
    n_rounds: int,
    seed: int,
    n_threads: int,
) -> tuple[str, int]:
    """Train XGBoost; return its dump and its number of rounds."""
    import xgboost

    several = {"num_class": rows.n_classes} if rows.n_classes > 2 else {}
    objective = _choose(
        rows.n_classes, "reg:squarederror", "binary:logistic", "multi:softprob"
    )
    params = {
        "objective": objective, "subsample": 0.8, "tree_method": "hist",
        "nthread": n_threads, "seed": seed, "verbosity": 0, **several, **values,
    }  # fmt: skip
    data = _make_xgboost_data(rows.X, rows.categorical, n_threads, rows)
    stopping: dict[str, Any] = {}
    if held_out is not None:
        watched = _make_xgboost_data(held_out.X, rows.categorical, n_threads, held_out)
        stopping = {
            "evals": [(watched, "held_out")], "early_stopping_rounds": PATIENCE,
            "verbose_eval": False,
        }  # fmt: skip
    booster = xgboost.train(params, data, n_rounds, **stopping)
    best = booster.best_iteration + 1 if stopping else n_rounds
    return bytes(booster.save_raw(raw_format="json")).decode("utf-8"), best


def _make_xgboost_data(
    X: np.ndarray, categorical: Any, n_threads: int, rows: Rows | None = None
) -> Any:
    import xgboost

    types = ["c" if j in set(categorical) else "q" for j in range(X.shape[1])]
    return xgboost.DMatrix(
        X,
        None if rows is None else rows.y,
        weight=None if rows is None else rows.weight,
        feature_types=types,
        enable_categorical=True,
        nthread=n_threads,
    )


def predict_xgboost(
    dump: str, X: np.ndarray, categorical: Any, n_classes: int, n_threads: int
) -> np.ndarray:
    """Predict by XGBoost."""
    data = _make_xgboost_data(X, categorical, n_threads)
    made = _read_xgboost(dump).predict(data)
    return _as_probabilities(made.astype(np.float64), n_classes)


@lru_cache(maxsize=4)
def _read_xgboost(dump: str) -> Any:
    import xgboost

    booster = xgboost.Booster({"nthread": count_threads()})
    booster.load_model(bytearray(dump.encode("utf-8")))
    return booster


# ------------------------------------------------------------------ CatBoost


def train_catboost(
    rows: Rows,
    held_out: Rows | None,
    values: Mapping[str, Any],
    n_rounds: int,
    seed: int,
    n_threads: int,
) -> tuple[str, int]:
    """Train CatBoost; return its dump and its number of rounds."""
    import catboost

    several = {"classes_count": rows.n_classes} if rows.n_classes > 2 else {}
    params = {
        "loss_function": _choose(rows.n_classes, "RMSE", "Logloss", "MultiClass"),
        "iterations": n_rounds, "random_seed": seed, "thread_count": n_threads,
        "allow_writing_files": False, "logging_level": "Silent", **several, **values,
    }  # fmt: skip
    model = catboost.CatBoost(params)
    stopping: dict[str, Any] = {}
    if held_out is not None:
        watched = _make_catboost_data(held_out.X, rows.categorical, held_out)
        stopping = {"eval_set": watched, "early_stopping_rounds": PATIENCE}
    model.fit(_make_catboost_data(rows.X, rows.categorical, rows), **stopping)
    best = model.get_best_iteration()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        pool = _make_catboost_data(rows.X[:1], rows.categorical)
        model.save_model(str(path), format="json", pool=pool)
        dump = path.read_text(encoding="utf-8")
    # Without line breaks, the dump is a third as long.
    dump = json.dumps(json.loads(dump), separators=(",", ":"))
    return dump, n_rounds if best is None else best + 1


def _make_catboost_data(
    X: np.ndarray, categorical: Any, rows: Rows | None = None
) -> Any:
    import catboost

    frame = pd.DataFrame(X)
    for j in categorical:
        codes = np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(np.int64)
        frame[j] = codes.astype(str)
    if rows is None:
        return catboost.Pool(frame, cat_features=list(categorical))
    return catboost.Pool(
        frame, rows.y, weight=rows.weight, cat_features=list(categorical)
    )


def predict_catboost(
    dump: str, X: np.ndarray, categorical: Any, n_classes: int, n_threads: int
) -> np.ndarray:
    """Predict by CatBoost."""
    kind = "Probability" if n_classes else "RawFormulaVal"
    pool = _make_catboost_data(X, categorical)
    made = _read_catboost(dump).predict(
        pool, prediction_type=kind, thread_count=n_threads
    )
    return np.asarray(made, dtype=np.float64)


@lru_cache(maxsize=4)
def _read_catboost(dump: str) -> Any:
    import catboost

    model = catboost.CatBoost()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_text(dump, encoding="utf-8")
        model.load_model(str(path), format="json")
    return model


LIBRARIES = {
    "lightgbm": Library(train_lightgbm, predict_lightgbm),
    "xgboost": Library(train_xgboost, predict_xgboost),
    "catboost": Library(train_catboost, predict_catboost),
}
