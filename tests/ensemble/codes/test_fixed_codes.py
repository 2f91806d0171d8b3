"""Fixed codes: item 1 of the compact-code acceptance list, and baselines."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.ensemble import minimal_code, one_vs_all_code, one_vs_one_code


@pytest.mark.parametrize("kind", ["binary", "gray"])
def test_item_1_minimal_codes_are_valid_for_every_number_of_classes(kind):
    for n_classes in range(2, 1025):
        code = minimal_code(n_classes, kind)
        assert code.shape == (n_classes, int(np.ceil(np.log2(n_classes))))
        words = (code > 0) @ (1 << np.arange(code.shape[1]))
        assert len(set(words)) == n_classes
        assert (np.abs(code.sum(axis=0, dtype=int)) < n_classes).all()
        overlap = np.abs(code.T.astype(int) @ code)  # of columns, up to complements
        assert overlap[~np.eye(len(overlap), dtype=bool)].max(initial=0) < n_classes
        if kind == "gray":
            assert (np.abs(np.diff(code, axis=0)).sum(axis=1) == 2).all()


def test_binary_code_by_hand():
    assert_array_equal(minimal_code(3), [[-1, -1], [-1, 1], [1, -1]])


def test_number_of_columns_of_baselines():
    # Those of the published table: 6 classes 6 and 15, 10 classes 10 and 45.
    for n_classes, n_pairs in ((3, 3), (6, 15), (8, 28), (10, 45)):
        assert one_vs_all_code(n_classes).shape == (n_classes, n_classes)
        code = one_vs_one_code(n_classes)
        assert code.shape == (n_classes, n_pairs)
        assert (np.abs(code).sum(axis=0) == 2).all()
    assert one_vs_all_code(2).shape == one_vs_one_code(2).shape == (2, 1)


@pytest.mark.parametrize("n_classes", [1, 2.5, "3"])
def test_a_wrong_number_of_classes_is_refused(n_classes):
    for code in minimal_code, one_vs_all_code, one_vs_one_code:
        with pytest.raises(ValueError, match="n_classes must be an integer"):
            code(n_classes)
    with pytest.raises(ValueError, match="kind must be"):
        minimal_code(4, "grey")
