"""Facts on a table and its target, which reports on data and on searches begin with."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset

N_BARS = 20  # of the histogram of a numeric target


@dataclass(frozen=True)
class TargetSummary:
    """Distribution of the target.

    Parameters
    ----------
    task : str
    counts : dict of str to int
        Rows of each class or label, the most frequent first; empty for numbers.
    quantiles : dict of str to float
        Minimum, quartiles, maximum and mean of numbers; empty for classes.
    edges, heights : tuple
        Histogram of numbers: edges of the bins, and rows in each.
    """

    task: str
    counts: dict[str, int]
    quantiles: dict[str, float]
    edges: tuple[float, ...] = ()
    heights: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TableFacts:
    """Size and target of a table.

    Parameters
    ----------
    name : str
    source : str
    n_rows, n_columns : int
    n_missing : int
        Missing cells of all columns.
    target : TargetSummary
    """

    name: str
    source: str
    n_rows: int
    n_columns: int
    n_missing: int
    target: TargetSummary


def count_bars(values: np.ndarray, n_bars: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the heights and edges of a histogram; one bar if no more are possible.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Finite numbers.
    n_bars : int
        Number of bars.

    Returns
    -------
    heights : ndarray of int
    edges : ndarray of float
        One more than heights.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            edges = np.histogram_bin_edges(values, bins=n_bars)
            # NumPy 2.0 returns equal edges, or NaN, where newer versions raise.
            if (np.diff(edges) > 0.0).all():
                return np.histogram(values, bins=n_bars)
        except ValueError:  # the range is too small, or overflows
            pass
    return np.array([len(values)]), np.array([values.min(), values.max()])


def summarize_target(data: Dataset) -> TargetSummary:
    """Return the counts of classes or labels, or the distribution of numbers."""
    if data.task == "regression":
        names = ("lowest", "lower quartile", "median", "upper quartile", "highest")
        values = np.quantile(data.y, [0.0, 0.25, 0.5, 0.75, 1.0]).tolist()
        quantiles = dict(zip(names, values)) | {"mean": float(data.y.mean())}
        heights, edges = count_bars(data.y, N_BARS)
        return TargetSummary(
            data.task, {}, quantiles, tuple(edges.tolist()), tuple(heights.tolist())
        )
    several = data.task == "multilabel"
    counts = data.y.sum() if several else pd.Series(data.y).value_counts(sort=False)
    counts = counts.sort_index().sort_values(ascending=False, kind="stable")
    return TargetSummary(
        data.task, {str(name): int(n) for name, n in counts.items()}, {}
    )
