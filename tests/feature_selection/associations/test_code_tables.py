"""Tables of codes: entropies of columns and of pairs, by split."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.feature_selection.associations import code_tables
from manyminds.feature_selection.associations.code_tables import (
    CodeTable,
    compute_association,
    count_table,
    divide_information,
    joint_entropy,
    share_information,
)


def test_wrong_tables_are_refused():
    with pytest.raises(TypeError, match="uint8 or uint16"):
        CodeTable(np.zeros((2, 3)), [1, 1])
    with pytest.raises(ValueError, match="each of the 2 features"):
        CodeTable(np.zeros((2, 3), dtype=np.uint8), [1])


def draw(seed, n_samples=60, levels=(2, 3, 5, 20)):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, n, n_samples) for n in levels])
    return CodeTable(codes.astype(np.uint8), levels)


def naive_entropy(*columns, weight=None):
    """Entropy in bits of the levels that columns have together."""
    _, code = np.unique(np.stack(columns), axis=1, return_inverse=True)
    share = np.bincount(code.ravel(), weight)
    share = share[share > 0.0] / share.sum()
    return -np.sum(share * np.log2(share))


def test_worked_example_of_entropies():
    # Halves have one bit, quarters two; together they are all different: two bits.
    codes = np.array([[0, 0, 1, 1], [0, 1, 2, 3], [0, 0, 0, 0]], dtype=np.uint8)
    table = CodeTable(codes, [2, 4, 1]).counted
    assert_allclose(table.entropy, [[1.0, 2.0, 0.0]])
    found = joint_entropy(table, [0, 1], table, [0, 1, 2])
    assert_allclose(found[:, 0], [[1.0, 2.0, 1.0], [2.0, 2.0, 2.0]])
    assert_array_equal(table.total, [4.0])


@pytest.mark.parametrize("is_weighted", [False, True])
def test_entropies_of_splits_are_those_of_their_samples(seed, is_weighted):
    # Split i has all samples but those of fold i.
    table, rng = draw(seed), np.random.default_rng(seed)
    weight = rng.uniform(0.5, 2.0, 60) if is_weighted else None
    fold = rng.permutation(np.arange(60) % 3)
    counted = count_table(table, weight, fold)
    joint = joint_entropy(counted, [1, 3], counted, [0, 2, 3])
    for split in range(3):
        rows = fold != split
        x, w = table.codes[:, rows], None if weight is None else weight[rows]
        alone = [naive_entropy(one, weight=w) for one in x]
        assert_allclose(counted.entropy[split], alone, atol=1e-10)
        assert_allclose(counted.total[split], rows.sum() if w is None else w.sum())
        pairs = [
            [naive_entropy(x[i], x[j], weight=w) for j in (0, 2, 3)] for i in (1, 3)
        ]
        assert_allclose(joint[:, split], pairs, atol=1e-10)
        one = joint_entropy(counted, [1, 3], counted, [0, 2, 3], split)
        assert_allclose(one[:, 0], joint[:, split])


def test_blocks_and_threads_change_nothing(seed, monkeypatch):
    table = draw(seed).counted
    whole = joint_entropy(table, [0, 1], table, range(4))
    monkeypatch.setattr(code_tables, "BLOCK", 1)  # a column at a time
    assert_array_equal(joint_entropy(table, [0, 1], table, range(4), n_jobs=2), whole)
    again = CodeTable(table.codes, [2, 3, 5, 20]).counted
    assert_array_equal(again.entropy, table.entropy)


def test_many_levels_are_counted_as_few_are(seed):
    # Columns of up to twelve levels are counted by bits, others sample by sample.
    table = draw(seed, levels=(2, 12, 13))
    roomy = CodeTable(table.codes.astype(np.uint16), [20, 20, 300])
    assert_allclose(roomy.counted.entropy, table.counted.entropy, atol=1e-12)


def test_associations_of_worked_entropies():
    # Of 2 and 1 bits, 0.5 are shared: symmetrical uncertainty is 2 * 0.5 / 3.
    h_x, h_y, h_xy = np.array([2.0, 0.0]), np.array([1.0, 0.0]), np.array([2.5, 0.0])
    found = compute_association("mutual_information", h_x, h_y, h_xy)
    assert_allclose(found, [0.5, 0.0])
    found = compute_association("symmetrical_uncertainty", h_x, h_y, h_xy)
    assert_allclose(found, [1 / 3, 0.0])


def test_rounding_errors_are_no_information():
    h = np.array([1.0])
    assert share_information(h, h, h + 1.0 - 1e-13) == 0.0
    assert share_information(h, h, h + 1.0 + 1e-13) == 0.0
    assert divide_information(h + 1e-9, h) == 1.0
