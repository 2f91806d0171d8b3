"""Tables and lines that reports print in a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console


def print_line(console: "Console", text: str, style: str = "") -> None:
    """Print a line in one style, without reading markup in it."""
    console.print(Text(text, style=style))


def new_table(
    first: str, *others: str, title: str | None = None, left: Sequence[str] = ()
) -> Table:
    """Return an empty table whose columns are aligned right, but for the first.

    Parameters
    ----------
    first, *others : str
        Heads of the columns.
    title : str, default=None
    left : sequence of str, default=()
        Further columns that are aligned left.

    Returns
    -------
    table : rich Table
    """
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(
            name, justify="left" if name in left else "right", overflow="fold"
        )
    return table
