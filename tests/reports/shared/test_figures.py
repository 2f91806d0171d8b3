"""Figures become SVG and PNG in the style of the pages."""

import sys
from xml.etree import ElementTree

import matplotlib
import pytest

from manyminds.reports.shared.figures import (
    INK,
    new_figure,
    shorten,
    style,
    tidy,
    to_png,
    to_svg,
)
from manyminds.utils.errors import MissingPackageError


@pytest.fixture
def figure():
    """Return a small figure with a title in the color of the text."""
    with style():
        figure = new_figure((2, 1))
        figure.add_subplot().set_title("a title")
    return figure


def test_a_file_is_black_on_white(figure):
    svg = to_svg(figure)
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert INK not in svg and "currentColor" not in svg and "#000000" in svg
    assert to_png(figure).startswith(b"\x89PNG")


def test_a_figure_of_a_page_has_the_color_of_its_text(figure):
    svg = to_svg(figure, inline=True)
    assert svg.startswith('<svg fill="currentColor"')
    assert INK not in svg and "#000000" not in svg


def test_the_same_figure_is_the_same_file(figure):
    assert to_svg(figure) == to_svg(figure)


def test_the_style_is_left_behind():
    before = matplotlib.rcParams["text.color"]
    with style():
        assert matplotlib.rcParams["text.color"] == INK
    assert matplotlib.rcParams["text.color"] == before


def test_long_names_are_cut_and_formulas_escaped():
    assert shorten("x" * 30) == "x" * 30
    assert shorten("x" * 31) == "x" * 27 + "..."
    assert shorten("$5") == r"\$5"


def test_a_grid_stands_along_one_axis(figure):
    [ax] = figure.axes
    tidy(ax, "x")
    assert ax.xaxis.get_gridlines()[0].get_visible()
    assert not ax.yaxis.get_gridlines()[0].get_visible()
    assert not ax.spines["top"].get_visible() and ax.spines["left"].get_visible()


def test_figures_say_that_they_need_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match="pip install matplotlib"):
        style()


def test_characters_without_a_font_are_hinted_at_once():
    figure = new_figure((2, 2))
    figure.add_subplot().set_title("\U0001b170 and \U0001b171")  # Nushu: no usual font
    with pytest.warns(UserWarning, match="no installed font has") as caught:
        to_svg(figure)
    assert len(caught) == 1
    assert "\U0001b170\U0001b171" in str(caught[0].message)
