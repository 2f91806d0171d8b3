"""The parameters of a RealMLP net: layout, initial values, factors of the steps."""

import numpy as np

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
    Shape,
    Work,
    compute_outputs,
    fill_inputs,
)

MAX_INITIAL_ROWS = 4096  # from which initial weights and biases are computed
N_BATCH = 64  # rows predicted at a time; always as many, for equal rounding
FREQUENCY_STD = 0.1  # of the initial frequencies of cosines
N_SIMPLEX = 5  # rows whose random average an initial bias moves to zero
# Factors of the learning rate and of the weight decay. Biases do not decay.
FACTORS = {
    CODES: (1.0, 1.0),
    FREQUENCIES: (0.1, 1.0),
    PHASES: (0.1, 1.0),
    MIXES: (0.1, 1.0),
    SHIFTS: (0.1, 1.0),
    SCALES: (6.0, 1.0),
}
WEIGHT_FACTORS, BIAS_FACTORS, ACTIVATION_FACTORS = (1.0, 1.0), (0.1, 0.0), (0.1, 1.0)


def make_shape(table, n_levels, hidden, n_outputs, is_mish):
    """Return the sizes of a net.

    Parameters
    ----------
    table : Table
        Its numbers of columns are used.
    n_levels : int
        Number of categories of all columns of codes together.
    hidden : sequence of int
        Number of units of each hidden layer.
    n_outputs : int
        Number of outputs: 1 for a number, else the number of classes.
    is_mish : bool
        Whether activations are Mish; else they are SELU.

    Returns
    -------
    shape : Shape
    """
    n_numeric, n_plain = table.numeric.shape[1], table.plain.shape[1]
    n_inputs = n_numeric * N_EMBEDDED + n_plain + table.codes.shape[1] * N_CODE
    widths = [n_inputs, *hidden, n_outputs]
    sizes = [0] * N_FRONT
    sizes[CODES] = n_levels * N_CODE
    sizes[FREQUENCIES] = sizes[PHASES] = n_numeric * N_WAVES
    sizes[MIXES] = n_numeric * N_MIXED * N_WAVES
    sizes[SHIFTS], sizes[SCALES] = n_numeric * N_MIXED, n_inputs
    for k, width in enumerate(widths[1:]):
        sizes += [widths[k] * width, width, width if k < len(hidden) else 0]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return Shape(np.array(widths, dtype=np.int64), starts.astype(np.int64), is_mish)


def make_work(shape, n_batch):
    """Return arrays that a batch of so many rows is computed in."""
    hidden = shape.widths[1:-1]
    n_units, widest = int(hidden.sum()), int(hidden.max(initial=1))
    n_inputs, n_outputs = shape.widths[0], shape.widths[-1]
    shapes = [
        (n_batch, n_inputs),
        (n_batch, n_inputs),
        *[(n_batch * n_units,)] * 3,
        (n_batch * widest,),
        (n_batch, n_outputs),
        (n_batch,),
        (N_WAVES, n_batch),
        (N_WAVES, n_batch),
        (N_MIXED, n_batch),
        (widest,),
    ]
    return Work(*(np.zeros(size, dtype=np.float32) for size in shapes))


def list_factors(shape):
    """Return the factors of rate and decay of all blocks: (n_blocks, 2)."""
    layer = [WEIGHT_FACTORS, BIAS_FACTORS, ACTIVATION_FACTORS]
    n_layers = len(shape.widths) - 1
    return np.array([FACTORS[block] for block in range(N_FRONT)] + layer * n_layers)


def draw_parameters(table, shape, rng):
    """Draw initial parameters that suit the rows of a table.

    The weights of a unit are divided by the standard deviation of its input over the
    rows. Its bias moves a random average of a few of these inputs to zero.

    Parameters
    ----------
    table : Table
        The rows to train with.
    shape : Shape
    rng : RandomState

    Returns
    -------
    theta : ndarray of float32 of shape (n_parameters,)
    """
    theta = np.zeros(shape.starts[-1], dtype=np.float32)
    blocks = [
        theta[first:last]
        for first, last in zip(shape.starts[:-1], shape.starts[1:], strict=True)
    ]
    _draw_front(blocks, table, rng)
    n_rows = len(table.numeric)
    rows = rng.permutation(n_rows)[:MAX_INITIAL_ROWS].astype(np.int64)
    work = make_work(shape, len(rows))
    fill_inputs(table, rows, theta, shape, work)
    layer = work.inputs
    for k, width in enumerate(shape.widths[1:]):
        weights, bias, alpha = blocks[N_FRONT + 3 * k : N_FRONT + 3 * k + 3]
        drawn = rng.normal(size=(layer.shape[1], width)).astype(np.float32)
        inputs = layer @ drawn / np.float32(np.sqrt(layer.shape[1]))
        spread = inputs.std(axis=0)
        spread[spread < 1e-6] = 1.0
        weights[:] = (drawn / spread).ravel()
        inputs /= spread
        bias[:] = _draw_biases(inputs, rng)
        alpha[:] = 1.0
        layer = (_mish if shape.is_mish else _selu)(inputs + bias)
    return theta


def _draw_front(blocks, table, rng):
    """Draw embeddings: categories, then frequencies and mixtures of cosines."""
    # Categories that no row has stay at zero, the mean of the others.
    codes = blocks[CODES].reshape(-1, N_CODE)
    drawn = rng.normal(size=codes.shape)
    present = np.unique(table.codes)
    codes[present] = drawn[present]
    blocks[FREQUENCIES][:] = FREQUENCY_STD * rng.normal(size=len(blocks[FREQUENCIES]))
    blocks[PHASES][:] = rng.uniform(-np.pi, np.pi, size=len(blocks[PHASES]))
    limit = 1.0 / np.sqrt(N_WAVES)
    for block in (blocks[MIXES], blocks[SHIFTS]):
        block[:] = rng.uniform(-limit, limit, size=len(block))
    blocks[SCALES][:] = 1.0


def _draw_biases(inputs, rng):
    """Return minus a random convex combination of a few inputs, for each unit."""
    n_rows, n_units = inputs.shape
    rows = rng.randint(n_rows, size=(N_SIMPLEX, n_units))
    share = rng.exponential(size=(N_SIMPLEX, n_units))
    share /= share.sum(axis=0)
    return -(inputs[rows, np.arange(n_units)] * share).sum(axis=0)


def _selu(x):
    low = 1.6732632423543772 * np.expm1(np.minimum(x, 0.0))
    return (1.0507009873554805 * np.where(x > 0.0, x, low)).astype(np.float32)


def _mish(x):
    return (x * np.tanh(np.logaddexp(0.0, x))).astype(np.float32)


def run_net(table, theta, shape):
    """Return the outputs of a net: float32 of shape (n_rows, n_outputs)."""
    n_rows = len(table.numeric)
    out = np.empty((n_rows, shape.widths[-1]), dtype=np.float32)
    work = make_work(shape, N_BATCH)
    compute_outputs(table, theta, shape, work, out)
    return out
