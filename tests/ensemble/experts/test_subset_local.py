"""RSS: random subsets, the control."""

import numpy as np
from numpy.testing import assert_array_equal
from scipy.sparse import csr_matrix
from scipy.stats import chisquare
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import RandomSubsetLocalClassifier
from manyminds.ensemble.experts.subset_local import hash_rows


def test_groups_are_random_and_belong_to_rows(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(3000, 3)), rng.integers(2, size=3000)
    control = RandomSubsetLocalClassifier(random_state=seed).fit(X, y)
    expert = control.route(X)
    # Odds of a correct hash: 1 in 10,000.
    assert chisquare(np.bincount(expert)).pvalue > 1e-4
    assert_array_equal(control.route(X[::-1]), expert[::-1])
    assert_array_equal(np.bincount(expert), control.n_rows_)
    other = RandomSubsetLocalClassifier(random_state=seed + 1).fit(X, y).route(X)
    assert 0.2 < np.mean(other == expert) < 0.3


def test_hash_is_the_same_for_sparse_rows_and_both_zeros(seed):
    rng = np.random.default_rng(seed)
    X = np.where(rng.uniform(size=(50, 4)) > 0.5, rng.normal(size=(50, 4)), -0.0)
    keys = rng.integers(2**32, size=(5, 2), dtype=np.uint64)
    assert_array_equal(hash_rows(X, keys), hash_rows(csr_matrix(X), keys))
    assert_array_equal(hash_rows(X, keys), hash_rows(np.abs(X) * np.sign(X), keys))


def test_naive_twin(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=400) > 0.0).astype(int)
    expert = LogisticRegression()
    control = RandomSubsetLocalClassifier(expert, random_state=0).fit(X, y)
    group = control.route(X)
    for e in range(4):
        rows = group == e
        expected = expert.fit(X[rows], y[rows]).predict_proba(X[rows])
        assert_array_equal(control.predict_proba(X)[rows], expected)
