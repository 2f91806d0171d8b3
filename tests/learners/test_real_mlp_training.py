"""Training of RealMLP: schedules by hand, held-out rows, the best epoch."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.kernels.real_mlp import Table
from manyminds.learners import real_mlp_training
from manyminds.learners.real_mlp_net import make_shape
from manyminds.learners.real_mlp_training import (
    Options,
    _is_over,
    _plan_epoch,
    choose_batch_size,
    compute_rate,
    compute_regularization,
    hold_out,
    make_target,
    split_rows,
    train_net,
)


def make_options(**changes):
    options = {
        "learning_rate": 0.1, "dropout": 0.0, "weight_decay": 0.0,
        "label_smoothing": 0.0, "batch_size": 16, "max_epochs": 8,
        "early_stopping": False,
    }  # fmt: skip
    return Options(**{**options, **changes})


def make_problem(seed, n_rows=64):
    rng = np.random.default_rng(seed)
    plain = rng.normal(size=(n_rows, 3)).astype(np.float32)
    table = Table(plain[:, :0].copy(), plain, np.zeros((n_rows, 0), np.int64))
    value = plain[:, 0] * plain[:, 1]
    shape = make_shape(table, 0, (8,), 1, True)
    return table, make_target(value, np.ones(n_rows), 0.0), shape


def test_each_net_holds_out_another_fold(seed):
    label = np.repeat([0, 1], [30, 60])
    parts = split_rows(label, 4, 1 / 3, np.random.RandomState(seed))
    held = np.concatenate([held_out for _, held_out in parts[:3]])
    assert_array_equal(np.sort(held), np.arange(90))
    assert len(parts) == 4  # the last one of other folds
    for train, held_out in parts:
        assert_array_equal(np.sort(np.append(train, held_out)), np.arange(90))
        assert np.bincount(label[held_out]).tolist() == [10, 20]


@pytest.mark.parametrize("n_nets", [1, 3])
def test_no_net_holds_out_few_rows(n_nets, seed):
    rng = np.random.RandomState(seed)
    for train, held_out in split_rows(np.zeros(29, np.int64), n_nets, 0.2, rng):
        assert len(train) == 29 and not len(held_out)


def test_rate_by_hand():
    # Cycles end where 1 + 15 t is a power of two, and peak half an octave later.
    ends = np.array([0, 1, 3, 7, 15]) / 15
    assert_allclose(compute_rate(ends), 0.0, atol=1e-12)
    peaks = (2.0 ** np.array([0.5, 1.5, 2.5, 3.5]) - 1) / 15
    assert_allclose(compute_rate(peaks), 1.0)
    assert_allclose(compute_rate((2**0.25 - 1) / 15), 0.5)


def test_regularization_by_hand():
    t = np.array([0.0, 0.49, 0.5, 2 / 3, 0.75, 1.0])
    assert_allclose(compute_regularization(t), [1, 1, 1, 0.75, 0.5, 0], atol=1e-12)


def test_plan_of_an_epoch():
    # Epoch 1 of 2 with two batches: half and three quarters of the training.
    options = make_options(dropout=0.2, weight_decay=0.4, max_epochs=2)
    plan = _plan_epoch(np.zeros((2, 3), np.int64), 1, np.ones((1, 2)), options)
    assert_allclose(plan.rate, 0.1 * compute_rate(np.array([0.5, 0.75])))
    assert_allclose(plan.dropout, [0.2, 0.1])
    assert_allclose(plan.decay, [0.4, 0.2])
    assert plan.n_done == 2


def test_batch_sizes():
    sizes = [choose_batch_size("auto", n) for n in (1024, 1025, 30_000, 10**6)]
    assert sizes == [64, 128, 256, 1024]
    assert choose_batch_size(7, 10**6) == 7


def test_held_out_rows_are_stratified(seed):
    rng = np.random.RandomState(seed)
    label = rng.permutation(np.repeat([0, 1, 2, 3], [100, 50, 4, 1]))
    train, held_out = hold_out(label, 0.2, rng)
    assert_array_equal(np.sort(np.concatenate([train, held_out])), np.arange(155))
    counts = np.bincount(label[held_out], minlength=4)
    assert counts[0] == 20 and counts[1] == 10 and counts[2] in (0, 1)
    assert counts[3] == 0  # a class keeps a row to train with


def test_few_rows_are_not_held_out():
    train, held_out = hold_out(np.zeros(40, int), 0.2, np.random.RandomState(0))
    assert len(train) == 40 and len(held_out) == 0
    train, held_out = hold_out(np.zeros(60, int), 0.2, np.random.RandomState(0))
    assert len(train) == 48 and len(held_out) == 12


def test_the_best_epoch_is_kept(seed):
    # Scores that are given: the parameters kept are those of the third epoch, which a
    # training that is stopped there has, up to its schedule.
    table, target, shape = make_problem(seed)
    seen, scores = [], iter([3.0, 2.0, 1.0, 5.0, np.nan, 4.0, 2.0, 1.5])
    real = real_mlp_training.run_net

    def note(held_out, theta, shape):
        seen.append(theta.copy())
        return real(held_out, theta, shape)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(real_mlp_training, "run_net", note)
        training = train_net(
            table, target, shape, make_options(), table,
            lambda outputs: next(scores), np.random.RandomState(seed),
        )  # fmt: skip
    assert training.best_epoch == 3 and training.n_epochs == 8
    assert_array_equal(training.theta, seen[2])
    assert (seen[2] != seen[7]).any()


def test_training_stops_when_the_best_epoch_is_long_ago(seed):
    table, target, shape = make_problem(seed)
    scores = iter([1.0, 0.5, *[2.0] * 300])
    training = train_net(
        table, target, shape, make_options(max_epochs=256, early_stopping=True), table,
        lambda outputs: next(scores), np.random.RandomState(seed),
    )  # fmt: skip
    assert training.best_epoch == 2 and training.n_epochs == 25
    assert not _is_over(118, 49) and not _is_over(119, 49) and _is_over(120, 49)


def test_without_held_out_rows_the_last_epoch_is_kept(seed):
    table, target, shape = make_problem(seed)
    training = train_net(
        table, target, shape, make_options(), None, None, np.random.RandomState(seed)
    )
    assert training.best_epoch == training.n_epochs == 8 and len(training.scores) == 0


def test_a_diverged_net_is_never_kept(seed):
    table, target, shape = make_problem(seed)
    training = train_net(
        table, target, shape, make_options(learning_rate=1e30), table,
        lambda outputs: float(np.mean(outputs)), np.random.RandomState(seed),
    )  # fmt: skip
    assert np.isfinite(training.theta).all()


def test_weights_have_mean_one():
    target = make_target(np.arange(3), np.array([1.0, 2.0, 3.0]), 0.1)
    assert_allclose(target.weight, [0.5, 1.0, 1.5])
    assert target.value.dtype == target.weight.dtype == np.float32


def test_nets_hold_out_whole_groups(seed):
    rng = np.random.RandomState(seed)
    groups, label = np.repeat(np.arange(20), 10), np.tile([0, 1], 100)
    for n_nets in (1, 4):
        parts = split_rows(label, n_nets, 0.2, rng, groups)
        assert len(parts) == n_nets
        for train, held_out in parts:
            assert_array_equal(np.sort(np.append(train, held_out)), np.arange(200))
            assert len(held_out) == 40
            assert not np.intersect1d(groups[train], groups[held_out]).size


def test_a_class_of_one_group_trains_every_net(seed):
    groups = np.repeat(np.arange(20), 10)
    label = np.where(groups == 3, 1, 0)
    parts = split_rows(label, 5, 0.2, np.random.RandomState(seed), groups)
    assert all(1 in label[train] for train, _ in parts)
    assert all(1 not in label[held_out] for _, held_out in parts)
