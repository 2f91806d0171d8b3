"""Train a RealMLP net: schedules, held-out rows, and the best epoch."""

from dataclasses import dataclass

import numpy as np

from manyminds.kernels.real_mlp_steps import Plan, Target, train_batches
from manyminds.learners.real_mlp_net import (
    draw_parameters,
    list_factors,
    make_work,
    run_net,
)
from manyminds.utils.folds import assign_folds, keep_classes, list_parts

N_CYCLES = 4  # of the learning rate; each takes about twice as long as the one before
MIN_HELD_OUT = 10  # rows without which no epoch is chosen: all rows train the net
# Batch sizes up to so many rows; more rows have the last.
BATCH_SIZES = ((1024, 64), (8192, 128), (30_000, 256), (100_000, 512))
MAX_BATCH_SIZE = 1024
PATIENCE, PATIENCE_FACTOR = 20, 2.0  # epochs, and multiple of the best one, to wait


@dataclass(frozen=True)
class Options:
    """How a net is trained; parameters of `RealMLPClassifier`."""

    learning_rate: float
    dropout: float
    weight_decay: float
    label_smoothing: float
    batch_size: int | str
    max_epochs: int
    early_stopping: bool


@dataclass(frozen=True, eq=False)
class Training:
    """A trained net.

    Attributes
    ----------
    theta : ndarray of float32 of shape (n_parameters,)
        Parameters after the best epoch; after the last one without held-out rows.
    scores : ndarray of shape (n_epochs,)
        Loss of the held-out rows after each epoch; empty without them.
    n_epochs, best_epoch : int
        Number of epochs, and which is the best; counted from 1.
    """

    theta: np.ndarray
    scores: np.ndarray
    n_epochs: int
    best_epoch: int


def compute_rate(progress):
    """Return the share of the learning rate in use: coslog with four cycles.

    Parameters
    ----------
    progress : float or ndarray
        Share of the training that is over.

    Returns
    -------
    share : float or ndarray
        ``(1 - cos(2 pi log2(1 + 15 progress))) / 2``.

    Examples
    --------
    >>> from manyminds.learners.real_mlp_training import compute_rate
    >>> print(compute_rate(0.0), compute_rate(1 / 15), compute_rate(3 / 15))
    0.0 0.0 0.0
    """
    cycles = np.log2(1.0 + (2.0**N_CYCLES - 1.0) * progress)
    return 0.5 * (1.0 - np.cos(2.0 * np.pi * cycles))


def compute_regularization(progress):
    """Return the share of dropout and weight decay in use: flat, then a cosine to 0.

    Parameters
    ----------
    progress : float or ndarray
        Share of the training that is over.

    Returns
    -------
    share : float or ndarray
        1 in the first half, then ``(1 + cos(pi (2 progress - 1))) / 2``.

    Examples
    --------
    >>> from manyminds.learners.real_mlp_training import compute_regularization
    >>> print(compute_regularization(0.3), compute_regularization(0.75))
    1.0 0.5
    """
    turn = np.pi * np.maximum(2.0 * progress - 1.0, 0.0)
    return np.round(0.5 * (1.0 + np.cos(turn)), 15)


def choose_batch_size(batch_size, n_rows):
    """Return the number of rows of a batch; "auto" increases it with the rows.

    Examples
    --------
    >>> from manyminds.learners.real_mlp_training import choose_batch_size
    >>> choose_batch_size("auto", 500), choose_batch_size("auto", 20_000)
    (64, 256)
    """
    if batch_size != "auto":
        return int(batch_size)
    sizes = (size for limit, size in BATCH_SIZES if n_rows <= limit)
    return next(sizes, MAX_BATCH_SIZE)


def hold_out(label, fraction, rng):
    """Draw rows to hold out, of each class about the same share, never all of them.

    Parameters
    ----------
    label : ndarray of int of shape (n_samples,)
        Class of each row; all 0 for numbers.
    fraction : float
        Share of the rows.
    rng : RandomState

    Returns
    -------
    train, held_out : ndarray of int64
        Rows; ``held_out`` is empty if it would have fewer than ten.
    """
    order = rng.permutation(len(label))
    counts = np.bincount(label)
    wanted = np.minimum(fraction * counts, np.maximum(counts - 1, 0))
    n_held = np.floor(wanted).astype(np.int64)
    rest = int(np.rint(wanted.sum())) - n_held.sum()
    can_more = np.where(n_held < counts - 1, wanted - n_held, -1.0)
    more = np.argsort(-can_more, kind="stable")[: max(rest, 0)]
    n_held[more[can_more[more] >= 0.0]] += 1
    if n_held.sum() < MIN_HELD_OUT:
        return order.astype(np.int64), order[:0].astype(np.int64)
    by_class = order[np.argsort(label[order], kind="stable")]
    place = np.arange(len(label)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_held = place < np.repeat(n_held, counts)
    return by_class[~is_held].astype(np.int64), by_class[is_held].astype(np.int64)


def split_rows(label, n_nets, fraction, rng, groups=None):
    """Draw the rows that each net trains with, and those that it holds out.

    Parameters
    ----------
    label : ndarray of int of shape (n_samples,)
        Class of each row; all 0 for numbers.
    n_nets : int
        Nets hold out different folds of the rows, as long as there are folds left.
    fraction : float
        Share of the rows that a net holds out.
    rng : RandomState
    groups : ndarray of int of shape (n_samples,), default=None
        Codes from 0, without gaps, of two groups or more, which stay together. Rows of
        a class that only held-out groups have train as well: a net would never predict
        it.

    Returns
    -------
    parts : list of (train, held_out)
        Rows; ``held_out`` is empty if it would have fewer than ten.
    """
    has_few = fraction * len(label) < MIN_HELD_OUT
    if has_few or (groups is None and (n_nets == 1 or fraction >= 0.5)):
        return [hold_out(label, fraction, rng) for _ in range(n_nets)]
    n_folds, parts = max(2, round(1.0 / fraction)), []
    while len(parts) < n_nets:
        parts += list_parts(assign_folds(label, n_folds, rng, groups))
    if groups is not None:
        parts = [keep_classes(label, *part) for part in parts]
    return parts[:n_nets]


def train_net(table, target, shape, options, held_out, score, rng):
    """Train a net; keep the parameters of the epoch with the lowest score.

    Parameters
    ----------
    table : Table
        Rows to train with.
    target : Target
    shape : Shape
    options : Options
    held_out : Table or None
        Rows that the epoch is chosen by.
    score : callable
        Takes outputs of the held-out rows; returns their loss.
    rng : RandomState

    Returns
    -------
    training : Training
    """
    n_rows = len(table.numeric)
    n_batch = min(choose_batch_size(options.batch_size, n_rows), n_rows)
    n_steps = n_rows // n_batch
    theta = draw_parameters(table, shape, rng)
    vectors = np.zeros((4, len(theta)), dtype=np.float32)
    vectors[0] = theta
    state = np.array([rng.randint(1, 2**31 - 1)], dtype=np.int64)
    work, factors = make_work(shape, n_batch), list_factors(shape)
    best, best_score, scores = 0, np.inf, []
    for epoch in range(options.max_epochs):
        rows = rng.permutation(n_rows)[: n_steps * n_batch].reshape(n_steps, n_batch)
        plan = _plan_epoch(rows.astype(np.int64), epoch, factors, options)
        train_batches(table, target, plan, shape, work, vectors, state)
        if held_out is None:
            continue
        scores.append(score(run_net(held_out, vectors[0], shape)))
        if scores[-1] <= best_score:  # never of a net that diverged
            best, best_score, theta = epoch, scores[-1], vectors[0].copy()
        elif options.early_stopping and _is_over(epoch, best):
            break
    if held_out is None:
        best, theta = epoch, vectors[0].copy()
    return Training(theta, np.array(scores), epoch + 1, best + 1)


def _plan_epoch(rows, epoch, factors, options):
    """Return the steps of an epoch with their rates."""
    n_steps = len(rows)
    progress = (epoch + np.arange(n_steps) / n_steps) / options.max_epochs
    share = compute_regularization(progress)
    return Plan(
        rows,
        options.learning_rate * compute_rate(progress),
        options.weight_decay * share,
        options.dropout * share,
        factors,
        epoch * n_steps,
    )


def _is_over(epoch, best):
    """Return whether the best epoch, counted from 0, is too long ago."""
    return epoch + 1 > PATIENCE_FACTOR * (best + 1) + PATIENCE


def make_target(value, weight, label_smoothing):
    """Return a target of float32, with weights of mean 1."""
    weight = weight / weight.mean()
    return Target(
        value.astype(np.float32), weight.astype(np.float32), float(label_smoothing)
    )
