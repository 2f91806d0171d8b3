"""Style of the figures in all reports, and how they become SVG and PNG."""

import io
import re
import warnings
from typing import TYPE_CHECKING, Any

from manyminds.utils.errors import MissingPackageError
from manyminds.utils.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#010203"  # placeholder for the text color of the page
POINT = "#3d8bc9"  # reads well on white and on black
MEAN = "#d9822b"
MAX_NAME_LENGTH = 30
SPARE_FONTS = (  # for characters that matplotlib's own font lacks
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


def new_figure(size: tuple[float, float]) -> "Figure":
    """Return an empty figure of a size in inches."""
    # Not by pyplot, which would keep a reference and might open a window.
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def style() -> Any:
    """Return a context in which matplotlib draws in the style of our pages."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingPackageError(
            "Figures need matplotlib: pip install matplotlib."
        ) from error
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    spare = [name for name in SPARE_FONTS if name in installed]
    family = [*matplotlib.rcParams["font.family"], *spare]
    return matplotlib.rc_context({**STYLE, "font.family": family})


def to_svg(figure: "Figure", *, inline: bool = False) -> str:
    """Return a figure as SVG.

    Parameters
    ----------
    figure : matplotlib Figure
    inline : bool, default=False
        Whether it is embedded in a page and takes the color of its text, rather than
        being a file of its own, black on white.

    Returns
    -------
    svg : str
    """
    buffer = io.StringIO()
    options: dict[str, Any] = {"transparent": inline, "metadata": {"Date": None}}
    with style():
        _save(figure, buffer, format="svg", dpi=150, **options)
    # Control characters, as in a column's name, are not allowed in XML.
    text = printable(buffer.getvalue(), keep="\n\t")
    if not inline:
        return text.replace(INK, "#000000")
    # Shapes filled with black name no color: the root sets it for all of them.
    text = text[text.index("<svg") :].replace("<svg", '<svg fill="currentColor"', 1)
    return text.replace(INK, "currentColor").replace("#000000", "currentColor")


def to_png(figure: "Figure") -> bytes:
    """Return a figure as PNG, black on white.

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


def tidy(ax: "Axes", grid: str) -> None:
    """Set small ticks, a pale grid along one axis, and no frame."""
    ax.tick_params(labelsize=8, length=2)
    ax.grid(axis="x" if grid == "x" else "y", color="#808080", alpha=0.25)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def legend_above(ax: "Axes", n_columns: int = 1) -> None:
    """Put the legend above the axes, where it covers no data."""
    ax.legend(
        fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.2, ncols=n_columns,
    )  # fmt: skip


def shorten(name: str) -> str:
    """Truncate a long name, and escape the dollar that begins a formula."""
    text = name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 3]}..."
    return text.replace("$", r"\$")


def _save(figure: "Figure", buffer: Any, **options: Any) -> None:
    """Save a figure; warn once about all characters that no installed font has."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(buffer, **options)
    boxes = {}
    for one in caught:
        found = MISSING_GLYPH.match(str(one.message))
        if found:
            character = chr(int(found[1]))
            if character.isprintable():  # no font draws control characters
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
