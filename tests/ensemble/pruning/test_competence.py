"""Rules of dynamic selection against twins from the papers' definitions."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.ensemble.pruning import competence
from manyminds.ensemble.pruning.competence import RULES, Region

K, M = 5, 10


@pytest.fixture
def region(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=40)
    known = np.where(rng.uniform(size=(40, M)) < 0.6, y[:, None], rng.integers(3))
    known = known.astype(np.int32)
    near = np.array([rng.permutation(40)[:K] for _ in range(25)], dtype=np.int64)
    labels = rng.integers(3, size=(25, M)).astype(np.int32)
    return Region(known, y.astype(np.int32), near, labels)


def is_right(region, rows):
    return region.known_labels[rows] == region.known_classes[rows, None]


def ola(region, i):
    share = is_right(region, region.near[i]).mean(axis=0)
    return share == share.max()


def lca(region, i):
    rates = []
    for m in range(M):
        same = [
            k
            for k in region.near[i]
            if region.known_labels[k, m] == region.labels[i, m]
        ]
        rates.append(np.mean(is_right(region, same)[:, m]) if same else 0.0)
    return np.array(rates) == max(rates)


def knora_e(region, i):
    for k in range(K, 0, -1):
        chosen = is_right(region, region.near[i, :k]).all(axis=0)
        if chosen.any():
            return chosen
    return np.ones(M, bool)


def knora_u(region, i):
    return is_right(region, region.near[i]).sum(axis=0)


def des_knn(region, i):
    right = is_right(region, region.near[i])
    accurate = np.argsort(-right.sum(axis=0), kind="stable")[:5]
    wrong = right[:, accurate] == 0
    fault = [
        sum(np.sum(wrong[:, a] & wrong[:, b]) for b in range(5) if b != a)
        for a in range(5)
    ]
    chosen = np.zeros(M, bool)
    chosen[accurate[np.argsort(fault, kind="stable")[:3]]] = True
    return chosen


def mcb(region, i):
    near = region.near[i]
    similar = [
        k for k in near if np.mean(region.known_labels[k] == region.labels[i]) > 0.7
    ]
    rate = is_right(region, similar or near).mean(axis=0)
    return rate.max() - rate < 0.1 - 1e-9


TWINS = {
    "ola": ola, "lca": lca, "knora-e": knora_e, "knora-u": knora_u,
    "des-knn": des_knn, "mcb": mcb,
}  # fmt: skip


@pytest.mark.parametrize("method", RULES)
def test_naive_twins(region, method):
    expected = [TWINS[method](region, i) for i in range(len(region.near))]
    assert_array_equal(RULES[method](region), expected)


def test_similar_neighbors_count_alone(region):
    # Rows to predict that are known rows: their own votes are the most similar.
    near = np.ascontiguousarray(region.near)
    twin = Region(
        region.known_labels,
        region.known_classes,
        near,
        region.known_labels[near[:, 0]],
    )
    expected = [mcb(twin, i) for i in range(len(near))]
    assert_array_equal(competence.weigh_mcb(twin), expected)
