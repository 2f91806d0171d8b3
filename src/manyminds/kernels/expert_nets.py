"""Back-propagation of many nets with one hidden layer at once, weighted by gates."""

import math
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel

# How the step of an expert is weighted for a sample: by a share that is given, by the
# share and a trained gate of modules, or by trained gates of modules and experts.
BY_SHARE, BY_TOP_GATE, BY_ALL_GATES = range(3)


class Steps(NamedTuple):
    """How steps are taken.

    rate        float  learning rate
    batch_size  int    rows whose mean step is taken
    mode        int    how steps of experts are weighted
    is_squared  bool   the loss is the squared error; else the cross-entropy of each
                       output
    """

    rate: float
    batch_size: int
    mode: int
    is_squared: bool


@helper(error_model="numpy")
def add_layer(row, weights, out):
    """Add ``row @ weights`` to ``out``, four rows of the weights at a time."""
    n, size = len(row), len(out)
    n_by_four = n - n % 4
    for k in range(0, n_by_four, 4):
        a, b, c, d = row[k], row[k + 1], row[k + 2], row[k + 3]
        for j in range(size):
            out[j] = (
                out[j]
                + a * weights[k, j]
                + b * weights[k + 1, j]
                + c * weights[k + 2, j]
                + d * weights[k + 3, j]
            )
    for k in range(n_by_four, n):
        a = row[k]
        for j in range(size):
            out[j] += a * weights[k, j]


@helper(error_model="numpy")
def squash(values):
    """Replace values by their sigmoids."""
    for j in range(len(values)):
        values[j] = 1.0 / (1.0 + math.exp(-values[j]))


@helper(error_model="numpy")
def soften(row, weights, first, last, out):
    """Write the softmax of ``weights[first:last] @ row`` to the same places of out."""
    highest = -np.inf
    for k in range(first, last):
        total = 0.0
        for j in range(len(row)):
            total += weights[k, j] * row[j]
        out[k] = total
        highest = max(highest, total)
    total = 0.0
    for k in range(first, last):
        out[k] = math.exp(out[k] - highest)
        total += out[k]
    for k in range(first, last):
        out[k] /= total


@kernel(nogil=True, error_model="numpy")
def train_experts(
    X, label, order, weight, share, hidden_weights, output_weights, top, inner, steps
):  # fmt: skip
    """Train all experts by one pass over the samples, in place.

    X               (n_rows, n_inputs)              float64, C order, last column ones
    label           (n_rows,)                       int64, classes
    order           (n_used,)                       int64, rows in the order of training
    weight          (n_rows,)                       float64, of samples
    share           (n_rows, n_experts)             float64, C order; not read if all
                                                    gates are trained
    hidden_weights  (n_inputs, n_hidden, n_experts)       float64, C order, changed
    output_weights  (n_hidden + 1, n_classes, n_experts)  float64, C order, changed;
                                                          intercepts last
    top             (n_modules, n_inputs)           float64, C order, gate of modules
    inner           (n_experts, n_inputs)           float64, C order, gates of experts
    steps           Steps

    Experts of a module stand side by side. The last axis of all arrays is that of the
    experts: loops are long, though each net is small, and an expert's numbers do not
    depend on which others are trained with it, unless gates are trained.
    """
    rate, batch_size, mode, is_squared = steps
    n_inputs, n_hidden, n_experts = hidden_weights.shape
    n_classes, n_modules = output_weights.shape[1], top.shape[0]
    n_inside = n_experts // n_modules
    wide = hidden_weights.reshape(n_inputs, n_hidden * n_experts)
    hidden = np.ones((batch_size, (n_hidden + 1) * n_experts))
    out = np.empty((batch_size, n_classes * n_experts))
    step = np.empty((batch_size, n_experts))
    slope = np.empty((batch_size, n_hidden * n_experts))
    top_step = np.zeros((batch_size, n_modules))
    inner_step = np.zeros((batch_size, n_experts))
    gate, upper = np.empty(n_experts), np.empty(n_modules)
    fit, module_fit = np.empty(n_experts), np.empty(n_modules)
    n_units = n_hidden * n_experts
    for first in range(0, len(order), batch_size):
        n_rows = min(batch_size, len(order) - first)
        for b in range(n_rows):
            i = order[first + b]
            units, answer = hidden[b], out[b]
            units[:n_units] = 0.0
            add_layer(X[i], wide, units[:n_units])
            squash(units[:n_units])
            answer[:] = 0.0
            for h in range(n_hidden + 1):
                for k in range(n_classes):
                    for e in range(n_experts):
                        answer[k * n_experts + e] += (
                            output_weights[h, k, e] * units[h * n_experts + e]
                        )
            squash(answer)

            if mode == BY_SHARE:
                for e in range(n_experts):
                    step[b, e] = weight[i] * share[i, e]
            else:
                soften(X[i], top, 0, n_modules, upper)
                lowest = np.inf  # of squared errors, so that not all fits vanish
                for m in range(n_modules):
                    first_inside = m * n_inside
                    if mode == BY_TOP_GATE:
                        total = 0.0
                        for e in range(first_inside, first_inside + n_inside):
                            total += share[i, e]
                        module_fit[m] = 0.0
                        for k in range(n_classes):
                            mixed = 0.0
                            for e in range(first_inside, first_inside + n_inside):
                                mixed += share[i, e] * answer[k * n_experts + e]
                            error = (1.0 if k == label[i] else 0.0) - mixed / total
                            module_fit[m] += error * error
                        lowest = min(lowest, module_fit[m])
                    else:
                        soften(X[i], inner, first_inside, first_inside + n_inside, gate)
                        for e in range(first_inside, first_inside + n_inside):
                            fit[e] = 0.0
                            for k in range(n_classes):
                                error = 1.0 if k == label[i] else 0.0
                                error -= answer[k * n_experts + e]
                                fit[e] += error * error
                            lowest = min(lowest, fit[e])
                total = 0.0
                for m in range(n_modules):
                    first_inside = m * n_inside
                    if mode == BY_TOP_GATE:
                        module_fit[m] = math.exp(-0.5 * (module_fit[m] - lowest))
                    else:
                        module_fit[m] = 0.0
                        for e in range(first_inside, first_inside + n_inside):
                            fit[e] = gate[e] * math.exp(-0.5 * (fit[e] - lowest))
                            module_fit[m] += fit[e]
                    total += upper[m] * module_fit[m]
                for m in range(n_modules):
                    first_inside = m * n_inside
                    posterior = upper[m] * module_fit[m] / total
                    top_step[b, m] = weight[i] * (posterior - upper[m])
                    for e in range(first_inside, first_inside + n_inside):
                        if mode == BY_TOP_GATE:
                            step[b, e] = weight[i] * posterior * share[i, e]
                        else:
                            inside = fit[e] / max(module_fit[m], 1e-300)
                            step[b, e] = weight[i] * posterior * inside
                            inner_step[b, e] = (
                                weight[i] * posterior * (inside - gate[e])
                            )

            bend = slope[b]
            bend[:] = 0.0
            for k in range(n_classes):
                target = 1.0 if k == label[i] else 0.0
                for e in range(n_experts):
                    o = answer[k * n_experts + e]
                    rise = o * (1.0 - o) if is_squared else 1.0
                    answer[k * n_experts + e] = step[b, e] * (target - o) * rise
            for h in range(n_hidden):
                for k in range(n_classes):
                    for e in range(n_experts):
                        bend[h * n_experts + e] += (
                            output_weights[h, k, e] * answer[k * n_experts + e]
                        )
            for j in range(n_units):
                bend[j] *= units[j] * (1.0 - units[j])

        size = rate / n_rows
        for b in range(n_rows):
            i = order[first + b]
            units, answer, bend = hidden[b], out[b], slope[b]
            for h in range(n_hidden + 1):
                for k in range(n_classes):
                    for e in range(n_experts):
                        output_weights[h, k, e] += (
                            size * units[h * n_experts + e] * answer[k * n_experts + e]
                        )
            for d in range(n_inputs):
                x = size * X[i, d]
                for j in range(n_units):
                    wide[d, j] += x * bend[j]
            if mode != BY_SHARE:
                for m in range(n_modules):
                    for d in range(n_inputs):
                        top[m, d] += size * top_step[b, m] * X[i, d]
            if mode == BY_ALL_GATES:
                for e in range(n_experts):
                    for d in range(n_inputs):
                        inner[e, d] += size * inner_step[b, e] * X[i, d]
