"""Permutation tests: valid where tables are sparse, order and threads do not matter."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.permutation import PermutationTest


def test_false_positive_rate_of_sparse_tables(seed):
    # Six levels each and 60 samples: two per cell. At 5 %, permutations stay between
    # 1 % and 10 % of 400 tests (outside less than once in 10,000 runs); G2 does not.
    rng = np.random.default_rng(seed)
    X = rng.integers(6, size=(60, 401))
    options = {"alpha": 0.05, "n_permutations": 99, "random_state": seed}
    permuted = PermutationTest(X, **options).test_many(range(400), 400)
    assert 4 <= permuted.is_dependent.sum() <= 40
    sparse = ContingencyTest(X, alpha=0.05, min_count=0.0).test_many(range(400), 400)
    assert sparse.is_dependent.sum() > 40


def test_dependence_given_a_stratum_is_found(seed):
    # The exclusive or of two columns: independent pairwise, dependent given the third.
    rng = np.random.default_rng(seed)
    a, b = rng.integers(2, size=(2, 80))
    test = PermutationTest(np.column_stack([a, b, a ^ b]), random_state=seed)
    assert test.test(0, 1, [2]).p_value == pytest.approx(1 / 200)


def test_order_of_tests_and_of_variables_does_not_matter(seed):
    X = np.random.default_rng(seed).integers(3, size=(50, 5))
    one, two, three = (
        PermutationTest(X, random_state=seed, n_jobs=n) for n in (None, None, 2)
    )
    many = one.test_many([0, 1, 2], 4, [3])
    assert two.test(2, 4, [3]) == many[2] or np.isnan(many[2].dof)
    assert_array_equal(two.test_many([2, 0], 4, [3]).table, many.table[[2, 0]])
    assert two.test(4, 1, [3]).p_value == many[1].p_value
    assert_array_equal(three.test_many([0, 1, 2], 4, [3]).table, many.table)


def test_too_few_permutations_are_refused():
    with pytest.raises(ValueError, match="n_permutations must be at least 99"):
        PermutationTest([[0, 1], [1, 0]], alpha=0.01, n_permutations=50)


def test_codes(seed):
    X = np.random.default_rng(seed).integers(3, size=(40, 2))
    codes = np.ascontiguousarray(X.T.astype(np.uint8))
    one = PermutationTest(X, random_state=1).test(0, 1)
    two = PermutationTest.from_codes(codes, [3, 3], random_state=1).test(0, 1)
    assert one.p_value == two.p_value
