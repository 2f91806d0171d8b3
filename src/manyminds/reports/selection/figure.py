"""The figure of a stable selection: how often each column was found."""

from typing import TYPE_CHECKING, Any

from manyminds.feature_selection import StabilityDisplay
from manyminds.reports.comparison.figures import new_figure, style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MAX_BARS = 40


def draw_frequencies(selector: Any, found: "pd.DataFrame") -> "Figure":
    """Draw how often each column was selected, the most frequent first.

    Parameters
    ----------
    selector : StableSelector
        Fitted.
    found : DataFrame
        Columns ``column`` and ``rank``, a row for each column of the table.

    Returns
    -------
    figure : matplotlib Figure
    """
    names = found.sort_values("rank")["column"].to_numpy()
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
