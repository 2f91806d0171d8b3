"""Parameters of RealMLP: layout, initial values that suit the rows, factors."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.real_mlp import (
    CODES,
    FREQUENCIES,
    N_FRONT,
    PHASES,
    SCALES,
    Table,
    fill_inputs,
)
from manyminds.learners.real_mlp_net import (
    _draw_biases,
    draw_parameters,
    list_factors,
    make_shape,
    make_work,
    run_net,
)


def make_table(seed, n_rows=200):
    rng = np.random.default_rng(seed)
    return Table(
        rng.normal(size=(n_rows, 3)).astype(np.float32),
        rng.normal(size=(n_rows, 2)).astype(np.float32),
        rng.integers(0, 9, size=(n_rows, 1)),
    )


def split(theta, shape):
    return np.split(theta, shape.starts[1:-1])


def test_layout_by_hand():
    # 3 numbers with 4 inputs each, 2 plain columns, a code of 8: 22 inputs.
    shape = make_shape(make_table(0), 10, (5,), 2, False)
    assert_array_equal(shape.widths, [22, 5, 2])
    sizes = [80, 48, 48, 144, 9, 22, 110, 5, 5, 10, 2, 0]
    assert_array_equal(np.diff(shape.starts), sizes)


def test_inputs_of_units_have_unit_variance(seed):
    table = make_table(seed)
    shape = make_shape(table, 10, (40, 30), 2, True)
    theta = draw_parameters(table, shape, np.random.RandomState(seed))
    work, blocks = make_work(shape, 200), split(theta, shape)
    fill_inputs(table, np.arange(200), theta, shape, work)
    sums = work.inputs @ blocks[N_FRONT].reshape(22, 40) / np.sqrt(22)
    assert_allclose(sums.std(axis=0), 1.0, rtol=1e-3)
    # A bias moves a point within the range of the sums to zero.
    bias = blocks[N_FRONT + 1]
    assert ((-bias >= sums.min(axis=0)) & (-bias <= sums.max(axis=0))).all()
    assert_allclose(run_net(table, theta, shape).std(axis=0), 1.0, rtol=1e-3)


def test_initial_values_of_embeddings(seed):
    table = make_table(seed)
    shape = make_shape(table, 10, (5,), 2, False)
    blocks = split(draw_parameters(table, shape, np.random.RandomState(seed)), shape)
    codes = blocks[CODES].reshape(10, 8)
    assert not codes[9].any()  # no row has the last category
    assert codes[np.unique(table.codes)].all()
    # 48 draws of standard deviation 0.1: beyond 0.2 less than once in a million.
    assert 0.04 < blocks[FREQUENCIES].std() < 0.2
    assert abs(blocks[PHASES]).max() <= np.pi
    assert_array_equal(blocks[SCALES], 1.0)
    assert_array_equal(blocks[N_FRONT + 2], 1.0)


def test_biases_of_equal_inputs_are_known():
    inputs = np.tile([[1.0, -2.0]], (6, 1))
    assert_allclose(_draw_biases(inputs, np.random.RandomState(0)), [-1.0, 2.0])


def test_a_constant_input_is_no_division_by_zero():
    table = Table(
        *(np.zeros((4, k), np.float32) for k in (0, 1)), np.zeros((4, 0), int)
    )
    shape = make_shape(table, 0, (3,), 1, True)
    theta = draw_parameters(table, shape, np.random.RandomState(0))
    assert np.isfinite(theta).all()


def test_factors_of_blocks():
    factors = list_factors(make_shape(make_table(0), 10, (5,), 2, False))
    assert_array_equal(factors[:, 0], [1, 0.1, 0.1, 0.1, 0.1, 6, *[1, 0.1, 0.1] * 2])
    assert_array_equal(factors[:, 1], [*[1] * 6, *[1, 0, 1] * 2])


def test_predictions_do_not_depend_on_other_rows(seed):
    table = make_table(seed)
    shape = make_shape(table, 10, (40,), 2, False)
    theta = draw_parameters(table, shape, np.random.RandomState(seed))
    some = Table(*(part[[150, 3]] for part in table))
    expected = run_net(table, theta, shape)[[150, 3]]
    assert_array_equal(run_net(some, theta, shape), expected)
