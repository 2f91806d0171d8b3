"""Measurements: the folds of each data set and method, and their differences."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import sub

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.published import Place

Subtract = Callable[[float, float], float]


@dataclass(frozen=True)
class Measured:
    """All folds of one method on one data set, and the mean of each repetition."""

    n: int
    mean: float
    std: float
    repeats: np.ndarray


def list_differences(
    plan: Plan,
    found: Mapping[Place, Measured | str],
    method: str,
    other: str,
    subtract: Subtract = sub,
) -> dict[str, float]:
    """Return the difference of two methods on each data set that has both.

    Parameters
    ----------
    plan : Plan
    found : mapping of (dataset, method) to Measured or str
        What `measure_cells` returns.
    method, other : str
    subtract : callable, default=operator.sub
        ``subtract(mine, other)`` returns the difference of two means.

    Returns
    -------
    differences : dict of str to float
        By data set, in the order of the plan.
    """
    differences = {}
    for source in plan.datasets:
        mine, theirs = found[source.name, method], found[source.name, other]
        if isinstance(mine, Measured) and isinstance(theirs, Measured):
            differences[source.name] = subtract(mine.mean, theirs.mean)
    return differences


def measure_cells(
    plan: Plan, records: Iterable[Record], metric: str, scale: float = 1.0
) -> dict[Place, Measured | str]:
    """Return the folds of each data set and method, or why some are missing.

    Parameters
    ----------
    plan : Plan
        Whose places to fill; other records are ignored.
    records : iterable of Record
    metric : str
        Which of the measured values to take.
    scale : float, default=1.0
        What to multiply them by.

    Returns
    -------
    measured : dict of (dataset, method) to Measured or str
        In the order of the plan.
    """
    folds: dict[Place, list[Record]] = {
        (source.name, method.name): []
        for source in plan.datasets
        for method in plan.methods
    }
    for record in records:
        if (record.dataset, record.method) in folds:
            folds[record.dataset, record.method].append(record)
    return {
        place: _measure(found, len(plan.splits), metric, scale)
        for place, found in folds.items()
    }


def _measure(
    records: list[Record], n_folds: int, metric: str, scale: float
) -> Measured | str:
    failed = [record for record in records if record.failed]
    if failed:
        return f"{len(failed)} of {n_folds} folds failed: {failed[0].error}"
    if len(records) < n_folds:
        return f"{len(records)} of {n_folds} folds are recorded" if records else ""
    values = scale * np.array([record.values[metric] for record in records])
    repeat = np.array([record.repeat for record in records])
    means = np.array([values[repeat == one].mean() for one in np.unique(repeat)])
    std = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return Measured(len(values), float(values.mean()), std, means)
