"""Bootstrap samples draw single rows, whole groups, or blocks of time."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.search.choice.resampling import MIN_GROUPS, Resampler, draw_counts


def test_independent_rows_are_drawn_one_by_one(seed):
    drawn = Resampler(40, seed).draw(25)
    expected = np.random.RandomState(seed).multinomial(40, [1 / 40] * 40, size=25)
    assert_array_equal(drawn, expected)
    assert_array_equal(drawn.sum(axis=1), 40.0)


def test_whole_groups_are_drawn(seed):
    groups = np.random.default_rng(seed).integers(12, size=90)
    resampler = Resampler(90, seed, groups=groups)
    drawn = resampler.draw(30)
    for group in np.unique(groups):
        mine = drawn[:, groups == group]
        assert (mine == mine[:, :1]).all()
    assert resampler.n_units == len(np.unique(groups)) and resampler.share == 1.0
    assert (drawn == 0).any(axis=1).all() and len(drawn) > 25


def test_groups_of_one_row_are_rows(seed):
    single = Resampler(50, seed, groups=np.arange(50)[::-1].copy()).draw(10)
    assert_array_equal(np.sort(single), np.sort(Resampler(50, seed).draw(10)))


def test_blocks_of_successive_times_are_drawn(seed):
    # 100 times: five blocks of twenty, in a circle. A count changes from one time to
    # the next only where a block begins or ends, which is at most 10 times.
    time = np.repeat(np.arange(100), 2)
    resampler = Resampler(200, seed, time=time)
    drawn = resampler.draw(40)
    assert resampler.n_units == 5
    assert_array_equal(drawn[:, ::2], drawn[:, 1::2])
    assert_array_equal(drawn.sum(axis=1), 200.0)
    changes = drawn[:, ::2] != np.roll(drawn[:, ::2], 1, axis=1)
    assert changes.sum(axis=1).max() <= 10
    often = Resampler(200, seed, time=time).draw(4_000).mean(axis=0)
    assert_allclose(often, 1.0, atol=0.2)


def test_the_order_of_rows_does_not_matter_for_time(seed):
    order = np.random.default_rng(seed).permutation(60)
    time = np.arange(60)
    drawn = Resampler(60, seed, time=time).draw(5)
    assert_array_equal(Resampler(60, seed, time=time[order]).draw(5), drawn[:, order])


def test_weights_multiply_counts(seed):
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, size=30)
    plain, weighted = Resampler(30, seed), Resampler(30, seed, weights=weights)
    assert_allclose(weighted.draw(6), plain.draw(6) * weights)
    assert weighted.n_units < plain.n_units == 30.0
    half = np.repeat([1.0, 0.0], 15)  # as many rows as have a weight
    assert Resampler(30, seed, weights=half).n_units == pytest.approx(15.0)


def test_of_many_rows_some_are_drawn_from(seed):
    resampler = Resampler(200, seed, max_rows=50)
    assert len(resampler.rows) == 50 and resampler.share == 0.25
    assert resampler.draw(3).shape == (3, 50)


def test_of_many_groups_some_are_drawn_from_as_a_whole(seed):
    groups = np.repeat(np.arange(300), 3)
    resampler = Resampler(900, seed, groups=groups, max_rows=3 * MIN_GROUPS + 2)
    kept, counts = np.unique(groups[resampler.rows], return_counts=True)
    assert len(kept) == MIN_GROUPS and (counts == 3).all()
    assert resampler.share == pytest.approx(MIN_GROUPS / 300)
    few = Resampler(900, seed, groups=np.arange(900) % 4, max_rows=100)
    assert len(few.rows) == 100 and few.share == 1.0 and few.n_units == 4.0


@pytest.mark.parametrize("length", [1, 3])
def test_samples_that_leave_nothing_out_are_dropped(length):
    counts = draw_counts(np.random.RandomState(0), 400, 4, length)
    assert 0 < len(counts) < 400 and (counts == 0).any(axis=1).all()


def test_the_spread_of_group_means_is_seen(seed):
    # Rows of a group are equal: the error of the mean is that of 25 values, not of 500.
    # Over 300 seeds, the ratio of the two was 0.91 to 1.07.
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(25), 20)
    values = rng.normal(size=25)[groups]
    drawn = Resampler(500, seed, groups=groups).draw(500)
    means = drawn @ values / drawn.sum(axis=1)
    assert 0.8 < means.std() / (values.std() / 5.0) < 1.2


def test_few_groups_or_blocks_have_wide_intervals():
    # Student's quantile of 9 degrees of freedom is 2.262; a variance of ten values is
    # that of a sample times 9 / 10.
    assert Resampler(30, 0).find_quantile(0.95) == pytest.approx(1.959964)
    ten = Resampler(30, 0, groups=np.arange(30) % 10)
    assert ten.find_quantile(0.95) == pytest.approx(2.262157 * np.sqrt(10 / 9))
    two = Resampler(8, 0, time=np.arange(8) // 4)
    assert two.find_quantile(0.95) > 12.0


def test_blocks_are_at_least_four():
    for n, n_blocks in ((3, 3), (8, 4), (40, 4), (100, 5), (400, 10)):
        found = Resampler(n, 0, time=np.arange(n)).n_units
        assert found == pytest.approx(n_blocks)
