"""The diagram shows every method and group, and nothing covers anything."""

import builtins
import io

import numpy as np
import pytest

from manyminds.analysis import (
    CriticalDifference,
    critical_difference,
    plot_critical_difference,
)


@pytest.fixture
def pyplot():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    yield pyplot
    pyplot.close("all")


def result(seed, n_methods, name="method {}", **options):
    scores = np.random.default_rng(seed).normal(size=(15, n_methods))
    scores += np.linspace(0, 3, n_methods)
    names = [name.format(j) for j in range(n_methods)]
    return critical_difference(scores, names, **options)


def boxes(ax):
    """Return the places of all words on the drawn figure."""
    ax.figure.canvas.draw()
    return [text.get_window_extent() for text in ax.texts]


@pytest.mark.slow
@pytest.mark.parametrize("n_methods", [2, 3, 7, 13, 20])
@pytest.mark.parametrize("name", ["m{}", "a method with a rather long name, no. {}"])
def test_words_are_inside_the_figure_and_do_not_overlap(seed, pyplot, n_methods, name):
    ax = plot_critical_difference(result(seed, n_methods, name))
    found, page = boxes(ax), ax.figure.bbox
    for i, box in enumerate(found):
        assert page.x0 <= box.x0 and box.x1 <= page.x1
        assert page.y0 <= box.y0 and box.y1 <= page.y1
        assert not any(box.overlaps(other) for other in found[:i])


@pytest.mark.parametrize("test", ["nemenyi", "wilcoxon-holm"])
def test_all_methods_ranks_and_groups_are_shown(seed, pyplot, test):
    drawn = result(seed, 6, test=test)
    ax = plot_critical_difference(drawn)
    words = " ".join(text.get_text() for text in ax.texts)
    for name, rank in zip(drawn.names, drawn.average_ranks):
        assert name in words
        assert f"{rank:.2f}" in words
    assert ("critical difference" in words) == (test == "nemenyi")
    rank = dict(zip(drawn.names, drawn.average_ranks))
    bars = [tuple(line.get_xdata()) for line in ax.lines if line.get_marker() == "o"]
    assert bars == [tuple(rank[name] for name in group) for group in drawn.groups]


def test_bars_in_one_row_do_not_meet(seed, pyplot):
    drawn = result(seed, 12)
    ax = plot_critical_difference(drawn)
    bars = [line for line in ax.lines if line.get_marker() == "o"]
    for i, bar in enumerate(bars):
        for other in bars[:i]:
            if bar.get_ydata()[0] == other.get_ydata()[0]:
                assert min(bar.get_xdata()) > max(other.get_xdata())


def test_lines_of_names_do_not_cross(seed, pyplot):
    drawn = result(seed, 9)
    ax = plot_critical_difference(drawn)
    elbows = [line.get_xydata() for line in ax.lines if len(line.get_xdata()) == 3]
    elbows = [line for line in elbows if line[1, 0] == line[0, 0]]
    assert len(elbows) >= 9
    for one in elbows:
        (x, _), (_, bottom), (end, _) = one
        for other in elbows:
            foot, depth = other[1]
            crosses = min(x, end) < foot < max(x, end) and depth < bottom
            assert not crosses


def test_draws_on_given_axes_and_saves_as_svg(seed, pyplot):
    figure, (_, ax) = pyplot.subplots(1, 2)
    assert plot_critical_difference(result(seed, 4), ax=ax) is ax
    page = io.StringIO()
    figure.savefig(page, format="svg")
    assert "</svg>" in page.getvalue()


def test_equal_ranks_and_no_groups_can_be_drawn(pyplot):
    tied = CriticalDifference(
        ("a", "b", "c"), (2.0, 2.0, 2.0), (("a", "b", "c"),), None, "x", 0.05, 4
    )
    assert len(plot_critical_difference(tied).texts) == 6
    lone = CriticalDifference(("a", "b"), (1.0, 2.0), (), 0.5, "nemenyi", 0.05, 40)
    assert len(plot_critical_difference(lone).texts) == 5


def test_says_what_to_install_where_matplotlib_is_missing(seed, monkeypatch):
    plain_import = builtins.__import__

    def without_matplotlib(name, *args, **kwargs):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return plain_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        plot_critical_difference(result(seed, 3))
