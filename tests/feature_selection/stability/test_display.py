"""Displays draw the numbers that they are given, and say what is on the axes."""

import matplotlib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.feature_selection import SelectKBest, VarianceThreshold

from manyminds.feature_selection.stability import (
    StabilityDisplay,
    nogueira_stability,
    stability_by_size,
)
from manyminds.feature_selection.stability.stable_selector import StableSelector

matplotlib.use("agg")
SETS = [[0, 1], [0, 2], [0, 1]]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def widths(display):
    return [bar.get_width() for bar in display.ax_.patches]


def labels(display):
    return [text.get_text() for text in display.ax_.get_yticklabels()]


def test_frequencies_are_sorted_and_named():
    display = StabilityDisplay.from_selections(SETS, 4, threshold=0.5)
    assert_allclose(widths(display), [1, 2 / 3, 1 / 3, 0])
    assert labels(display) == ["x0", "x1", "x2", "x3"]
    assert "stability 0.33" in display.ax_.get_title()
    assert display.figure_ is display.ax_.figure
    # The line stands at the threshold; bars on either side differ in color.
    assert_allclose(display.ax_.lines[0].get_xdata(), 0.5)
    colors = [bar.get_facecolor() for bar in display.ax_.patches]
    assert colors[0] == colors[1] != colors[2]


def test_only_the_most_frequent_are_drawn():
    names = ["a", "b", "c", "d"]
    display = StabilityDisplay.from_selections(SETS, 4, feature_names=names, n_shown=2)
    assert labels(display) == ["a", "b"]


def test_stability_against_size(seed):
    rng = np.random.default_rng(seed)
    rankings = np.array([rng.permutation(8) + 1 for _ in range(5)])
    display = StabilityDisplay.from_rankings(rankings)
    sizes, values = display.ax_.lines[0].get_data()
    expected = stability_by_size(rankings)
    assert list(sizes) == list(expected)
    assert_allclose(values, [each.stability for each in expected.values()])
    assert display.ax_.get_xlabel() == "number of features"


def test_selector_is_run_on_resamples(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 6)), rng.integers(0, 2, 60)
    options = {"n_resamples": 8, "random_state": 0}
    display = StabilityDisplay.from_selector(SelectKBest(k=2), X, y, **options)
    stable = StableSelector(SelectKBest(k=2), **options).fit(X, y)
    assert_allclose(display.frequencies, stable.selection_frequencies_)
    expected = nogueira_stability(stable.selections_, overlap=0.5)  # halves
    assert display.estimate == expected
    assert display.threshold == 0.6
    assert list(display.by_size) == list(stability_by_size(stable.rankings_))
    # A fitted StableSelector is taken as it is, and can be drawn in either way.
    again = StabilityDisplay.from_selector(stable, X, y, kind="stability")
    assert again.ax_.get_ylabel() == "stability (Nogueira)"
    assert_allclose(again.frequencies, display.frequencies)
    assert again.plot(ax=display.ax_).ax_ is display.ax_


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="kind must be"):
        StabilityDisplay(frequencies=[1.0]).plot("bars")
    with pytest.raises(ValueError, match="no rankings"):
        StabilityDisplay(frequencies=[1.0]).plot("stability")
    X = np.arange(20.0).reshape(10, 2)
    with pytest.raises(ValueError, match="no rankings"):
        StabilityDisplay.from_selector(VarianceThreshold(), X, kind="stability")
    with pytest.raises(TypeError, match="own parameters"):
        StabilityDisplay.from_selector(StableSelector(), X, n_resamples=3)


def test_permuted_targets_are_drawn():
    null = [[0.2, 0.4, 0.0, 0.0], [0.4, 0.6, 0.0, 0.0]]
    display = StabilityDisplay(
        frequencies=[0.9, 0.5, 0.3, 0.0],
        estimate=nogueira_stability(SETS, 4),
        null_frequencies=null,
        null_stability=[0.0, 0.2],
    ).plot()
    marks, line = display.ax_.lines
    assert_allclose(marks.get_xdata(), [0.3, 0.5, 0.0, 0.0])
    assert_allclose(line.get_xdata(), 0.6)
    assert display.ax_.get_title().endswith("permuted targets 0.10")
    # Only the first is found more often than any is without signal.
    colors = [bar.get_facecolor() for bar in display.ax_.patches]
    assert colors[0] != colors[1] == colors[2]
