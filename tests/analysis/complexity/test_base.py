"""Profiles of new samples, progress, and labels that are not known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from manyminds.analysis.complexity import (
    MultiResolutionComplexity,
)


def make_case(seed, n_samples=70, n_features=4, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_samples)
    return rng.normal(size=(n_samples, n_features)) + y[:, None], y


def test_new_rows_with_labels_are_measured_against_known_ones(seed):
    X, y = make_case(seed)
    model = MultiResolutionComplexity().fit(X, y)
    assert_array_equal(model.transform(X, y), model.profiles_)
    assert_allclose(model.measure_mri(X, y), model.mri_)
    assert_array_equal(model.assign_clusters(X, y), model.labels_)
    far = np.full((1, 4), 1e3)  # nobody near: neither for nor against
    assert_array_equal(model.transform(far, [0]), np.zeros((1, 15)))


def test_new_rows_without_labels(seed):
    X, y = make_case(seed)
    model = MultiResolutionComplexity(n_neighbors=3).fit(X, y)
    new = make_case(seed + 1, 20)[0]
    mean, scale = X.mean(axis=0), X.std(axis=0)
    near = cdist((new - mean) / scale, (X - mean) / scale).argsort(axis=1)[:, :3]
    expected = model.profiles_[near].mean(axis=1)
    assert_allclose(model.transform(new), expected, atol=1e-12)
    assert_allclose(model.measure_mri(new), model.mri_[near].mean(axis=1))
    candidates = model.profile_candidates(new)
    for c in range(3):
        labels = np.full(20, c)
        assert_array_equal(candidates[:, c], model.transform(new, labels))


def test_progress_is_told(seed, capsys):
    X, y = make_case(seed)
    MultiResolutionComplexity(verbose=1).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10  # five pieces of sixteen rows, gone through twice
    assert "100% of the neighborhoods" in lines[-1]


def test_unknown_labels_are_named(seed):
    X, y = make_case(seed, 20)
    model = MultiResolutionComplexity().fit(X, y)
    with pytest.raises(ValueError, match=r"labels \[7, 9\] that are not in classes_"):
        model.transform(X[:3], [7, 0, 9])


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        (csr_array(np.eye(3)), [0, 1, 0], TypeError, "X is a sparse matrix"),
        ([[1.0]], [0], ValueError, "two samples or more; X has 1 sample"),
        ([[1.0], [2.0]], None, ValueError, "requires y to be passed"),
        ([[1.0], [2.0]], [0.5, 1.5], ValueError, "Unknown label type"),
    ],
)
def test_tables_and_targets_that_are_not_supported(X, y, error, message):
    with pytest.raises(error, match=message):
        MultiResolutionComplexity().fit(X, y)


def test_columns_of_the_output_are_named_after_the_class(seed):
    X, y = make_case(seed, 20)
    model = MultiResolutionComplexity(n_radii=2).fit(X, y)
    assert model.get_feature_names_out().tolist() == [
        "multiresolutioncomplexity0",
        "multiresolutioncomplexity1",
    ]
