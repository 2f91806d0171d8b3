"""Counting by planes of bits, by rows and by sorting give what a naive count gives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.feature_selection.associations.code_tables import (
    CodeTable,
    count_table,
    joint_entropy,
)


def naive_entropy(*columns, weight):
    """Entropy of the joint values of columns, straight from its definition."""
    joint = np.stack(columns)
    shares = np.array(
        [
            weight[(joint == value[:, None]).all(axis=0)].sum()
            for value in np.unique(joint, axis=1).T
        ]
    )
    shares = shares[shares > 0.0] / weight.sum()
    return -(shares * np.log2(shares)).sum()


def draw_table(rng, n_levels, n_samples, dtype=np.uint8):
    codes = np.stack([rng.integers(0, n, n_samples) for n in n_levels])
    return CodeTable(codes.astype(dtype), n_levels)


def check(table, weight, fold):
    counted = count_table(table, weight, fold)
    everything, n_parts = np.arange(table.n_features), len(counted.total)
    joint = joint_entropy(counted, everything, counted, everything)
    w = np.ones(table.n_samples) if weight is None else weight
    for part in range(n_parts):
        rows = slice(None) if fold is None else fold != part
        codes = table.codes[:, rows]
        expected = [[naive_entropy(x, z, weight=w[rows]) for z in codes] for x in codes]
        assert_allclose(joint[:, part], expected, atol=1e-10)
        alone = joint_entropy(counted, everything, counted, everything, part)
        assert_allclose(alone[:, 0], expected, atol=1e-10)
        expected = [naive_entropy(x, weight=w[rows]) for x in codes]
        assert_allclose(counted.entropy[part], expected, atol=1e-10)


@pytest.mark.no_jit
@pytest.mark.parametrize("fold", [None, np.arange(11) % 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_tiny_tables(seed, fold, weighted):
    rng = np.random.default_rng(seed)
    weight = rng.uniform(0.1, 2.0, 11) if weighted else None
    with np.errstate(over="ignore"):  # how bits are counted overflows on purpose
        check(draw_table(rng, [1, 2, 3, 13], 11), weight, fold)


@pytest.mark.parametrize("n_samples", [64, 65, 200])
@pytest.mark.parametrize("n_folds", [1, 2, 7])
def test_planes_and_rows(seed, n_samples, n_folds):
    # Up to twelve levels have planes; the last two are counted row by row, one of
    # them in tables too large for lanes.
    rng = np.random.default_rng(seed)
    fold = None if n_folds == 1 else rng.permutation(np.arange(n_samples) % n_folds)
    check(draw_table(rng, [2, 3, 12, 13, 100], n_samples), None, fold)


@pytest.mark.slow
@pytest.mark.parametrize("fold", [None, np.arange(40) % 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_large_tables_are_sorted(seed, fold, weighted):
    rng = np.random.default_rng(seed)
    weight = rng.uniform(0.1, 2.0, 40) if weighted else None
    check(draw_table(rng, [2, 40, 3000], 40, np.uint16), weight, fold)


def test_blocks_and_threads_change_nothing(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    counted = count_table(draw_table(rng, [3] * 50, 90))
    whole = joint_entropy(counted, [0, 7], counted, np.arange(50))
    place = "manyminds.feature_selection.associations.code_tables.BLOCK"
    monkeypatch.setattr(place, 1000)
    for n_jobs in 1, 2:
        again = joint_entropy(counted, [0, 7], counted, np.arange(50), n_jobs=n_jobs)
        assert (again == whole).all()
