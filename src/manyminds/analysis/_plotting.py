"""New figures, for functions that plot."""

__all__ = ["new_axes"]


def new_axes(caller, **options):
    """Return the axes of a new figure; ``caller`` is named if matplotlib is missing."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{caller} needs matplotlib: pip install matplotlib."
        ) from error
    return plt.subplots(layout="constrained", **options)[1]
