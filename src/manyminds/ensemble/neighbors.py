"""Exact nearest neighbors among dense points, block by block."""

import numpy as np
from joblib import effective_n_jobs
from scipy.spatial import cKDTree

from manyminds.kernels import nearest
from manyminds.trees.chunks import divide_rows
from manyminds.utils.threads import limit_blas_threads, run_in_threads

MAX_TREE_FEATURES = 5  # a tree is quicker for so few
BLOCK_ROWS = 128  # rows whose products with some points are held at once
BLOCK_POINTS = 8192
MAX_EXPONENT = 1000  # of a factor of the points
MAX_DISTANCE = 2.0**60  # of rows, in units of the spread of the points
ROUNDING = float(np.finfo(np.float32).eps)


class Neighbors:
    """The nearest of some points by Euclidean distance.

    Of points at the same distance the first ones are taken; of few columns, for which
    a tree is searched, any.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
        Finite numbers.
    n_near : int
        Number of neighbors; all points if there are fewer.
    n_jobs : int or None
        Number of threads.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.neighbors import Neighbors
    >>> points = np.array([[0.0], [1.0], [5.0], [1.5]])
    >>> Neighbors(points, 2).find(np.array([[0.9]])).tolist()
    [[1, 3]]
    >>> Neighbors(points, 1).find().tolist()
    [[1], [3], [3], [1]]
    """

    def __init__(self, points, n_near, n_jobs=None):
        self.n_jobs, self.n_near = n_jobs, n_near
        # Powers of two: sums of the points do not overflow in this unit.
        highest = np.frexp(np.abs(points).max(initial=0.0))[1]
        unit = np.exp2(min(0, MAX_EXPONENT // 2 - highest))
        center = (points * unit).mean(axis=0)
        centered = points * unit - center
        # Products in single precision do not overflow in this one; of numbers below
        # the normal ones, or huge ones that hardly vary, it would itself.
        exponent = np.frexp(np.abs(centered).max(initial=0.0))[1]
        free = MAX_EXPONENT - min(highest, MAX_EXPONENT // 2)
        scale = np.exp2(min(-exponent, MAX_EXPONENT, free))
        self._center, self._scale = center / unit, unit * scale
        self._points = np.ascontiguousarray(points * self._scale)
        self._tree = self._rough = None
        if points.shape[1] <= MAX_TREE_FEATURES:
            self._tree = cKDTree(self._points)
        else:
            self._rough = _make_bounds(centered * scale)

    @property
    def n_points(self):
        """Number of points."""
        return len(self._points)

    def find(self, rows=None, own=None):
        """Return the nearest points of each row, the nearest first.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_features), default=None
            None: the points themselves, each without itself.
        own : ndarray of int of shape (n_rows,), default=None
            For each row a point that does not count; None: all count.

        Returns
        -------
        near : ndarray of int of shape (n_rows, n_near)
        """
        if rows is None:
            rows, own = self._points, np.arange(self.n_points)
        else:
            rows = self._scale_rows(rows)
        n_others = self.n_points - (own is not None)
        if n_others == 0:  # a single point has no neighbor but itself
            return np.zeros((len(rows), 1), dtype=np.int64)
        n_near, n_threads = min(self.n_near, n_others), effective_n_jobs(self.n_jobs)
        if self._tree is not None:
            return self._search_tree(rows, own, n_near, n_threads)
        own = np.full(len(rows), -1) if own is None else np.asarray(own, np.int64)
        near = np.full((len(rows), n_near), self.n_points)
        points, rows = make_writable(self._points, rows)

        def find_block(some):
            self._search(points, rows[some], own[some], near[some])

        with limit_blas_threads():
            blocks = divide_rows(len(rows), BLOCK_ROWS, n_threads)
            run_in_threads(find_block, blocks, n_threads)
        return near

    def _scale_rows(self, rows):
        """Return rows in the units of the points.

        Where rows are too far away to tell points apart, they are as far as that.
        """
        center = self._center * self._scale
        with np.errstate(over="ignore"):
            rows = rows * self._scale
        return np.clip(rows, center - MAX_DISTANCE, center + MAX_DISTANCE)

    def _search_tree(self, rows, own, n_near, n_threads):
        """Return the nearest points of rows, by the tree."""
        if own is None:
            ranks = np.arange(1, n_near + 1)
            return self._tree.query(rows, ranks, workers=n_threads)[1]
        found = self._tree.query(rows, np.arange(1, n_near + 2), workers=n_threads)[1]
        is_own = found == own[:, np.newaxis]
        is_own[~is_own.any(axis=1), -1] = True  # among equal points, it may be missing
        return found[~is_own].reshape(len(rows), n_near)

    def _search(self, points, rows, own, near):
        """Write the nearest points of some rows."""
        squares = np.full(near.shape, np.inf)
        # Distances are measured without the center, which is not exact.
        centered = rows - self._center * self._scale
        lengths = np.einsum("ij,ij->i", centered, centered)
        columns = centered, np.ones(len(rows)), np.sqrt(lengths)
        rough = np.column_stack(columns).astype(np.float32)
        for first in range(0, self.n_points, BLOCK_POINTS):
            bounds = rough @ self._rough[:, first : first + BLOCK_POINTS]
            nearest.add_nearest(
                points, rows, lengths, own, bounds, first, squares, near
            )


def make_writable(*arrays):
    """Return the arrays, copies of those that are read-only: kernels take no other.

    Arrays of a model that was loaded as a memory map are read-only.
    """
    return [np.require(array, requirements="W") for array in arrays]


def _make_bounds(points):
    """Return the matrix by which rows are multiplied to bound distances from below.

    Half the squared distance of a row r and a point p, less that of r and the origin,
    is ``p @ p / 2 - r @ p``, and its error in single precision is less than
    ``c * |p| * (|p| + |r|)``. Rows have two more columns: 1 and their length. There are
    more points, at infinite distance, so that their number is a multiple of GROUP.
    """
    squares = np.einsum("ij,ij->i", points, points)
    c = ROUNDING * (points.shape[1] + 8)
    table = np.vstack([-points.T, squares * (0.5 - c), -c * np.sqrt(squares)])
    n_columns = -(-len(points) // nearest.GROUP) * nearest.GROUP
    padded = np.zeros((len(table), n_columns), dtype=np.float32)
    padded[-2] = np.inf
    padded[:, : len(points)] = table
    return padded
