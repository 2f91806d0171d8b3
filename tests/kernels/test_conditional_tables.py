"""Statistics of conditional tables against naive twins from the formulas."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.conditional_tables import (
    CHI2,
    DOF,
    G2,
    INDEPENDENT,
    STATISTIC,
    STRENGTH,
    UNKNOWN,
    VERDICT,
    Evidence,
    Rule,
    index_strata,
    make_scratch,
    measure_columns,
)


def evidence_of(codes, n_levels, weight=None):
    n = codes.shape[1]
    counts = np.arange(n + 1.0)
    logs = counts * np.log(np.maximum(counts, 1.0))
    return Evidence(
        np.ascontiguousarray(codes, np.uint8), np.asarray(n_levels, np.int64),
        np.empty(0) if weight is None else weight,
        logs if weight is None else np.empty(0),
        np.empty((0, 0)), np.empty((0, 0)),
        float(n) if weight is None else float(weight.sum()),
    )  # fmt: skip


def measure(evidence, xs, y, given, kind=G2, nominal=0, min_count=0.0):
    given = np.array(given, dtype=np.int64)
    strata = np.empty(evidence.codes.shape[1], np.int32)
    scratch = make_scratch(len(strata), int(evidence.n_levels.max()), 1)
    n_strata = index_strata(evidence, given, scratch, strata)
    out = np.empty((len(xs), 5))
    rule = Rule(kind, nominal, np.log(0.01), -1.0, min_count)
    xs = np.array(xs, dtype=np.int64)
    measure_columns(evidence, rule, xs, y, given, strata, n_strata, out)
    return out, strata, n_strata


def measure_naively(x, y, given, weight, kind):
    """Sum the statistic and the degrees of freedom over a dictionary of strata."""
    statistic, dof = 0.0, 0
    strata = {}
    for i, key in enumerate(map(tuple, given.T)):
        strata.setdefault(key, []).append(i)
    for rows in strata.values():
        table = np.zeros((x.max() + 1, y.max() + 1))
        np.add.at(table, (x[rows], y[rows]), weight[rows])
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        dof += (table.shape[0] - 1) * (table.shape[1] - 1)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        if kind == CHI2:
            statistic += ((table - expected) ** 2 / expected).sum()
        else:
            full = table > 0
            ratio = table[full] * np.log(table[full] / expected[full])
            statistic += 2.0 * ratio.sum()
    return statistic, dof


@pytest.mark.parametrize("kind", [G2, CHI2])
@pytest.mark.parametrize("n_given", [0, 1, 3, 9])
def test_agrees_with_naive_twin(seed, kind, n_given):
    # Nine columns of up to five levels: more strata than rows, which are renumbered.
    rng = np.random.default_rng(seed)
    n_levels = rng.integers(2, 6, size=14)
    codes = np.array([rng.integers(n, size=150) for n in n_levels])
    codes[12] = (codes[0] + codes[13]) % n_levels[12]
    given, xs, y = list(range(n_given)), [10, 11, 12], 13
    out, strata, n_strata = measure(evidence_of(codes, n_levels), xs, y, given, kind)
    _, expected = np.unique(codes[given], axis=1, return_inverse=True)
    assert len(set(zip(strata, expected.ravel()))) == len(set(strata))
    assert strata.max() < n_strata <= 150
    for x, row in zip(xs, out):
        statistic, dof = measure_naively(
            codes[x], codes[y], codes[given].reshape(n_given, -1) if n_given
            else np.zeros((1, 150)), np.ones(150), kind,
        )  # fmt: skip
        assert_allclose(row[STATISTIC], statistic, atol=1e-9)
        assert row[DOF] == dof
        assert_allclose(row[STRENGTH], statistic / 300.0, atol=1e-12)


@pytest.mark.parametrize("n_levels", [3, 40])
def test_weights_are_copies(seed, n_levels):
    # 40 levels: tables too large to count whole.
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_levels, size=(4, 60))
    weight = rng.integers(1, 4, size=60)
    weighted = evidence_of(codes, [n_levels] * 4, weight.astype(float))
    copied = evidence_of(np.repeat(codes, weight, axis=1), [n_levels] * 4)
    for kind in (G2, CHI2):
        one = measure(weighted, [1, 2], 0, [3], kind)[0]
        two = measure(copied, [1, 2], 0, [3], kind)[0]
        assert_allclose(one, two, atol=1e-8)


@pytest.mark.no_jit
def test_structural_zeros_have_no_degrees_of_freedom():
    # x determines the stratum: within it, nothing is left to test.
    x = np.tile([0, 1], 10)
    y = np.repeat([0, 1], 10)
    evidence = evidence_of(np.array([x, y, x]), [2, 2, 2])
    (row,) = measure(evidence, [0], 1, [2])[0]
    assert_array_equal(row[[STATISTIC, DOF, VERDICT]], [0.0, 0.0, INDEPENDENT])
    (row,) = measure(evidence, [0], 1, [2], nominal=1)[0]
    assert row[DOF] == 2.0


@pytest.mark.no_jit
def test_sparse_tables_are_not_tested():
    codes = np.tile([[0, 1], [0, 1], [1, 0]], 10)  # 20 rows, 8 cells
    evidence = evidence_of(codes, [2, 2, 2])
    for min_count, is_known in ((2.5, True), (2.6, False)):
        (row,) = measure(evidence, [0], 1, [2], min_count=min_count)[0]
        assert (row[VERDICT] != UNKNOWN) == is_known
