"""Select columns on many halves of the rows: read, check, select, judge, write."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import pandas as pd
from scipy.sparse import issparse
from sklearn.utils import get_tags

from manyminds.datasets import Dataset
from manyminds.feature_selection import (
    CorrelationSelector,
    FCBFSelector,
    ForestGainSelector,
    InformationGainSelector,
    LevelAdjustedSelector,
    MRMRSelector,
    SSVSelector,
    StableSelector,
)
from manyminds.preprocessing import encode_dates
from manyminds.reports import (
    SelectionSummary,
    list_frequencies,
    summarize_selection,
    write_selection,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.errors import InputError, Parameter, ParameterError, warn_caller
from manyminds.workflows.parameters import READING, TABLE, Reading
from manyminds.workflows.selection_table import MISSING, fill_missing, prepare_table
from manyminds.workflows.tables import (
    check_n_jobs,
    read_learnable,
    warn_about_counters,
)

SELECTORS: dict[str, Any] = {
    "mrmr": MRMRSelector,
    "correlation": CorrelationSelector,
    "ssv": SSVSelector,
    "fcbf": FCBFSelector,
    "information": InformationGainSelector,
    "forest": ForestGainSelector,
}
BY_SCORE = ("correlation", "ssv", "information", "forest")
DEFAULT_NUMBER = 20
N_PERMUTATIONS = 10
MIN_PERMUTATIONS = 3
MAX_NULL_CELLS = 1_000_000_000  # read for permuted targets: a minute or two on a core
FOREST_COST = 20  # time of a forest per cell, relative to a filter


@dataclass(frozen=True)
class SelectionResult:
    """Result of `run_selection`.

    Parameters
    ----------
    selector : StableSelector
        Fitted.
    data : Dataset
        The table that columns were selected from.
    frequencies : DataFrame
        A row for each column; see `manyminds.reports.list_frequencies`.
    summary : SelectionSummary
    identifiers : dict of str to str
        Columns that look like identifiers, and why.
    files : tuple of Path
        Files that were written.
    """

    selector: StableSelector
    data: Dataset
    frequencies: pd.DataFrame
    summary: SelectionSummary
    identifiers: dict[str, str]
    files: tuple[Path, ...]

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are kept, the most frequent first."""
        return self.frequencies.loc[self.frequencies["kept"], "column"].tolist()


@fill_docstring(table=TABLE, reading=READING)
def run_selection(
    data: Any,
    target: str | int | None = None,
    *,
    n_features: int | None = None,
    selector: str = "mrmr",
    n_resamples: int = 50,
    n_permutations: int | None = None,
    threshold: float | None = None,
    out: str | os.PathLike[str] | None = None,
    on_progress: Callable[[str], None] | None = None,
    n_jobs: int = 1,
    random_state: int = 0,
    **reading: Unpack[Reading],
) -> SelectionResult:
    """Select columns on many halves of the rows, and keep those selected most often.

    ``manyminds select`` calls this function.

    Parameters
    ----------
    {table}
    n_features : int, default=None
        Number of columns to select on each resample, and to keep. None means 20, or
        half of the columns if there are fewer than 40.
    selector : {"mrmr", "correlation", "ssv", "fcbf", "information", "forest"}, \
default="mrmr"
        Selector to run on each resample.
    n_resamples : int, default=50
        Number of halves of the rows, in disjoint pairs; an odd number is raised by one.
    n_permutations : int, default=None
        Number of permuted targets to compare with. None means 10, or fewer for a very
        large table.
    threshold : float, default=None
        Keep the columns with this selection frequency or more, rather than
        ``n_features``.
    out : path, default=None
        Folder for ``selection.csv`` and ``stability.svg``; None writes nothing.
    on_progress : callable, default=None
        Called with the name of each step before it starts.
    n_jobs : int, default=1
        Number of processes; -1 means all cores.
    random_state : int, default=0
        Seed of resamples and permutations.
    {reading}

    Returns
    -------
    result : SelectionResult

    Examples
    --------
    >>> from manyminds.workflows import run_selection
    >>> result = run_selection("iris", n_features=2, n_resamples=10, n_permutations=0)
    >>> sorted(result.columns)
    ['petallength', 'petalwidth']
    >>> result.summary.stability
    1.0
    """
    on_progress = on_progress or (lambda step: None)
    _check_parameters(selector, threshold, n_resamples, n_permutations)
    check_n_jobs(n_jobs)
    on_progress("read the table")
    dataset = read_learnable(data, target, **reading)
    dataset, identifiers = prepare_table(dataset)
    dataset = encode_dates(dataset)  # afterwards: days in a row look like a counter
    warn_about_counters(dataset)
    number = _choose_number(n_features, dataset)
    n_resamples += n_resamples % 2
    if n_permutations is None:
        n_permutations = _choose_permutations(dataset, selector, n_resamples)
    on_progress("select columns")
    kept: dict[str, Any] = {"n_features_to_select": number}
    fitted = StableSelector(
        _make_selector(dataset, selector, number),
        n_resamples=n_resamples,
        resampling="complementary_pairs",
        n_permutations=n_permutations,
        random_state=random_state,
        n_jobs=n_jobs,
        **(kept if threshold is None else {"threshold": threshold}),
    )
    X = _fill_if_needed(dataset, fitted.selector, selector)
    try:
        fitted.fit(X, dataset.y)
    except ValueError as error:  # as of a half in which a class is missing
        raise InputError(
            f"Columns cannot be selected on halves of the {dataset.n_samples} rows of "
            f"{dataset.name}: {error}"
        ) from error
    frequencies = list_frequencies(fitted, _list_columns(dataset))
    summary = summarize_selection(fitted, frequencies)
    files = [] if out is None else write_selection(fitted, frequencies, out)
    return SelectionResult(
        fitted, dataset, frequencies, summary, identifiers, tuple(files)
    )


def _check_parameters(
    selector: str, threshold: float | None, n_resamples: int, n_permutations: int | None
) -> None:
    if selector not in SELECTORS:
        raise ParameterError("selector", selector, f"one of {', '.join(SELECTORS)}")
    if threshold is not None and not 0.0 < threshold <= 1.0:
        raise ParameterError("threshold", threshold, "above 0 and at most 1")
    if n_resamples < 2:
        raise ParameterError("n_resamples", n_resamples, "at least 2")
    if n_permutations is not None and n_permutations < 0:
        raise ParameterError("n_permutations", n_permutations, "at least 0")


def _choose_number(number: int | None, data: Dataset) -> int:
    n_columns = data.n_features
    if number is None:
        return min(DEFAULT_NUMBER, (n_columns + 1) // 2)
    if not 1 <= number <= n_columns:
        takes = f"between 1 and {n_columns}, the number of columns of {data.name}"
        raise ParameterError("n_features", number, takes)
    return number


def _choose_permutations(data: Dataset, selector: str, n_resamples: int) -> int:
    """Return how many permuted targets there is time for."""
    cells = data.n_samples // 2 * data.n_features * n_resamples
    cells *= FOREST_COST if selector == "forest" else 1
    affordable = max(MIN_PERMUTATIONS, MAX_NULL_CELLS // max(cells, 1))
    if affordable >= N_PERMUTATIONS:
        return N_PERMUTATIONS
    warn_caller(
        f"The table is large: {affordable} permuted targets are used instead of "
        f"{N_PERMUTATIONS}; ",
        Parameter("n_permutations"),
        " sets another number.",
    )
    return affordable


def _make_selector(data: Dataset, name: str, number: int) -> Any:
    if data.task == "multilabel":
        raise InputError("select takes one target; the table has several labels.")
    if name == "ssv" and data.task == "regression":
        raise InputError(
            Parameter("selector"), " ssv needs classes; the target holds numbers."
        )
    chosen = SELECTORS[name](n_features_to_select=number)
    if name in BY_SCORE and data.categorical:
        return LevelAdjustedSelector(chosen, number)
    return chosen


def _fill_if_needed(data: Dataset, selector: Any, name: str) -> Any:
    if not data.n_missing or get_tags(selector).input_tags.allow_nan:
        return data.X
    warn_caller(
        f"{name} takes no missing values: they are filled with medians and a category "
        f"{MISSING}."
    )
    return fill_missing(data.X)


def _list_columns(data: Dataset) -> list[str]:
    if issparse(data.X):
        return [f"x{place}" for place in range(data.n_features)]
    return list(data.X.columns)
