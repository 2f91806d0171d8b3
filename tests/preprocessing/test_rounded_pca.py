"""Principal components without the digits of rounding errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA
from sklearn.tree import DecisionTreeClassifier

from manyminds.preprocessing import RoundedPCA


@pytest.fixture
def bits(seed):
    """Return one-hot columns of three categories: few different rows."""
    drawn = np.random.default_rng(seed).integers(3, size=(300, 3))
    return np.concatenate([drawn == value for value in range(3)], axis=1).astype(float)


def test_worked_example():
    # The diagonal has all there is: of (0, 0), (2, 2) and (4, 4) it is a third of the
    # way, half of it, and the other third, at distances of 2 * sqrt(2).
    made = RoundedPCA().fit([[0, 0], [2, 2], [4, 4]])
    assert_allclose(abs(made.components_), np.sqrt(0.5))
    Z = made.transform([[0, 0], [2, 2], [5, 5]])
    assert_allclose(abs(Z[:, 0]), np.sqrt(2.0) * np.array([2, 0, 3]), rtol=1e-8)
    assert_array_equal(Z[:, 1], 0.0)
    # At most |2| * 0.71 + |2| * 0.71 = 2.83: rounded to 2 ** (2 - 30).
    assert_array_equal(made.unit_, 2.0**-28)


def test_components_are_those_of_pca_but_for_nine_digits(seed):
    X = np.random.default_rng(seed).normal(size=(80, 6)) * 10.0 ** np.arange(6)
    made, expected = RoundedPCA(4).fit(X), PCA(4).fit(X)
    assert_array_equal(made.components_, expected.components_)
    assert_array_equal(
        made.explained_variance_ratio_, expected.explained_variance_ratio_
    )
    Z, plain = made.transform(X), expected.transform(X)
    assert (abs(Z - plain) <= 0.51 * made.unit_).all()
    assert_array_equal(Z, np.rint(plain / made.unit_) * made.unit_)
    assert (made.unit_ <= 2e-8 * abs(plain).max(axis=0)).all()


def test_equal_rows_have_equal_components_wherever_they_stand(bits):
    made = RoundedPCA().fit(bits)
    Z = made.transform(bits)
    alone = np.concatenate([made.transform(row[np.newaxis]) for row in bits])
    assert_array_equal(Z, alone)
    assert_array_equal(made.transform(bits[::-1])[::-1], Z)
    assert len(np.unique(Z, axis=0)) == len(np.unique(bits, axis=0))


def test_dependent_columns_have_no_components(bits):
    # Three columns of each category sum to 1: six components, and three of nothing.
    Z = RoundedPCA().fit_transform(bits)
    assert_array_equal(Z[:, 6:], 0.0)
    assert (np.ptp(Z[:, :6], axis=0) > 0.1).all()
    assert (PCA().fit_transform(bits)[:, 6:] != 0.0).any()  # which trees would split


def test_trees_do_not_split_rounding_errors(bits, seed):
    y = np.random.default_rng(seed + 1).integers(2, size=len(bits))
    Z = RoundedPCA().fit_transform(bits)
    tree = DecisionTreeClassifier(random_state=0).fit(Z, y)
    assert tree.get_n_leaves() <= len(np.unique(bits, axis=0))


def test_scale_and_shift_of_columns(seed):
    X = np.random.default_rng(seed).normal(size=(50, 3))
    Z = RoundedPCA().fit_transform(X)
    larger = RoundedPCA().fit_transform(1024.0 * X)
    assert_allclose(larger, 1024.0 * Z, rtol=0, atol=1e-5)
    assert_array_equal(RoundedPCA().fit_transform(np.full((5, 2), 0.1)), 0.0)


def test_names_and_errors(seed):
    X = np.random.default_rng(seed).normal(size=(20, 3))
    names = RoundedPCA(2).fit(X).get_feature_names_out()
    assert names.tolist() == ["roundedpca0", "roundedpca1"]
    with pytest.raises(ValueError, match="scale its columns"):
        RoundedPCA().fit(1e200 * X)
    with pytest.raises(ValueError, match="n_components"):
        RoundedPCA(4).fit(X)
    with pytest.raises(ValueError, match="NaN"):
        RoundedPCA().fit(np.where(X > 0.0, X, np.nan))
