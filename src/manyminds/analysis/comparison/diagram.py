"""Plot mean ranks and groups of methods that do not differ significantly."""

from manyminds.analysis._plotting import new_axes

__all__ = ["plot_critical_difference"]

# Heights in units of one line of names; the figure has so many inches per line.
_LINE_INCHES = 0.27
_BAR_STEP = 0.45
_AXIS_ROOM = 0.75


def plot_critical_difference(result, ax=None):
    """Plot a critical-difference diagram.

    Mean ranks are on an axis, the best at the left. Bars connect groups of methods that
    do not differ significantly; dots mark the members of a group.

    Parameters
    ----------
    result : CriticalDifference
        Result of `critical_difference`.
    ax : matplotlib Axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib Axes
        Axes of the diagram; ``ax.figure.savefig`` saves it.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from manyminds.analysis import critical_difference, plot_critical_difference
    >>> result = critical_difference([[0.9, 0.8, 0.7]] * 8, ["a", "b", "c"])
    >>> ax = plot_critical_difference(result)
    >>> [text.get_text() for text in ax.texts][-3:]
    ['a  1.00', 'b  2.00', '3.00  c']
    """
    rows = _stack(result)
    n_rows = 1 + max(rows, default=-1)
    n_lines = (len(result.names) + 1) // 2
    first_line = _AXIS_ROOM + n_rows * _BAR_STEP
    bottom = first_line + n_lines - 0.4
    top = 3.0 if result.critical_difference is not None else 1.6
    if ax is None:
        ax = _new_axes(result, top + bottom)

    ax.set(ylim=(-bottom, top), xlim=(1, len(result.names)))
    ax.set_axis_off()
    _draw_axis(ax, len(result.names))
    if result.critical_difference is not None:
        _draw_critical_difference(ax, result)
    _draw_groups(ax, result, rows)
    _draw_names(ax, result, first_line)
    return ax


def _stack(result):
    """Return, for each group, the first row in which its bar overlaps no other."""
    rank = dict(zip(result.names, result.average_ranks))
    gap, ends, rows = 0.02 * len(result.names), [], []
    for group in result.groups:
        start, end = rank[group[0]], rank[group[-1]]
        row = next((i for i, last in enumerate(ends) if last + gap < start), len(ends))
        ends[row : row + 1] = [end]
        rows.append(row)
    return rows


def _new_axes(result, height):
    # Names are left and right of the axis: the width depends on their length.
    width = 4.0 + 0.17 * max(len(name) + 6 for name in result.names)
    size = (min(width, 12.0), height * _LINE_INCHES + 0.2)
    return new_axes("plot_critical_difference", figsize=size)


def _draw_axis(ax, n_methods):
    ax.plot([1, n_methods], [0, 0], color="black", linewidth=1.2, clip_on=False)
    step = 1 if n_methods <= 12 else 2
    for rank in range(1, n_methods + 1):
        labeled = (rank - 1) % step == 0
        height = 0.35 if labeled else 0.2
        ax.plot([rank, rank], [0, height], color="black", linewidth=1.2, clip_on=False)
        if labeled:
            ax.text(rank, 0.5, str(rank), ha="center", va="bottom", fontsize=9)


def _draw_critical_difference(ax, result):
    end = 1 + result.critical_difference
    ax.plot([1, end], [2.0, 2.0], color="black", linewidth=1.2, clip_on=False)
    for x in (1, end):
        ax.plot([x, x], [1.85, 2.15], color="black", linewidth=1.2, clip_on=False)
    label = f"critical difference {result.critical_difference:.2f}"
    ax.text(1, 2.3, label, ha="left", va="bottom", fontsize=9)


def _draw_groups(ax, result, rows):
    rank = dict(zip(result.names, result.average_ranks))
    for group, row in zip(result.groups, rows):
        x = [rank[name] for name in group]
        y = -0.5 - row * _BAR_STEP
        ax.plot(
            x,
            [y] * len(x),
            color="black",
            linewidth=2.2,
            marker="o",
            markersize=4.5,
            solid_capstyle="round",
            clip_on=False,
            zorder=3,
        )


def _draw_names(ax, result, first_line):
    """Draw the names of the better half at the left, the others at the right."""
    n_methods = len(result.names)
    n_left = (n_methods + 1) // 2
    margin = 0.03 * (n_methods - 1)
    for place, (name, rank) in enumerate(zip(result.names, result.average_ranks)):
        left = place < n_left
        y = -first_line - (place if left else n_methods - 1 - place)
        x = 1 - margin if left else n_methods + margin
        ax.plot([rank, rank, x], [0, y, y], color="0.45", linewidth=0.9, clip_on=False)
        ax.annotate(
            f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}",
            (x, y),
            xytext=(-3 if left else 3, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            fontsize=10,
            annotation_clip=False,
        )
