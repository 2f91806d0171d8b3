"""Random codes: sizes, validity, the best of many, balance."""

from itertools import product

import numpy as np
import pytest

from manyminds.ensemble import (
    balanced_code,
    column_distances,
    dense_random_code,
    row_distances,
    sparse_random_code,
)
from manyminds.ensemble.codes.distances import check_code, find_new_columns
from manyminds.ensemble.codes.random_codes import _count_all, _list_columns


def least(distances):
    return distances[~np.eye(len(distances), dtype=bool)].min()


@pytest.mark.parametrize("n_classes", [2, 3, 4, 9, 10, 15, 40])
@pytest.mark.parametrize(
    ("make", "factor"), [(dense_random_code, 10), (sparse_random_code, 15)]
)
def test_random_codes_are_valid(make, factor, n_classes, seed):
    code = make(n_classes, n_candidates=3, random_state=seed)
    check_code(code, n_classes)
    assert len(find_new_columns(code)) == code.shape[1]
    kind = "dense" if make is dense_random_code else "sparse"
    wanted = int(np.ceil(factor * np.log2(n_classes)))
    assert code.shape[1] == min(wanted, _count_all(kind, n_classes))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_all_columns_are_counted(kind):
    for n_classes in range(2, 7):
        assert _list_columns(kind, n_classes).shape[1] == _count_all(kind, n_classes)


def test_more_candidates_are_not_worse(seed):
    # The first candidate is among the many.
    one = dense_random_code(12, n_candidates=1, random_state=seed)
    best = dense_random_code(12, n_candidates=50, random_state=seed)
    quality = [
        (least(row_distances(c)), least(column_distances(c))) for c in (one, best)
    ]
    assert quality[1] > quality[0]


def test_half_of_a_sparse_code_is_zero(seed):
    code = sparse_random_code(64, n_candidates=1, random_state=seed)
    # 64 by 90 entries: 0.5 with a standard error of 0.007.
    assert abs(np.mean(code == 0) - 0.5) < 0.04


@pytest.mark.parametrize(
    ("n_classes", "n_columns"),
    [(2, 3), (3, 20), (5, 10), (12, 200), (13, 200), (30, 50)],
)
def test_item_4_balanced_columns(n_classes, n_columns, seed):
    # Item 4 of the weighted-code list.
    code = balanced_code(n_classes, n_columns, random_state=seed)
    check_code(code, n_classes)
    assert code.shape == (n_classes, n_columns)
    assert np.abs(code.sum(axis=0)).max() <= 1
    distinct = {
        tuple(np.array(c) * c[0])
        for c in product((-1, 1), repeat=min(n_classes, 13))
        if abs(sum(c)) <= 1
    }
    if n_classes <= 13:
        assert len(find_new_columns(code)) == min(n_columns, len(distinct))
    else:
        assert len(find_new_columns(code)) == n_columns


def test_an_odd_class_more_is_on_either_side(seed):
    sums = balanced_code(31, 100, random_state=seed).sum(axis=0)
    assert set(sums) == {-1, 1}


def test_too_few_columns_are_refused():
    with pytest.raises(ValueError, match="n_columns=2 is too few for 8 classes"):
        dense_random_code(8, 2)
    with pytest.raises(ValueError, match="n_columns=2 is too few for 20 classes"):
        balanced_code(20, 2)
    with pytest.raises(ValueError, match="n_candidates must be an integer"):
        sparse_random_code(8, n_candidates=0)
