"""The kappa-error diagram: its numbers, its hull by SciPy's, and what is drawn."""

from itertools import combinations

import matplotlib
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import ConvexHull
from sklearn.metrics import cohen_kappa_score
from sklearn.tree import DecisionTreeClassifier

from manyminds.analysis.diversity import KappaErrorDisplay, kappa


@pytest.fixture(autouse=True)
def no_windows():
    matplotlib.use("agg")
    yield
    matplotlib.pyplot.close("all")


def test_pairs_and_their_center(draw_votes):
    y, predictions = draw_votes()
    display = KappaErrorDisplay.from_predictions(y, predictions)
    pairs = list(combinations(predictions, 2))
    expected = [cohen_kappa_score(a, b) for a, b in pairs]
    assert_allclose(display.kappa, expected, atol=1e-12)
    expected = [(np.mean(a != y) + np.mean(b != y)) / 2 for a, b in pairs]
    assert_allclose(display.error, expected)
    assert_allclose(display.mean_error, np.mean(predictions != y))
    display = KappaErrorDisplay.from_predictions(y, predictions, on="correctness")
    assert_allclose(display.mean_kappa, kappa(y, predictions, on="correctness"))


def test_hull_is_scipys(seed):
    rng = np.random.default_rng(seed)
    n_members = 12
    x, y = rng.normal(size=(2, 66))
    display = KappaErrorDisplay(kappa=x, error=y, n_members=n_members)
    pairs = np.column_stack(np.triu_indices(n_members, 1))
    corners = ConvexHull(np.column_stack([x, y])).vertices  # counterclockwise
    assert_array_equal(display.find_hull("all"), np.unique(pairs[corners]))
    # From the leftmost corner on, down to the lowest.
    corners = np.roll(corners, -int(np.argmin(x[corners])))
    lower_left = corners[: int(np.argmin(y[corners])) + 1]
    assert_array_equal(display.find_hull(), np.unique(pairs[lower_left]))


def test_hull_of_few_points():
    # Pairs (0, 1), (0, 2), (1, 2): the last is above and to the right of both others.
    display = KappaErrorDisplay(
        kappa=np.array([0.0, 0.5, 0.6]), error=np.array([0.5, 0.2, 0.6]), n_members=3
    )
    assert_array_equal(display.find_hull(), [0, 1, 2])
    display.kappa = np.array([0.0, 0.5, 0.6])
    display.error = np.array([0.1, 0.2, 0.6])
    assert_array_equal(display.find_hull(), [0, 1])
    # All at one place: all of them are at the corner.
    display.kappa = display.error = np.full(3, 0.25)
    assert_array_equal(display.find_hull("all"), [0, 1, 2])
    with pytest.raises(ValueError, match="part must be one of"):
        display.find_hull("upper")


def test_what_is_drawn(draw_votes):
    y, predictions = draw_votes()
    first = KappaErrorDisplay.from_predictions(y, predictions, name="some")
    second = KappaErrorDisplay.from_predictions(
        y, predictions[:4], name="others", ax=first.ax_, hull=True
    )
    assert second.ax_ is first.ax_ and second.figure_ is first.ax_.figure
    cloud, center, other_cloud, _ = first.ax_.collections
    assert_allclose(cloud.get_offsets()[:, 1], 100 * first.error)
    expected = [[first.mean_kappa, 100 * first.mean_error]]
    assert_allclose(center.get_offsets(), expected)
    assert len(other_cloud.get_offsets()) == 6
    assert cloud.get_facecolor().tolist() != other_cloud.get_facecolor().tolist()
    labels = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    assert [label.split(":")[0] for label in labels] == ["some", "others"]


class Committee:
    """Members that predict a column of X each."""

    def predict_all(self, X):
        return np.asarray(X).T


def test_from_an_estimator(draw_votes):
    y, predictions = draw_votes()
    display = KappaErrorDisplay.from_estimator(Committee(), predictions.T, y)
    expected = KappaErrorDisplay.from_predictions(y, predictions)
    assert_array_equal(display.kappa, expected.kappa)
    assert display.name == "Committee"
    with pytest.raises(TypeError, match="must have predict_all"):
        KappaErrorDisplay.from_estimator(DecisionTreeClassifier(), predictions.T, y)
