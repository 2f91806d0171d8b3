"""Critical-difference diagram: average ranks, and which do not differ."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from manyminds.serve.charts.axes import Axis, Frame, wrap_chart
from manyminds.serve.charts.elements import element, format_tick, shorten
from manyminds.serve.charts.marks import mark

__all__ = ["draw_ranks"]

ROW, TOP, LABEL = 24.0, 44.0, 168.0


def draw_ranks(
    ranks: Mapping[str, float],
    groups: Sequence[Sequence[str]],
    *,
    label: str,
) -> Markup:
    """Draw the average ranks of methods; bars join those that do not differ.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of each method; 1 is the best.
    groups : sequence of sequence of str
        Methods of which no two differ significantly.
    label : str
        Name of the chart for screen readers.

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import draw_ranks
    >>> chart = draw_ranks({"rf": 1.2, "tree": 1.8}, [["rf", "tree"]], label="Ranks")
    >>> chart.count('class="clique"')
    1
    """
    order = sorted(ranks, key=lambda name: ranks[name])
    joined = [one for one in groups if len(one) > 1]
    top = TOP + 10.0 * len(joined)
    frame = Frame(height=top + ROW * len(order) + 12.0, left=LABEL, right=24.0)
    ends = range(1, len(order) + 1)
    ticks = tuple(float(k) for k in ends)
    axis = Axis(1.0, max(2.0, ticks[-1]), LABEL, frame.width - 24.0, ticks)
    parts = _draw_scale(axis, frame.height - 8.0)
    for place, members in enumerate(joined):
        low, high = (f([ranks[name] for name in members]) for f in (min, max))
        y = TOP + 10.0 * place
        parts.append(
            element("line", x1=axis.place(low) - 4, x2=axis.place(high) + 4, y1=y,
                    y2=y, class_="clique")
        )  # fmt: skip
    for place, name in enumerate(order):
        parts += _draw_method(axis, name, ranks[name], top, place)
    return wrap_chart(frame, label, parts)


def _draw_scale(axis: Axis, bottom: float) -> list[Markup]:
    parts = [
        element("text", "average rank (1 is the best)", y=12.0, text_anchor="middle",
                x=(axis.start + axis.end) / 2, class_="axis-label")
    ]  # fmt: skip
    for tick in axis.ticks:
        x = axis.place(tick)
        parts.append(element("line", x1=x, x2=x, y1=34.0, y2=bottom, class_="grid"))
        parts.append(
            element("text", format_tick(tick), x=x, y=29.0, class_="tick",
                    text_anchor="middle")
        )  # fmt: skip
    return parts


def _draw_method(
    axis: Axis, name: str, rank: float, top: float, place: int
) -> list[Markup]:
    y = top + ROW * (place + 0.5)
    return [
        element("text", shorten(name, 20), x=LABEL - 14.0, y=y + 4.0,
                class_="tick name", text_anchor="end"),
        mark(
            "circle", f"{name}\naverage rank {rank:.2f}", kind="point color-0",
            is_first=place == 0, cx=axis.place(rank), cy=y, r=5.5,
        ),
    ]  # fmt: skip
