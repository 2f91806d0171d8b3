"""Process all pairs of rows in blocks: distances by rank, members by radius."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from manyminds.kernels.neighborhoods import (
    add_members,
    count_classes,
    measure_doubtful,
    measure_squares,
    select_ranks,
)

TIE = 1e-12  # relative tolerance of a radius: rounding must not break ties
_MAX_COLUMNS = 32  # with more columns, a matrix product is faster than differences
_ROUNDING = 8.0 * 2.0**-53  # error of such products, times the root of their length
_MIN_STEPS = 2**24  # rows x rows x columns: less is not worth a second thread
_BLOCK_CELLS = 2**17  # centers x rows of a block: 1 MB
_MIN_BLOCK_ROWS = 8  # columns that exceed the cache are read once per block
_WIDE_CELLS = 2**21  # the same for matrix products, which are faster in larger blocks
_SUM_CELLS = 2**21  # size of the sums of a block
_N_TASKS = 64  # steps of the progress bar
_N_CELLS = 4096  # size of the lookup table of rings


class Reference:
    """Labeled points, from which distances are measured.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
        Float64, in C order.
    labels : ndarray of shape (n_points,)
        Classes, encoded from 0.
    n_classes : int
        Number of classes.
    """

    def __init__(self, points, labels, n_classes):
        self.points = points
        self.labels = labels
        self.n_classes = n_classes
        self.is_wide = points.shape[1] > _MAX_COLUMNS
        # Distances are computed from columns, or from centered rows, since squares of
        # large numbers lose the digits of small differences.
        if self.is_wide:
            self._middle = np.median(points, axis=0)
            self._seen = points - self._middle
            self._squares = np.einsum("ij,ij->i", self._seen, self._seen)
        else:
            self._columns = np.ascontiguousarray(points.T)

    def measure(self, centers, own=None):
        """Compute squared distances from each center to each point.

        ``own`` has the index of the point that a center is, or -1. The rounding error
        of matrix products is relative to the squared lengths; distances whose relative
        error may exceed ``TIE`` are computed again, by differences.
        """
        out = np.empty((len(centers), len(self.points)))
        if not self.is_wide:
            measure_squares(self._columns, centers, out)
            return out
        seen = centers - self._middle
        lengths = np.einsum("ij,ij->i", seen, seen)
        np.matmul(-2.0 * seen, self._seen.T, out=out)
        out += self._squares
        out += lengths[:, None]
        doubt = _ROUNDING * np.sqrt(seen.shape[1]) / TIE
        measure_doubtful(self.points, centers, self._squares, lengths, doubt, out)
        if own is not None:
            out[own >= 0, own[own >= 0]] = 0.0
        return out

    def make_rings(self, radii):
        """Return squared radii with a tolerance, and a lookup table of rings."""
        limits = np.append(np.square(radii * (1.0 + TIE)), np.inf)
        return Rings(limits, *_make_table(limits))


class Rings(NamedTuple):
    """Squared radii, the last of them infinite, as arguments of kernels."""

    limits: np.ndarray
    first_ring: np.ndarray
    scale: float


@dataclass(frozen=True)
class Neighborhoods:
    """Sufficient statistics of the neighborhoods of some centers, for every radius.

    Parameters
    ----------
    counts : ndarray of shape (n_centers, n_radii, n_classes)
        Number of members of each class.
    sums : ndarray of shape (n_centers, n_radii, n_classes, n_features), default=None
        Sums of the members relative to the center; without features if not needed.
    scatter : ndarray of shape (n_centers, n_radii, n_features, n_features), \
            default=None
        Sums of the outer products of all members, relative to the center.
    """

    counts: np.ndarray
    sums: Any = field(default=None, repr=False)
    scatter: Any = field(default=None, repr=False)


def find_distances(reference, ranks, n_jobs=None):
    """Yield, task by task, the distances of points to neighbors of given ranks.

    Parameters
    ----------
    reference : Reference
    ranks : ndarray of int64
        In ascending order; 1 is the nearest other point.
    n_jobs : int, default=None
        Number of threads.

    Yields
    ------
    distances : ndarray of shape (n_rows of the task, n_ranks)
    """

    def do_task(first, last):
        found = np.empty((last - first, len(ranks)))
        for rows in cut_blocks(reference, first, last):
            own = np.arange(rows.start, rows.stop)
            squares = reference.measure(reference.points[rows], own)
            select_ranks(squares, ranks, found[own[0] - first : own[-1] + 1 - first])
        return np.sqrt(found)

    return run_tasks(do_task, reference, len(reference.points), n_jobs)


def gather(reference, centers, rings, *, own=None, leave_out=False, needs="counts"):
    """Compute the statistics of the members within each radius of some centers.

    Parameters
    ----------
    reference : Reference
    centers : ndarray of shape (n_centers, n_features)
    rings : Rings
        See `Reference.make_rings`.
    own : ndarray of shape (n_centers,), default=None
        Indices of the points of the reference that the centers are; -1 for others.
    leave_out : bool, default=False
        Whether to exclude a center from its own neighborhood; requires ``own``.
    needs : {"counts", "sums", "scatter"}, default="counts"
        Statistics to compute.

    Returns
    -------
    neighborhoods : Neighborhoods
    """
    (n, n_features), n_radii = centers.shape, len(rings.limits) - 1
    points, labels = reference.points, reference.labels
    n_sums = 0 if needs == "counts" else n_features
    n_products = n_features if needs == "scatter" else 0
    counts = np.zeros((n, n_radii + 1, reference.n_classes), dtype=np.int32)
    sums = np.zeros((n, n_radii, reference.n_classes, n_sums))
    scatter = np.zeros((n, n_radii, n_products, n_products))
    for rows in cut_blocks(reference, 0, n):
        some = centers[rows]
        squares = reference.measure(some, None if own is None else own[rows])
        count_classes(squares, *rings, labels, counts[rows])
        if n_sums > 0:
            into = sums[rows], scatter[rows]
            add_members(squares, *rings, labels, points, some, *into)
    if leave_out:  # relative to itself a center is 0: it adds to counts, not to sums
        counts[own >= 0, 0, labels[own[own >= 0]]] -= 1
    counts = counts[:, :-1].cumsum(axis=1)
    np.cumsum(sums, axis=1, out=sums)
    np.cumsum(scatter, axis=1, out=scatter)
    scatter += np.tril(scatter, k=-1).swapaxes(2, 3)
    return Neighborhoods(counts, sums, scatter)


def cut_for_sums(reference, n_centers, n_radii, needs):
    """Split centers into slices for which the sums of `gather` fit in memory."""
    n_features, n_cells = reference.points.shape[1], reference.n_classes
    if needs != "counts":
        n_cells += reference.n_classes * n_features
    if needs == "scatter":
        n_cells += 2 * n_features**2
    size = max(1, _SUM_CELLS // (n_radii * n_cells))
    starts = range(0, n_centers, size)
    return [slice(start, min(start + size, n_centers)) for start in starts]


def run_tasks(function, reference, n_centers, n_jobs):
    """Yield ``function(first, last)`` for consecutive slices of the centers, in order.

    The slices depend on the data only, so that results do not depend on ``n_jobs``.
    """
    bounds = list_bounds(n_centers)
    n_steps = n_centers * reference.points.size
    n_threads = effective_n_jobs(n_jobs)  # it also refuses n_jobs=0
    if n_threads == 1 or n_steps < _MIN_STEPS:
        return (function(first, last) for first, last in bounds)
    run = Parallel(n_threads, require="sharedmem", batch_size=1, return_as="generator")
    return run(delayed(function)(first, last) for first, last in bounds)


def list_bounds(n_centers):
    """Return the start and the stop of each task."""
    size = max(16, -(-n_centers // _N_TASKS))
    starts = range(0, n_centers, size)
    return [(first, min(first + size, n_centers)) for first in starts]


def cut_blocks(reference, first, last):
    """Split rows into slices that are processed at a time."""
    n_cells = _WIDE_CELLS if reference.is_wide else _BLOCK_CELLS
    size = max(_MIN_BLOCK_ROWS, n_cells // len(reference.points))
    starts = range(first, last, size)
    return [slice(start, min(start + size, last)) for start in starts]


def _make_table(limits):
    """Return the lookup table from squared distances to rings.

    A cell has the first ring of its squares, with a tolerance of one cell for rounding.
    All squares of the last cell are beyond the last radius.
    """
    top = limits[-2]
    scale = (_N_CELLS - 2) / top if top > 1e-290 else 0.0
    lowest = (np.arange(_N_CELLS) - 1.0) / scale if scale else np.zeros(_N_CELLS)
    first_ring = np.searchsorted(limits[:-1], lowest, side="left")
    if scale:
        first_ring[-1] = len(limits) - 1
    return first_ring.astype(np.int64), scale
