"""Follow columns through the steps of a pipeline to its learner."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer

from manyminds.preprocessing import ColumnCleaner, DateEncoder, TextEncoder
from manyminds.preprocessing.generation.base import FeatureGenerator

__all__ = ["Trace", "as_names", "number_columns", "trace_members"]

# Steps that make columns with names of their own.
NAMING_STEPS = (
    ColumnTransformer,
    SimpleImputer,
    DateEncoder,
    TextEncoder,
    FeatureGenerator,
)


@dataclass(frozen=True)
class Trace:
    """The columns after the first steps of a pipeline.

    Parameters
    ----------
    columns : ndarray of str or None
        Names; None: linear combinations of columns.
    every : ndarray of str
        Names of all columns that could be selected.
    is_selected : bool, default=False
        Whether a step selected them. Leaving out a column that is constant in a fold
        is no selection.
    """

    columns: np.ndarray | None
    every: np.ndarray
    is_selected: bool = False

    def keep(self, mask: np.ndarray) -> "Trace":
        """Return the trace after some columns have been selected."""
        columns = None if self.columns is None else self.columns[mask]
        return replace(self, columns=columns, is_selected=True)

    def follow(self, step: Any, n_made: int) -> "Trace":
        """Return the trace after a fitted step that has made ``n_made`` columns."""
        if self.columns is None or hasattr(step, "components_"):
            return replace(self, columns=None)
        if isinstance(step, ColumnCleaner):  # what it leaves out cannot be selected
            kept = self.columns[step.get_support()]
            return replace(self, columns=kept, every=kept)
        if hasattr(step, "get_support"):
            return self.keep(step.get_support())
        if isinstance(step, NAMING_STEPS):
            made = as_names(step.get_feature_names_out(self.columns))
            return replace(self, columns=made, every=made)
        is_same = n_made == len(self.columns)
        return self if is_same else replace(self, columns=None)


def trace_members(committee: Any, names: np.ndarray) -> Trace:
    """Return the columns that reach the learner of any member of a committee."""
    traces = [_trace(one, names) for one in committee.estimators_]
    columns = [trace.columns for trace in traces if trace.columns is not None]
    every = _unite([trace.every for trace in traces])
    if len(columns) < len(traces):
        return Trace(None, every)
    is_selected = any(trace.is_selected for trace in traces)
    return Trace(_unite(columns), every, is_selected)


def number_columns(
    traces: Sequence[Trace], names: np.ndarray
) -> tuple[list[np.ndarray], list[str]]:
    """Return the positions of the columns of each fold, and their names if new.

    Parameters
    ----------
    traces : sequence of Trace
        One of each fold.
    names : ndarray of str
        Of the table's columns.

    Returns
    -------
    selected : list of ndarray of int
        All columns for each fold where no step selects any; empty where a fold has
        linear combinations of columns.
    names : list of str
        Names of the positions, if encoding made new columns.
    """
    if any(trace.columns is None for trace in traces):
        return [], []
    every = _unite([names, *(trace.every for trace in traces)])
    is_new = len(every) > len(names)
    if is_new:
        every = _unite([trace.every for trace in traces])
    made = list(every) if is_new else []
    if not any(trace.is_selected for trace in traces):
        return [np.arange(len(every)) for _ in traces], made
    place = {name: position for position, name in enumerate(every)}
    selected = [
        np.array([place[name] for name in trace.columns], dtype=np.int64)  # type: ignore[union-attr]
        for trace in traces
    ]
    return selected, made


def as_names(names: Any) -> np.ndarray:
    """Return names as an array of objects."""
    return np.array(names, dtype=object)


def _trace(pipeline: Any, names: np.ndarray) -> Trace:
    """Follow the columns of a table through a fitted pipeline to its learner."""
    trace = Trace(names, names)
    for _, step in pipeline.steps[:-1]:
        n_columns = 0 if trace.columns is None else len(trace.columns)
        trace = trace.follow(step, n_columns)
    return trace


def _unite(lists: Sequence[np.ndarray]) -> np.ndarray:
    """Return the names of several lists, each once, in their order."""
    return as_names(list(dict.fromkeys(name for one in lists for name in one)))
