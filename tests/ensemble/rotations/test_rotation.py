import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.rotations.rotation import (
    BlockRotation,
    find_fill,
    fit_block_rotation,
)


def table(seed, n_samples=60, n_features=10):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features)) @ rng.normal(size=(n_features,) * 2)
    return X, rng.integers(0, 3, size=n_samples)


def quarter_turn():
    """Turn features 0 and 2 by 90 degrees, and leave feature 1 alone."""
    return BlockRotation(
        (np.array([[0, 2]]), np.array([[1]])),
        (np.array([[[0.0, -1.0], [1.0, 0.0]]]), np.ones((1, 1, 1))),
        np.array([5.0, 6.0, 7.0]),
    )


def test_worked_example():
    rotated = quarter_turn().transform([[1, 2, 3], [np.nan, np.nan, 4]])
    assert_allclose(rotated, [[3, 2, -1], [4, 6, -5]])
    assert rotated.flags.c_contiguous and rotated.dtype == np.float64


def test_worked_example_of_importances():
    # 45 degrees: both old features have half of each new one.
    root = 0.5**0.5
    rotation = BlockRotation(
        (np.array([[0, 2]]), np.array([[1]])),
        (np.array([[[root, -root], [root, root]]]), np.ones((1, 1, 1))),
        np.zeros(3),
    )
    spread = rotation.spread_importances(np.array([0.5, 0.3, 0.2]))
    assert_allclose(spread, [0.35, 0.3, 0.35])
    spread = quarter_turn().spread_importances(np.array([0.5, 0.3, 0.2]))
    assert_allclose(spread, [0.2, 0.3, 0.5])


@pytest.mark.parametrize("method", ["pca", "random"])
@pytest.mark.parametrize("row_share", [0.75, 1.0, None])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_whole_is_orthogonal_and_made_of_blocks(seed, method, row_share, weighted):
    # Acceptance 2 of the hybrid forests.
    X, y = table(seed)
    rotation = fit_block_rotation(
        X,
        y,
        n_blocks=3,
        row_share=row_share,
        method=method,
        sample_weight=np.arange(60) % 4.0 if weighted else None,
        random_state=seed % 2**32,
    )
    matrix = rotation.as_matrix()
    assert_allclose(matrix @ matrix.T, np.eye(10), atol=1e-10)
    assert sorted(len(block) for block in rotation.blocks) == [3, 3, 4]
    assert_array_equal(np.sort(np.concatenate(rotation.blocks)), np.arange(10))
    order = np.concatenate(rotation.blocks)
    ends = np.cumsum([len(block) for block in rotation.blocks])
    own_block = np.searchsorted(ends, np.arange(10), side="right")
    apart = own_block[:, np.newaxis] != own_block
    assert (matrix[np.ix_(order, order)][apart] == 0.0).all()
    assert_allclose(rotation.transform(X), X @ matrix, atol=1e-10)


@pytest.mark.parametrize(
    ("n_features", "choice", "sizes"),
    [
        (3, {"n_blocks": max(1, 3 // 4)}, [3]),  # n < 4 gives one block
        (11, {"n_blocks": 11 // 4}, [5, 6]),  # the remainder is spread evenly
        (10, {"features_per_block": 3}, [2, 2, 3, 3]),
        (10, {}, [2, 2, 3, 3]),
        (2, {"n_blocks": 9}, [1, 1]),
        (2, {"features_per_block": 9}, [2]),
    ],
)
def test_sizes_of_blocks(seed, n_features, choice, sizes):
    X, y = table(seed, n_features=n_features)
    rotation = fit_block_rotation(X, y, random_state=0, **choice)
    assert sorted(len(block) for block in rotation.blocks) == sizes


def test_components_of_all_rows_are_those_of_numpy(seed):
    # A naive twin: the eigenvectors of each block's covariance, up to their signs.
    X, _ = table(seed)
    weight = np.random.default_rng(seed).integers(1, 4, size=60)
    for given in (None, weight):
        rotation = fit_block_rotation(
            X, row_share=None, sample_weight=given, random_state=seed % 2**32
        )
        matrix = rotation.as_matrix()
        for block in rotation.blocks:
            covariance = np.cov(X[:, block].T, fweights=given)
            _, vectors = np.linalg.eigh(covariance)
            agreement = np.abs(vectors[:, ::-1].T @ matrix[np.ix_(block, block)])
            assert_allclose(agreement, np.eye(len(block)), atol=1e-6)


def test_rotated_blocks_are_uncorrelated_and_fall_in_variance(seed):
    X, _ = table(seed)
    rotation = fit_block_rotation(X, row_share=None, random_state=seed % 2**32)
    rotated = rotation.transform(X)
    for block in rotation.blocks:
        covariance = np.cov(rotated[:, block].T)
        variances = np.diag(covariance)
        assert_allclose(covariance, np.diag(variances), atol=1e-8 * variances[0])
        assert (np.diff(variances) <= 0.0).all()


def test_a_class_subset_sees_rows_of_its_classes_only():
    # Class 0 lies on the rising diagonal, class 1 on the falling one and twice as
    # long. The first component rises only if class 0 is seen alone: once in four draws.
    line = np.linspace(-1.0, 1.0, 21)
    X = np.concatenate([np.c_[line, line], np.c_[2.0 * line, -2.0 * line]])
    y = np.repeat([0, 1], 21)

    def rises(draw, class_subsets):
        rotation = fit_block_rotation(
            X,
            y,
            n_blocks=1,
            row_share=None,
            class_subsets=class_subsets,
            random_state=draw,
        )
        return np.prod(rotation.matrices[0][0, :, 0]) > 0.0

    n_rising = sum(rises(draw, True) for draw in range(200))
    assert 25 <= n_rising <= 80  # 50 expected, standard deviation 6
    assert not any(rises(draw, False) for draw in range(20))


def test_rows_are_drawn_by_weight_and_number(seed):
    # The heavy rows lie on a line; rows without weight do not, and are never drawn.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    X[:30, 1] = X[:30, 0]
    weight = np.repeat([1.0, 0.0], 30)
    for row_share in (0.5, None):
        rotation = fit_block_rotation(
            X, n_blocks=1, row_share=row_share, sample_weight=weight, random_state=0
        )
        assert_allclose(np.abs(rotation.matrices[0]), 0.5**0.5, atol=1e-6)


def test_two_features_are_turned_by_any_angle():
    # 200 random turns: the angle of the first direction is uniform. The chance that
    # one of eight sectors has fewer than 7 or more than 50 is below one in 100,000.
    X = np.zeros((4, 2))
    directions = np.array(
        [
            fit_block_rotation(X, method="random", random_state=t).matrices[0][0, :, 0]
            for t in range(200)
        ]
    )
    angles = np.arctan2(directions[:, 1], directions[:, 0])
    counts = np.histogram(angles, bins=8, range=(-np.pi, np.pi))[0]
    assert counts.min() >= 7 and counts.max() <= 50


def test_missing_values_count_as_the_mean(seed):
    X, y = table(seed)
    gaps = X.copy()
    gaps[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    gaps[:, 4] = np.nan
    means = find_fill(gaps)
    known = np.delete(np.arange(10), 4)
    assert_allclose(means[known], np.nanmean(gaps[:, known], axis=0))
    assert means[4] == 0.0
    rotation = fit_block_rotation(gaps, y, random_state=0)
    filled = np.where(np.isnan(gaps), means, gaps)
    same = fit_block_rotation(filled, y, random_state=0)
    assert_allclose(rotation.as_matrix(), same.as_matrix(), atol=1e-12)
    assert_allclose(rotation.transform(gaps), same.transform(filled), atol=1e-9)


def test_weighted_means(seed):
    X, _ = table(seed)
    X[0, 0] = np.nan
    weight = np.arange(60.0)
    weight[0] = 5.0
    means = find_fill(X, weight)
    assert_allclose(means[0], np.average(X[1:, 0], weights=weight[1:]))
    assert_allclose(means[1:], np.average(X[:, 1:], axis=0, weights=weight))


def test_constant_features_and_few_rows_leave_it_orthogonal():
    for X in (np.ones((5, 4)), np.arange(4.0).reshape(1, 4)):
        for row_share in (0.75, None):
            rotation = fit_block_rotation(X, row_share=row_share, random_state=0)
            matrix = rotation.as_matrix()
            assert_allclose(matrix @ matrix.T, np.eye(4), atol=1e-10)


def test_orders_in_memory_do_not_matter(seed):
    X, y = table(seed)
    rotation = fit_block_rotation(X, y, random_state=0)
    same = fit_block_rotation(np.asfortranarray(X), y, random_state=0)
    assert_allclose(rotation.as_matrix(), same.as_matrix(), atol=1e-9)
    expected = rotation.transform(X)
    assert_allclose(rotation.transform(np.asfortranarray(X)), expected, atol=1e-12)
    assert_allclose(rotation.rotate_columns(X.T), expected.T, atol=1e-12)
    assert repr(rotation) == "<BlockRotation: 10 features in 4 blocks>"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"n_blocks": 0}, "n_blocks must be an integer above 0; got 0"),
        ({"features_per_block": 2.5}, "features_per_block must be"),
        ({"n_blocks": 2, "features_per_block": 3}, "one of them"),
        ({"row_share": 0.0}, "row_share must be above 0 and at most 1"),
        ({"row_share": 1.5}, "row_share must be above 0 and at most 1"),
        ({"method": "ica"}, "method must be 'pca' or 'random'; got 'ica'"),
    ],
)
def test_wrong_choices_are_named(wrong, says):
    with pytest.raises(ValueError, match=says):
        fit_block_rotation(np.eye(4), **wrong)


def test_a_table_of_another_width_is_refused():
    with pytest.raises(ValueError, match="3 columns"):
        quarter_turn().transform(np.eye(4))


def test_columns_whose_products_overflow_are_refused():
    X = np.array([[1.0, 2.0], [1e200, 3.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="Products of columns overflow: scale"):
        fit_block_rotation(X, n_blocks=1, row_share=None, random_state=0)
