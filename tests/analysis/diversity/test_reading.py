"""What cannot be read as predictions is refused; labels are coded in sorted order."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.analysis.diversity import (
    count_pairs,
    kohavi_wolpert_variance,
    vote_entropy,
)
from manyminds.analysis.diversity._reading import encode_labels, read_pair, row_blocks


@pytest.mark.parametrize(
    ("y", "predictions", "where", "message"),
    [
        ([0, 1], [0, 1], None, r"must have shape \(n_members, n_samples\)"),
        ([0, 1], [[0, 1]], None, "2 member"),
        ([0, 1, 1], [[0, 1], [1, 1]], None, "one label for each of the 2"),
        ([0, np.nan], [[0, 1], [1, 1]], None, "y must not have missing"),
        (["a", "b"], [["a", None], ["a", "b"]], None, "predictions must not have"),
        (["a", "b"], [[0, 1], [1, 1]], None, "labels of the same type"),
        ([0, 1], [[0, 1], [1, 1]], [[True, False]], "where must be of bool"),
        ([0, 1], [[0, 1], [1, 1]], [[1, 0], [0, 1]], "where must be of bool"),
    ],
)
def test_what_cannot_be_read_is_refused(y, predictions, where, message):
    with pytest.raises(ValueError, match=message):
        count_pairs(y, predictions, where=where)


def test_measures_of_an_ensemble_need_two_members():
    with pytest.raises(ValueError, match="2 member"):
        kohavi_wolpert_variance([0], [[0]])
    assert_array_equal(vote_entropy([[0]]), [0.0])


@pytest.mark.parametrize(
    "names",
    [
        np.array([-300, 2, 70_000]),
        np.array([-(2**40), 0, 2**62]),
        np.array([0, 2**63, 2**64 - 1], dtype=np.uint64),
        np.array([-0.5, 0.25, 1e300]),
        np.array(["a", "b", "ccc"]),
        np.array(["a", "b", "ccc"], dtype=object),
        np.array([1, 3, 5], dtype=np.int8),
        np.array(["a", "b", "ccc"], dtype=np.dtypes.StringDType()),
    ],
    ids=lambda names: str(names.dtype),
)
def test_codes_are_places_among_the_classes(draw_votes, names):
    y, places = draw_votes(n_samples=60)
    classes, codes, y_codes = encode_labels(
        *reversed(read_pair(names[y], names[places]))
    )
    assert_array_equal(classes, names.astype(classes.dtype))
    assert_array_equal(codes, places)
    assert_array_equal(y_codes, y)


@pytest.mark.parametrize("dtype", [object, "<U3", int])
def test_labels_that_y_does_not_have(dtype):
    predictions = np.array([[1, 2, 3], [4, 2, 1], [5, 5, 0]]).astype(dtype)
    y = np.array([2, 2, 2]).astype(dtype)
    classes, codes, y_codes = encode_labels(predictions, y)
    assert_array_equal(classes, np.arange(6).astype(dtype))
    assert_array_equal(codes, predictions.astype(int))
    assert_array_equal(y_codes, [2, 2, 2])


def test_more_classes_than_a_byte_holds(seed):
    predictions = np.random.default_rng(seed).permuted(
        np.repeat([np.arange(300)], 2, axis=0), axis=1
    )
    classes, codes, _ = encode_labels(predictions[:, ::-1], np.zeros(300, dtype=int))
    assert_array_equal(classes, np.arange(300))
    assert_array_equal(codes, predictions[:, ::-1])


def test_truth_values_are_labels_too():
    classes, codes, _ = encode_labels(np.array([[True, False], [False, False]]))
    assert_array_equal(classes, [False, True])
    assert_array_equal(codes, [[1, 0], [0, 0]])


def test_blocks_cover_all_samples():
    for n_members, n_samples in [(3, 10), (100, 7), (1, 1)]:
        blocks = row_blocks(n_members, n_samples, n_values=9)
        found = np.concatenate([np.arange(n_samples)[block] for block in blocks])
        assert_array_equal(found, np.arange(n_samples))
