"""Random directions and sorted columns: what is drawn, in which order, and how far."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.boosting import projections
from manyminds.ensemble.boosting.projections import run_ahead, sort_columns

TABLE = np.array([[3.0, 1.0, 2.0, 1.0], [0.0, 5.0, 5.0, 5.0]])  # two columns, four rows


def block(seeds, projection="normal", n_columns=3, units=1.0):
    return TABLE, projection, (n_columns, 2), np.full(2, units), seeds


def test_worked_example_of_sorting():
    columns = sort_columns(np.eye(2), TABLE)
    assert_array_equal(columns.order[0, [2, 3]], [2, 0])  # after rows 1 and 3, equal
    # No cut between equal values, and none after the last.
    assert_array_equal(
        columns.may_cut, [[False, True, True, False], [True, *[False] * 3]]
    )
    assert columns.order.dtype == np.uint32


def test_rounds_come_in_the_order_of_their_seeds():
    together = list(run_ahead([block([1, 2]), block([3])], None))
    apart = [next(run_ahead([block([seed])], None)) for seed in (1, 2, 3)]
    assert len(together) == 3
    for one, other in zip(together, apart):
        for ours, theirs in zip(one, other):
            assert_array_equal(ours, theirs)
    threads = list(run_ahead([block([1, 2]), block([3])], 2))
    assert_array_equal(threads[2].values, together[2].values)


def test_values_are_the_table_along_the_directions():
    (columns,) = run_ahead([block([7], units=4.0)], None)
    assert_allclose(columns.values, columns.directions @ TABLE)
    values = np.take_along_axis(columns.values, columns.order.astype(int), axis=1)
    assert (np.diff(values, axis=1) >= 0.0).all()
    # Directions are per unit of the columns.
    (plain,) = run_ahead([block([7])], None)
    assert_allclose(4.0 * columns.directions, plain.directions)


def test_no_block_is_begun_after_the_rounds_end():
    begun = []

    def blocks():
        for seed in range(100):
            begun.append(seed)
            yield block([seed])

    rounds = run_ahead(blocks(), None)
    next(rounds)
    rounds.close()
    assert len(begun) < 100


@pytest.mark.parametrize(
    "projection", ["normal", "sign", "uniform", "orthonormal", "unit"]
)
@pytest.mark.parametrize("n_columns", [2, 10, 7])
def test_directions_are_what_was_asked_for(projection, n_columns, seed):
    drawn = projections._draw_directions(projection, (n_columns, 5), seed)
    assert drawn.shape == (n_columns, 5)
    if projection == "sign":
        assert set(np.unique(drawn)) == {-1.0, 1.0}
    if projection == "uniform":
        assert drawn.min() >= 0.0 and drawn.max() <= 1.0
    if projection in ("unit", "orthonormal"):
        assert_allclose(np.linalg.norm(drawn, axis=1), 1.0)
    if projection == "orthonormal":
        some = drawn[: min(5, n_columns)]
        assert_allclose(some @ some.T, np.eye(len(some)), atol=1e-12)
