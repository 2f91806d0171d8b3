"""Figures of a summary: mean ranks with their groups, and the scores of all folds."""

import io
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from manyminds.analysis.comparison import plot_critical_difference
from manyminds.reports.comparison.parts import Cell, ComparisonSummary
from manyminds.utils.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#010203"  # stands for the color of the page's text until the page is written
POINT = "#3d8bc9"  # reads well on white and on black
MEAN = "#d9822b"
PANELS_IN_A_ROW = 3
MAX_POINTS = 5000  # beyond, points are a picture: shapes would fill megabytes
SPARE_FONTS = (  # for what matplotlib's own font lacks, if they are installed
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Hiragino Sans",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Arial Unicode MS",
)
MISSING_GLYPH = re.compile(r"Glyph (\d+) .*missing from")
MAX_BOXES = 5  # missing characters that a hint names
STYLE: dict[Any, Any] = {
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#808080",
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.constrained_layout.wspace": 0.06,
    "svg.hashsalt": "manyminds",  # the same figure, the same file
}


def draw_critical_difference(summary: ComparisonSummary) -> "Figure | None":
    """Draw mean ranks, with bars over methods that cannot be told apart.

    Parameters
    ----------
    summary : ComparisonSummary

    Returns
    -------
    figure : matplotlib Figure or None
        None where there was no test of three methods or more over data sets.
    """
    if summary.over_datasets is None:
        return None
    found = summary.over_datasets.critical_difference
    longest = max(len(name) for name in found.names)
    n_lines = 4.5 + 0.45 * len(found.groups) + (len(found.names) + 1) // 2
    size = (min(4.0 + 0.17 * (longest + 6), 12.0), 0.27 * n_lines + 0.2)
    with style():
        figure = new_figure(size)
        plot_critical_difference(found, figure.add_subplot())
    return figure


def draw_scores(summary: ComparisonSummary) -> "Figure":
    """Draw the score of every fold, one panel per data set, one line per method.

    Parameters
    ----------
    summary : ComparisonSummary

    Returns
    -------
    figure : matplotlib Figure
        A point is a fold, a bar the mean.
    """
    names, methods = summary.datasets, summary.methods
    n_columns = min(PANELS_IN_A_ROW, len(names))
    n_rows = -(-len(names) // n_columns)
    longest = max(len(name) for name in methods)
    width = 2.6 * n_columns + 0.075 * longest + (1.5 if n_columns == 1 else 0.0)
    height = n_rows * (0.75 + 0.24 * len(methods))
    many = sum(len(cell.scores) for cell in summary.cells) > MAX_POINTS
    with style():
        figure = new_figure((min(width, 11.0), height))
        axes = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
        for ax, name in zip(axes, names):
            _draw_panel(ax, name, [c for c in summary.cells if c.dataset == name], many)
            ax.set_yticks(range(len(methods)), methods, fontsize=9)
        axes[0].set_ylim(len(methods) - 0.5, -0.5)
        for ax in axes[len(names) :]:
            ax.set_visible(False)
        figure.supxlabel(summary.metric, fontsize=9)
    return figure


def to_svg(figure: "Figure", *, inline: bool = False) -> str:
    """Write a figure as SVG.

    Parameters
    ----------
    figure : matplotlib Figure
    inline : bool, default=False
        Whether it goes into a page, whose color of text it takes over, rather than
        into a file of its own, where it is black on white.

    Returns
    -------
    svg : str
    """
    buffer = io.StringIO()
    options: dict[str, Any] = {"transparent": inline, "metadata": {"Date": None}}
    with style():
        _save(figure, buffer, format="svg", dpi=150, **options)
    # Control characters, as of a column's name, are not allowed in XML.
    text = printable(buffer.getvalue(), keep="\n\t")
    if not inline:
        return text.replace(INK, "#000000")
    # Black is left unsaid where it fills a shape: the root says it for all of them.
    text = text[text.index("<svg") :].replace("<svg", '<svg fill="currentColor"', 1)
    return text.replace(INK, "currentColor").replace("#000000", "currentColor")


def to_png(figure: "Figure") -> bytes:
    """Write a figure as PNG, black on white.

    Parameters
    ----------
    figure : matplotlib Figure

    Returns
    -------
    png : bytes
    """
    buffer = io.BytesIO()
    _save(figure, buffer, format="png", dpi=200, facecolor="white")
    return buffer.getvalue()


def _draw_panel(ax: "Axes", title: str, cells: Sequence[Cell], many: bool) -> None:
    look: dict[str, Any] = {
        "s": 9,
        "color": POINT,
        "alpha": 0.6,
        "linewidth": 0,
        "rasterized": many,
    }
    for place, cell in enumerate(cells):
        # Spread points that would hide each other, always in the same way.
        lines = [place + 0.5 * ((0.618 * i) % 1 - 0.5) for i in range(len(cell.scores))]
        ax.scatter(cell.scores, lines, **look)
        if cell.mean is not None:
            ends = [place - 0.36, place + 0.36]
            ax.plot([cell.mean] * 2, ends, color=MEAN, linewidth=2.2)
    ax.set_title(title, fontsize=10, loc="left")
    ax.tick_params(labelsize=8, length=2)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="#808080", alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.locator_params(axis="x", nbins=4)


def new_figure(size: tuple[float, float]) -> "Figure":
    """Make an empty figure of a size in inches."""
    # Not by pyplot, which would keep the figure for ever and might open a window.
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def style() -> Any:
    """Draw in the style of our pages, within a ``with``."""
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError("Figures need matplotlib: pip install matplotlib.") from error
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    spare = [name for name in SPARE_FONTS if name in installed]
    family = [*matplotlib.rcParams["font.family"], *spare]
    return matplotlib.rc_context({**STYLE, "font.family": family})


def _save(figure: "Figure", buffer: Any, **options: Any) -> None:
    """Save a figure; warn once of all characters that no font here can draw."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(buffer, **options)
    boxes = {}
    for one in caught:
        found = MISSING_GLYPH.match(str(one.message))
        if found:
            character = chr(int(found[1]))
            if character.isprintable():  # no font has control characters
                boxes[character] = True
        else:
            warnings.warn_explicit(
                one.message, one.category, one.filename, one.lineno, source=one.source
            )
    if boxes:
        shown = "".join(list(boxes)[:MAX_BOXES])
        warnings.warn(
            f"Figures show boxes for characters that no installed font has: {shown}"
            f"{' ...' if len(boxes) > MAX_BOXES else ''}. Install one that has them, "
            "such as Noto Sans CJK for Chinese, Japanese and Korean.",
            UserWarning,
            stacklevel=3,
        )
