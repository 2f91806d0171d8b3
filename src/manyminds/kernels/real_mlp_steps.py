"""Training of RealMLP: gradients of mini-batches and steps of Adam, in float32."""

import math
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.real_mlp import (
    CODES,
    FREQUENCIES,
    MIXES,
    N_CODE,
    N_EMBEDDED,
    N_FRONT,
    N_MIXED,
    N_WAVES,
    PHASES,
    SCALES,
    SHIFTS,
    fill_cosines,
    fill_sines,
    run_forward,
)

BETA_1, BETA_2, EPSILON = 0.9, 0.95, 1e-8
TWO_PI = np.float32(2.0 * np.pi)


class Target(NamedTuple):
    """What a net learns.

    value      (n_rows,)  float32, numbers, or classes 0, 1, 2 ...
    weight     (n_rows,)  float32, of samples
    smoothing  float      share of a label that is spread over all classes
    """

    value: np.ndarray
    weight: np.ndarray
    smoothing: float


class Plan(NamedTuple):
    """Steps of the batches of an epoch.

    rows     (n_steps, n_batch)  int64, rows of each batch
    rate     (n_steps,)          float64, learning rate
    decay    (n_steps,)          float64, weight decay
    dropout  (n_steps,)          float64, share of units that are dropped
    factors  (n_blocks, 2)       float64, of rate and decay, for each block
    n_done   int                 number of steps before
    """

    rows: np.ndarray
    rate: np.ndarray
    decay: np.ndarray
    dropout: np.ndarray
    factors: np.ndarray
    n_done: int


@kernel(nogil=True, error_model="numpy")
def fill_output_slopes(target, rows, outputs):
    """Replace outputs by the derivatives of the mean loss of a batch.

    target   Target
    rows     (n_batch,)  int64
    outputs  (n_batch, n_outputs)  float32, C order; one output is a number's, of which
             the loss is the squared error; several are those of classes
    """
    n_batch, n_outputs = outputs.shape
    for i in range(n_batch):
        out, share = outputs[i], target.weight[rows[i]] / n_batch
        if n_outputs == 1:
            out[0] = 2.0 * share * (out[0] - target.value[rows[i]])
            continue
        highest, total = -np.inf, 0.0
        for k in range(n_outputs):
            highest = max(highest, out[k])
        for k in range(n_outputs):
            out[k] = math.exp(out[k] - highest)
            total += out[k]
        label = np.int64(target.value[rows[i]])
        spread = target.smoothing / n_outputs
        for k in range(n_outputs):
            wanted = spread + (1.0 - target.smoothing if k == label else 0.0)
            out[k] = share * (out[k] / total - wanted)


@helper(error_model="numpy")
def add_to_biases(slopes, gain, out):
    """Write the sums of the columns of slopes; then multiply slopes by the gain."""
    out[:] = np.float32(0.0)
    for i in range(slopes.shape[0]):
        for j in range(slopes.shape[1]):
            out[j] += slopes[i, j]
            slopes[i, j] *= gain


@helper(error_model="numpy")
def pass_activations(slopes, hidden_slopes, bends, out):
    """Pass slopes back through activations; write the gradient of their weights."""
    out[:] = np.float32(0.0)
    for i in range(slopes.shape[0]):
        for j in range(slopes.shape[1]):
            out[j] += slopes[i, j] * bends[i, j]
            slopes[i, j] *= hidden_slopes[i, j]


@kernel(nogil=True, error_model="numpy")
def pass_inputs(table, rows, theta, shape, work, slopes, gradient):
    """Write the gradient of all that is before the first layer.

    slopes    (n_batch, widths[0])  float32, C order, derivatives by unscaled inputs
    gradient  (n_parameters,)  float32, filled up to the first layer

    The others are those of `compute_gradient`.
    """
    starts, x = shape.starts, work.column
    n_batch, n_numeric = len(rows), table.numeric.shape[1]
    frequencies, phases = starts[FREQUENCIES], starts[PHASES]
    mixes, shifts = starts[MIXES], starts[SHIFTS]
    ones = np.ones(n_batch, np.float32)
    back, mixed = np.empty_like(work.waves), work.mixed
    for c in range(n_numeric):
        for i in range(n_batch):
            x[i] = table.numeric[rows[i], c]
        for m in range(N_MIXED):
            total = np.float32(0.0)
            for i in range(n_batch):
                mixed[m, i] = slopes[i, c * N_EMBEDDED + m]
                total += mixed[m, i]
            gradient[shifts + c * N_MIXED + m] = total
        first = c * N_WAVES
        for w in range(N_WAVES):
            frequency, phase = theta[frequencies + first + w], theta[phases + first + w]
            fill_cosines(x, frequency, phase, work.waves[w])
            fill_sines(x, frequency, phase, work.sines[w])
        place = slice(mixes + N_MIXED * first, mixes + N_MIXED * (first + N_WAVES))
        weights = theta[place].reshape(N_MIXED, N_WAVES)
        np.dot(mixed, work.waves.T, gradient[place].reshape(N_MIXED, N_WAVES))
        np.dot(weights.T, mixed, back)
        for w in range(N_WAVES):
            for i in range(n_batch):
                back[w, i] *= -work.sines[w, i]
        out = gradient[frequencies + first : frequencies + first + N_WAVES]
        np.dot(back, x, out)
        for w in range(N_WAVES):
            out[w] *= TWO_PI
        np.dot(back, ones, gradient[phases + first : phases + first + N_WAVES])

    after = n_numeric * N_EMBEDDED + table.plain.shape[1]
    gradient[starts[CODES] : starts[FREQUENCIES]] = np.float32(0.0)
    for i in range(n_batch):
        for c in range(table.codes.shape[1]):
            code = starts[CODES] + table.codes[rows[i], c] * N_CODE
            for k in range(N_CODE):
                gradient[code + k] += slopes[i, after + c * N_CODE + k]


@kernel(nogil=True, error_model="numpy")
def compute_gradient(table, target, rows, theta, shape, work, dropout, state, gradient):
    """Compute the gradient of the mean loss of a batch by all parameters.

    table     Table
    target    Target
    rows      (n_batch,)  int64, rows of the table
    theta     (n_parameters,)  float32
    shape     Shape
    work      Work, filled
    dropout   float  share of the hidden units that are dropped
    state     (1,)  int64, of the random generator
    gradient  (n_parameters,)  float32, filled
    """
    widths, starts = shape.widths, shape.starts
    n_batch, n_layers = len(rows), len(widths) - 1
    run_forward(table, rows, theta, shape, work, dropout, state, False)
    fill_output_slopes(target, rows, work.outputs)
    slopes, last = work.outputs, len(work.hidden)
    for k in range(n_layers - 1, -1, -1):
        block, width = N_FRONT + 3 * k, widths[k + 1]
        place = slice(starts[block], starts[block + 1])
        weights = theta[place].reshape(widths[k], width)
        if k < n_layers - 1:
            first = last - n_batch * width
            pass_activations(
                slopes,
                work.slopes[first:last].reshape(n_batch, width),
                work.bends[first:last].reshape(n_batch, width),
                gradient[starts[block + 2] : starts[block + 3]],
            )
            last = first
        gain = np.float32(1.0 / np.sqrt(widths[k]))
        add_to_biases(slopes, gain, gradient[starts[block + 1] : starts[block + 2]])
        if k > 0:
            first = last - n_batch * widths[k]
            layer = work.hidden[first:last].reshape(n_batch, widths[k])
        else:
            layer = work.scaled
        np.dot(layer.T, slopes, gradient[place].reshape(widths[k], width))
        back = layer  # which is not needed any more
        np.dot(slopes, weights.T, back)
        slopes = back

    scales = theta[starts[SCALES] : starts[N_FRONT]]
    out = gradient[starts[SCALES] : starts[N_FRONT]]
    out[:] = np.float32(0.0)
    for i in range(n_batch):
        for j in range(widths[0]):
            out[j] += slopes[i, j] * work.inputs[i, j]
            slopes[i, j] *= scales[j]
    pass_inputs(table, rows, theta, shape, work, slopes, gradient)


@kernel(nogil=True, error_model="numpy")
def step_adam(vectors, starts, factors, rate, decay, n_steps):
    """Take a step of Adam with decoupled weight decay.

    vectors  (4, n_parameters)  float32, C order: parameters, gradient, and means of
             gradients and of their squares; changed
    starts   (n_blocks + 1,)    int64, where the blocks of the parameters start
    factors  (n_blocks, 2)      float64, of rate and decay, for each block
    rate     float  learning rate
    decay    float  weight decay
    n_steps  int    number of steps, including this one
    """
    theta, gradient, mean, square = vectors[0], vectors[1], vectors[2], vectors[3]
    one = np.float32(1.0)
    a, b = np.float32(BETA_1), np.float32(BETA_2)
    root = np.float32(1.0 / math.sqrt(1.0 - BETA_2**n_steps))
    tiny = np.float32(EPSILON)
    for block in range(len(factors)):
        own = rate * factors[block, 0]
        size = np.float32(own / (1.0 - BETA_1**n_steps))
        shrink = np.float32(1.0 - own * decay * factors[block, 1])
        for p in range(starts[block], starts[block + 1]):
            g = gradient[p]
            m = a * mean[p] + (one - a) * g
            s = b * square[p] + (one - b) * g * g
            mean[p], square[p] = m, s
            theta[p] = shrink * theta[p] - size * m / (np.sqrt(s) * root + tiny)


@kernel(nogil=True, error_model="numpy")
def train_batches(table, target, plan, shape, work, vectors, state):
    """Train a net by one step for each batch of an epoch.

    table    Table
    target   Target
    plan     Plan
    shape    Shape
    work     Work, of as many rows as a batch has
    vectors  (4, n_parameters)  float32, C order; see `step_adam`
    state    (1,)  int64, of the random generator; changed
    """
    for s in range(len(plan.rows)):
        compute_gradient(
            table, target, plan.rows[s], vectors[0], shape, work, plan.dropout[s],
            state, vectors[1],
        )  # fmt: skip
        step_adam(
            vectors, shape.starts, plan.factors, plan.rate[s], plan.decay[s],
            plan.n_done + s + 1,
        )  # fmt: skip
