"""Normalised radial basis functions against brute force, and at both ends of width."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from manyminds.learners import kernel_sums
from manyminds.learners.nrbf import NRBFClassifier, NRBFRegressor


def table(seed, n_samples=60, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=n_samples), [-0.5, 0.5])
    return X, y % n_classes, rng


def left_out_errors(X, targets, weight, widths):
    """Leave each place out, rows that share it together, by brute force."""
    errors = []
    for width in widths:
        error = 0.0
        for x, target, w in zip(X, targets, weight):
            away = ~(X == x).all(axis=1)
            distance = ((X[away] - x) ** 2).sum(axis=1)
            kernel = weight[away] * np.exp(-(distance - distance.min()) / width)
            error += w * ((kernel @ targets[away] / kernel.sum() - target) ** 2).sum()
        errors.append(error / weight.sum())
    return np.array(errors)


def test_worked_example():
    # At 0, kernels of the rows at 0, 1 and 2 are 1, 1/2 and 1/16.
    X, width = [[0.0], [1.0], [2.0]], 1.0 / np.log(2.0)
    model = NRBFClassifier(width).fit(X, ["a", "b", "a"])
    assert_allclose(model.predict_proba([[0.0]]), [[17 / 25, 8 / 25]])
    assert_array_equal(model.predict([[0.0]]), ["a"])
    number = NRBFRegressor(width).fit(X, [0.0, 25.0, 50.0])
    assert_allclose(number.predict([[0.0]]), [8 + 2])


@pytest.mark.parametrize("weighted", [False, True])
def test_equals_brute_force(seed, weighted):  # acceptance 4
    X, y, rng = table(seed)
    weight = rng.uniform(0.0, 3.0, len(y)) if weighted else None
    new = rng.normal(size=(20, 3))
    kernel = rbf_kernel(new, X, gamma=1 / 0.7) * (1.0 if weight is None else weight)
    shares = kernel @ np.eye(3)[y] / kernel.sum(axis=1, keepdims=True)
    model = NRBFClassifier(0.7).fit(X, y, weight)
    assert_allclose(model.predict_proba(new), shares, atol=1e-12)
    assert_allclose(model.predict_proba(new).sum(axis=1), 1.0)
    number = NRBFRegressor(0.7).fit(X, X[:, 1], weight)
    assert_allclose(number.predict(new), kernel @ X[:, 1] / kernel.sum(axis=1))


def test_a_narrow_width_is_the_nearest_neighbor(seed):  # acceptance 4
    X, y, rng = table(seed)
    new = rng.normal(size=(200, 3))
    near = np.sort(euclidean_distances(new, X, squared=True), axis=1)
    clear = near[:, 1] - near[:, 0] > 1e-6  # rounding settles ties in any way
    for width in (1e-9, 1e-300):
        model = NRBFClassifier(width).fit(X, y)
        one = KNeighborsClassifier(1).fit(X, y)
        assert_array_equal(model.predict(new)[clear], one.predict(new)[clear])
        number = NRBFRegressor(width).fit(X, X[:, 1]).predict(new)[clear]
        expected = KNeighborsRegressor(1).fit(X, X[:, 1]).predict(new)[clear]
        assert_allclose(number, expected)


def test_a_wide_width_gives_the_shares_of_classes(seed):  # acceptance 4
    X, y, rng = table(seed)
    weight = rng.uniform(size=len(y))
    model = NRBFClassifier(1e12).fit(X, y, weight)
    prior = np.bincount(y, weight, 3) / weight.sum()
    assert_allclose(model.predict_proba(X), np.tile(prior, (len(X), 1)), atol=1e-9)
    number = NRBFRegressor(1e12).fit(X, X[:, 1], weight)
    assert_allclose(number.predict(X), np.average(X[:, 1], weights=weight))


def test_far_away_rows_have_answers(seed):
    X, y, _ = table(seed)
    shares = NRBFClassifier(0.1).fit(X, y).predict_proba(1e6 * np.ones((2, 3)))
    assert_allclose(shares.sum(axis=1), 1.0)


@pytest.mark.parametrize("weighted", [False, True])
def test_width_has_the_least_error_at_rows_left_out(seed, weighted):
    X, y, rng = table(seed, 40)
    X, y = np.vstack([X, X[:6]]), np.append(y, np.roll(y[:6], 1))  # some places twice
    weight = rng.uniform(0.5, 2.0, len(y)) if weighted else np.ones(len(y))
    model = NRBFClassifier().fit(X, y, weight)
    errors = left_out_errors(X, np.eye(3)[y], weight, model.widths_)
    assert_allclose(model.loo_errors_, errors, atol=1e-8)
    assert model.width_ == model.widths_[model.loo_errors_.argmin()]
    number = NRBFRegressor().fit(X, X[:, 1] + y, weight)
    errors = left_out_errors(X, (X[:, 1] + y)[:, None], weight, number.widths_)
    assert_allclose(number.loo_errors_, errors, atol=1e-8)


def test_widths_follow_the_scale_of_the_data(seed):
    X, y, _ = table(seed)
    widths = NRBFClassifier().fit(X, y).widths_
    distances = euclidean_distances(X, squared=True)
    assert widths[0] == pytest.approx(2 * distances.mean())
    assert_allclose(widths[:-1] / widths[1:], 2.0)
    model, other = NRBFClassifier().fit(X, y), NRBFClassifier().fit(8 * X - 5, y)
    assert other.width_ == pytest.approx(64 * model.width_)


def test_a_smooth_target_wants_a_wider_width_than_a_rough_one(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(300, 1))
    smooth = NRBFRegressor().fit(X, X[:, 0] + 0.3 * rng.normal(size=300))
    rough = NRBFRegressor().fit(X, np.sin(40 * X[:, 0]))
    assert smooth.width_ > 4 * rough.width_


@pytest.mark.parametrize("Model", [NRBFClassifier, NRBFRegressor])
def test_blocks_threads_and_sparse_tables(seed, monkeypatch, Model):
    X, y, _ = table(seed)
    X = np.where(X > 0.5, X, 0.0)
    answer = "predict_proba" if Model is NRBFClassifier else "predict"
    plain = Model().fit(X, y)
    sparse = Model().fit(csr_matrix(X), y)
    monkeypatch.setattr(kernel_sums, "_BLOCK_CELLS", 500)
    blocks = Model(n_jobs=2).fit(X, y)
    expected = getattr(plain, answer)(X)
    assert_allclose(getattr(blocks, answer)(X), expected, atol=1e-9)
    for model, rows in ((sparse, csr_matrix(X)), (sparse, X), (plain, csr_matrix(X))):
        assert_allclose(getattr(model, answer)(rows), expected, atol=1e-9)


def test_offsets_do_not_matter(seed):
    X, y, _ = table(seed)
    near, far = NRBFClassifier().fit(X, y), NRBFClassifier().fit(X + 1e5, y)
    assert_allclose(far.predict_proba(X + 1e5), near.predict_proba(X), atol=1e-6)


# ---------------------------------------------------------------- prototypes


def test_as_many_prototypes_as_rows_are_the_rows(seed):
    X, y, rng = table(seed)
    new = rng.normal(size=(20, 3))
    model = NRBFClassifier(0.5, n_prototypes=len(X), random_state=seed % 2**31)
    expected = NRBFClassifier(0.5).fit(X, y).predict_proba(new)
    assert_allclose(model.fit(X, y).predict_proba(new), expected, atol=1e-9)


def test_prototypes_stand_for_their_rows(seed):
    # One for each class: the mean of the class, with the weight of its rows.
    X, y, rng = table(seed)
    weight = rng.uniform(0.5, 2.0, len(y))
    model = NRBFClassifier(0.5, n_prototypes=1).fit(X, y, weight)
    means = [np.average(X[y == c], axis=0, weights=weight[y == c]) for c in range(3)]
    assert_allclose(model.prototypes_, means)
    kernel = rbf_kernel(X, means, gamma=2.0) * np.bincount(y, weight)
    shares = kernel / kernel.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), shares, atol=1e-9)


def test_rows_leave_their_prototypes(seed):
    # Two prototypes of a regression: without the row, its cluster has another mean and
    # another weight, though its place stays.
    X, _, rng = table(seed, 30)
    target = X[:, 0] + rng.normal(size=30)
    model = NRBFRegressor(n_prototypes=2, random_state=0).fit(X, target)
    home = euclidean_distances(X, model.prototypes_).argmin(axis=1)
    errors = np.zeros(len(model.widths_))
    for k, width in enumerate(model.widths_):
        for i in range(30):
            others = np.arange(30) != i
            n = np.bincount(home[others], minlength=2)
            total = np.bincount(home[others], target[others], minlength=2)
            distance = ((X[i] - model.prototypes_) ** 2).sum(axis=1)
            kernel = np.exp(-(distance - distance[n > 0].min()) / width)
            errors[k] += (kernel @ total / (kernel @ n) - target[i]) ** 2 / 30
    assert_allclose(model.loo_errors_, errors, rtol=1e-6)


def test_few_prototypes_do_for_iris(seed):
    X, y = load_iris(return_X_y=True)
    model = NRBFClassifier(n_prototypes=5, random_state=seed % 2**31).fit(X, y)
    assert model.prototypes_.shape == (15, 4)
    assert model.score(X, y) > 0.9


# ---------------------------------------------------------------- odd tables


def test_one_place_only():
    model = NRBFClassifier().fit([[1.0], [1.0]], [0, 1])
    assert_allclose(model.predict_proba([[5.0]]), [[0.5, 0.5]])
    assert model.width_ == 1.0


def test_a_second_fit_forgets_what_was_tried(seed):
    X, y, _ = table(seed)
    model = NRBFClassifier().fit(X, y).set_params(width=0.5).fit(X, y)
    assert model.width_ == 0.5
    assert not hasattr(model, "loo_errors_")


def test_says_what_is_wrong():
    with pytest.raises(ValueError, match="'width' parameter of NRBFClassifier"):
        NRBFClassifier(0.0).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.slow
@pytest.mark.parametrize("n_prototypes", [None, 20])
def test_error_of_drawn_rows_is_near_that_of_all(seed, n_prototypes):
    # Of 400 draws, the greatest error was 4.2 standard errors.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(600, 3))
    y = X[:, 0] + rng.normal(size=600)
    X[::3] = X[1::3]  # equal rows are merged
    for Model, target in ((NRBFRegressor, y), (NRBFClassifier, y > 0)):
        options = {"n_prototypes": n_prototypes, "random_state": 0}
        exact = Model(max_samples=None, **options).fit(X, target)
        assert_array_equal(exact.loo_std_errors_, 0.0)
        drawn = Model(max_samples=200, **options).fit(X, target)
        assert drawn.n_loo_samples_ == 200 < exact.n_loo_samples_
        assert_allclose(drawn.widths_, exact.widths_)
        error = np.abs(drawn.loo_errors_ - exact.loo_errors_)
        assert (error < 6.0 * drawn.loo_std_errors_).all()
        assert 0.0 < drawn.loo_std_errors_.max() < 0.5 * exact.loo_errors_.max()


def test_automatic_number_of_drawn_rows(monkeypatch):
    from manyminds.learners import nrbf

    X = np.random.default_rng(0).normal(size=(100, 2))
    assert NRBFRegressor().fit(X, X[:, 0]).n_loo_samples_ == 100
    monkeypatch.setattr(nrbf, "MIN_AUTO_ROWS", 10)
    monkeypatch.setattr(nrbf, "MAX_AUTO_PAIRS", 3000)
    model = NRBFRegressor(random_state=0).fit(X, X[:, 0])
    assert model.n_loo_samples_ == 30
    assert (model.loo_std_errors_ > 0).all()
