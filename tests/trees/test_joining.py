import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.trees.joining import NODE_ARRAYS, join_batches


def make_batch(seed, sizes, n_sets, n_words=1):
    rng = np.random.default_rng(seed)
    n_nodes = sum(sizes)
    batch = {name: rng.random(n_nodes) for name in NODE_ARRAYS}
    batch["value"] = rng.random((n_nodes, 3))
    batch["category_set"] = np.full(n_nodes, -1, np.int32)
    batch["category_set"][:n_sets] = np.arange(n_sets)
    batch["category_sets"] = rng.integers(9, size=(n_sets, n_words)).astype(np.uint64)
    batch["starts"] = np.concatenate([[0], np.cumsum(sizes)])
    return {**batch, "n_features": 4, "max_categories": 64 * n_words}


@pytest.mark.parametrize(
    "sizes",
    [
        [(3, 2), (50, 70), (3,)],
        [(90,), (2,), (2, 2)],
        [(9_000, 9_000), (80_000, 70_000), (3,)],  # in pages of their own
    ],
)
def test_batches_follow_one_another(seed, sizes):
    # The second list begins with a large tree: too much room, cut off in the end.
    batches = [make_batch(seed + k, some, k + 1, k + 1) for k, some in enumerate(sizes)]
    n_trees = sum(map(len, sizes))
    joined = join_batches((dict(batch) for batch in batches), n_trees)
    for name in set(NODE_ARRAYS) - {"category_set"}:
        assert_array_equal(joined[name], np.concatenate([b[name] for b in batches]))
    assert_array_equal(np.diff(joined["starts"]), np.concatenate(sizes))
    numbers = joined["category_set"]
    assert_array_equal(numbers[numbers >= 0], np.arange(6))
    assert joined["category_sets"].shape == (6, 3)
    assert joined["max_categories"] == 192


def test_batches_keep_their_arrays(seed):
    batches = [make_batch(seed, (5,), 2), make_batch(seed, (5,), 2)]
    before = batches[1]["category_set"].copy()
    join_batches([dict(batch) for batch in batches], 2)
    assert_array_equal(batches[1]["category_set"], before)


def test_fewer_trees_than_expected(seed):
    joined = join_batches(iter([make_batch(seed, (4, 4), 0)]), 100)
    assert len(joined["value"]) == 8
