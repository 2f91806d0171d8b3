"""Tests by name: the class and the options behind each."""

import numpy as np
import pytest

from manyminds.networks import (
    ConditionalGaussianTest,
    ContingencyTest,
    FisherZTest,
    PermutationTest,
)
from manyminds.networks.independence.making import (
    TEST_NAMES,
    TESTS_OF_NUMBERS,
    make_coded_test,
    make_numeric_test,
)

CODES = np.tile(np.arange(4), 30).reshape(1, -1) // [[1], [2]]


def test_every_name_makes_its_test():
    codes, made = CODES.astype(np.uint8), {}
    for name in sorted(TEST_NAMES - TESTS_OF_NUMBERS):
        made[name] = make_coded_test(name, codes, [4, 2], random_state=0)
        assert not made[name].test(0, 1).independent  # the one determines the other
    assert isinstance(made["permutation"], PermutationTest)
    assert isinstance(made["g2"], ContingencyTest)
    assert made["mutual_information"].rule.threshold == 0.01
    assert made["g2"].rule.threshold < 0.0
    statistics = {name: made[name].test(0, 1).statistic for name in ("g2", "chi2")}
    assert statistics["g2"] == pytest.approx(240 * np.log(2.0))
    assert statistics["chi2"] == pytest.approx(120.0)


def test_numbers():
    table = np.random.default_rng(0).normal(size=(60, 2))
    some = np.array([False, False])
    assert isinstance(
        make_numeric_test("fisher_z", table, some, ["a", "b"]), FisherZTest
    )
    assert isinstance(
        make_numeric_test("mixed", table, some, ["a", "b"]), ConditionalGaussianTest
    )
    with pytest.raises(ValueError, match=r"\['b'\] are categories"):
        make_numeric_test("fisher_z", table, np.array([False, True]), ["a", "b"])


def test_permutations_have_no_weights():
    with pytest.raises(ValueError, match="does not take sample_weight"):
        make_coded_test(
            "permutation", CODES.astype(np.uint8), [4, 2], sample_weight=np.ones(120)
        )
