"""Tables of records: by fold, by data set and method."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manyminds.experiments.record import Record
from manyminds.utils.errors import InputError


def tabulate(records: Iterable[Record], metric: str) -> pd.DataFrame:
    """Summarize records: one row per data set and method.

    Parameters
    ----------
    records : iterable of Record
    metric : str
        What to look at in the records' values.

    Returns
    -------
    table : DataFrame
        With the columns ``dataset``, ``method``, ``n`` (folds with a value), ``mean``,
        ``std`` (with n - 1 below; NaN for one fold), ``n_failed`` (folds without a
        value) and ``seconds`` (mean over all folds), in the order of the records.

    Examples
    --------
    >>> from manyminds.experiments import Record
    >>> from manyminds.experiments.summaries import tabulate
    >>> records = [
    ...     Record("k0", "iris", "tree", 0, 0, {"accuracy": 0.9}, seconds=0.1),
    ...     Record("k1", "iris", "tree", 0, 1, {"accuracy": 1.0}, seconds=0.3),
    ...     Record("k2", "iris", "tree", 0, 2, error="ValueError: no", seconds=0.2),
    ... ]
    >>> tabulate(records, "accuracy").round(3)
      dataset method  n  mean    std  n_failed  seconds
    0    iris   tree  2  0.95  0.071         1      0.2
    """
    frame = _list_values(records, metric)
    groups = frame.groupby(["dataset", "method"], sort=False, observed=True)
    table = groups.agg(
        n=("value", "count"),
        mean=("value", "mean"),
        std=("value", "std"),
        n_failed=("value", "size"),
        seconds=("seconds", "mean"),
    )
    table["n_failed"] -= table["n"]
    return table.reset_index()


def pivot(records: Iterable[Record], metric: str) -> pd.DataFrame:
    """Return the mean scores as a table of data sets by methods.

    Parameters
    ----------
    records : iterable of Record
    metric : str

    Returns
    -------
    means : DataFrame of shape (n_datasets, n_methods)
        Means over the folds that have a value; NaN where none has.

    Examples
    --------
    >>> from manyminds.experiments import Record
    >>> from manyminds.experiments.summaries import pivot
    >>> records = [
    ...     Record("k0", "iris", "tree", 0, 0, {"accuracy": 0.9}),
    ...     Record("k1", "iris", "rf", 0, 0, {"accuracy": 1.0}),
    ... ]
    >>> pivot(records, "accuracy")
    method   tree   rf
    dataset
    iris      0.9  1.0
    """
    frame = _list_values(records, metric)
    groups = frame.groupby(["dataset", "method"], sort=False, observed=True)
    means = groups["value"].mean().unstack("method")
    order = {name: list(dict.fromkeys(frame[name])) for name in ("dataset", "method")}
    return means.loc[order["dataset"], order["method"]]


def fold_scores(records: Iterable[Record], metric: str, dataset: str) -> pd.DataFrame:
    """Return the scores on one data set, fold by fold, where all methods have one.

    Parameters
    ----------
    records : iterable of Record
    metric : str
    dataset : str
        Name of the data set.

    Returns
    -------
    scores : DataFrame of shape (n_folds, n_methods)
        One row per repetition and fold, in their order; a fold that a method failed is
        left out for all. The methods are in the order of the records.

    Examples
    --------
    >>> from manyminds.experiments import Record
    >>> from manyminds.experiments.summaries import fold_scores
    >>> records = [
    ...     Record("k0", "iris", "tree", 0, 0, {"accuracy": 0.9}),
    ...     Record("k1", "iris", "tree", 0, 1, {"accuracy": 0.8}),
    ...     Record("k2", "iris", "rf", 0, 1, {"accuracy": 1.0}),
    ... ]
    >>> fold_scores(records, "accuracy", "iris")
    method       tree   rf
    repeat fold
    0      1      0.8  1.0
    """
    chosen = [record for record in records if record.dataset == dataset]
    if not chosen:
        raise InputError(f"dataset is one that has records; got {dataset!r}.")
    frame = _list_values(chosen, metric)
    methods = list(dict.fromkeys(frame["method"]))
    scores = frame.pivot(index=["repeat", "fold"], columns="method", values="value")
    return scores.reindex(columns=methods).dropna().sort_index()


def list_scores(records: Iterable[Record]) -> pd.DataFrame:
    """Return records as a table: one row per fold, one column per thing measured.

    Parameters
    ----------
    records : iterable of Record

    Returns
    -------
    table : DataFrame
        With the columns ``dataset``, ``method``, ``repeat``, ``fold``, what was
        measured, ``seconds`` and ``error``.

    Examples
    --------
    >>> from manyminds.experiments import Record
    >>> from manyminds.experiments.summaries import list_scores
    >>> list_scores([Record("k", "iris", "tree", 0, 0, {"accuracy": 0.9})])
      dataset method  repeat  fold  accuracy  seconds error
    0    iris   tree       0     0       0.9      0.0
    """
    records = list(records)
    names = list(dict.fromkeys(name for record in records for name in record.values))
    columns = _list_places(records)
    columns |= {name: [r.values.get(name, np.nan) for r in records] for name in names}
    columns["seconds"] = [record.seconds for record in records]
    columns["error"] = [record.error or "" for record in records]
    return pd.DataFrame(columns)


def _list_values(records: Iterable[Record], metric: str) -> pd.DataFrame:
    """Put places, values of one metric and seconds into columns, all at once."""
    records = list(records)
    if not any(metric in record.values for record in records):
        _refuse_metric(records, metric)
    columns = _list_places(records)
    columns["value"] = np.array([r.values.get(metric, np.nan) for r in records], float)
    columns["seconds"] = np.array([record.seconds for record in records], float)
    return pd.DataFrame(columns)


def _list_places(records: Sequence[Record]) -> dict[str, Any]:
    return {
        "dataset": [record.dataset for record in records],
        "method": [record.method for record in records],
        "repeat": [record.repeat for record in records],
        "fold": [record.fold for record in records],
    }


def _refuse_metric(records: Sequence[Record], metric: str) -> None:
    """Raise if the metric was not measured, unless nothing was, as all failed."""
    names = sorted({name for record in records for name in record.values})
    if not records:
        raise InputError("records is empty; there is nothing to summarize.")
    if names:
        raise InputError(
            f"metric is one that the records have ({', '.join(names)}); got {metric!r}."
        )
