"""Draw the folds on which all pipelines of a search are validated."""

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from manyminds.ensemble import IterativeStratifiedKFold
from manyminds.utils.errors import InputError

__all__ = ["make_folds"]


def make_folds(
    cv: Any,
    X: Any,
    y: np.ndarray,
    task: str,
    seed: int,
    *,
    with_all_classes: bool = False,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draw folds, so that each row is in exactly one test fold.

    Parameters
    ----------
    cv : int, "auto" or cross-validation generator
        "auto": ten folds below 500 rows, five up to 20,000 rows, then three; fewer if
        there are not so many rows, or if no class has so many.
    X : table of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
    task : {"classification", "regression", "multilabel"}
        Of many labels, each fold gets its share of every label.
    seed : int
    with_all_classes : bool, default=False
        Whether "auto" makes so few folds that each has all classes, if possible.

    Returns
    -------
    folds : list of (train, test)
        Positions of the rows.
    """
    classes = task == "classification"
    if cv == "auto":
        n_folds = 10 if len(y) < 500 else 5 if len(y) <= 20_000 else 3
        n_folds = min(n_folds, len(y))
        if classes:
            rows = np.bincount(y)
            most = rows.min() if with_all_classes else rows.max()
            n_folds = max(2, min(n_folds, int(most)))
        cv = n_folds
    if isinstance(cv, int | np.integer):
        if cv < 2 or cv > len(y):
            raise InputError(
                f"cv must be at least 2 and at most the number of rows, {len(y)}; got "
                f"{cv}."
            )
        kind = StratifiedKFold if classes else KFold
        splitter = kind(int(cv), shuffle=True, random_state=seed)
        if task == "multilabel":
            splitter = IterativeStratifiedKFold(int(cv), random_state=seed)
    else:
        splitter = check_cv(cv, y, classifier=classes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of classes rarer than folds
        folds = list(splitter.split(np.zeros((len(y), 1)), y))
    times = np.bincount(np.concatenate([test for _, test in folds]), minlength=len(y))
    if not (times == 1).all():
        raise InputError(
            "cv must put each row into exactly one test fold; the search is judged by "
            "out-of-fold predictions."
        )
    return folds
