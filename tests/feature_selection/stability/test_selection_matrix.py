"""Selections as masks, positions and sparse matrices."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_matrix, csc_array, csr_array, issparse

from manyminds.feature_selection.stability import (
    jaccard_stability,
    kuncheva_stability,
    lustgarten_stability,
    nogueira_stability,
)
from manyminds.feature_selection.stability.selection_matrix import (
    count_by_feature,
    count_by_selection,
    read_selections,
    sum_over_selected,
)

MASKS = np.array([[1, 0, 1, 0], [0, 0, 1, 0], [1, 1, 1, 0]], dtype=bool)
FORMS = {  # each with n_features
    "masks": (MASKS, None),
    "integers": (MASKS.astype(int), None),
    "lists of masks": (MASKS.tolist(), None),
    "positions": ([[2, 0], [2], [1, 0, 2]], 4),
    "sparse": (csc_array(MASKS), None),
    "old sparse": (coo_matrix(MASKS.astype(float)), 4),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_have_the_same_masks_and_counts(form):
    found = read_selections(*FORMS[form])
    dense = found.toarray() if issparse(found) else found
    assert_array_equal(dense != 0, MASKS)
    assert_array_equal(count_by_feature(found), [2, 1, 3, 0])
    assert_array_equal(count_by_selection(found), [2, 1, 3])
    values = np.array([1.0, 10.0, 100.0, 1000.0])
    assert_array_equal(sum_over_selected(found, values), [101, 100, 111])


def test_an_empty_selection_is_a_selection():
    found = read_selections([[], [3]], 4)
    assert_array_equal(count_by_selection(found), [0, 1])
    assert_array_equal(count_by_feature(found), [0, 0, 0, 1])


def test_positions_are_told_from_masks_by_n_features():
    # With n_features, lists of 0 and 1 are the positions 0 and 1.
    assert_array_equal(count_by_feature(read_selections([[0, 1], [1, 0]])), [1, 1])
    positions = read_selections([[0, 1], [1, 0]], 3)
    assert_array_equal(count_by_feature(positions), [2, 2, 0])


def test_zeros_that_a_sparse_matrix_stores_are_not_selected():
    stored = csr_array(([1, 0, 1], [0, 1, 1], [0, 2, 3]), shape=(2, 2))
    assert_array_equal(count_by_selection(read_selections(stored)), [1, 1])
    assert stored.nnz == 3  # the argument stays as it is


def nogueira(selections, n_features=None):
    return nogueira_stability(selections, n_features).stability


@pytest.mark.parametrize(
    ("selections", "n_features", "says"),
    [
        ([[0, 1]], 4, "two selections or more"),
        ([[0, 1], [2]], None, "n_features"),
        ([[0, 1], [2, 3]], None, "other than 0 and 1"),
        ([[0, 1], [4]], 4, "between 0 and 3"),
        ([[0.5], [1]], 4, "positions"),
        ([[1, 1], [1]], 4, "twice"),
        (np.ones((2, 3), bool), 4, "3 columns"),
        (csc_array([[2, 0], [0, 1]]), None, "ones"),
        ("abc", None, "selections must be"),
    ],
)
def test_wrong_selections_are_refused_by_all_measures(selections, n_features, says):
    measures = (jaccard_stability, kuncheva_stability, lustgarten_stability, nogueira)
    for measure in (read_selections, *measures):
        with pytest.raises(ValueError, match=says):
            measure(selections, n_features)
