"""Random projections of a table, sorted column by column ahead of the rounds."""

from collections import deque
from itertools import takewhile
from threading import Event
from typing import NamedTuple

import numpy as np

from manyminds.ensemble.base import run_on_members
from manyminds.kernels.stumps import mark_cuts, project


class Columns(NamedTuple):
    """The columns among which a round looks for its stumps, sorted."""

    directions: np.ndarray  # (n_columns, n_features)
    values: np.ndarray  # (n_columns, n_rows)
    order: np.ndarray  # (n_columns, n_rows), rows by rising value
    may_cut: np.ndarray  # (n_columns, n_rows), whether a cut may follow


def run_ahead(blocks, n_jobs):
    """Yield the columns of round after round, made by threads ahead of the rounds."""
    is_over = Event()
    wanted = takewhile(lambda _: not is_over.is_set(), blocks)
    made = run_on_members(_project_and_sort, wanted, n_jobs)
    try:
        for columns in made:
            yield from columns
    finally:
        # When rounds end early, no new block is begun. Those under way are waited for:
        # joblib would warn of blocks that nobody takes.
        is_over.set()
        deque(made, maxlen=0)


def _project_and_sort(table, projection, shape, units, seeds):
    """Make the sorted columns of the rounds with these seeds."""
    draws = [_draw_directions(projection, shape, seed) for seed in seeds]
    directions = np.concatenate(draws) / units
    values = np.empty((len(directions), table.shape[1]))
    project(table, directions, values)
    columns = sort_columns(directions, values)
    starts = range(0, len(directions), shape[0])
    return [Columns(*(part[i : i + shape[0]] for part in columns)) for i in starts]


def _draw_directions(projection, shape, seed):
    """Draw the directions of one round, one in each row."""
    rng = np.random.default_rng(seed)
    if projection == "sign":
        return rng.choice([-1.0, 1.0], size=shape)
    if projection == "uniform":
        return rng.uniform(size=shape)
    directions = rng.normal(size=shape)
    if projection == "unit":
        return directions / np.linalg.norm(directions, axis=1, keepdims=True)
    if projection == "orthonormal":
        # Not more directions than features can be orthogonal: so many at a time are.
        parts = np.split(directions, range(shape[1], shape[0], shape[1]))
        return np.concatenate([np.linalg.qr(part.T)[0].T for part in parts])
    return directions


def sort_columns(directions, values):
    """Sort columns, and mark where they may be cut."""
    order = np.argsort(values, axis=1).astype(np.uint32)
    may_cut = np.empty(order.shape, dtype=bool)
    mark_cuts(values, order, may_cut)
    return Columns(directions, values, order, may_cut)
