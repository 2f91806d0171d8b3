"""Centroids: where they fall, how far rows are from them, what rows weigh there."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal

from manyminds.ensemble.local.centroids import (
    METRICS,
    PICKERS,
    SPARSE_METRICS,
    learn_locality,
    measure_distances,
    pick_kmeans,
    pick_random,
    pick_spread,
    weigh_by_complexity,
)

NUMBERS = np.zeros(2, dtype=int)  # two columns of numbers


def locality(X, widths=NUMBERS, weights=None, scale="minmax", matrix=None, **others):
    weights = np.ones(X.shape[0]) if weights is None else weights
    others = {"metric": "euclidean", "precision": 1.0, "power": 1.0, **others}
    return learn_locality(X, widths, weights, scale, matrix, **others)


# ---------------------------------------------------------------- points


def test_worked_example_of_points():
    # Numbers 2 and 6 become 0 and 1, a gap their mean by weights; three categories
    # become three columns, and one that is missing is none of them.
    X = np.array([[2.0, 0.0], [6.0, 2.0], [np.nan, np.nan], [100.0, 1.0]])
    place = locality(X, np.array([0, 3]), np.array([3.0, 1.0, 1.0, 0.0])).place
    assert_allclose(
        place(X),
        [
            [0.0, 1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 1.0],
            [0.25, 0.0, 0.0, 0.0],
            [24.5, 0.0, 1.0, 0.0],  # of weight 0: it had no part in the range
        ],
    )


def test_a_constant_or_empty_column_stays_where_it_is():
    X = np.array([[3.0, np.nan], [3.0, np.nan]])
    assert_array_equal(locality(X).place(X), np.zeros((2, 2)))
    assert_array_equal(locality(X, scale=None).place(X), [[3.0, 0.0], [3.0, 0.0]])


def test_sparse_points_are_as_far_apart_as_dense_ones(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2)) * (rng.random((30, 2)) < 0.5)
    X[3, 0] = np.nan
    dense, sparse = locality(X), locality(csr_array(X))
    points, thin = dense.place(X), sparse.place(csr_array(X))
    for metric in SPARSE_METRICS:
        distances = measure_distances(thin, thin[[0, 3, 5]].toarray(), metric)
        expected = measure_distances(points, points[[0, 3, 5]], metric)
        assert_allclose(distances, expected, atol=1e-12)


# ---------------------------------------------------------------- distances


@pytest.mark.parametrize("n_centroids", [3, 30])
@pytest.mark.parametrize("metric", METRICS)
def test_distances_are_those_of_scipy(metric, n_centroids, seed):
    X = np.random.default_rng(seed).random((40, 5)) + 0.1
    theirs = {"l2": "euclidean", "l1": "cityblock", "manhattan": "cityblock"}
    expected = cdist(X[:n_centroids], X, theirs.get(metric, metric))
    distances = measure_distances(X, X[:n_centroids], metric)
    assert_allclose(distances, expected, atol=1e-12)


@pytest.mark.parametrize("n_centroids", [5, 30])
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_a_row_and_its_copies_are_at_no_distance(far, n_centroids, seed):
    # Far from the origin, a product of matrices alone would leave about 1e-4.
    X = np.random.default_rng(seed).random((50, 7)) + far
    X[30] = X[4]
    expected = cdist(X[:n_centroids], X)
    for points in (X, csr_array(X)):
        distances = measure_distances(points, X[:n_centroids])
        assert_array_equal(np.flatnonzero(distances[4] == 0.0), [4, 30])
        assert_allclose(distances, expected, rtol=1e-6)


def test_distances_do_not_depend_on_blocks(monkeypatch, seed):
    X = np.random.default_rng(seed).random((50, 3))
    whole = measure_distances(X, X[:20])
    monkeypatch.setattr("manyminds.ensemble.local.centroids._BLOCK_CELLS", 700)
    assert_allclose(measure_distances(X, X[:20]), whole, atol=1e-12)


def test_a_metric_that_is_not_defined_is_an_error():
    with pytest.raises(ValueError, match="metric='correlation' returns distances"):
        measure_distances(np.ones((3, 2)), np.array([[0.0, 1.0]]), "correlation")


# ---------------------------------------------------------------- weights


def test_weights_fall_from_one(seed):
    # Acceptance 2: 1 at the centroid, falling with the distance, never 0 or below.
    rng = np.random.default_rng(seed)
    X = rng.random((60, 2))
    for power in (0.5, 1.0, 2.0, 3.0):
        weights = np.exp(
            locality(X, precision=rng.random() + 0.5, power=power).log_weights(X, X[:1])
        )[0]
        order = np.argsort(cdist(X[:1], X)[0])
        assert weights[0] == 1.0
        assert (np.diff(weights[order]) < 0.0).all()
        assert weights.min() > 0.0


def test_power_two_is_a_gaussian(seed):
    # Acceptance 2: with precision 1 / sigma^2, the density up to its constant.
    rng = np.random.default_rng(seed)
    X, sigma = rng.normal(size=(40, 2)), rng.random() + 0.5
    weights = np.exp(
        locality(X, power=2.0, precision=sigma**-2, scale=None).log_weights(X, X[:1])
    )[0]
    density = multivariate_normal(X[0], sigma**2 * np.eye(2)).pdf(X)
    assert_allclose(weights, density / density[0])


@pytest.mark.parametrize("power", [0.7, 1.0, 2.0, 3.0])
def test_scaling_matrix_generalizes_the_precision(power, seed):
    # Acceptance 2: V = phi^(2/p) I in the general weight gives the simple one. For
    # p other than 2, V = phi I, as it stands in the thesis, does not.
    X, precision = np.random.default_rng(seed).random((30, 2)), 3.0
    simple = locality(X, precision=precision, power=power).log_weights(X, X[:2])
    matrix = precision ** (2 / power) * np.eye(2)
    general = locality(X, matrix=matrix, power=power).log_weights(X, X[:2])
    assert_allclose(general, simple, atol=1e-12)


def test_scaling_matrix_is_that_of_the_formula(seed):
    rng = np.random.default_rng(seed)
    X, half = rng.normal(size=(20, 2)), rng.normal(size=(2, 2))
    matrix, power = half @ half.T, 1.5
    found = locality(X, matrix=matrix, power=power, scale=None).log_weights(X, X[:1])
    for i, x in enumerate(X):
        quadratic = (x - X[0]) @ matrix @ (x - X[0])
        assert_allclose(found[0, i], -0.5 * quadratic ** (power / 2), atol=1e-10)


def test_scaling_matrices_that_make_no_distance():
    X = np.eye(2)
    with pytest.raises(ValueError, match=r"must have shape \(2, 2\)"):
        locality(X, matrix=np.eye(3))
    with pytest.raises(ValueError, match="must be symmetric"):
        locality(X, matrix=[[1.0, 1.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="no negative eigenvalue"):
        locality(X, matrix=[[1.0, 0.0], [0.0, -1.0]])


# ---------------------------------------------------------------- picking


def pick_naively(X, weights, n_centroids, rng, factor):
    """Multiply probabilities out, as the formulas have it."""
    order = np.argsort(X @ rng.standard_normal(X.shape[1]), kind="stable")
    rows = []
    for _ in range(n_centroids):
        odds = np.array([weights[i] * factor(X, i, rows) for i in order])
        place = np.searchsorted(np.cumsum(odds / odds.sum()), rng.random_sample())
        rows.append(order[place])
    return rows


def product_of_logs(X, i, rows):
    return np.prod([np.log(1 + np.linalg.norm(X[i] - X[u])) for u in rows])


def nearest_square(X, i, rows):
    return min((np.sum((X[i] - X[u]) ** 2) for u in rows), default=1.0)


@pytest.mark.parametrize(
    ("pick", "factor"),
    [
        (pick_spread, product_of_logs),
        (pick_kmeans, nearest_square),
        (pick_random, lambda X, i, rows: 1.0),
    ],
)
def test_naive_twin_picks_the_same_rows(pick, factor, seed):
    # Acceptance 3: sums of logarithms and products of probabilities agree.
    rng = np.random.default_rng(seed)
    X, weights = rng.random((25, 3)), rng.random(25)
    start = seed % 2**31
    rows = pick(X, weights, 6, "euclidean", np.random.RandomState(start))
    expected = pick_naively(X, weights, 6, np.random.RandomState(start), factor)
    assert_array_equal(rows, expected)


@pytest.mark.parametrize("pick", [pick_spread, pick_kmeans])
def test_no_row_is_picked_twice_before_all_are(pick, seed):
    # Acceptance 3: three distinct rows among nine, ten centroids: three rounds, and a
    # fourth begun.
    X = np.repeat(np.array([[0.0, 0.0], [1.0, 0.0], [0.3, 1.0]]), 3, axis=0)
    rng = np.random.RandomState(seed % 2**31)
    rows = pick(X, np.ones(9), 10, "euclidean", rng)
    kinds = (np.asarray(rows) // 3).tolist()
    assert [sorted(kinds[t : t + 3]) for t in (0, 3, 6)] == [[0, 1, 2]] * 3


def test_many_factors_do_not_underflow(seed):
    # 400 factors of about log(1.01): the product is below 1e-700.
    X = np.random.default_rng(seed).random((500, 2)) * 0.01
    rng = np.random.RandomState(seed % 2**31)
    rows = pick_spread(X, np.ones(500), 400, "euclidean", rng)
    assert len(set(rows.tolist())) == 400


def test_second_centroid_falls_into_the_other_blob(seed):
    # Acceptance 3. Within a blob distances are about 0.05, between them 1: the odds
    # are log 2 to log 1.05, that is, 93 in 100. A correct build finds fewer than 160
    # of 200 once in 10^8 runs.
    rng = np.random.RandomState(seed % 2**31)
    X = rng.normal(scale=0.03, size=(100, 2)) + np.repeat([[0, 0], [1, 0]], 50, axis=0)
    wins = 0
    for _ in range(200):
        first, second = pick_spread(X, np.ones(100), 2, "euclidean", rng)
        wins += (first < 50) != (second < 50)
    assert wins >= 160


@pytest.mark.parametrize("name", PICKERS)
def test_order_of_rows_and_repeats_do_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    X, counts = rng.normal(size=(30, 3)), rng.integers(0, 4, 30)
    counts[0] = 1
    shuffled = rng.permutation(30)

    def picked(X, weights):
        rng = np.random.RandomState(7)
        return X[PICKERS[name](X, weights, 5, "euclidean", rng)]

    expected = picked(X, counts.astype(float))
    repeated = X.repeat(counts, axis=0)
    assert_array_equal(picked(repeated, np.ones(len(repeated))), expected)
    assert_array_equal(picked(X[shuffled], counts[shuffled] * 0.5), expected)


# ---------------------------------------------------------------- hard places


def test_hard_rows_weigh_more(seed):
    # Two classes far apart, and a third of the rows where they are mixed.
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1, 0, 1], 50)
    center = np.repeat([[0.0], [10.0], [5.0], [5.0]], 50, axis=0)
    points = center + rng.normal(scale=0.3, size=(200, 2))
    weight = np.ones(200)
    weight[[0, 150]] = 0.0
    odds = weigh_by_complexity(points, labels, weight)
    assert odds[100:].sum() > 3.0 * odds[:100].sum()
    assert_array_equal(odds[[0, 150]], 0.0)
    assert ((odds >= 0.0) & (odds <= 1.0)).all()
    rows = pick_spread(points, odds, 40, "euclidean", np.random.RandomState(seed))
    assert np.mean(rows >= 100) > 0.5


def test_where_no_row_is_hard_all_count_as_they_do():
    points, weight = np.arange(8.0)[:, None], np.arange(8.0)
    assert weigh_by_complexity(points, np.zeros(8), weight) is weight
    with pytest.raises(TypeError, match="centroid_picker='mri' takes no sparse X"):
        weigh_by_complexity(csr_array(points), np.zeros(8), weight)
