"""Find slices of the rows on which out-of-fold predictions are worse than elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from scipy.stats import ttest_ind_from_stats

from manyminds.datasets import Dataset
from manyminds.reports.shared.formatting import format_number
from manyminds.search.choice.class_weights import decide_by
from manyminds.search.evaluation.folds import list_tested

__all__ = ["Slice", "find_weak_slices"]

MAX_SLICES = 5  # that are listed
MIN_ROWS = 20  # of a slice, and outside it
MAX_LEVELS = 50  # of a column, the most frequent ones
MAX_COLUMNS = 1_000
MAX_CHANCE = 0.05  # of a false slice, over all that are compared


@dataclass(frozen=True)
class Slice:
    """Rows with a value or a range of one column, and the mean loss there.

    Parameters
    ----------
    condition : str
        Such as "age > 61".
    n_rows : int
    loss, elsewhere : float
        Mean loss in the slice and on all other rows: the share of wrong rows, of wrong
        labels, or the mean absolute error.
    p_value : float
        That the losses do not differ, multiplied by the number of compared slices.
    """

    condition: str
    n_rows: int
    loss: float
    elsewhere: float
    p_value: float


def find_weak_slices(search: Any, data: Dataset) -> tuple[Slice, ...]:
    """Find the slices on which a search's model is worse, out of fold.

    A slice is a quarter of a numeric column, a level of a category column, the rows
    where a column is missing, or a class. Means are compared by Welch's t test, with
    Bonferroni's correction for the number of slices.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset

    Returns
    -------
    slices : tuple of Slice
        At most five, the largest difference first.
    """
    tested = list_tested(search.folds_)
    loss = measure_losses(search, data, tested)
    masks = list(_list_slices(data, tested))
    compared = [_compare(name, mask, loss) for name, mask in masks if _is_large(mask)]
    weak = []
    for one in compared:
        p_value = one.p_value * len(compared)
        if one.loss > one.elsewhere and p_value < MAX_CHANCE:
            values = (one.condition, one.n_rows, one.loss, one.elsewhere)
            weak.append(Slice(*values, float(p_value)))
    weak.sort(key=lambda one: one.elsewhere - one.loss)
    return tuple(weak[:MAX_SLICES])


def measure_losses(search: Any, data: Dataset, tested: np.ndarray) -> np.ndarray:
    """Return the loss of each tested row's out-of-fold prediction.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
    data : Dataset
    tested : ndarray of shape (n_tested,)
        Rows that are in a test fold.

    Returns
    -------
    loss : ndarray of shape (n_tested,)
        1 for a wrong class, the share of wrong labels, or the absolute error.
    """
    made = search.oof_predictions_[tested]
    if data.task == "multilabel":
        wrong = (made > 0.5) != (data.y.to_numpy()[tested] > 0.5)
        return np.asarray(wrong.mean(axis=1))
    y = np.asarray(data.y)[tested]
    if data.task == "regression":
        return np.abs(made - y.astype(np.float64))
    decided = decide_by(made, search.class_weights_).argmax(axis=1)
    return np.asarray(search.classes_[decided] != y, dtype=np.float64)


def _list_slices(data: Dataset, tested: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the condition and the mask of each slice of the tested rows."""
    if data.task == "classification":
        y = np.asarray(data.y)[tested]
        yield from ((f"class {label}", y == label) for label in np.unique(y))
    if issparse(data.X):
        return
    for name in list(data.X.columns)[:MAX_COLUMNS]:
        column = data.X[name].iloc[tested]
        missing = column.isna().to_numpy()
        yield f"{name} is missing", missing
        if isinstance(column.dtype, pd.CategoricalDtype):
            for level in column.value_counts().index[:MAX_LEVELS]:
                yield f"{name} = {level}", (column == level).to_numpy()
        elif column.dtype.kind == "f":
            yield from _list_quarters(str(name), column.to_numpy(), missing)


def _list_quarters(
    name: str, values: np.ndarray, missing: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the quarters of a numeric column; fewer if values are repeated."""
    if missing.all():
        return
    known = values[~missing]
    edges = np.unique(np.quantile(known, [0.25, 0.5, 0.75], method="lower"))
    edges = edges[edges < known.max()]
    place = np.searchsorted(edges, values)  # missing values come last
    shown = [format_number(edge) for edge in edges]
    for k in range(len(edges) + 1 if len(edges) else 0):
        if k == 0:
            condition = f"{name} ≤ {shown[0]}"
        elif k == len(edges):
            condition = f"{name} > {shown[-1]}"
        else:
            condition = f"{shown[k - 1]} < {name} ≤ {shown[k]}"
        yield condition, (place == k) & ~missing


def _is_large(mask: np.ndarray) -> bool:
    n_rows = int(mask.sum())
    return n_rows >= MIN_ROWS and len(mask) - n_rows >= MIN_ROWS


def _compare(condition: str, mask: np.ndarray, loss: np.ndarray) -> Slice:
    """Compare the mean loss of a slice with that of all other rows."""
    inside, outside = loss[mask], loss[~mask]
    # Half an error more on each side: no variance is 0 where all rows are right.
    spread = 0.5 * loss.max() if loss.max() > 0.0 else 1.0
    p_value = ttest_ind_from_stats(
        inside.mean(),
        np.sqrt(inside.var(ddof=1) + spread**2 / len(inside)),
        len(inside),
        outside.mean(),
        np.sqrt(outside.var(ddof=1) + spread**2 / len(outside)),
        len(outside),
        equal_var=False,
        alternative="greater",
    ).pvalue
    return Slice(
        condition,
        len(inside),
        float(inside.mean()),
        float(outside.mean()),
        float(p_value),
    )
