"""Losses of gradient boosting: gradients, hessians, values of leaves."""

from math import exp, floor, inf, log, log1p

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.boosting.bundles import (
    ABSOLUTE_ERROR,
    HUBER,
    LOG_LOSS,
    POISSON,
    QUANTILE,
    SOFTMAX,
    SQUARED_ERROR,
    Packing,
)

_MAX_COUNT_BITS = 13  # up to 8,191 rows there is room for exact counts
_MAX_GRADIENT_BITS = 40
_MAX_HESSIAN_BITS = 15
_TINY = 1e-300
_MARGIN = 1.0 + 1e-6  # sums are of float64, rows are stored as float32


# ---------------------------------------------------------------- gradients


@helper(nogil=True, error_model="numpy")
def logistic(x):
    """Return 1 / (1 + exp(-x)) without overflow."""
    if x >= 0.0:
        return 1.0 / (1.0 + exp(-x))
    e = exp(x)
    return e / (1.0 + e)


@helper(nogil=True, error_model="numpy")
def fill_probabilities(raw, probabilities, rows, start, end):
    """Compute the softmax of the raw predictions of some rows."""
    n_outputs = raw.shape[0]
    for i in range(start, end):
        row = rows[i]
        greatest, total = -inf, 0.0
        for k in range(n_outputs):
            greatest = max(greatest, raw[k, row])
        for k in range(n_outputs):
            e = exp(raw[k, row] - greatest)
            probabilities[k, row] = e
            total += e
        for k in range(n_outputs):
            probabilities[k, row] /= total


@helper(nogil=True, error_model="numpy")
def has_constant_hessian(loss):
    """Return whether all hessians are 1, before weights."""
    return (
        loss == SQUARED_ERROR
        or loss == ABSOLUTE_ERROR
        or loss == QUANTILE
        or loss == HUBER
    )


@helper(nogil=True, error_model="numpy")
def needs_residuals(loss):
    """Return whether values of leaves are quantiles of residuals, not Newton steps."""
    return loss == ABSOLUTE_ERROR or loss == QUANTILE or loss == HUBER


@helper(nogil=True, error_model="numpy")
def differentiate(loss, y, raw, level, delta):
    """Return gradient and hessian of the loss of one row."""
    if loss == LOG_LOSS:
        p = logistic(raw)
        return p - y, p * (1.0 - p)
    if loss == SQUARED_ERROR:
        return raw - y, 1.0
    if loss == ABSOLUTE_ERROR:
        return (1.0 if raw > y else (-1.0 if raw < y else 0.0)), 1.0
    if loss == QUANTILE:
        return (-level if raw < y else 1.0 - level), 1.0
    if loss == HUBER:
        return min(max(raw - y, -delta), delta), 1.0
    if loss == POISSON:
        mean = exp(raw)
        return mean - y, mean
    ratio = y * exp(-raw)
    return 1.0 - ratio, ratio


@helper(nogil=True, error_model="numpy")
def fill_gradients(target, state, output, delta, team, gradients, start, end):
    """Compute weighted gradients and hessians; return the sums of their sizes."""
    loss, weighted, drawn = target.loss, len(target.weights) > 0, state.drawn
    resampled = len(state.factors) > 0
    sum_gradient, sum_hessian = 0.0, 0.0
    for i in range(np.uint64(start), np.uint64(end)):
        row = np.uint64(drawn[i])
        if loss == SOFTMAX:
            p = np.float64(state.probabilities[output, row])
            g, h = p - (target.y[row] == output), p * (1.0 - p)
        else:
            g, h = differentiate(
                loss, target.y[row], state.raw[output, row], target.level, delta
            )
        if weighted:
            g, h = g * target.weights[row], h * target.weights[row]
        if resampled:
            g, h = g * state.factors[row], h * state.factors[row]
        gradients[team, 0, row] = g
        gradients[team, 1, row] = h
        sum_gradient += abs(g)
        sum_hessian += h
    return sum_gradient, sum_hessian


# ---------------------------------------------------------------- packing


@helper(nogil=True, error_model="numpy")
def choose_packing(n_rows, constant, sum_gradient, sum_hessian):
    """Divide 64 bits among gradient, hessian and count, so that no sum overflows.

    No sum over a leaf is larger than that of the sizes of all gradients or hessians,
    which takes all bits of its part of the word. A constant hessian is the count. Where
    there is no room for counts, hessians stand for them (``hessians_count``).
    """
    bits = 1
    while (1 << bits) <= n_rows:
        bits += 1
    hessian_bits, count_bits = 0, bits
    room = 63 - 2 * bits
    if not constant:
        exact = bits <= _MAX_COUNT_BITS
        count_bits = bits if exact else 0
        room -= count_bits
        hessian_bits = min(_MAX_HESSIAN_BITS, room * 2 // 5)
        room -= hessian_bits
    gradient_bits = min(_MAX_GRADIENT_BITS, room)
    steps = (1 << (gradient_bits + bits)) - 1 - n_rows  # rows are rounded by up to one
    g_unit = max(_MARGIN * sum_gradient, _TINY) / max(steps, 1)
    if constant:
        mask = (1 << bits) - 1
        h_unit = max(sum_hessian / n_rows, _TINY)
        return Packing(bits, 0, mask, mask, False, g_unit, h_unit)
    hessian_mask = (1 << (hessian_bits + bits)) - 1
    h_unit = max(_MARGIN * sum_hessian, _TINY) / max(hessian_mask - n_rows, 1)
    count_mask = (1 << bits) - 1 if count_bits > 0 else hessian_mask
    return Packing(
        count_bits + hessian_bits + bits, count_bits, hessian_mask, count_mask,
        count_bits == 0, g_unit, h_unit,
    )  # fmt: skip


@helper(nogil=True, error_model="numpy")
def pack_rows(packing, constant, rows, start, end, team, gradients, packed):
    """Pack gradients and hessians of some rows; return the sum of the words.

    Hessians are rounded at random, by the row's number, so that small ones do not
    vanish beside large ones.
    """
    total = np.int64(0)
    g_scale, h_scale = 1.0 / packing.gradient_unit, 1.0 / packing.hessian_unit
    g_shift, h_shift = packing.gradient_shift, packing.hessian_shift
    counted = 1 if h_shift > 0 or constant else 0
    for i in range(np.uint64(start), np.uint64(end)):
        row = np.uint64(rows[i])
        word = np.int64(floor(gradients[team, 0, row] * g_scale + 0.5)) << g_shift
        if not constant:
            dither = ((np.int64(row) * 0x9E3779B1) & 0xFFFFFFFF) / 4294967296.0
            h = np.int64(gradients[team, 1, row] * h_scale + dither)
            word += h << h_shift
        word += counted
        packed[team, row] = word
        total += word
    return total


# ---------------------------------------------------------------- values of leaves


@helper(nogil=True, error_model="numpy")
def select_quantile(values, team, start, end, level):
    """Return a weighted quantile of ``values[team, 0, start:end]``, which it reorders.

    ``values[team, 1]`` are the weights. The mean of two neighbors if the level falls
    exactly between them.
    """
    total = 0.0
    for i in range(start, end):
        total += values[team, 1, i]
    goal, below, low, high = level * total, 0.0, start, end
    while high - low > 1:
        pivot = values[team, 0, (low + high) // 2]
        # [low, a) is less than the pivot, [a, b) equal to it, [b, high) greater.
        a, i, b = low, low, high
        less, equal = 0.0, 0.0
        while i < b:
            v, w = values[team, 0, i], values[team, 1, i]
            if v < pivot:
                less += w
                _swap(values, team, a, i)
                a += 1
                i += 1
            elif v > pivot:
                b -= 1
                _swap(values, team, b, i)
            else:
                equal += w
                i += 1
        if goal < below + less or (goal == below + less and less > 0.0 and a > low):
            if goal == below + less:
                break_at = a
                greatest = -inf
                for k in range(low, break_at):
                    greatest = max(greatest, values[team, 0, k])
                return 0.5 * (greatest + pivot)
            high = a
        elif goal < below + less + equal:
            return pivot
        elif goal == below + less + equal and b < high:
            least = inf
            for k in range(b, high):
                least = min(least, values[team, 0, k])
            return 0.5 * (pivot + least)
        elif b >= high:
            return pivot
        else:
            below += less + equal
            low = b
    return values[team, 0, low]


@helper(nogil=True, error_model="numpy")
def _swap(values, team, i, j):
    """Exchange two values and their weights."""
    for k in range(2):
        value = values[team, k, i]
        values[team, k, i] = values[team, k, j]
        values[team, k, j] = value


@helper(nogil=True, error_model="numpy")
def _fill_residuals(target, state, rows, team, start, end, residuals):
    """Copy residuals and weights of the rows of a leaf."""
    weighted, resampled = len(target.weights) > 0, len(state.factors) > 0
    for i in range(start, end):
        row = rows[team, 0, i]
        residuals[team, 0, i] = target.y[row] - state.raw[0, row]
        weight = target.weights[row] if weighted else 1.0
        residuals[team, 1, i] = weight * state.factors[row] if resampled else weight


@helper(nogil=True, error_model="numpy")
def find_leaf_value(target, state, memory, team, start, end, l2, delta):
    """Return the best value of a leaf.

    A Newton step; for losses of absolute residuals, whose hessians say nothing, the
    quantile of the residuals (for Huber's: the median and a trimmed mean around it).
    """
    loss, rows = target.loss, memory.rows
    if needs_residuals(loss):
        residuals = memory.residuals
        _fill_residuals(target, state, rows, team, start, end, residuals)
        level = target.level if loss == QUANTILE else 0.5
        middle = select_quantile(residuals, team, start, end, level)
        if loss != HUBER:
            return middle
        total, weight = 0.0, 0.0
        for i in range(start, end):
            rest = residuals[team, 0, i] - middle
            total += residuals[team, 1, i] * min(max(rest, -delta), delta)
            weight += residuals[team, 1, i]
        return middle + total / weight if weight > 0.0 else middle
    gradient, hessian = 0.0, l2
    for i in range(np.uint64(start), np.uint64(end)):
        row = np.uint64(rows[team, 0, i])
        gradient += np.float64(memory.gradients[team, 0, row])
        hessian += np.float64(memory.gradients[team, 1, row])
    return -gradient / hessian if hessian > 0.0 else 0.0


# ---------------------------------------------------------------- loss


@helper(nogil=True, error_model="numpy")
def _loss_of_row(target, raw, row, delta):
    """Return the loss of one row, up to a constant."""
    loss, y = target.loss, target.y[row]
    if loss == SOFTMAX:
        greatest, total = -inf, 0.0
        for k in range(raw.shape[0]):
            greatest = max(greatest, raw[k, row])
        for k in range(raw.shape[0]):
            total += exp(raw[k, row] - greatest)
        return log(total) + greatest - raw[np.int64(y), row]
    x = raw[0, row]
    if loss == LOG_LOSS:
        return max(x, 0.0) + log1p(exp(-abs(x))) - y * x
    rest = y - x
    if loss == SQUARED_ERROR:
        return 0.5 * rest * rest
    if loss == ABSOLUTE_ERROR:
        return abs(rest)
    if loss == QUANTILE:
        return rest * target.level if rest > 0.0 else rest * (target.level - 1.0)
    if loss == HUBER:
        size = abs(rest)
        return 0.5 * rest * rest if size <= delta else delta * (size - 0.5 * delta)
    if loss == POISSON:
        return exp(x) - y * x
    return x + y * exp(-x)


@helper(nogil=True, error_model="numpy")
def sum_losses(target, raw, rows, start, end, step, delta):
    """Return the weighted sum of losses of each ``step``-th row, and of weights."""
    total, weights = 0.0, 0.0
    weighted = len(target.weights) > 0
    for i in range(start, end, step):
        row = rows[i]
        weight = target.weights[row] if weighted else 1.0
        total += weight * _loss_of_row(target, raw, row, delta)
        weights += weight
    return total, weights
