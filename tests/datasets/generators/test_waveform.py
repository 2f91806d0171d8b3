"""Waveforms."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from manyminds.datasets.generators import bayes_error, make_waveform
from manyminds.datasets.generators.waveform import _log_joint


def bump(number, i):
    return max(6 - abs(i - {1: 11, 2: 15, 3: 7}[number]), 0)


BUMPS = {n: np.array([bump(n, i) for i in range(1, 22)], float) for n in (1, 2, 3)}
CLASSES = [(1, 2), (1, 3), (2, 3)]


def posterior_by_the_book(x):
    """Integrate the density of each class over the share of its first bump."""

    def density(u, first, second):
        mean = u * BUMPS[first] + (1 - u) * BUMPS[second]
        return np.exp(-((x - mean) ** 2).sum() / 2)

    masses = [quad(density, 0, 1, args=pair, limit=200)[0] for pair in CLASSES]
    return np.array(masses) / sum(masses)


def test_bumps_of_the_book():
    assert_array_equal(BUMPS[1][5:16], [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
    assert_array_equal(np.flatnonzero(BUMPS[3]) + 1, np.arange(2, 13))


def test_class_means_are_halfway_between_two_bumps(seed):
    # A mean of 4,000 rows at least: its standard deviation is below 0.04.
    X, y = make_waveform(15_000, random_state=seed)
    for c, (first, second) in enumerate(CLASSES):
        halfway = (BUMPS[first] + BUMPS[second]) / 2
        assert_allclose(X[y == c].mean(axis=0), halfway, atol=0.25)


def test_variance_of_a_wave(seed):
    # Noise has variance 1, the uniform share 1/12 times the squared gap of two bumps.
    X, y = make_waveform(15_000, random_state=seed)
    for c, (first, second) in enumerate(CLASSES):
        variance = 1 + (BUMPS[first] - BUMPS[second]) ** 2 / 12
        assert_allclose(X[y == c].var(axis=0), variance, rtol=0.15)


def test_posteriors_are_those_of_the_book(seed):
    X, _, posterior = make_waveform(40, return_posterior=True, random_state=seed)
    twins = np.stack([posterior_by_the_book(x) for x in X])
    assert_allclose(posterior, twins, atol=1e-6)


def test_far_rows_have_posteriors_too(seed):
    # Rows of another scale: no tail may vanish or cancel.
    X, _ = make_waveform(50, random_state=seed)
    bumps = np.stack([BUMPS[1], BUMPS[2], BUMPS[3]])
    assert np.isfinite(_log_joint(1000 * X, bumps)).all()


def test_bayes_error_is_near_the_one_in_print():
    # The book says 14 %, from a sample.
    assert 0.13 < bayes_error("waveform") < 0.14


def test_further_columns_are_noise(seed):
    X, y = make_waveform(10_000, n_irrelevant=19, random_state=seed)
    assert X.shape == (10_000, 40)
    assert_allclose(X[:, 21:].mean(axis=0), 0, atol=0.07)
    assert_allclose(X[:, 21:].std(axis=0), 1, atol=0.07)
    correlation = np.corrcoef(X[:, 21:].T, y)[-1, :-1]
    assert np.abs(correlation).max() < 0.07


def test_waves_in_circulation(shared_data):
    # Their classes have other numbers. A mean of some 1,650 rows has a standard
    # deviation of 0.06 at most.
    table = np.loadtxt(shared_data / "waveform-21.csv.gz", delimiter=",", skiprows=1)
    halfway = np.stack([(BUMPS[a] + BUMPS[b]) / 2 for a, b in CLASSES])
    theirs = np.stack([table[table[:, 21] == c, :21].mean(axis=0) for c in range(3)])
    ours = np.abs(theirs[:, None] - halfway).max(axis=2).argmin(axis=1)
    assert sorted(ours) == [0, 1, 2]
    assert_allclose(theirs, halfway[ours], atol=0.3)
