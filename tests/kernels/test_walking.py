import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.kernels import walking

# Two trees: one splits by column 1 at 0.5, and what goes right by column 0 at 2;
# the other is a single leaf.
FEATURE = np.array([1, -1, 0, -1, -1, -1], dtype=np.int32)
THRESHOLD = np.array([0.5, np.nan, 2.0, np.nan, np.nan, np.nan])
LEFT = np.array([1, -1, 3, -1, -1, -1], dtype=np.int32)
STARTS = np.array([0, 5, 6])
VALUE = np.array([[0.5, 0.5], [0, 1], [0.8, 0.2], [0, 1], [1, 0], [0.25, 0.75]])
X = np.array([[0.0, 0.5], [2.0, 0.6], [2.1, np.inf], [9.0, -np.inf]])
LEAVES = [[1, 3, 4, 1], [0, 0, 0, 0]]


def pack():
    nodes = np.zeros(12, dtype=np.uint64)
    table_nodes = np.full(4, -1)
    n_rows = walking.pack_nodes(
        FEATURE, THRESHOLD, LEFT, STARTS, VALUE, nodes, table_nodes
    )
    return nodes, table_nodes[:n_rows]


@pytest.mark.no_jit
def test_packed_nodes_hold_the_split_or_the_row_of_leaf_values():
    nodes, table_nodes = pack()
    # Nodes 1 and 3 are of class 1 alone and share a row.
    assert_array_equal(table_nodes, [1, 4, 5])
    words, thresholds = nodes.reshape(-1, 2), nodes.view(np.float64).reshape(-1, 2)
    assert_array_equal(words[:, 0] >> np.uint64(32), [1, 0, 0, 0, 0, 0])
    assert_array_equal(words[:, 0] & np.uint64(2**32 - 1), [1, 1, 3, 3, 4, 0])
    assert_array_equal(thresholds[:, 1], THRESHOLD)
    is_leaf = LEFT < 0
    assert_array_equal(words[is_leaf, 1] & np.uint64(2**32 - 1), [0, 0, 1, 2])


@pytest.mark.no_jit
@pytest.mark.parametrize(
    "values, rows",
    [
        ([[1, 0], [1, 0]], [0]),  # one class, in both leaves
        ([[1, 0], [0, 1]], [0, 1]),
        ([[0.5, 0.5], [0.5, 0.5]], [0, 1]),  # mixed leaves are not compared
        ([[1, 1], [1, 0]], [0, 1]),  # no shares, but values all the same
        ([[1, 1], [0, 1]], [0, 1]),
        ([[1, -1], [1, 0]], [0, 1]),
        ([[0, 1], [np.nan, 1]], [0, 1]),
        ([[-1, 1], [0, 1]], [0, 1]),
        ([[0, 0], [0, 0]], [0, 1]),
        ([[1], [1]], [0]),
        ([[3], [3]], [0, 1]),
    ],
)
def test_only_leaves_of_one_and_the_same_class_share_a_row(values, rows):
    table_nodes = np.zeros(2, dtype=np.int64)
    n_rows = walking.pack_nodes(
        np.full(2, -1, dtype=np.int32),
        np.full(2, np.nan),
        np.full(2, -1, dtype=np.int32),
        np.arange(3),
        np.array(values, dtype=np.float64),
        np.zeros(4, dtype=np.uint64),
        table_nodes,
    )
    assert_array_equal(table_nodes[:n_rows], rows)


@pytest.mark.no_jit
def test_walk_worked_example():
    nodes, table_nodes = pack()
    out = np.zeros((2, 4), dtype=np.uint32)
    walking.walk(nodes, STARTS, X, False, out)
    assert_array_equal(out, LEAVES)
    walking.walk(nodes, STARTS, X, True, out)
    # Row 1 ends in node 3, whose values are those of node 1.
    assert_array_equal(table_nodes[out], [[1, 1, 4, 1], [5, 5, 5, 5]])


@pytest.mark.no_jit
def test_walk_starts_with_any_tree():
    out = np.zeros((1, 4), dtype=np.uint32)
    walking.walk(pack()[0], STARTS[1:], X, False, out)
    assert_array_equal(out, LEAVES[1:])


@pytest.mark.no_jit
def test_walk_with_missing_worked_example():
    # Column 1 is missing twice, and missing values go right at the root; column 0 is a
    # category, of which 2 and 70 go left. The set cannot hold category 128.
    nodes, _ = pack()
    missing_right = np.array([True, False, True, False, False, False])
    category_set = np.array([-1, -1, 0, -1, -1, -1], dtype=np.int32)
    category_sets = np.array([[1 << 2, 1 << 6]], dtype=np.uint64)
    column = [2, 70, 3, 0, 66, np.nan, 128, 2, 2, 3]
    X = np.array([column, [1] * 7 + [np.nan, 0, np.nan]]).T.copy()
    out = np.zeros((2, len(X)), dtype=np.uint32)
    sets = category_set, category_sets
    walking.walk_with_missing(nodes, STARTS, missing_right, *sets, X, False, out)
    assert_array_equal(out[0], [3, 3, 4, 4, 4, 4, 4, 3, 1, 4])
    assert_array_equal(out[1], 0)


def test_both_walks_agree_where_nothing_is_missing(seed):
    nodes, _ = pack()
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2 * walking.BATCH + 7, 2)) * [4, 1]
    plain, general = np.zeros((2, 2, len(X)), dtype=np.uint32)
    walking.walk(nodes, STARTS, X, False, plain)
    walking.walk_with_missing(
        nodes,
        STARTS,
        np.ones(6, dtype=bool) & (LEFT >= 0),
        np.full(6, -1, dtype=np.int32),
        np.zeros((0, 1), dtype=np.uint64),
        X,
        False,
        general,
    )
    assert_array_equal(plain, general)
    right = X[:, 1] > 0.5
    assert_array_equal(plain[0], np.where(right, np.where(X[:, 0] > 2, 4, 3), 1))


@pytest.mark.no_jit
def test_leaf_values_are_added():
    table = np.array([[1.0, 2.0], [10.0, 20.0]])
    leaf_row = np.array([[0, 1, 1], [0, 0, 1]], dtype=np.uint32)
    total = np.ones((3, 2))
    walking.add_leaf_values(table, leaf_row, total)
    assert_array_equal(total, [[3, 5], [12, 23], [21, 41]])

    left_out = np.array([[True, False, True], [False, False, True]])
    total, n_left_out = np.zeros((3, 2)), np.array([5, 0, 0])
    walking.add_left_out_values(table, leaf_row, left_out, total, n_left_out)
    assert_array_equal(total, [[1, 2], [0, 0], [20, 40]])
    assert_array_equal(n_left_out, [6, 0, 2])


@pytest.mark.no_jit
def test_parents_and_paths():
    parent, depth = np.zeros((2, 6), dtype=np.int32)
    walking.find_parents(LEFT, STARTS, parent, depth)
    assert_array_equal(parent, [-1, 0, 0, 2, 2, -1])
    assert_array_equal(depth, [0, 1, 1, 2, 2, 0])

    leaf = np.array([[4, 0], [1, 0]])
    nodes = np.zeros(7, dtype=np.int64)
    walking.fill_paths(parent, depth, STARTS, leaf, np.array([0, 4, 7]), nodes)
    assert_array_equal(nodes, [0, 2, 4, 5, 0, 1, 5])
