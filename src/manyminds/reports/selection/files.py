"""Write the table and the figure of a stable selection."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from manyminds.reports.selection.figure import draw_frequencies
from manyminds.reports.shared.figures import to_svg
from manyminds.reports.shared.pages import write_files

if TYPE_CHECKING:
    import pandas as pd

    from manyminds.feature_selection import StableSelector


def write_selection(
    selector: "StableSelector",
    frequencies: "pd.DataFrame",
    folder: str | os.PathLike[str],
) -> list[Path]:
    """Write ``selection.csv`` and ``stability.svg`` into a folder.

    Parameters
    ----------
    selector : StableSelector
        Fitted.
    frequencies : DataFrame
        See `list_frequencies`.
    folder : path
        Created if it does not exist.

    Returns
    -------
    paths : list of Path
    """
    content = {
        "selection.csv": frequencies.to_csv(index=False),
        "stability.svg": to_svg(draw_frequencies(selector, frequencies)),
    }
    return write_files(folder, content)
