"""Minimize a function of bit strings by a genetic algorithm or by PBIL, on islands."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Evolution", "evolve_bits"]

CROSSOVER_RATE = 0.8
N_ELITE = 2
TOURNAMENT_SIZE = 2
LEARNING_RATE = 0.1  # of PBIL, towards each of the two best
SHIFT_RATE = 0.02  # share of PBIL's probabilities that are shifted at random
SHIFT = 0.05
MIGRATION_INTERVAL = 10
MIGRANT_SHARE = 0.05
MIN_GAIN = 1e-12

Bits = NDArray[np.bool_]
Fitness = Callable[[Bits], NDArray[np.float64]]
Repair = Callable[[Bits, np.random.RandomState], Bits]


@dataclass(frozen=True)
class Evolution:
    """The best bit string that a search has met.

    Attributes
    ----------
    best : ndarray of shape (n_bits,)
        Its bits.
    fitness : float
        Its fitness.
    history : ndarray of shape (n_generations + 1,)
        The best fitness so far, after the start and after each generation.
    """

    best: Bits
    fitness: float
    history: NDArray[np.float64]


def evolve_bits(
    fitness: Fitness,
    n_bits: int,
    *,
    method: str = "ga",
    population_size: int = 50,
    n_generations: int = 50,
    n_islands: int = 1,
    patience: int | None = 10,
    repair: Repair | None = None,
    random_state: Any = None,
) -> Evolution:
    """Search for the bit string with the least fitness.

    The population is split into islands, which evolve on their own; every ten
    generations the best of each island migrate to the next one in a ring and replace
    its worst. On each island, the genetic algorithm keeps the two best, selects parents
    by tournaments of two, crosses four in five pairs of them by a random mask, and adds
    standard normal noise to a gene with the probability of one over ``n_bits``, which
    is then clipped and rounded to a bit. PBIL draws the island's population from a
    vector of probabilities, which it moves towards the two best.

    Parameters
    ----------
    fitness : callable
        Takes bit strings (n_strings, n_bits); returns their fitness, to be minimized.
    n_bits : int
        Length of a bit string.
    method : {"ga", "pbil"}, default="ga"
        The algorithm.
    population_size, n_generations, n_islands : int
        Number of bit strings on all islands, of generations, and of islands.
    patience : int or None, default=10
        Stop after so many generations without a better string; None: never.
    repair : callable, default=None
        Takes bit strings and a random state and returns valid ones.
    random_state : RandomState
        Draws everything.

    Returns
    -------
    evolution : Evolution

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.evolution import evolve_bits
    >>> found = evolve_bits(
    ...     lambda bits: -bits.sum(axis=1), 12, random_state=np.random.RandomState(0)
    ... )
    >>> found.fitness
    -12.0
    """
    rng = random_state
    sizes = np.diff(np.linspace(0, population_size, n_islands + 1).round().astype(int))
    make = {"ga": _GeneticIsland, "pbil": _ProbabilisticIsland}[method]
    islands = [make(int(size), n_bits, fitness, repair, rng) for size in sizes]
    best = _find_best(islands)
    history, n_stale = [best[1]], 0
    for generation in range(1, n_generations + 1):
        for island in islands:
            island.advance()
        if generation % MIGRATION_INTERVAL == 0 and n_islands > 1:
            _migrate(islands)
        found = _find_best(islands)
        is_better = found[1] < best[1] - MIN_GAIN
        best, n_stale = (found, 0) if is_better else (best, n_stale + 1)
        history.append(best[1])
        if n_stale == patience:
            break
    return Evolution(best[0], best[1], np.array(history))


class _Island:
    """A population that is drawn, repaired and rated."""

    def __init__(
        self,
        size: int,
        n_bits: int,
        fitness: Fitness,
        repair: Repair | None,
        rng: np.random.RandomState,
    ) -> None:
        self.size, self.n_bits, self.rng = size, n_bits, rng
        self._fitness, self._repair = fitness, repair
        self.settle(rng.uniform(size=(size, n_bits)) < 0.5)

    def settle(self, bits: Bits) -> None:
        """Repair and rate a new population, and sort it from best to worst."""
        if self._repair is not None:
            bits = self._repair(bits, self.rng)
        self.keep(bits, np.asarray(self._fitness(bits), dtype=np.float64))

    def keep(self, bits: Bits, fitness: NDArray[np.float64]) -> None:
        """Take over a rated population, sorted from best to worst."""
        order = np.argsort(fitness, kind="stable")
        self.bits, self.fitness = bits[order], fitness[order]

    def advance(self) -> None:
        """Replace the population by the next generation."""
        raise NotImplementedError


class _GeneticIsland(_Island):
    """Next generation by elitism, tournaments, scattered crossover and mutation."""

    def advance(self) -> None:
        n_elite = min(N_ELITE, self.size)
        n_children = self.size - n_elite
        first, second = self._select(n_children), self._select(n_children)
        mask = self.rng.uniform(size=first.shape) < 0.5
        mask |= self.rng.uniform(size=(n_children, 1)) >= CROSSOVER_RATE
        elite, elite_fitness = self.bits[:n_elite], self.fitness[:n_elite]
        if n_children:
            self.settle(self._mutate(np.where(mask, first, second)))
            self.keep(
                np.concatenate([elite, self.bits]),
                np.concatenate([elite_fitness, self.fitness]),
            )

    def _select(self, n_parents: int) -> Bits:
        """Select parents: the best of so many that are drawn."""
        drawn = self.rng.randint(self.size, size=(n_parents, TOURNAMENT_SIZE))
        return self.bits[drawn.min(axis=1)]  # they are sorted

    def _mutate(self, bits: Bits) -> Bits:
        """Add noise to a few genes; beyond one half, the bit is another."""
        chosen = self.rng.uniform(size=bits.shape) < 1.0 / self.n_bits
        genes = bits + chosen * self.rng.normal(size=bits.shape)
        return genes.clip(0.0, 1.0) > 0.5


class _ProbabilisticIsland(_Island):
    """Next generation by PBIL: drawn from probabilities that learn from the best."""

    def __init__(self, size: int, n_bits: int, *others: Any) -> None:
        self.share = np.full(n_bits, 0.5)
        super().__init__(size, n_bits, *others)

    def advance(self) -> None:
        for best in self.bits[:2]:
            self.share = (1.0 - LEARNING_RATE) * self.share + LEARNING_RATE * best
        shifted = self.rng.uniform(size=self.n_bits) < SHIFT_RATE
        towards = self.rng.uniform(size=self.n_bits) < 0.5
        moved = (1.0 - SHIFT) * self.share + SHIFT * towards
        self.share = np.where(shifted, moved, self.share)
        self.settle(self.rng.uniform(size=(self.size, self.n_bits)) < self.share)


def _find_best(islands: list[Any]) -> tuple[Bits, float]:
    """Return the best string of all islands, and its fitness."""
    island = min(islands, key=lambda one: float(one.fitness[0]))
    return island.bits[0].copy(), float(island.fitness[0])


def _migrate(islands: list[Any]) -> None:
    """Copy the best of each island to the next, in place of its worst."""
    n_migrants = max(1, round(MIGRANT_SHARE * islands[0].size))
    leaving = [(one.bits[:n_migrants], one.fitness[:n_migrants]) for one in islands]
    for island, (bits, fitness) in zip(islands[1:] + islands[:1], leaving):
        island.keep(
            np.concatenate([island.bits[:-n_migrants], bits]),
            np.concatenate([island.fitness[:-n_migrants], fitness]),
        )
