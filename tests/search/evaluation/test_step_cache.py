"""The cache of steps: least recently used entries go first, large ones never enter."""

import numpy as np
from scipy.sparse import csr_matrix

from manyminds.search.evaluation.column_trace import Trace, as_names
from manyminds.search.evaluation.step_cache import FoldTables, Ranking, StepCache


def make(n_bytes, calls, key):
    def call():
        calls.append(key)
        return np.zeros(n_bytes, dtype=np.uint8)

    return call


def test_the_least_recently_used_entry_goes_first():
    cache, calls = StepCache(100), []
    for key in "abacab":  # c does not fit with both; b was used longest ago
        cache.get_or_make(key, make(40, calls, key))
    assert calls == ["a", "b", "c", "b"]
    assert cache.size == 80


def test_a_large_entry_is_not_stored():
    cache, calls = StepCache(100), []
    for _ in range(2):
        assert len(cache.get_or_make("a", make(60, calls, "a"))) == 60
    assert calls == ["a", "a"] and cache.size == 0


def test_columns_are_kept_with_their_trace():
    names = as_names(["a", "b"])
    X = np.arange(6.0).reshape(3, 2)
    tables = FoldTables(X, csr_matrix(X[:1]), Trace(names, names), (), 1.0, 2.0)
    kept = tables.keep(Ranking(np.array([2, 1]), 4.0), 1)
    assert (kept.fit_seconds, kept.transform_seconds) == (5.0, 2.0)
    np.testing.assert_array_equal(kept.train, [[1.0], [3.0], [5.0]])
    assert kept.test.shape == (1, 1) and list(kept.trace.columns) == ["b"]
    assert tables.nbytes == 48 + 8 + 4  # one cell of the sparse row is stored
