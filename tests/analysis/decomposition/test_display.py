"""Pictures of bias and variance: what is in them."""

import matplotlib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from manyminds.analysis.decomposition import (
    BiasVarianceDisplay,
    decompose_predictions,
    decompose_votes,
)

matplotlib.use("agg")
import matplotlib.pyplot as plt

RESULTS = {
    "biased": decompose_votes([[0.8, 0.2]], [[10, 40]]),
    "steady": decompose_votes([[0.8, 0.2]], [[50, 0]]),
}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def texts(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_stacked_bars_go_below_zero_where_variance_helps():
    display = BiasVarianceDisplay.from_results(RESULTS)
    noise, systematic, variance = display.ax_.containers
    assert_allclose([bar.get_height() for bar in noise], [20, 20])
    assert_allclose([bar.get_height() for bar in systematic], [60, 0], atol=1e-9)
    assert_allclose([bar.get_y() for bar in systematic], [20, 20])
    assert_allclose(variance[0].get_height(), -12)
    assert_allclose(variance[0].get_y(), 0)
    marks = display.ax_.lines[0]
    assert_allclose(marks.get_ydata(), [68, 20])
    names = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert names == ["biased", "steady"]
    assert set(texts(display)) == {
        "noise", "systematic effect", "variance effect", "error",
    }  # fmt: skip
    assert display.figure_ is display.ax_.figure


def test_paired_bars_put_effects_beside_their_causes():
    display = BiasVarianceDisplay(RESULTS).plot(style="paired")
    heights = [[bar.get_height() for bar in one] for one in display.ax_.containers]
    assert_allclose(heights, [[100, 0], [60, 0], [20, 0], [-12, 0]], atol=1e-9)
    with pytest.raises(ValueError, match="requires kind='james'"):
        display.plot(style="paired", kind="webb")


def test_curves_over_a_parameter(seed):
    X, y = load_iris(return_X_y=True)
    figure, ax = plt.subplots()
    display = BiasVarianceDisplay.from_parameter(
        KNeighborsClassifier(), X, y, "n_neighbors", [15, 1], n_predictors=5,
        random_state=seed % 1000, ax=ax,
    )  # fmt: skip
    assert display.figure_ is figure
    error = display.ax_.lines[0]
    assert list(error.get_xdata()) == [1, 15]
    assert_allclose(error.get_ydata()[1], 100 * display.results[15].mean["error"])
    assert display.ax_.get_xlabel() == "n_neighbors"
    assert "error" in texts(display)


@pytest.mark.parametrize("kind", ["kohavi_wolpert", "domingos", "breiman"])
def test_terms_of_other_papers(kind):
    display = BiasVarianceDisplay(RESULTS).plot(kind=kind)
    heights = np.sum(
        [[bar.get_height() for bar in one] for one in display.ax_.containers], axis=0
    )
    assert_allclose(heights, [68, 20])


def test_learners_are_measured_on_the_same_samples():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=1)
    display = BiasVarianceDisplay.from_estimators(
        {"one": tree, "same": tree}, X, y, n_predictors=4, random_state=0
    )
    one, same = display.results.values()
    assert_allclose(one.votes, same.votes)


def test_numbers_are_drawn_in_their_own_units():
    results = {"a": decompose_predictions([0.0], [[1.0, 3.0]])}
    display = BiasVarianceDisplay.from_results(results)
    assert display.ax_.get_ylabel() == "squared loss"
    assert_allclose(display.ax_.lines[0].get_ydata(), [5.0])


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="must not be empty"):
        BiasVarianceDisplay.from_results({})
    with pytest.raises(ValueError, match="the same loss"):
        BiasVarianceDisplay.from_results(
            RESULTS | {"numbers": decompose_predictions([0.0], [[1.0]])}
        )
    with pytest.raises(ValueError, match="numbers as keys"):
        BiasVarianceDisplay(RESULTS).plot(style="curves")
    with pytest.raises(ValueError, match="style must be one of"):
        BiasVarianceDisplay(RESULTS).plot(style="pie")
