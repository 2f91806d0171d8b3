"""What hybrid forests share: standardized tables, variation of members, targets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from manyminds.ensemble.rotations.herf import HERFClassifier, HERFRegressor


@pytest.fixture
def table(seed):
    """Three classes that overlap, in ten columns of different units."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 10)) + 0.7 * np.eye(3, 10)[y]
    return X * np.logspace(-2, 3, 10) + 5.0, y


def test_rotate_is_the_share_of_varied_members(table, seed):
    # A right build leaves these bounds, six standard deviations, less than once in a
    # million runs.
    X, y = table
    forest = HERFClassifier(
        150, families=[("bayes", GaussianNB())], rotate=0.3, random_state=seed
    )
    n_rotated = sum(view is not None for view in forest.fit(X, y).views_)
    assert abs(n_rotated - 45) < 6 * np.sqrt(150 * 0.3 * 0.7)


def test_families_that_no_rotation_changes_vary_otherwise(table, seed):
    X, y = table
    answers = {}
    for invariant in ("bootstrap", "subspace", "rotate"):
        forest = HERFClassifier(
            5, families=["knn"], invariant=invariant, random_state=seed
        ).fit(X, y)
        answers[invariant] = forest.predict_all(X)
        if invariant == "bootstrap":
            assert forest.views_ == [None] * 5
        elif invariant == "subspace":
            assert all(np.unique(view).size == 5 for view in forest.views_)
    assert (answers["bootstrap"] != answers["bootstrap"][0]).any()
    assert (answers["subspace"] != answers["subspace"][0]).any()
    assert_array_equal(answers["rotate"], np.tile(answers["rotate"][0], (5, 1)))


def test_a_missing_value_counts_as_the_mean(table, seed):
    X, y = table
    gaps, filled = X.copy(), X.copy()
    gaps[::5, 1] = np.nan
    filled[::5, 1] = np.nanmean(gaps[:, 1])
    forest = HERFClassifier(5, random_state=seed).fit(gaps, y)
    assert_array_equal(forest.predict_all(gaps), forest.predict_all(filled))
    # The scale is that of the known values: a filled table has a smaller one.
    assert_allclose(forest.scales_, np.nanstd(gaps, axis=0))


def test_rows_of_weight_zero_are_as_good_as_absent(table, seed):
    X, y = table
    kept = np.arange(len(y)) % 3 > 0
    families = ["tree", "elm", "knn", "bayes"]
    forest = HERFClassifier(8, families=families, random_state=seed)
    weighted = clone(forest).fit(X, y, sample_weight=2.0 * kept)
    absent = clone(forest).fit(X[kept], y[kept], sample_weight=np.full(kept.sum(), 2.0))
    assert_array_equal(weighted.predict_all(X), absent.predict_all(X))


def test_numbers_follow_the_units_of_the_target(table, seed):
    X, _ = table
    y = X[:, 0] * 50 + X[:, 1]
    forest = HERFRegressor(6, random_state=seed)
    plain, other = clone(forest).fit(X, y), clone(forest).fit(X, 1000.0 * y - 7.0)
    assert_allclose(other.predict(X), 1000.0 * plain.predict(X) - 7.0, rtol=1e-5)
    assert_allclose(plain.predict(X), plain.predict_all(X).mean(axis=0))
    assert plain.score(X, y) > 0.3


def test_one_class_is_refused(table):
    X, y = table
    with pytest.raises(ValueError, match="needs two classes or more"):
        HERFClassifier(2).fit(X, np.zeros(len(y)))


def test_worked_example_of_a_standardized_table():
    # Of column 0 the mean is 2 and the standard deviation 1; column 1 is constant.
    X, y = np.array([[1.0, 7.0], [3.0, 7.0], [np.nan, 7.0]]), [0, 1, 1]
    forest = HERFClassifier(1, families=[("bayes", GaussianNB())], random_state=0)
    forest.fit(X, y)
    assert_allclose(forest.means_, [2.0, 7.0])
    assert_allclose(forest.scales_, [1.0, 1.0])
    assert_allclose(forest._read_table(X), [[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])


def test_targets_are_standardized_and_read_back():
    # The nearest neighbor of each row is the row itself, in any rotation.
    X, y = np.arange(8.0).reshape(4, 2), np.array([100.0, 300.0, 300.0, 100.0])
    nearest = [("nearest", KNeighborsRegressor(1))]
    forest = HERFRegressor(2, families=nearest, invariant="rotate", random_state=0)
    assert_allclose(forest.fit(X, y).predict(X), y)
    assert (forest.target_mean_, forest.target_scale_) == (200.0, 100.0)
    assert_allclose(np.abs(forest.estimators_[0]._y), 1.0)


def test_weights_of_a_single_row_are_refused():
    with pytest.raises(ValueError, match="sample_weight is above 0 for fewer than two"):
        HERFClassifier(1).fit(np.eye(3), [0, 1, 1], sample_weight=[0.0, 1.0, 0.0])
