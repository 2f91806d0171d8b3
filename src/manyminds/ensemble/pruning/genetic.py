"""Pruning by a genetic algorithm over subsets of members."""

import numpy as np

from manyminds.utils.evolution import evolve_bits

N_GENERATIONS = 40
POPULATION = 40


def search_subset(fitness, n_members, size, rng):
    """Search for the subset of members with the greatest fitness.

    Parameters
    ----------
    fitness : callable
        Takes subsets, an array of bool of shape (n_subsets, n_members); returns their
        fitness.
    n_members : int
    size : int or None
        Number of members of a subset; None: any.
    rng : RandomState
        Draws everything.

    Returns
    -------
    members : ndarray of int
        In ascending order.
    """

    def repair(bits, rng):
        order = rng.uniform(size=bits.shape) - bits  # those that are in come first
        rank = np.argsort(np.argsort(order, axis=1, kind="stable"), axis=1)
        if size is not None:
            return rank < size
        return bits | ((rank == 0) & ~bits.any(axis=1, keepdims=True))

    found = evolve_bits(
        lambda bits: -fitness(bits),
        n_members,
        population_size=POPULATION,
        n_generations=N_GENERATIONS,
        repair=repair,
        random_state=rng,
    )
    return np.flatnonzero(found.best)


def make_vote_fitness(labels, y, n_classes, alpha, weight=None):
    """Return the fitness of subsets that vote: accuracy, and diversity of members.

    Parameters
    ----------
    labels : ndarray of shape (n_members, n_samples)
        Class numbers.
    y : ndarray of shape (n_samples,)
        True ones.
    n_classes : int
    alpha : float
        Weight of the vote's accuracy; the mean disagreement of pairs has the rest.
    weight : ndarray of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    fitness : callable
        See ``search_subset``.
    """
    votes_for = [(labels == c).astype(np.float32) for c in range(n_classes)]

    def fitness(bits):
        chosen = bits.astype(np.float32)
        votes = np.stack([chosen @ one for one in votes_for])  # whole numbers: exact
        accuracy = np.average(votes.argmax(axis=0) == y, axis=1, weights=weight)
        size = bits.sum(axis=1)
        n_same = (votes**2).sum(axis=0, dtype=np.float64)
        same = np.average(n_same, axis=1, weights=weight)
        n_pairs = np.maximum(size * (size - 1.0), 1.0)
        return alpha * accuracy + (1.0 - alpha) * (size**2 - same) / n_pairs

    return fitness


def make_error_fitness(products):
    """Return the fitness of subsets that are averaged: minus the mean squared error.

    Parameters
    ----------
    products : ndarray of shape (n_members, n_members)
        Mean products of the members' errors.

    Returns
    -------
    fitness : callable
        See ``search_subset``.
    """

    def fitness(bits):
        share = bits / bits.sum(axis=1, keepdims=True)
        return -np.einsum("im,mk,ik->i", share, products, share, optimize=True)

    return fitness
