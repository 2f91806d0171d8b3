"""Sets hold the true class as often as they promise, overall or for each class."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis import ConformalSets
from manyminds.utils.errors import InputError


def draw(seed, n=1_000):
    """Draw probabilities of three classes, the last rare, and classes by them."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet([1.5, 1.0, 0.2], n)
    codes = (rng.random(n)[:, None] > shares.cumsum(axis=1)).sum(axis=1)
    return shares, np.minimum(codes, 2)


def test_worked_example():
    # Scores of the true classes: 0.1, 0.2, 0.3, 0.4; rank ceil(5 * 0.6) is the third.
    shares = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.4, 0.6]]
    found = ConformalSets.calibrate(shares, [0, 0, 0, 1])
    assert_allclose(found.scores, [0.1, 0.2, 0.3, 0.4])
    assert_allclose(found.class_scores[1], [0.4])
    sets = found.predict([[0.75, 0.25], [0.3, 0.7], [0.65, 0.35]], 0.6)
    assert sets.tolist() == [[True, False], [False, True], [True, False]]
    # At 0.9, four rows are too few: all classes.
    assert found.predict([[1.0, 0.0]], 0.9).all()


def test_no_set_is_empty():
    found = ConformalSets.calibrate([[1.0, 0.0]] * 20, [0] * 20)
    assert found.predict([[0.5, 0.5], [0.4, 0.6]], 0.5).sum(axis=1).min() == 1


def test_coverage_is_the_level(seed):
    # Standard deviation about 1.2 points, as of intervals.
    found = ConformalSets.calibrate(*draw(seed))
    shares, codes = draw(seed + 1, 4_000)
    for level in (0.8, 0.9):
        inside = found.predict(shares, level)[np.arange(4_000), codes]
        assert abs(inside.mean() - level) < 0.06


def test_rare_classes_are_covered_if_asked_for(seed):
    shares, codes = draw(seed, 4_000)
    found = ConformalSets.calibrate(shares[:2_000], codes[:2_000])
    new, truth = shares[2_000:], codes[2_000:]
    rare = truth == 2  # about 150 rows
    covered = {
        by_class: found.predict(new, 0.9, by_class=by_class)[rare, 2].mean()
        for by_class in (False, True)
    }
    assert covered[True] > 0.75 and covered[True] > covered[False] + 0.1


def test_rows_without_a_prediction_are_ignored():
    found = ConformalSets.calibrate([[0.9, 0.1], [np.nan, np.nan]], [0, 1])
    assert found.n_rows == 1 and len(found.class_scores[1]) == 0
    with pytest.raises(InputError, match="at least one finite row"):
        ConformalSets.calibrate([[np.nan, np.nan]], [0])


def test_many_classes_stay_compact(seed):
    rng = np.random.default_rng(seed)
    found = ConformalSets.calibrate(
        rng.dirichlet(np.ones(10), 20_000), rng.integers(0, 10, 20_000)
    )
    assert len(found.scores) == 2_000
    assert sum(map(len, found.class_scores)) == 2_000


def test_rows_without_weight_do_not_count():
    shares = [[0.9, 0.1], [0.8, 0.2], [0.5, 0.5]]
    found = ConformalSets.calibrate(shares, [0, 0, 1], np.array([1.0, 1.0, 0.0]))
    assert found.n_rows == 2 and len(found.class_scores[1]) == 0
    assert_allclose(found.scores, [0.1, 0.2])
