"""Exact nearest neighbors among dense points, block by block."""

import numpy as np
from joblib import effective_n_jobs
from scipy.spatial import cKDTree
from sklearn.utils import gen_batches

from manyminds.kernels import nearest
from manyminds.trees.chunks import divide_rows
from manyminds.utils.threads import limit_blas_threads, run_in_threads

MAX_TREE_FEATURES = 5  # a tree is quicker for so few
BLOCK_ROWS = 128  # rows whose products with some points are held at once
BLOCK_POINTS = 8192
MAX_EXPONENT = 1000  # of a factor of the points
MAX_DISTANCE = 2.0**60  # of rows, in units of the spread of the points
TIED = 1e-12  # of a distance: nearly that of the next point
MORE_TIED = 4  # times as many points are looked at where the last ones are tied
TIED_ROWS = 2**14  # for which that is done at once
ROUNDING = float(np.finfo(np.float32).eps)


class Neighbors:
    """The nearest of some points by Euclidean distance.

    Of points at the same distance the first ones are taken.

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
        return self._search_blocks(self._rough, rows, own, n_near, n_threads)

    def __getstate__(self):
        """Return what is stored: not the tree, which model files cannot hold."""
        return {**self.__dict__, "_tree": None}

    def __setstate__(self, state):
        self.__dict__.update(state)
        if self._rough is None:
            self._tree = cKDTree(self._points)

    def _scale_rows(self, rows):
        """Return rows in the units of the points.

        Where rows are too far away to tell points apart, they are as far as that.
        """
        center = self._center * self._scale
        with np.errstate(over="ignore"):
            rows = rows * self._scale
        return np.clip(rows, center - MAX_DISTANCE, center + MAX_DISTANCE)

    def _search_tree(self, rows, own, n_near, n_threads):
        """Return the nearest points of rows, by the tree.

        It takes any of the points at the same distance: where the next point is one of
        them, more points are measured.
        """
        n_asked = min(n_near + 1 + (own is not None), self.n_points)
        ranks = np.arange(1, n_asked + 1)
        distances, found = self._tree.query(rows, ranks, workers=n_threads)
        if own is not None:
            is_others = _find_others(found, own)
            distances = distances[is_others].reshape(len(rows), n_asked - 1)
            found = found[is_others].reshape(len(rows), n_asked - 1)
        near = found[:, :n_near]
        if found.shape[1] == n_near:
            return near
        last = distances[:, n_near - 1] * (1.0 + TIED)
        tied = np.flatnonzero(distances[:, n_near] <= last)
        if len(tied) > 0:
            own = None if own is None else own[tied]
            near[tied] = self._search_tied(rows[tied], own, n_near, n_threads)
        return near

    def _search_tied(self, rows, own, n_near, n_threads):
        """Return the first of the nearest points of rows, equal rows once."""
        distinct, which = np.unique(rows, axis=0, return_inverse=True)
        n_asked = n_near + (own is not None)
        near = np.empty((len(distinct), n_asked), dtype=np.int64)
        is_open = np.ones(len(distinct), dtype=bool)
        for some in gen_batches(len(distinct), TIED_ROWS):
            is_open[some] = self._search_all_tied(distinct[some], near[some], n_threads)
        if is_open.any():
            rough = _make_bounds(self._points - self._center * self._scale)
            near[is_open] = self._search_blocks(
                rough, distinct[is_open], None, n_asked, n_threads
            )
        near = near[which.ravel()]
        if own is None:
            return near
        return near[_find_others(near, own)].reshape(len(rows), n_near)

    def _search_all_tied(self, rows, near, n_threads):
        """Write the first of the nearest points of rows; mark those with many more."""
        n_found = min(MORE_TIED * near.shape[1], self.n_points)
        ranks = np.arange(1, n_found + 1)
        distances, found = self._tree.query(rows, ranks, workers=n_threads)
        last = distances[:, near.shape[1] - 1] * (1.0 + TIED)
        # Column by column, as blocks measure them: the last digit decides, too.
        squares = np.zeros(found.shape)
        for j in range(rows.shape[1]):
            squares += (rows[:, [j]] - self._points[found, j]) ** 2
        order = np.lexsort((found, squares), axis=1)[:, : near.shape[1]]
        near[:] = np.take_along_axis(found, order, axis=1)
        return (distances[:, -1] <= last) & (n_found < self.n_points)

    def _search_blocks(self, rough, rows, own, n_near, n_threads):
        """Return the nearest points of rows, by bounds of all distances."""
        own = np.full(len(rows), -1) if own is None else np.asarray(own, np.int64)
        near = np.full((len(rows), n_near), self.n_points)
        points, rows = make_writable(self._points, rows)

        def find_block(some):
            self._search(points, rough, rows[some], own[some], near[some])

        with limit_blas_threads():
            blocks = divide_rows(len(rows), BLOCK_ROWS, n_threads)
            run_in_threads(find_block, blocks, n_threads)
        return near

    def _search(self, points, table, rows, own, near):
        """Write the nearest points of some rows, by the table of `_make_bounds`."""
        squares = np.full(near.shape, np.inf)
        # Distances are measured without the center, which is not exact.
        centered = rows - self._center * self._scale
        lengths = np.einsum("ij,ij->i", centered, centered)
        columns = centered, np.ones(len(rows)), np.sqrt(lengths)
        rough = np.column_stack(columns).astype(np.float32)
        for first in range(0, self.n_points, BLOCK_POINTS):
            bounds = rough @ table[:, first : first + BLOCK_POINTS]
            nearest.add_nearest(
                points, rows, lengths, own, bounds, first, squares, near
            )


def _find_others(near, own):
    """Return which points are not a row's own; if it is not there, all but the last."""
    is_other = near != own[:, np.newaxis]
    is_other[is_other.all(axis=1), -1] = False
    return is_other


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
