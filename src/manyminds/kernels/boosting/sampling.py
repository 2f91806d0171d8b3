"""Drawing the rows of a boosting round."""

from math import sqrt

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.boosting.bundles import (
    ALL_ROWS,
    BOOTSTRAP,
    SOFTMAX,
    WITHOUT_REPLACEMENT,
)
from manyminds.kernels.boosting.losses import differentiate
from manyminds.kernels.boosting.splits import draw_number, mix

_MVS_LAMBDA = 0.1  # weight of the hessian in the size of a gradient
_MAX_STEPS = 50  # of the search for the threshold of sizes
_UNIT = 1.0 / 4611686018427387904.0  # 2**-62


@helper(nogil=True, error_model="numpy")
def draw_rows(sampling, target, state, seed, delta):
    """Bring the rows that a round draws to the front of ``state.drawn``; count them.

    Both the drawn rows and the others stay in the order of the table.
    """
    rows, drawn = target.rows, state.drawn
    n_rows = len(rows)
    if sampling.method == ALL_ROWS:
        return n_rows
    if sampling.method == WITHOUT_REPLACEMENT:
        return _draw_without_replacement(rows, drawn, sampling.n, seed)
    factors = state.factors
    for i in range(n_rows):
        factors[rows[i]] = 0.0
    if sampling.method == BOOTSTRAP:
        for k in range(sampling.n):
            factors[rows[draw_number(seed, k, n_rows)]] += 1.0
    else:
        _draw_minimal_variance(sampling.n, target, state, seed, delta)
    n_drawn, n_others = 0, 0
    for i in range(n_rows):
        n_drawn += factors[rows[i]] > 0.0
    for i in range(n_rows):
        if factors[rows[i]] > 0.0:
            drawn[i - n_others] = rows[i]
        else:
            drawn[n_drawn + n_others] = rows[i]
            n_others += 1
    return n_drawn


@helper(nogil=True, error_model="numpy")
def _draw_without_replacement(rows, drawn, n, seed):
    """Draw ``n`` rows, one pass in their order."""
    n_rows, n_drawn = len(rows), 0
    for i in range(n_rows):
        if draw_number(seed, i, n_rows - i) < n - n_drawn:
            drawn[n_drawn] = rows[i]
            n_drawn += 1
        else:
            drawn[n + i - n_drawn] = rows[i]
    return n


@helper(nogil=True, error_model="numpy")
def _draw_minimal_variance(n, target, state, seed, delta):
    """Draw a row with odds in proportion to the size of its gradient, at most 1.

    Minimal-variance sampling (Ibragimov and Gusev, 2019): drawn rows get the inverse of
    their odds as a weight, so that sums of gradients stay unbiased.
    """
    rows, factors = target.rows, state.factors
    total = 0.0
    for i in range(len(rows)):
        size = _size_of_gradient(target, state, rows[i], delta)
        factors[rows[i]] = size
        total += size
    # Sizes above the threshold have odds 1. Start with all below, and take out.
    threshold, n_above, below = total / n, 0, total
    for _ in range(_MAX_STEPS):
        n_before, n_above, below = n_above, 0, 0.0
        for i in range(len(rows)):
            if factors[rows[i]] >= threshold:
                n_above += 1
            else:
                below += factors[rows[i]]
        if n_above == n_before or n_above >= n:
            break
        threshold = below / (n - n_above)
    for i in range(len(rows)):
        row = rows[i]
        odds = factors[row] / threshold if threshold > 0.0 else 1.0
        if odds >= 1.0:
            factors[row] = 1.0
        else:
            is_drawn = mix(seed, np.int64(i)) * _UNIT < odds
            factors[row] = 1.0 / odds if is_drawn else 0.0


@helper(nogil=True, error_model="numpy")
def _size_of_gradient(target, state, row, delta):
    """Return sqrt(g^2 + lambda h^2) over all outputs of a row."""
    total = 0.0
    for k in range(state.raw.shape[0]):
        if target.loss == SOFTMAX:
            p = np.float64(state.probabilities[k, row])
            g, h = p - (target.y[row] == k), p * (1.0 - p)
        else:
            g, h = differentiate(
                target.loss, target.y[row], state.raw[k, row], target.level, delta
            )
        total += g * g + _MVS_LAMBDA * h * h
    weight = target.weights[row] if len(target.weights) > 0 else 1.0
    return weight * sqrt(total)
