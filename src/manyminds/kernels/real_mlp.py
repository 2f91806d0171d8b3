"""Forward pass of RealMLP: embedded columns, scaled inputs, dense layers; in float32.

Exponentials and cosines are polynomials here: loops over them become vector
instructions, which calls of a library's functions do not.
"""

from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.draws import draw

N_WAVES = 16  # cosines of each numeric column
N_MIXED = 3  # linear combinations of the cosines of a column
N_EMBEDDED = N_MIXED + 1  # inputs by a numeric column, which is one of them itself
N_CODE = 8  # inputs by a column of many categories
# Blocks of the parameters. Each layer has three more: weights, biases, activations.
CODES, FREQUENCIES, PHASES, MIXES, SHIFTS, SCALES, N_FRONT = range(7)

# Python's literals are float64, and so would be all arithmetic with them.
ZERO, ONE, TWO = np.float32(0.0), np.float32(1.0), np.float32(2.0)
LOW, HIGH, SHRINK = np.float32(-20.0), np.float32(20.0), np.float32(1.0 / 64.0)
E2, E3, E4 = np.float32(1 / 2), np.float32(1 / 6), np.float32(1 / 24)
E5, E6 = np.float32(1 / 120), np.float32(1 / 720)
SELU_SCALE = np.float32(1.0507009873554805)
SELU_LOW = np.float32(1.0507009873554805 * 1.6732632423543772)
TURN = np.float32(1.0 / (2.0 * np.pi))  # turns in a radian
ROUNDER = np.float32(12582912.0)  # 1.5 * 2**23: adding it rounds to whole numbers
# Chebyshev polynomials of cos(2 pi u) and of sin(2 pi u) / u in u * u, up to u = 1/2,
# where they err by 1e-8.
C0, C1, C2, C3, C4, C5, C6 = (
    np.float32(c)
    for c in (
        1.0, -19.73920440673828, 64.93911743164062, -85.45014190673828,
        60.16762924194336, -25.967599868774414, 6.528658390045166,
    )
)  # fmt: skip
S0, S1, S2, S3, S4, S5, S6 = (
    np.float32(c)
    for c in (
        6.2831854820251465, -41.34170150756836, 81.60513305664062,
        -76.70301818847656, 42.02592849731445, -14.899847030639648,
        3.2381374835968018,
    )
)  # fmt: skip


class Table(NamedTuple):
    """Columns of a table, one row after the other.

    numeric  (n_rows, n_numeric)  float32, C order, columns that are embedded by cosines
    plain    (n_rows, n_plain)    float32, C order, columns that are taken as they are
    codes    (n_rows, n_coded)    int64, C order, rows of the table of all categories
    """

    numeric: np.ndarray
    plain: np.ndarray
    codes: np.ndarray


class Shape(NamedTuple):
    """Sizes of a net.

    widths   (n_layers + 1,)  int64, number of inputs of each layer; last, of outputs
    starts   (n_blocks + 1,)  int64, where the blocks of the parameters start
    is_mish  bool             activations are Mish; else SELU
    """

    widths: np.ndarray
    starts: np.ndarray
    is_mish: bool


class Work(NamedTuple):
    """Arrays that a batch of rows is computed in; float32, C order.

    inputs   (n_batch, widths[0])  inputs before they are scaled
    scaled   (n_batch, widths[0])  inputs of the first layer
    hidden   (size,)  outputs of the hidden layers, one after the other
    bends    (size,)  what activations add to them, with weight 1
    slopes   (size,)  derivatives of the outputs
    sums     (largest,)  inputs of the activations of one layer
    outputs  (n_batch, widths[-1])
    column   (n_batch,)            values of a numeric column
    waves    (N_WAVES, n_batch)    its cosines
    sines    (N_WAVES, n_batch)
    mixed    (N_MIXED, n_batch)    combinations of its cosines
    keep     (widest,)             factors of dropout of one row
    """

    inputs: np.ndarray
    scaled: np.ndarray
    hidden: np.ndarray
    bends: np.ndarray
    slopes: np.ndarray
    sums: np.ndarray
    outputs: np.ndarray
    column: np.ndarray
    waves: np.ndarray
    sines: np.ndarray
    mixed: np.ndarray
    keep: np.ndarray


@helper(error_model="numpy")
def exponential(x):
    """Return exp(x) of a float32 within [-20, 20], which others are moved to."""
    y = min(max(x, LOW), HIGH) * SHRINK
    y = ONE + y * (ONE + y * (E2 + y * (E3 + y * (E4 + y * (E5 + y * E6)))))
    y = y * y
    y = y * y
    y = y * y
    y = y * y
    y = y * y
    return y * y


# Few arrays to a loop: for many, the compiler does not check that they are apart, and
# then makes no vector instructions.


@helper(error_model="numpy")
def bend_selu(x, alpha, bends, slopes):
    """Write what parametric SELUs of one row add to it, and their slopes."""
    for j in range(len(x)):
        low = SELU_LOW * exponential(min(x[j], ZERO))
        is_high = x[j] > ZERO
        value = SELU_SCALE * x[j] if is_high else low - SELU_LOW
        slope = SELU_SCALE if is_high else low
        bends[j] = value - x[j]
        slopes[j] = ONE + (slope - ONE) * alpha[j]


@helper(error_model="numpy")
def bend_mish(x, alpha, bends, slopes):
    """Write what parametric Mish units of one row add to it, and their slopes."""
    for j in range(len(x)):
        e = exponential(x[j])
        square = e * (e + TWO)
        share = square / (square + TWO)  # tanh(log(1 + exp(x)))
        slope = share + x[j] * (e / (ONE + e)) * (ONE - share * share)
        bends[j] = x[j] * share - x[j]
        slopes[j] = ONE + (slope - ONE) * alpha[j]


@helper(error_model="numpy")
def add_bias(x, gain, bias):
    """Multiply the sums of one row by a gain, and add biases."""
    for j in range(len(x)):
        x[j] = x[j] * gain + bias[j]


@helper(error_model="numpy")
def add_bends(x, alpha, bends, hidden):
    """Write the activations of one row."""
    for j in range(len(x)):
        hidden[j] = x[j] + bends[j] * alpha[j]


@helper(error_model="numpy")
def drop_units(keep, hidden, bends, slopes):
    """Drop units of one row."""
    for j in range(len(keep)):
        hidden[j] *= keep[j]
        bends[j] *= keep[j]
        slopes[j] *= keep[j]


@helper(error_model="numpy")
def draw_kept(state, dropout, keep):
    """Draw which units are kept: 0, or what makes up for those that are not."""
    limit = np.int64(dropout * 65536.0)
    factor = np.float32(65536.0 / (65536.0 - limit))
    for j in range(0, len(keep) - 1, 2):
        bits = draw(state)
        keep[j] = factor if (bits & 0xFFFF) >= limit else ZERO
        keep[j + 1] = factor if (bits >> 16) >= limit else ZERO
    if len(keep) % 2 == 1:
        keep[-1] = factor if (draw(state) & 0xFFFF) >= limit else ZERO


@helper(error_model="numpy")
def fill_cosines(x, frequency, phase, waves):
    """Write cos(2 pi * frequency * x + phase) of a column for one frequency."""
    shift = phase * TURN
    for i in range(len(x)):
        u = x[i] * frequency + shift
        u -= (u + ROUNDER) - ROUNDER
        q = u * u
        waves[i] = C0 + q * (C1 + q * (C2 + q * (C3 + q * (C4 + q * (C5 + q * C6)))))


@helper(error_model="numpy")
def fill_sines(x, frequency, phase, sines):
    """Write sin(2 pi * frequency * x + phase) of a column for one frequency."""
    shift = phase * TURN
    for i in range(len(x)):
        u = x[i] * frequency + shift
        u -= (u + ROUNDER) - ROUNDER
        q = u * u
        sines[i] = u * (
            S0 + q * (S1 + q * (S2 + q * (S3 + q * (S4 + q * (S5 + q * S6)))))
        )


@helper(error_model="numpy")
def multiply(left, right, out):
    """Write the product of two matrices: float32, C order.

    A row of the product depends on its row of ``left`` alone, down to the last digit.
    With BLAS it also depends on the place of the row, on some processors.
    """
    n_terms, n_outputs = right.shape
    n_fours = n_terms - n_terms % 4
    for i in range(len(out)):
        for j in range(n_outputs):
            out[i, j] = ZERO
        for k in range(0, n_fours, 4):
            a, b, c, d = left[i, k], left[i, k + 1], left[i, k + 2], left[i, k + 3]
            for j in range(n_outputs):
                first = a * right[k, j] + b * right[k + 1, j]
                second = c * right[k + 2, j] + d * right[k + 3, j]
                out[i, j] = out[i, j] + first + second
        for k in range(n_fours, n_terms):
            for j in range(n_outputs):
                out[i, j] += left[i, k] * right[k, j]


@kernel(nogil=True, error_model="numpy")
def fill_inputs(table, rows, theta, shape, work):
    """Write the inputs of a batch: embedded numbers, plain columns, embedded codes.

    table  Table
    rows   (n_batch,)  int64, rows of the table
    theta  (n_parameters,)  float32
    shape  Shape
    work   Work, of which ``inputs`` is filled
    """
    starts, inputs, x = shape.starts, work.inputs, work.column
    n_batch, n_numeric = len(rows), table.numeric.shape[1]
    frequencies = theta[starts[FREQUENCIES] : starts[PHASES]]
    phases = theta[starts[PHASES] : starts[MIXES]]
    mixes = theta[starts[MIXES] : starts[SHIFTS]].reshape(-1, N_WAVES)
    shifts = theta[starts[SHIFTS] : starts[SCALES]]
    for c in range(n_numeric):
        for i in range(n_batch):
            x[i] = table.numeric[rows[i], c]
        for w in range(N_WAVES):
            place = c * N_WAVES + w
            fill_cosines(x, frequencies[place], phases[place], work.waves[w])
        multiply(mixes[c * N_MIXED : (c + 1) * N_MIXED], work.waves, work.mixed)
        for m in range(N_MIXED):
            shift, place = shifts[c * N_MIXED + m], c * N_EMBEDDED + m
            for i in range(n_batch):
                inputs[i, place] = work.mixed[m, i] + shift
        for i in range(n_batch):
            inputs[i, c * N_EMBEDDED + N_MIXED] = x[i]

    first = n_numeric * N_EMBEDDED
    after = first + table.plain.shape[1]
    for i in range(n_batch):
        row, out = rows[i], inputs[i]
        for c in range(table.plain.shape[1]):
            out[first + c] = table.plain[row, c]
        for c in range(table.codes.shape[1]):
            code = starts[CODES] + table.codes[row, c] * N_CODE
            for k in range(N_CODE):
                out[after + c * N_CODE + k] = theta[code + k]


@kernel(nogil=True, error_model="numpy")
def run_forward(table, rows, theta, shape, work, dropout, state, is_exact):
    """Compute the outputs of a batch, and what its gradient needs.

    table    Table
    rows     (n_batch,)  int64, rows of the table
    theta    (n_parameters,)  float32
    shape    Shape
    work     Work, filled
    dropout  float  share of the hidden units that are dropped
    state    (1,)  int64, of the random generator; not read without dropout
    is_exact  bool  outputs of a row do not depend on the other rows; takes longer
    """
    widths, starts = shape.widths, shape.starts
    n_batch, n_layers = len(rows), len(widths) - 1
    fill_inputs(table, rows, theta, shape, work)
    scales = theta[starts[SCALES] : starts[N_FRONT]]
    for i in range(n_batch):
        for j in range(widths[0]):
            work.scaled[i, j] = work.inputs[i, j] * scales[j]
    layer, last = work.scaled, 0
    for k in range(n_layers):
        block, width = N_FRONT + 3 * k, widths[k + 1]
        weights = theta[starts[block] : starts[block + 1]].reshape(widths[k], width)
        bias = theta[starts[block + 1] : starts[block + 2]]
        gain = np.float32(1.0 / np.sqrt(widths[k]))
        if k == n_layers - 1:
            if is_exact:
                multiply(layer, weights, work.outputs)
            else:
                np.dot(layer, weights, work.outputs)
            for i in range(n_batch):
                add_bias(work.outputs[i], gain, bias)
            return
        first, last = last, last + n_batch * width
        hidden = work.hidden[first:last].reshape(n_batch, width)
        bends = work.bends[first:last].reshape(n_batch, width)
        slopes = work.slopes[first:last].reshape(n_batch, width)
        sums = work.sums[: n_batch * width].reshape(n_batch, width)
        alpha = theta[starts[block + 2] : starts[block + 3]]
        if is_exact:
            multiply(layer, weights, sums)
        else:
            np.dot(layer, weights, sums)
        for i in range(n_batch):
            add_bias(sums[i], gain, bias)
            if shape.is_mish:
                bend_mish(sums[i], alpha, bends[i], slopes[i])
            else:
                bend_selu(sums[i], alpha, bends[i], slopes[i])
            add_bends(sums[i], alpha, bends[i], hidden[i])
            if dropout > 0.0:
                draw_kept(state, dropout, work.keep[:width])
                drop_units(work.keep[:width], hidden[i], bends[i], slopes[i])
        layer = hidden


@kernel(nogil=True, error_model="numpy")
def compute_outputs(table, theta, shape, work, out):
    """Compute the outputs of all rows of a table.

    table  Table
    theta  (n_parameters,)  float32
    shape  Shape
    work   Work, of any number of rows
    out    (n_rows, n_outputs)  float32, C order, filled
    """
    n_rows, n_batch = len(out), work.outputs.shape[0]
    rows, state = np.empty(n_batch, np.int64), np.zeros(1, np.int64)
    for first in range(0, n_rows, n_batch):
        n_new = min(n_batch, n_rows - first)
        for i in range(n_batch):  # the last batch is filled up with its last row
            rows[i] = first + min(i, n_new - 1)
        run_forward(table, rows, theta, shape, work, 0.0, state, True)
        for i in range(n_new):
            for j in range(out.shape[1]):
                out[first + i, j] = work.outputs[i, j]
