"""The figure of a stable selection: frequency of each column."""

from typing import TYPE_CHECKING, Any

from manyminds.feature_selection import StabilityDisplay
from manyminds.reports.selection.summary import FITTED_SELECTOR
from manyminds.reports.shared.figures import new_figure, style
from manyminds.utils.docstrings import fill_docstring

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MAX_BARS = 40


@fill_docstring(fitted_selector=FITTED_SELECTOR)
def draw_frequencies(selector: Any, frequencies: "pd.DataFrame") -> "Figure":
    """Draw the selection frequency of each column, the most frequent first.

    {fitted_selector}

    Returns
    -------
    figure : matplotlib Figure
    """
    names = frequencies.sort_values("rank")["column"].to_numpy()
    in_order = names[selector.ranking_ - 1]
    n_shown = min(len(names), MAX_BARS)
    with style():
        figure = new_figure((6.5, 1.2 + 0.25 * n_shown))
        StabilityDisplay.from_selector(
            selector,
            None,
            feature_names=[name.replace("$", r"\$") for name in in_order],
            ax=figure.add_subplot(),
            n_shown=n_shown,
        )
    return figure
