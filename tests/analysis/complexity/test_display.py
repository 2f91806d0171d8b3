"""Pictures of complexity: what is in them."""

import matplotlib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from manyminds.analysis.complexity import ComplexityDisplay, MultiResolutionComplexity

matplotlib.use("agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return MultiResolutionComplexity(n_clusters=4).fit(X, y)


@pytest.mark.slow
def test_profiles_have_a_line_for_each_cluster(iris):
    display = ComplexityDisplay.from_estimator(iris)
    lines = [line for line in display.ax_.lines if len(line.get_xdata()) == 15]
    assert len(lines) == 4
    assert_allclose(lines[0].get_xdata(), iris.radii_)
    mean = iris.profiles_[iris.labels_ == 0].mean(axis=0)
    assert_allclose(lines[0].get_ydata(), mean)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts[0] == f"1 rows, MRI {iris.mri_[iris.labels_ == 0].mean():.2f}"
    assert display.figure_ is display.ax_.figure


def test_map_shows_every_row_with_its_index(iris):
    figure, ax = plt.subplots()
    display = ComplexityDisplay.from_estimator(iris, kind="map", ax=ax)
    points = ax.collections[0]
    assert display.figure_ is figure
    assert len(points.get_offsets()) == 150
    assert_allclose(points.get_array(), np.sort(iris.mri_))
    assert ax.get_xlabel() == "principal component 1 (73 % of the variance)"


def test_map_of_a_given_embedding(iris, seed):
    placed = np.random.default_rng(seed).normal(size=(150, 2))
    display = ComplexityDisplay.from_estimator(iris, kind="map", embedding=placed)
    order = np.argsort(iris.mri_, kind="stable")
    assert_allclose(display.ax_.collections[0].get_offsets(), placed[order])
    with pytest.raises(ValueError, match="embedding must have shape"):
        ComplexityDisplay.from_estimator(iris, kind="map", embedding=placed[:5])


def test_map_of_one_column():
    model = MultiResolutionComplexity().fit(np.arange(20.0)[:, None], [0, 1] * 10)
    display = ComplexityDisplay.from_estimator(model, kind="map")
    assert len(display.ax_.collections[0].get_offsets()) == 20


def test_errors_of_the_clusters(iris):
    is_error = np.isin(np.arange(150), (70, 77, 83, 106, 119))
    display = ComplexityDisplay.from_estimator(iris, kind="errors", is_error=is_error)
    offsets = display.ax_.collections[0].get_offsets()
    shares = [100 * is_error[iris.labels_ == k].mean() for k in range(4)]
    assert_allclose(offsets, np.column_stack([iris.cluster_mri_, shares]))
    assert display.ax_.get_title().startswith("4 clusters: r = 0.")
    again = display.plot(kind="profiles")
    assert again is display


def test_titles_where_there_is_nothing_to_correlate(iris):
    nothing = np.zeros(150, dtype=bool)
    display = ComplexityDisplay.from_estimator(iris, kind="errors", is_error=nothing)
    assert display.ax_.get_title() == "all clusters have the same error rate"
    display.labels = np.zeros(150, dtype=int)
    title = display.plot(kind="errors").ax_.get_title()
    assert title == "1 clusters with rows: too few to correlate"


def test_what_cannot_be_drawn(iris):
    with pytest.raises(ValueError, match=r"kind must be one of .*; got 'x'"):
        ComplexityDisplay.from_estimator(iris, kind="x")
    with pytest.raises(ValueError, match="requires is_error"):
        ComplexityDisplay.from_estimator(iris, kind="errors")
