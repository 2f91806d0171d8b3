"""Sampled profiles: against exact ones, and their standard errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis.complexity import MultiResolutionComplexity, sampling
from manyminds.analysis.complexity.sampling import draw_rows, rescale_ranks


def draw(seed, n_samples=600, n_features=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_samples)
    return rng.normal(size=(n_samples, n_features)) + y[:, None], y


def test_all_rows_are_used_unless_there_are_too_many(seed, monkeypatch):
    assert_array_equal(draw_rows(50, "auto", 0), np.arange(50))
    assert_array_equal(draw_rows(50, None, 0), np.arange(50))
    monkeypatch.setattr(sampling, "MAX_EXACT_ROWS", 40)
    monkeypatch.setattr(sampling, "N_AUTO_SAMPLES", 10)
    rows = draw_rows(50, "auto", seed % 2**32)
    assert len(np.unique(rows)) == len(rows) == 10


def test_too_few_neighbors_in_the_sample_are_an_error():
    with pytest.raises(ValueError, match="smallest must be at least 500 neighbors if"):
        rescale_ranks(np.array([100, 9000]), 100_000, 1_000)
    X, y = draw(0)
    with pytest.raises(ValueError, match="max_samples=None compares all pairs"):
        MultiResolutionComplexity(smallest=3, max_samples=100).fit(X, y)


@pytest.mark.parametrize("probe", ["imbalance", "linear_boundary", "discriminant"])
@pytest.mark.parametrize("include_self", [True, False])
def test_without_one_row_it_is_nearly_exact(seed, probe, include_self, monkeypatch):
    # Of all rows but one, counts are those of all rows up to that row; the radii are
    # kept, so that nothing else can differ.
    X, y = draw(seed, 200)
    options = {"include_self": include_self, "shrinkage": 0.5}
    exact = MultiResolutionComplexity(probe, **options).fit(X, y)
    assert not exact.is_sampled_
    assert_array_equal(exact.mri_std_errors_, 0.0)
    name = "manyminds.analysis.complexity.mrca.space_radii"
    monkeypatch.setattr(name, lambda *unused: exact.radii_)
    drawn = MultiResolutionComplexity(probe, max_samples=199, **options).fit(X, y)
    assert drawn.is_sampled_ and len(drawn.reference_indices_) == 199
    assert_allclose(drawn.mri_, exact.mri_, atol=0.15)
    assert np.abs(drawn.mri_ - exact.mri_).mean() < 0.01


@pytest.mark.slow
def test_most_errors_are_within_two_standard_errors(seed):
    # Measured over 100 seeds: 70 to 98% of the rows, 91% on average, since rows of one
    # draw share its errors; the mean error was at most 0.055.
    X, y = draw(seed, 2000)
    exact = MultiResolutionComplexity().fit(X, y)
    drawn = MultiResolutionComplexity(max_samples=500, random_state=seed % 2**32)
    drawn.fit(X, y)
    error = np.abs(drawn.mri_ - exact.mri_)
    assert (error <= 2.0 * drawn.mri_std_errors_ + 1e-12).mean() > 0.5
    assert error.mean() < 0.1
    assert_allclose(drawn.radii_, exact.radii_, rtol=0.1)
    threads = MultiResolutionComplexity(
        max_samples=500, random_state=seed % 2**32, n_jobs=2
    ).fit(X, y)
    assert_array_equal(threads.mri_, drawn.mri_)
    assert_array_equal(threads.mri_std_errors_, drawn.mri_std_errors_)


def test_new_rows_are_compared_with_the_drawn_ones(seed):
    X, y = draw(seed)
    model = MultiResolutionComplexity(max_samples=200, random_state=0).fit(X, y)
    alone = model.reference_indices_
    part = MultiResolutionComplexity().fit(X[alone], y[alone])
    assert model.transform(X[:7]).shape == model.transform(X[:7], y[:7]).shape
    assert part.profiles_.shape == (200, 15)
    nearest = MultiResolutionComplexity(max_samples=200, random_state=0, n_neighbors=1)
    profiles = nearest.fit(X, y).transform(X[alone])
    assert_allclose(profiles, nearest.profiles_[alone])


def test_a_callable_probe_has_no_standard_error(seed):
    X, y = draw(seed, 120)

    def same(x, label, X_near, labels_near):
        return 2.0 * (labels_near == label).mean() - 1.0

    options = {"max_samples": 110, "random_state": 0, "include_self": False}
    model = MultiResolutionComplexity(same, **options).fit(X, y)
    assert np.isnan(model.mri_std_errors_).all()
    counted = MultiResolutionComplexity(**options).fit(X, y)
    assert_allclose(model.profiles_, counted.profiles_, atol=1e-12)
