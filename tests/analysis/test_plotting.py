"""New figures: with the layout of all plots, and an error that names the caller."""

import sys

import matplotlib
import pytest

from manyminds.analysis._plotting import new_axes

matplotlib.use("agg")


def test_axes_are_those_of_a_new_figure():
    first, second = new_axes("plot"), new_axes("plot", figsize=(3.0, 2.0))
    assert first.figure is not second.figure
    assert tuple(second.figure.get_size_inches()) == (3.0, 2.0)
    layout = second.figure.get_layout_engine()
    assert type(layout).__name__ == "ConstrainedLayoutEngine"
    for ax in (first, second):
        matplotlib.pyplot.close(ax.figure)


def test_several_axes_can_be_had():
    axes = new_axes("plot", ncols=2)
    assert len(axes) == 2
    matplotlib.pyplot.close(axes[0].figure)


def test_the_caller_is_named_where_matplotlib_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="kappa_error_plot needs matplotlib: pip"):
        new_axes("kappa_error_plot")
