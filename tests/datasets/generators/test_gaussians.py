"""Few Gaussians in few dimensions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score

from manyminds.datasets.generators import (
    bayes_error,
    make_artificial_multi1,
    make_artificial_multi2,
    make_blobs_in_noise,
    make_four_gaussians,
)
from manyminds.datasets.generators.gaussians import MULTI1, MULTI2


def test_multi_problems_have_the_bayes_errors_in_print():
    assert_allclose(bayes_error("artificial_multi1"), 0.2176, atol=1e-6)
    assert_allclose(bayes_error("artificial_multi2"), 0.1433, atol=1e-6)


def test_bayes_error_of_multi1_by_hand():
    # The center's region is the square |x| + |y| < 1; a corner's is its quarter of
    # the plane without that square.
    s = MULTI1.stds[0]
    center = (2 * ndtr(1 / (np.sqrt(2) * s)) - 1) ** 2
    corner, _ = quad(
        lambda x: norm.pdf(x, 1, s) * ndtr((1 - max(0, 1 - x)) / s),
        0,
        1 + 9 * s,
        points=[1],
    )
    right = (center + 4 * corner) / 5
    assert_allclose(bayes_error("artificial_multi1"), 1 - right, atol=1e-6)


@pytest.mark.parametrize(
    "maker, problem",
    [(make_artificial_multi1, MULTI1), (make_artificial_multi2, MULTI2)],
)
def test_nearest_mean_is_the_best_rule(maker, problem, seed):
    # Six standard deviations of the count: once in 500 million.
    X, y, posterior = maker(40_000, return_posterior=True, random_state=seed)
    distance = np.linalg.norm(X[:, None] - problem.means, axis=2)
    nearest = distance.argmin(axis=1)
    assert (posterior.argmax(axis=1) == nearest).all()
    error = bayes_error(maker.__name__.removeprefix("make_"))
    spread = np.sqrt(error * (1 - error) / len(y))
    assert abs((nearest != y).mean() - error) < 6 * spread


def test_four_gaussians_have_their_centers(seed):
    # The mean of some 10,000 draws: 0.01 is one standard deviation.
    X, y = make_four_gaussians(40_000, random_state=seed)
    left = X[:, 0] + X[:, 1] < 3.75  # halfway between the two of class 0
    assert_allclose(X[(y == 0) & left].mean(axis=0), [0, 0], atol=0.1)
    assert_allclose(X[(y == 0) & ~left].mean(axis=0), [4.5, 3], atol=0.1)
    upper = X[:, 1] - X[:, 0] > -0.45  # halfway between the two of class 1
    assert_allclose(X[(y == 1) & upper].mean(axis=0), [1, 3], atol=0.1)
    assert_allclose(X[(y == 1) & ~upper].mean(axis=0), [3, 0.1], atol=0.1)


def test_no_line_parts_four_gaussians(seed):
    # Measured over 200 draws: from 42 to 62 % are right, with a deviation of 2.6 %.
    X, y = make_four_gaussians(5000, random_state=seed)
    assert LogisticRegression().fit(X, y).score(X, y) < 0.72
    assert bayes_error("four_gaussians") < 0.1


def test_blobs_show_in_their_columns_only(seed):
    # Measured over 200 draws: at least 0.96 in the two columns, at most 0.34 in all.
    # Below 0.85, 8 rows of 200 would lie beyond the border, where 0.27 are expected:
    # once in a thousand million.
    X, y = make_blobs_in_noise(random_state=seed)
    k_means = KMeans(2, n_init=3, random_state=0)
    assert adjusted_rand_score(y, k_means.fit_predict(X[:, :2])) > 0.85
    assert adjusted_rand_score(y, k_means.fit_predict(X)) < 0.7


def test_blobs_lie_so_far_apart(seed):
    X, y = make_blobs_in_noise(
        20_000, n_features=5, n_informative=3, separation=4, random_state=seed
    )
    gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    assert_allclose(gap[:3], 4 / np.sqrt(3), atol=0.1)
    assert_allclose(X[:, 3:].std(axis=0), 3, atol=0.1)
    assert_allclose(bayes_error("blobs_in_noise", separation=4), ndtr(-2))


def test_wrong_parameters_are_named():
    with pytest.raises(ValueError, match=r"n_informative .* from 1 to 50; got 51"):
        make_blobs_in_noise(n_informative=51)
    with pytest.raises(ValueError, match=r"separation .* at least 0.0; got -1"):
        make_blobs_in_noise(separation=-1)
