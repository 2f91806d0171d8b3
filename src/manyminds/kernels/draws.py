"""Random draws of numbers, rows and features from a state that is passed in."""

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bundles import FENWICK

_NOTHING = np.int64(0)


@helper(nogil=True, error_model="numpy")
def draw(state):
    """Draw 32 random bits: Marsaglia's multiply-with-carry, which fits into int64."""
    x = state[0]
    x = 1791398085 * (x & 0xFFFFFFFF) + (x >> 32)
    state[0] = x
    return x & 0xFFFFFFFF


@helper(nogil=True, error_model="numpy")
def draw_below(state, n):
    """Draw one of 0 ... n - 1."""
    return (draw(state) * n) >> 32


@helper(nogil=True, error_model="numpy")
def draw_fraction(state):
    """Draw a number in [0, 1) with 53 random bits."""
    return ((draw(state) << 21) | (draw(state) >> 11)) / 9007199254740992.0


@helper(nogil=True, error_model="numpy")
def draw_seed(state):
    """Draw a state for a generator of its own."""
    return ((draw(state) << 30) ^ draw(state)) & 0x3FFFFFFFFFFFFFFF | 1


@helper(nogil=True, error_model="numpy")
def draw_rows(state, n_draws, draw_bounds, counts, at):
    """Add to ``counts[at]`` how often each row is drawn, with replacement."""
    n_samples, weighted = counts.shape[1], len(draw_bounds) > 0
    for _ in range(n_draws):
        row = draw_below(state, n_samples)
        if weighted:
            goal = (row + draw(state) / 4294967296.0) / n_samples
            goal *= draw_bounds[n_samples - 1]
            row, end = _NOTHING, n_samples - 1
            while row < end:
                middle = (row + end) // 2
                if draw_bounds[middle] <= goal:
                    row = middle + 1
                else:
                    end = middle
        counts[at, row] += 1


@kernel(nogil=True, error_model="numpy")
def count_draws(seeds, n_draws, draw_bounds, counts):
    """Count how often each tree draws each row.

    seeds        (n_trees,) int64, those that ``grow_trees`` takes
    draw_bounds  (n_samples,) float64 cumulative odds, or (0,): the same odds for all
    counts       (n_trees, n_samples) int32, added to in place
    """
    state = np.empty(1, np.int64)
    for tree in range(len(seeds)):
        state[0] = seeds[tree]
        draw_rows(state, n_draws, draw_bounds, counts, tree)


@helper(nogil=True, error_model="numpy")
def fill_fenwick(odds, which, draws):
    """Make ``draws[FENWICK]`` the partial sums of odds: a draw costs log n."""
    n = odds.shape[1]
    draws[FENWICK, 0] = 0
    for j in range(n):
        draws[FENWICK, j + 1] = odds[which, j]
    for j in range(1, n + 1):
        parent = j + (j & -j)
        if parent <= n:
            draws[FENWICK, parent] += draws[FENWICK, j]


@helper(nogil=True, error_model="numpy")
def draw_from_fenwick(state, odds, which, remaining, draws):
    """Draw a feature by its odds, remove it, and return it."""
    n = odds.shape[1]
    goal = min(np.int64(draw_fraction(state) * remaining), remaining - 1)
    step = 1
    while step * 2 <= n:
        step *= 2
    at = 0
    while step > 0:
        if at + step <= n and draws[FENWICK, at + step] <= goal:
            at += step
            goal -= draws[FENWICK, at]
        step //= 2
    j = at + 1
    while j <= n:
        draws[FENWICK, j] -= odds[which, at]
        j += j & -j
    return at
