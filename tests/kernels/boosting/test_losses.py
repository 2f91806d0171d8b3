"""Gradients are derivatives, packed words do not overflow, leaf values are the best."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plain_boosting import compute_loss, find_quantile, find_value
from plain_boosting import differentiate as differentiate_plainly

from manyminds.kernels.boosting import losses
from manyminds.kernels.boosting.bundles import SOFTMAX, State, Target, Team
from manyminds.kernels.boosting.splits import decode
from manyminds.trees.boosting import LOSSES

NOTHING = np.empty(0)


def make_target(loss, y, weights=NOTHING, level=0.3):
    rows = np.arange(len(y), dtype=np.uint32)
    return Target(LOSSES[loss], y, weights, level, rows, rows[:0])


def make_state(raw, factors=NOTHING):
    n_outputs, n = raw.shape
    return State(
        raw, np.empty((n_outputs, n)), np.arange(n, dtype=np.uint32), factors,
        np.zeros(256), np.zeros((2, 1)), np.zeros(8, np.int64),
    )  # fmt: skip


def make_targets(rng, loss, n=40):
    if loss == "log_loss":
        return rng.integers(0, 2, size=n).astype(float)
    if loss == "softmax":
        return rng.integers(0, 3, size=n).astype(float)
    return (
        rng.gamma(2.0, size=n) if loss in ("poisson", "gamma") else rng.normal(size=n)
    )


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_and_hessians_are_derivatives_of_the_loss(loss, plain, seed):
    rng = np.random.default_rng(seed)
    y, n_outputs = make_targets(rng, loss), 3 if loss == "softmax" else 1
    raw, weights = rng.normal(size=(n_outputs, 40)), rng.uniform(1, 2, size=40)
    target, state = make_target(loss, y, weights), make_state(raw)
    gradients, rows = np.empty((1, 2, 40)), target.rows
    delta, step = 0.7, 1e-5

    def sum_losses(raw):
        each = np.arange(40)
        return np.array([
            plain(losses.sum_losses)(target, raw, rows, i, i + 1, 1, delta)[0]
            for i in each
        ])  # fmt: skip

    assert_allclose(
        sum_losses(raw), weights * compute_loss(loss, y, raw, 0.3, delta), atol=1e-12
    )
    smooth = np.abs(np.abs(y - raw[0]) - delta) > 2 * step
    smooth &= np.abs(y - raw[0]) > 2 * step
    for k in range(n_outputs):
        if loss == "softmax":
            plain(losses.fill_probabilities)(raw, state.probabilities, rows, 0, 40)
        sums = plain(losses.fill_gradients)(
            target, state, k, delta, 0, gradients, 0, 40
        )
        assert_allclose(sums, np.abs(gradients[0]).sum(axis=1), rtol=1e-6)
        shift = np.zeros_like(raw)
        shift[k] = step
        up, here, down = (sum_losses(raw + s * shift) for s in (1, 0, -1))
        slope, bend = (up - down) / (2 * step), (up - 2 * here + down) / step**2
        assert_allclose(gradients[0, 0, smooth], slope[smooth], atol=1e-6)
        if plain(losses.has_constant_hessian)(target.loss):
            assert_array_equal(gradients[0, 1], weights)
        else:
            assert_allclose(gradients[0, 1], bend, atol=1e-3)


def test_extreme_raw_predictions_stay_finite(plain):
    assert plain(losses.logistic)(-800.0) == 0.0
    assert plain(losses.logistic)(800.0) == 1.0
    raw, out = np.array([[800.0], [-800.0]]), np.empty((2, 1))
    plain(losses.fill_probabilities)(raw, out, np.array([0]), 0, 1)
    assert_array_equal(out[:, 0], [1.0, 0.0])


# ---------------------------------------------------------------- packing


@pytest.mark.parametrize("n_large", ["one", "all"])
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 8191, 8192, 10**6, 10**8])
def test_sums_of_the_greatest_words_do_not_overflow(n, constant, n_large, plain):
    # All rows have gradient 1, or one of them n; each may be rounded up by one unit.
    packing = plain(losses.choose_packing)(n, constant, float(n), float(n))
    size, others = (1, 0) if n_large == "all" else (n, n - 1)
    n_rows = n - others
    g = int(size / packing.gradient_unit) + 1
    h = 1 if constant else int(size / packing.hessian_unit) + 1
    sum_g, sum_h = n_rows * g + others, n if constant else n_rows * h + others
    counted = 0 if packing.hessians_count or constant else n
    for sign in (-1, 1):
        total = (
            ((sign * sum_g) << packing.gradient_shift)
            + (sum_h << packing.hessian_shift)
            + counted
        )  # Python's integers: as long as it takes
        assert -(2**63) <= total < 2**63
        found = plain(decode)(packing, np.int64(total))
        expected_count = sum_h if packing.hessians_count else n
        assert [int(number) for number in found] == [
            sign * sum_g,
            sum_h,
            expected_count,
        ]
    assert packing.hessians_count == (n > 8191 and not constant)


def test_small_hessians_keep_their_share_beside_a_large_one(compiled):
    # A row as heavy as a million others: each of them is still half a unit or more.
    n = 2000
    gradients = np.ones((1, 2, n), np.float32)
    gradients[0, 1, 7] = 1e6
    total = gradients[0, 1].sum(dtype=float)
    packing = losses.choose_packing.py_func(n, False, float(n), total)
    rows, packed = np.arange(n, dtype=np.uint32), np.zeros((1, n), np.int64)
    compiled(losses.pack_rows)(packing, False, rows, 0, n, 0, gradients, packed)
    words = [losses_decode(packing, word)[1] for word in np.delete(packed[0], 7)]
    assert_allclose(np.mean(words) * packing.hessian_unit, 1.0, atol=0.05)


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("n", [500, 9000])
def test_packed_rows_decode_to_rounded_gradients(n, constant, compiled, seed):
    rng = np.random.default_rng(seed)
    gradients = np.empty((1, 2, n), np.float32)
    gradients[0, 0] = rng.normal(size=n)
    gradients[0, 1] = 2.5 if constant else rng.uniform(0.0, 1.0, size=n) ** 4
    rows = rng.permutation(n).astype(np.uint32)
    sums = np.abs(gradients[0]).sum(axis=1, dtype=float)
    packing = losses.choose_packing.py_func(n, constant, *sums)
    packed = np.zeros((1, n), np.int64)
    pack = compiled(losses.pack_rows)
    half = n // 2
    total = pack(packing, constant, rows, 0, half, 0, gradients, packed)
    total += pack(packing, constant, rows, half, n, 0, gradients, packed)
    assert total == packed.sum()
    words = [losses_decode(packing, word) for word in packed[0]]
    g, h, count = np.transpose(words)
    scaled = gradients[0].astype(float) / [
        [packing.gradient_unit],
        [packing.hessian_unit],
    ]
    assert np.abs(g - scaled[0]).max() <= 0.5 * (1 + 1e-6)
    assert np.abs(h - scaled[1]).max() <= 1.0 + 1e-6  # rounded up or down at random
    if not packing.hessians_count:
        assert (count == 1).all()
    sums = losses_decode(packing, total)
    assert sums == (g.sum(), h.sum(), count.sum())
    if not constant:
        # Rounding up and down cancels: below 5 standard errors of half a unit.
        assert abs(h.sum() - scaled[1].sum()) < 5 * 0.5 * np.sqrt(n)


def losses_decode(packing, word):
    word = int(word)
    return (
        word >> packing.gradient_shift,
        (word >> packing.hessian_shift) & packing.hessian_mask,
        word & packing.count_mask,
    )


# ---------------------------------------------------------------- values of leaves


@pytest.mark.parametrize("level", [0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_selected_quantile_is_that_of_sorted_values(level, weighted, plain, seed):
    rng = np.random.default_rng(seed)
    for n in (1, 2, 3, 4, 10, 31):
        values = np.round(rng.normal(size=n), 1)
        weights = rng.integers(1, 5, size=n).astype(float) if weighted else np.ones(n)
        table = np.zeros((2, 2, n + 4))
        table[1, :, 2:-2] = values, weights
        found = plain(losses.select_quantile)(table, 1, 2, n + 2, level)
        copies = np.repeat(np.sort(values), weights[np.argsort(values)].astype(int))
        low = np.quantile(copies, level, method="inverted_cdf")
        high = np.quantile(copies, level, method="averaged_inverted_cdf")
        assert np.isclose(found, [low, high], atol=1e-12).any()
        if level * weights.sum() % 1.0 != 0.0 or 0.0 < level < 1.0:
            assert_allclose(found, find_quantile(values, weights, level), atol=1e-12)
        assert_array_equal(np.sort(table[1, 0, 2:-2]), np.sort(values))  # reordered
        assert not table[0].any()


@pytest.mark.parametrize("loss", [name for name in LOSSES if name != "softmax"])
@pytest.mark.parametrize("resampled", [False, True])
def test_leaf_value_equals_the_formula(loss, resampled, plain, seed):
    rng = np.random.default_rng(seed)
    y, raw = make_targets(rng, loss), rng.normal(size=(1, 40))
    weights = rng.uniform(1, 2, size=40)
    factors = rng.uniform(1, 2, size=40) if resampled else NOTHING
    target, state = make_target(loss, y, weights), make_state(raw, factors)
    memory = Team(
        None, rng.permutation(40)[np.newaxis, np.newaxis], None, np.empty((1, 2, 40)),
        np.empty((1, 2, 40)), None, None,
    )  # fmt: skip
    plain(losses.fill_gradients)(target, state, 0, 0.7, 0, memory.gradients, 0, 40)
    found = plain(losses.find_leaf_value)(target, state, memory, 0, 5, 25, 1.5, 0.7)
    rows = memory.rows[0, 0, 5:25]
    w = weights * factors if resampled else weights
    g, h = differentiate_plainly(loss, y, raw, 0.3, 0.7)
    expected = find_value(
        loss, (y - raw[0])[rows], w[rows], (w * g[0])[rows], (w * h[0])[rows], 1.5,
        0.3, 0.7,
    )  # fmt: skip
    assert_allclose(found, expected, rtol=1e-10)


def test_leaf_without_hessian_keeps_its_prediction(plain):
    target, state = make_target("poisson", np.zeros(2)), make_state(np.zeros((1, 2)))
    memory = Team(
        None, np.array([[[0, 1]]]), None, np.zeros((1, 2, 2)), np.empty((1, 2, 0)),
        None, None,
    )  # fmt: skip
    assert (
        plain(losses.find_leaf_value)(target, state, memory, 0, 0, 2, 0.0, 0.0) == 0.0
    )


def test_softmax_gradients_sum_to_zero_over_classes(plain, seed):
    rng = np.random.default_rng(seed)
    y, raw = make_targets(rng, "softmax"), rng.normal(size=(3, 40))
    target, state = make_target("softmax", y), make_state(raw)
    assert target.loss == SOFTMAX
    plain(losses.fill_probabilities)(raw, state.probabilities, target.rows, 0, 40)
    total = np.zeros(40)
    for k in range(3):
        gradients = np.empty((1, 2, 40))
        plain(losses.fill_gradients)(target, state, k, 0.0, 0, gradients, 0, 40)
        total += gradients[0, 0]
    assert_allclose(total, 0.0, atol=1e-12)
