import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from manyminds.reports.search.curves import (
    make_precision_recall_curves,
    make_roc_curves,
)


@pytest.fixture
def drawn(seed):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([[0, 1, 2], rng.integers(3, size=500)])
    return rng.dirichlet(np.ones(3), size=503), codes


def test_areas_are_those_of_all_points(drawn):
    shares, codes = drawn
    labels = ["a", "b", "c"]
    roc = make_roc_curves(shares, codes, labels, n_points=20)
    other = make_precision_recall_curves(shares, codes, labels, n_points=20)
    for k, (one, two) in enumerate(zip(roc, other, strict=True)):
        assert one.label == two.label == labels[k]
        assert one.area == pytest.approx(roc_auc_score(codes == k, shares[:, k]))
        expected = average_precision_score(codes == k, shares[:, k])
        assert two.area == pytest.approx(expected)
        assert 10 < len(one.x) == len(one.y) == len(one.thresholds) <= 20
        assert (one.x[0], one.y[0], one.x[-1], one.y[-1]) == (0.0, 0.0, 1.0, 1.0)


def test_points_are_those_of_their_threshold(drawn):
    shares, codes = drawn
    curve = make_precision_recall_curves(shares, codes, ["a", "b", "c"])[1]
    place = len(curve.x) // 2
    chosen = shares[:, 1] >= curve.thresholds[place]
    hits = np.count_nonzero(chosen & (codes == 1))
    assert curve.x[place] == pytest.approx(hits / np.count_nonzero(codes == 1))
    assert curve.y[place] == pytest.approx(hits / np.count_nonzero(chosen))


def test_a_class_that_no_row_or_every_row_has_is_left_out():
    shares = np.array([[0.5, 0.3, 0.2], [0.2, 0.7, 0.1]])
    made = make_roc_curves(shares, np.array([0, 1]), ["a", "b", "c"])
    assert [one.label for one in made] == ["a", "b"]
    assert make_roc_curves(shares[:, :2], np.array([1, 1]), ["a", "b"]) == ()


def test_points_are_kept_where_the_curve_is():
    # A rare class: nine of ten thresholds are on the way along the last edge.
    rng = np.random.default_rng(0)
    codes = (np.arange(2_000) < 40).astype(int)
    share = np.where(codes == 1, rng.uniform(0.5, 1, 2_000), rng.uniform(0, 0.6, 2_000))
    shares = np.column_stack([1 - share, share])
    (curve,) = make_precision_recall_curves(shares, codes, ["no", "yes"], n_points=40)
    steps = np.abs(np.diff(curve.x)) + np.abs(np.diff(curve.y))
    assert len(curve.x) > 30 and steps.max() < 0.15
