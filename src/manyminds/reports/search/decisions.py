"""How a classifier decides: weights of classes, and whether it predicts only one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.datasets import Dataset
from manyminds.search.choice.class_weights import decide_by
from manyminds.search.evaluation.folds import list_tested

__all__ = ["OneClass", "find_one_class", "list_class_weights"]

MIN_SHARE = 0.99  # of the tested rows, from which on a model predicts nearly one class


@dataclass(frozen=True)
class OneClass:
    """A class that is predicted for nearly all rows, without a gain of the score.

    Parameters
    ----------
    label : str
    share : float
        Of the tested rows that are predicted to have it.
    constant : float
        Score of a constant prediction: for each row, the shares of the classes.
    """

    label: str
    share: float
    constant: float


def list_class_weights(search: Any) -> dict[str, float]:
    """Return the weight of each class in decisions; empty if they are not tuned."""
    weights = getattr(search, "class_weights_", None)  # a regressor has none
    if weights is None:
        return {}
    return {str(c): float(weight) for c, weight in zip(search.classes_, weights)}


def find_one_class(search: Any, data: Dataset) -> OneClass | None:
    """Find whether a model predicts one class only, no better than a constant.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset

    Returns
    -------
    found : OneClass or None
        None if less than 99 % of the tested rows are predicted to have one class, or
        if the score is better than that of a constant prediction.
    """
    tested = list_tested(search.folds_)
    if data.task != "classification" or not len(tested):
        return None
    made = decide_by(search.oof_predictions_[tested], search.class_weights_)
    counts = np.bincount(made.argmax(axis=1), minlength=len(search.classes_))
    label, share = search.classes_[counts.argmax()], counts.max() / len(tested)
    if share < MIN_SHARE:
        return None
    try:
        constant = _score_constant(search, data, tested)
    except Exception:  # a scorer of the user's own may raise
        return None
    honest = search.honest_score_
    score = honest.naive if np.isnan(honest.score) else honest.score
    sign = 1.0 if search._measure.show(1.0) > search._measure.show(0.0) else -1.0
    if not sign * score <= sign * constant:  # or the constant has no score
        return None
    return OneClass(str(label), float(share), constant)


def _score_constant(search: Any, data: Dataset, tested: np.ndarray) -> float:
    """Return the score of the shares of the classes as probabilities, for display."""
    codes = np.searchsorted(search.classes_, np.asarray(data.y)[tested])
    weight = search._coverage_rows["sample_weight"]
    weight = None if weight is None else np.asarray(weight)[tested]
    shares = np.bincount(codes, weight, minlength=len(search.classes_))
    made = np.tile(shares / shares.sum(), (len(tested), 1))
    return float(search._measure.show(search._measure(made, codes, weight)))
