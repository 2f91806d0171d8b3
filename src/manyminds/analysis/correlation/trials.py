"""Evaluate encodings on folds: scores on training samples, errors on test samples."""

from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state

from manyminds.analysis.correlation.reading import read_encoding, read_labels
from manyminds.analysis.correlation.score import correlation_score
from manyminds.analysis.correlation.subsets import SubsetScorer
from manyminds.utils.tables import take_rows

_MAX_SEED = np.iinfo(np.int32).max


class Trials(NamedTuple):
    """Means over folds for each encoding, and its number of columns."""

    n_columns: np.ndarray
    scores: np.ndarray
    errors: dict[str, np.ndarray]


def measure_encoders(
    encoders, X, y, classifiers, cv, random_state, n_jobs, method, options
):
    """Score encoders and test classifiers on the encodings; return `Trials`.

    Parameters are those of `EncodingComparison.from_encoders`.
    """
    folds, y = _list_folds(cv, X, y), np.asarray(y)
    rng = check_random_state(random_state)
    tables = {name: X if _is_encoder(e) else e for name, e in encoders.items()}
    for name, table in tables.items():
        if len(table) != len(y):
            raise ValueError(
                f"encoders[{name!r}] must be a transformer, None or a table of "
                f"{len(y)} rows; got {len(table)} rows."
            )

    seeds = rng.randint(_MAX_SEED, size=(len(encoders), len(folds)))
    jobs = [
        delayed(_evaluate_encoder)(
            encoder, tables[name], y, *fold, classifiers, method, seed, options
        )
        for (name, encoder), row in zip(encoders.items(), seeds)
        for fold, seed in zip(folds, row)
    ]
    found = np.array(Parallel(n_jobs=n_jobs)(jobs))
    found = found.reshape(len(encoders), len(folds), -1)
    means = found.mean(axis=1)
    errors = dict(zip(classifiers, means[:, 2:].T))
    return Trials(found[:, 0, 0].astype(int), means[:, 1], errors)


def measure_subsets(
    subsets, X, y, classifiers, cv, random_state, n_jobs, method, options
):
    """Score subsets of columns and test classifiers on them; return `Trials`.

    Parameters are those of `EncodingComparison.from_subsets`, with subsets as arrays
    and X as floats.
    """
    folds, y = _list_folds(cv, X, y), np.asarray(y)
    rng = check_random_state(random_state)

    scores = [
        SubsetScorer(X[train], y[train], method, random_state=rng, **options).score(
            subsets
        )
        for train, _ in folds
    ]
    seeds = rng.randint(_MAX_SEED, size=(len(subsets), len(folds)))
    jobs = [
        delayed(_test_classifiers)(
            classifiers, X[train][:, one], y[train], X[test][:, one], y[test], seed
        )
        for one, row in zip(subsets, seeds)
        for (train, test), seed in zip(folds, row)
    ]
    found = np.array(Parallel(n_jobs=n_jobs)(jobs) if classifiers else [])
    means = found.reshape(len(subsets), len(folds), len(classifiers)).mean(axis=1)
    n_columns = np.array([X[:1, one].shape[1] for one in subsets])
    errors = dict(zip(classifiers, means.T))
    return Trials(n_columns, np.mean(scores, axis=0), errors)


def _list_folds(cv, X, y):
    read_labels(X, y)
    return list(check_cv(cv, y, classifier=True).split(np.zeros(len(y)), y))


def _is_encoder(encoder):
    has_both = hasattr(encoder, "fit") and hasattr(encoder, "transform")
    return encoder is None or has_both


def _evaluate_encoder(encoder, X, y, train, test, classifiers, method, seed, options):
    """Return the number of columns, the score and the errors on one fold."""
    X = X if hasattr(X, "shape") else np.asarray(X)
    X_train, X_test = take_rows(X, train), take_rows(X, test)
    if encoder is not None and _is_encoder(encoder):
        encoder = _seeded(encoder, seed)
        X_train = encoder.fit_transform(X_train, y[train])
        X_test = encoder.transform(X_test)
    options = {"method": method, "random_state": seed, **options}
    columns = options.pop("categorical_features", "from_dtype")
    table = X_train.toarray() if issparse(X_train) else X_train
    table = read_encoding(table, columns)
    score = correlation_score(table, y[train], **options)
    errors = _test_classifiers(classifiers, X_train, y[train], X_test, y[test], seed)
    return [table.shape[1], score, *errors]


def _test_classifiers(classifiers, X_train, y_train, X_test, y_test, seed):
    models = [_seeded(model, seed) for model in classifiers.values()]
    return [
        float(np.mean(model.fit(X_train, y_train).predict(X_test) != y_test))
        for model in models
    ]


def _seeded(estimator, seed):
    """Clone an estimator, and set random states that are None."""
    estimator = clone(estimator)
    free = {
        name: int(seed)
        for name, value in estimator.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return estimator.set_params(**free)
