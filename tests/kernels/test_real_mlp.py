"""Forward pass of RealMLP: a twin in float64 from the paper's formulas, and limits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels import real_mlp
from manyminds.kernels.real_mlp import N_FRONT, Table, fill_inputs, run_forward
from manyminds.learners.real_mlp_net import make_shape, make_work, run_net


def make_table(rng, n_rows=7, n_numeric=2, n_plain=1, n_coded=2, n_levels=5):
    """Return a small table; its columns of codes share their levels."""
    return Table(
        rng.normal(size=(n_rows, n_numeric)).astype(np.float32),
        rng.normal(size=(n_rows, n_plain)).astype(np.float32),
        rng.integers(0, n_levels, size=(n_rows, n_coded)),
    )


def make_net(rng, table, n_outputs=3, is_mish=False, n_levels=5, hidden=(6, 4)):
    """Return the shape and random parameters of a small net."""
    shape = make_shape(table, n_levels, hidden, n_outputs, is_mish)
    theta = rng.normal(size=shape.starts[-1]).astype(np.float32)
    return shape, theta


def split(theta, shape):
    """Return the blocks of the parameters as float64."""
    blocks = np.split(np.asarray(theta, dtype=np.float64), shape.starts[1:-1])
    return blocks


def naive_inputs(table, blocks):
    """Return the inputs: three mixtures of cosines and the number, plain, codes."""
    codes, frequencies, phases, mixes, shifts = blocks[:5]
    columns = []
    for c in range(table.numeric.shape[1]):
        x = table.numeric[:, c].astype(np.float64)
        w, b = frequencies.reshape(-1, 16)[c], phases.reshape(-1, 16)[c]
        waves = np.cos(2 * np.pi * x[:, None] * w + b)
        mixed = waves @ mixes.reshape(-1, 3, 16)[c].T + shifts.reshape(-1, 3)[c]
        columns += [mixed, x[:, None]]
    embedded = codes.reshape(-1, 8)[table.codes].reshape(len(table.codes), -1)
    return np.hstack([*columns, table.plain.astype(np.float64), embedded])


def activate(x, is_mish):
    """Return Mish or SELU by their definitions."""
    if is_mish:
        return x * np.tanh(np.log1p(np.exp(x)))
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    return scale * np.where(x > 0, x, alpha * (np.exp(x) - 1))


def naive_forward(table, theta, shape):
    """Return outputs: scaled inputs, then layers with weights over sqrt(fan-in)."""
    blocks = split(theta, shape)
    layer = naive_inputs(table, blocks) * blocks[5]
    n_layers = len(shape.widths) - 1
    for k in range(n_layers):
        weights, bias, alpha = blocks[N_FRONT + 3 * k : N_FRONT + 3 * k + 3]
        fan_in = layer.shape[1]
        z = layer @ weights.reshape(fan_in, -1) / np.sqrt(fan_in) + bias
        if k == n_layers - 1:
            return z
        layer = z + alpha * (activate(z, shape.is_mish) - z)


@pytest.mark.no_jit
@pytest.mark.parametrize("is_mish", [False, True])
def test_outputs_equal_those_of_the_twin(is_mish, seed):
    rng = np.random.default_rng(seed)
    table = make_table(rng)
    shape, theta = make_net(rng, table, is_mish=is_mish)
    expected = naive_forward(table, theta, shape)
    assert_allclose(run_net(table, theta, shape), expected, rtol=1e-3, atol=1e-4)


def test_batches_do_not_matter(seed):
    # 300 rows are a full batch and one that is filled up.
    rng = np.random.default_rng(seed)
    table = make_table(rng, n_rows=300)
    shape, theta = make_net(rng, table)
    assert_allclose(
        run_net(table, theta, shape),
        naive_forward(table, theta, shape),
        rtol=1e-3,
        atol=1e-4,
    )


def test_the_order_of_rows_does_not_matter(seed):
    # With BLAS, on some processors it does.
    rng = np.random.default_rng(seed)
    table = make_table(rng, n_rows=300)
    shape, theta = make_net(rng, table, hidden=(21, 18))
    order = rng.permutation(300)
    permuted = Table(*(columns[order] for columns in table))
    expected = run_net(table, theta, shape)[order]
    assert_array_equal(run_net(permuted, theta, shape), expected)


@pytest.mark.parametrize("sizes", [(5, 7, 3), (4, 8, 8), (2, 1, 1), (3, 0, 2)])
def test_product_of_matrices(sizes, compiled, seed):
    n_rows, n_terms, n_outputs = sizes
    rng = np.random.default_rng(seed)
    left = rng.normal(size=(n_rows, n_terms)).astype(np.float32)
    right = rng.normal(size=(n_terms, n_outputs)).astype(np.float32)
    out = np.full((n_rows, n_outputs), np.nan, dtype=np.float32)
    compiled(real_mlp.multiply)(left, right, out)
    assert_allclose(out, left @ right, rtol=1e-4, atol=1e-5)


@pytest.mark.no_jit
@pytest.mark.parametrize("kind", ["numeric", "plain", "codes"])
def test_a_table_may_have_one_kind_of_columns(kind, seed):
    rng = np.random.default_rng(seed)
    counts = {f"n_{name}": 0 for name in ("numeric", "plain", "coded")}
    counts["n_coded" if kind == "codes" else f"n_{kind}"] = 1
    table = make_table(rng, **counts)
    shape, theta = make_net(rng, table, hidden=())
    out = run_net(table, theta, shape)
    assert_allclose(out, naive_forward(table, theta, shape), rtol=1e-3, atol=1e-4)


def test_exponential_and_waves_are_accurate(compiled):
    call = compiled(real_mlp.exponential)
    x = np.linspace(-20, 20, 4001).astype(np.float32)
    values = np.array([call(one) for one in x])
    assert_allclose(values, np.exp(x.astype(np.float64)), rtol=2e-5)
    assert call(np.float32(100.0)) == call(np.float32(20.0))
    u = np.linspace(-7, 7, 4001).astype(np.float32)
    z = 2 * np.pi * u.astype(np.float64) + 0.5
    for fill, exact in (
        (real_mlp.fill_cosines, np.cos),
        (real_mlp.fill_sines, np.sin),
    ):
        out = np.empty_like(u)
        compiled(fill)(u, np.float32(1.0), np.float32(0.5), out)
        assert_allclose(out, exact(z), atol=1e-5)


def test_dropout_keeps_the_mean(compiled, seed):
    # The share of 100,000 units that are kept has a standard error of 0.0011.
    keep = np.empty(100_001, dtype=np.float32)
    compiled(real_mlp.draw_kept)(np.array([seed + 1]), 0.15, keep)
    assert abs((keep > 0).mean() - 0.85) < 0.006
    assert_allclose(keep[keep > 0], 1 / 0.85, rtol=1e-3)


def test_dropped_units_are_those_of_the_state(seed):
    rng = np.random.default_rng(seed)
    table = make_table(rng, n_rows=40)
    shape, theta = make_net(rng, table, hidden=(50,))
    rows, found = np.arange(40), []
    for start in (5, 5, 6):
        work = make_work(shape, 40)
        run_forward(table, rows, theta, shape, work, 0.5, np.array([start]), False)
        found.append(work.outputs)
    assert_array_equal(found[0], found[1])
    assert (found[0] != found[2]).any()


def test_inputs_are_of_the_rows_asked_for(seed):
    rng = np.random.default_rng(seed)
    table = make_table(rng)
    shape, theta = make_net(rng, table)
    work = make_work(shape, 2)
    fill_inputs(table, np.array([4, 1]), theta, shape, work)
    expected = naive_inputs(table, split(theta, shape))[[4, 1]]
    assert_allclose(work.inputs, expected, rtol=1e-4, atol=1e-4)
