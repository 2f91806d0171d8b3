"""Computing on some trees at a time: which chunks there are, and what they get."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.chunks import (
    divide_rows,
    make_splits,
    map_chunks,
    predict_nodes,
    take_chunk,
)


def list_trees(n_trees, n_rows, n_jobs=None):
    chunks = map_chunks(
        lambda chunk: np.arange(n_trees)[chunk], n_trees, n_rows, n_jobs
    )
    return [chunk.tolist() for chunk in chunks]


@pytest.mark.parametrize("n_trees", [1, 2, 16, 17, 100])
@pytest.mark.parametrize("n_rows", [0, 5, 2**22, 2**24])
def test_every_tree_is_in_one_chunk_and_in_order(n_trees, n_rows):
    chunks = list_trees(n_trees, n_rows)
    assert [t for chunk in chunks for t in chunk] == list(range(n_trees))
    assert all(len(chunk) * n_rows <= max(2**23, n_rows) for chunk in chunks)


@pytest.mark.parametrize("n_rows, n_threads", [(0, 2), (1, 4), (10, 1), (1001, 3)])
def test_every_row_is_in_one_slice_and_in_order(n_rows, n_threads):
    rows = np.arange(n_rows)
    slices = [rows[each].tolist() for each in divide_rows(n_rows, 7, n_threads)]
    assert [i for each in slices for i in each] == rows.tolist()
    assert all(1 <= len(each) <= 7 for each in slices)


def test_chunks_do_not_depend_on_threads():
    assert list_trees(40, 10, 1) == list_trees(40, 10, 2)
    assert [len(chunk) for chunk in list_trees(40, 10)] == [3] * 13 + [1]


def test_rows_are_for_each_tree_or_for_all():
    per_tree = np.arange(12).reshape(4, 3)
    assert_array_equal(take_chunk(per_tree, slice(1, 3), float), per_tree[1:3])
    assert_array_equal(take_chunk(per_tree[2], slice(1, 3), float), [[6.0, 7.0, 8.0]])
    assert_array_equal(take_chunk(per_tree[:1], slice(1, 3), float), per_tree[:1])
    found = take_chunk(lambda chunk: per_tree[chunk] + 1, slice(3, 4), float)
    assert_array_equal(found, [[10.0, 11.0, 12.0]])


@pytest.mark.parametrize("change", ["order", "flag", "dtype"])
def test_arrays_are_what_kernels_are_compiled_for(change):
    per_tree = np.ones((4, 3))
    if change == "order":
        per_tree = np.asfortranarray(per_tree)
    elif change == "dtype":
        per_tree = per_tree.astype(int)
    else:
        per_tree.flags.writeable = False
    for source in (per_tree, lambda chunk: per_tree[chunk]):
        taken = take_chunk(source, slice(0, 2), np.float64)
        assert taken.dtype == np.float64
        assert taken.flags.c_contiguous and taken.flags.writeable


def test_categorical_splits_have_no_threshold():
    X = np.array([[0.0, 5.0], [0.0, 6.0], [1.0, 5.0], [1.0, 6.0]] * 3)
    y = [0, 1, 2, 3] * 3
    trees = DecisionTreeClassifier(categorical_features=[0]).fit(X, y).tree_
    splits, by_set = make_splits(trees), trees.category_set >= 0
    assert by_set.any() and (trees.feature == 1).any()
    assert np.isnan(splits.threshold[by_set]).all()
    assert_array_equal(splits.threshold[trees.feature == 1], 5.5)
    assert_array_equal(splits.left, trees.left)


def test_nodes_predict_the_mean_or_the_most_frequent_class():
    X, y = np.array([[0.0], [1.0], [1.0]]), [3, 0, 0]
    prediction, is_squared = predict_nodes(
        DecisionTreeRegressor().fit(X, y).tree_, None
    )
    assert is_squared
    assert_array_equal(prediction, [1.0, 3.0, 0.0])
    trees = DecisionTreeClassifier().fit(X, y).tree_  # classes 0 and 3 are 0 and 1
    prediction, is_squared = predict_nodes(trees, None)
    assert not is_squared
    assert_array_equal(prediction, [0.0, 1.0, 0.0])
    _, is_squared = predict_nodes(trees, "regression")
    assert is_squared
