"""Summarize a stable selection, compared with selections for permuted targets."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import pandas as pd

from manyminds.feature_selection.stability import null_interval
from manyminds.utils.docstrings import fill_docstring

if TYPE_CHECKING:
    from manyminds.feature_selection import StableSelector

FITTED_SELECTOR = """\
Parameters
----------
selector : StableSelector
    Fitted.
frequencies : DataFrame
    See `list_frequencies`.
"""


@dataclass(frozen=True)
class SelectionSummary:
    """Stability of a selection, compared with selections for permuted targets.

    Parameters
    ----------
    n_columns, n_kept : int
        Columns of the table, and those that are kept.
    n_kept_beyond_null : int or None
        Kept columns that are selected more often than any column with a permuted
        target; None without permuted targets.
    n_resamples, n_permutations : int
    stability : float
        Nogueira's measure; NaN if all columns, or none, are always selected.
    stability_interval : tuple of float
        95 % interval of the stability.
    null_stability : float or None
        Mean stability with permuted targets; None without them.
    null_interval : tuple of float
        Range of 95 % of the stabilities with permuted targets; NaN without them.
    max_null_frequency : float or None
        Highest selection frequency of a column with a permuted target.
    expected_false_selections : float
        Upper bound of the expected number of falsely kept columns; NaN if there is
        none.
    """

    n_columns: int
    n_kept: int
    n_kept_beyond_null: int | None
    n_resamples: int
    n_permutations: int
    stability: float
    stability_interval: tuple[float, ...]
    null_stability: float | None
    null_interval: tuple[float, ...]
    max_null_frequency: float | None
    expected_false_selections: float = nan


def list_frequencies(
    selector: "StableSelector", columns: Sequence[str]
) -> pd.DataFrame:
    """List the selection frequency of each column, the most frequent first.

    Parameters
    ----------
    selector : StableSelector
        Fitted.
    columns : sequence of str
        Names of the columns, in the order of the table.

    Returns
    -------
    frequencies : DataFrame
        ``column``, ``frequency``, ``null_frequency`` (mean over permuted targets),
        ``beyond_null`` (more frequent than any column with a permuted target),
        ``rank`` and ``kept``.
    """
    null = selector.null_frequencies_
    beyond = selector.selection_frequencies_ > null.max() if len(null) else None
    frame = pd.DataFrame(
        {
            "column": list(columns),
            "frequency": selector.selection_frequencies_,
            "null_frequency": null.mean(axis=0) if len(null) else None,
            "beyond_null": beyond,
            "rank": selector.ranking_,
            "kept": selector.support_,
        }
    )
    return frame.sort_values("rank").reset_index(drop=True)


@fill_docstring(fitted_selector=FITTED_SELECTOR)
def summarize_selection(
    selector: "StableSelector", frequencies: pd.DataFrame
) -> SelectionSummary:
    """Summarize a fitted selector.

    {fitted_selector}

    Returns
    -------
    summary : SelectionSummary
    """
    null = selector.null_stability_
    compared = len(null) > 0
    beyond = frequencies.loc[frequencies["kept"], "beyond_null"]
    return SelectionSummary(
        n_columns=len(frequencies),
        n_kept=int(selector.support_.sum()),
        n_kept_beyond_null=int(beyond.sum()) if compared else None,
        n_resamples=len(selector.selections_),
        n_permutations=len(null),
        stability=selector.stability_,
        stability_interval=tuple(selector.stability_interval_),
        null_stability=float(null.mean()) if compared else None,
        null_interval=tuple(null_interval(null)),
        max_null_frequency=float(selector.null_frequencies_.max())
        if compared
        else None,
        expected_false_selections=selector.expected_false_selections_,
    )
