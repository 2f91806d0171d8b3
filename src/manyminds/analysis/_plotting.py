"""New figures, for functions that plot."""

__all__ = ["AXES", "new_axes"]

AXES = """\
ax_ : matplotlib Axes
    Axes of the last plot.
figure_ : matplotlib Figure
    Figure of the axes.
"""


def new_axes(caller, **options):
    """Return the axes of a new figure; ``caller`` is named if matplotlib is missing."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{caller} needs matplotlib: pip install matplotlib."
        ) from error
    return plt.subplots(layout="constrained", **options)[1]
