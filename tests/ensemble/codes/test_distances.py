"""Distances of codes: by hand, by loops, and what is not a code."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.ensemble import column_distances, row_distances, sparse_random_code
from manyminds.ensemble.codes.distances import (
    canonical_columns,
    check_code,
    find_new_columns,
)


def test_distances_equal_loops(seed):
    code = sparse_random_code(7, 12, n_candidates=1, random_state=seed)

    def differ(a, b):
        return sum(0.5 if 0 in pair else float(pair[0] != pair[1]) for pair in pair_of)

    for i in range(7):
        for k in range(7):
            pair_of = list(zip(code[i], code[k]))
            assert row_distances(code)[i, k] == differ(code[i], code[k])
    for i in range(12):
        for k in range(12):
            pair_of = list(zip(code[:, i], code[:, k]))
            plain = differ(code[:, i], code[:, k])
            pair_of = list(zip(code[:, i], -code[:, k]))
            turned = differ(code[:, i], -code[:, k])
            assert column_distances(code)[i, k] == min(plain, turned)


def test_canonical_columns_are_equal_for_complements(seed):
    rng = np.random.default_rng(seed)
    code = sparse_random_code(6, 10, n_candidates=1, random_state=seed)
    turns = rng.choice([-1, 1], size=10)
    canonical, sign = canonical_columns(code)
    assert_array_equal(canonical_columns(code * turns)[0], canonical)
    assert_array_equal(canonical * sign, code)
    both = np.concatenate([code, code * turns], axis=1)
    assert_array_equal(find_new_columns(both), np.arange(10))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ([[1, 2], [1, -1]], "must consist of -1, 0 and 1; got .*2"),
        ([[1, -1], [1, -1], [-1, 1]], "distinct rows"),
        ([[1, 1], [-1, 1]], "column 1 has not"),
        ([[1, 0], [-1, -1]], "column 1 has not"),
        ([[1], [-1]], "3 classes; got 2 rows"),
    ],
)
def test_what_is_no_code_is_refused(code, message):
    n_classes = 3 if len(code[0]) == 1 else None
    with pytest.raises(ValueError, match=message):
        check_code(code, n_classes)
