"""Evolution of bits: known optima, monotone history, islands, repair."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.utils import evolution
from manyminds.utils.evolution import evolve_bits


def count_wrong(target):
    return lambda bits: (bits != target).sum(axis=1).astype(float)


@pytest.mark.parametrize("method", ["ga", "pbil"])
@pytest.mark.parametrize("n_islands", [1, 4])
def test_a_string_is_found(method, n_islands, seed):
    # Measured: all four variants found all 12 bits for each of 100 seeds.
    target = np.random.default_rng(seed).uniform(size=12) < 0.5
    found = evolve_bits(
        count_wrong(target),
        12,
        method=method,
        n_islands=n_islands,
        n_generations=100,
        patience=None,
        random_state=np.random.RandomState(seed),
    )
    assert found.fitness == 0.0
    assert_array_equal(found.best, target)
    assert len(found.history) == 101
    assert (np.diff(found.history) <= 0.0).all()


@pytest.mark.parametrize("method", ["ga", "pbil"])
def test_evolution_is_better_than_as_many_random_strings(method, seed):
    target = np.random.default_rng(seed).uniform(size=60) < 0.5
    rng = np.random.RandomState(seed)
    found = evolve_bits(
        count_wrong(target), 60, method=method, patience=None, random_state=rng
    )
    drawn = rng.uniform(size=(50 * 51, 60)) < 0.5
    # Measured over 20 seeds: no wrong bits, against 14 to 19 of random strings.
    assert found.fitness < count_wrong(target)(drawn).min()


def test_a_stale_search_stops(seed):
    rng = np.random.RandomState(seed)
    found = evolve_bits(lambda b: np.zeros(len(b)), 5, patience=3, random_state=rng)
    assert len(found.history) == 4
    none = evolve_bits(count_wrong(np.ones(5)), 5, n_generations=0, random_state=rng)
    assert len(none.history) == 1


def test_every_rated_string_is_repaired(seed):
    def repair(bits, rng):
        bits = bits.copy()
        bits[:, 0] = True
        return bits

    def rate(bits):
        assert bits[:, 0].all()
        return bits.sum(axis=1)

    for method in ("ga", "pbil"):
        rng = np.random.RandomState(seed)
        found = evolve_bits(rate, 8, method=method, repair=repair, random_state=rng)
        assert found.best[0]


def test_noise_flips_three_of_ten_chosen_genes(seed, monkeypatch):
    # The normal distribution is beyond one half with probability 0.309.
    rng = np.random.RandomState(seed)
    island = evolution._GeneticIsland(4, 1, lambda b: np.zeros(len(b)), None, rng)
    bits = rng.uniform(size=(20_000, 1)) < 0.5  # one gene: it is always chosen
    share = np.mean(island._mutate(bits) != bits)
    assert abs(share - 0.3085) < 0.017  # five standard errors


def test_the_best_migrate_in_a_ring():
    rng = np.random.RandomState(0)
    islands = [
        evolution._GeneticIsland(3, 2, lambda b: np.zeros(len(b)), None, rng)
        for _ in range(3)
    ]
    for k, island in enumerate(islands):
        island.keep(np.zeros((3, 2), bool), np.array([k, 10.0, 20.0]))
    evolution._migrate(islands)
    assert [one.fitness.tolist() for one in islands] == [
        [0.0, 2.0, 10.0],
        [0.0, 1.0, 10.0],
        [1.0, 2.0, 10.0],
    ]
