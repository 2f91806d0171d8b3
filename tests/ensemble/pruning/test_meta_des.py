"""The second level of META-DES."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit

from manyminds.ensemble.pruning.meta_des import N_PROFILES, MetaCompetence


def make_values(seed, n_known=80, n_members=6):
    """Members are right in one half of the line each."""
    rng = np.random.default_rng(seed)
    place = np.sort(rng.uniform(-1.0, 1.0, size=n_known))
    y = rng.integers(2, size=n_known)
    knows = np.where(np.arange(n_members)[:, None] % 2 == 0, place < 0, place > 0)
    p = np.where(knows, 0.9, 0.4)
    values = np.stack([1.0 - p, p], axis=2)
    values = np.where((y == 1)[None, :, None], values, values[:, :, ::-1])
    near = np.abs(place[:, None] - place).argsort(axis=1)
    return values, y, near, knows


def test_features_by_their_definitions(seed):
    values, y, near, _ = make_values(seed)
    meta = MetaCompetence(values, y)
    profiles = meta._find_profiles(meta.labels[:3], np.arange(3))
    features = meta._make_features(near[:3, 1:4], profiles, meta.confidence[:3])
    features = features.reshape(3, 6, -1)
    assert features.shape[2] == 3 + 3 + 1 + N_PROFILES + 1
    for i in range(3):
        assert i not in profiles[i]
        for m in range(6):
            right = [values[m, k].argmax() == y[k] for k in near[i, 1:4]]
            truth = [values[m, k, y[k]] for k in near[i, 1:4]]
            alike = [values[m, k].argmax() == y[k] for k in profiles[i]]
            expected = [*right, *truth, np.mean(right), *alike, values[m, i].max()]
            assert_allclose(features[i, m], expected)


def test_it_learns_who_knows_the_region(seed):
    values, y, near, knows = make_values(seed)
    meta = MetaCompetence(values, y).fit(near[:, 1:6], np.random.RandomState(0))
    competence = meta.predict(near[:, 1:6], meta.labels, meta.confidence)
    assert np.mean((competence > 0.5) == knows.T) > 0.9


def test_sums_of_weights_are_the_linear_model_of_the_features(seed):
    values, y, near, _ = make_values(seed)
    meta = MetaCompetence(values, y).fit(near[:, 1:6], np.random.RandomState(0))
    profiles = meta._find_profiles(meta.labels, None)
    features = meta._make_features(near[:, 1:6], profiles, meta.confidence)
    expected = expit(features @ meta._weights + meta._intercept).reshape(80, 6)
    found = meta.predict(near[:, 1:6], meta.labels, meta.confidence)
    assert_allclose(found, expected)


def test_rows_with_similar_votes(seed):
    labels = np.random.default_rng(seed).integers(3, size=(30, 8))
    values = np.eye(3)[labels.T]
    meta = MetaCompetence(values, np.zeros(30, int))
    n_same = (labels[:, None] == labels).sum(axis=2)
    n_same[np.arange(30), np.arange(30)] = -1
    expected = np.argsort(-n_same, axis=1, kind="stable")[:, :N_PROFILES]
    assert_array_equal(meta._find_profiles(labels, np.arange(30)), expected)


def test_members_that_are_always_right():
    values = np.tile(np.array([[0.9, 0.1]]), (3, 10, 1))
    y, near = np.zeros(10, int), np.tile(np.arange(3), (10, 1))
    meta = MetaCompetence(values, y).fit(near, np.random.RandomState(0))
    assert_array_equal(
        meta.predict(near, meta.labels, meta.confidence), np.ones((10, 3))
    )
