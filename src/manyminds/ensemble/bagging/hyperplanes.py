"""Random oracles: hyperplanes halfway between two random rows of a table."""

from dataclasses import dataclass

import numpy as np

_MAX_DRAWS = 50  # of two rows, before giving up
_TIE = 1e-9  # of the anchors' squared distance: nearer than that to the plane is on it


@dataclass(frozen=True, eq=False)
class Hyperplanes:
    r"""Planes of the points at equal distance from two anchors :math:`a` and :math:`b`.

    Numbers are scaled to [0, 1] over the rows that a plane was drawn from, and a
    category contributes 0 if it is equal, 1 if it differs. The difference of the
    squared distances is linear: with :math:`d = b - a` in scaled numbers, a row
    :math:`z` is nearer to :math:`b` where

    .. math:: (z - \tfrac{a + b}{2}) \cdot d
              + \tfrac12 \sum_j ([z_j = b_j] - [z_j = a_j]) > 0,

    the sum being over the categories in which the anchors differ: the same as columns
    of 0 and 1 scaled by :math:`1 / \sqrt 2`. A value that is missing, in a row or in an
    anchor, counts for neither.

    Parameters
    ----------
    anchors : ndarray of shape (n_planes, 2, n_features)
        The two rows of each plane, as they were in the table; NaN if there is no plane.
    slopes : ndarray of shape (n_planes, n_features)
        Coefficient of each number; 0 for categories and unused columns.
    differs : ndarray of bool of shape (n_planes, n_features)
        Categories in which the anchors differ, among the columns that are used.
    distances : ndarray of shape (n_planes,)
        Squared distance of the anchors; 0 if there is no plane.
    """

    anchors: np.ndarray
    slopes: np.ndarray
    differs: np.ndarray
    distances: np.ndarray

    def __len__(self):
        return len(self.distances)

    @property
    def limits(self):
        """Greatest value of ``project`` that still belongs to the first anchor."""
        return np.where(self.distances > 0.0, _TIE * self.distances, np.inf)

    def project(self, X):
        """Return how much nearer rows are to the second anchor than to the first.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Numbers, category codes, NaN.

        Returns
        -------
        nearer : ndarray of shape (n_rows, n_planes)
            Half the difference of the squared distances.
        """
        middles = np.where(self.slopes != 0.0, self.anchors.mean(axis=1), 0.0)
        # Near zero, sums lose no digits: columns may have large means.
        center = middles.mean(axis=0) if len(self) else 0.0
        missing = np.isnan(X)
        nearer = np.where(missing, 0.0, X - center) @ self.slopes.T
        shift = self.slopes * (middles - center)
        if missing.any():
            nearer -= ~missing @ shift.T
        else:
            nearer -= shift.sum(axis=1)
        for j in np.flatnonzero(self.differs.any(axis=0)):
            nearer += self._worth_of_categories(X[:, j], j)
        return nearer

    def _worth_of_categories(self, column, j):
        """Look up half a point for the second anchor's category, less for the first."""
        n_codes = int(np.nanmax(self.anchors[:, :, j])) + 1
        worth = np.zeros((n_codes + 1, len(self)))  # the last: any other, or missing
        planes = np.flatnonzero(self.differs[:, j])
        first, second = self.anchors[planes, :, j].astype(np.intp).T
        worth[first, planes], worth[second, planes] = -0.5, 0.5
        known = (column >= 0) & (column < n_codes)
        return worth[np.where(known, column, n_codes).astype(np.intp)]

    @classmethod
    def concatenate(cls, parts):
        """Return the planes of all ``parts``, one after the other."""
        names = ("anchors", "slopes", "differs", "distances")
        return cls(
            *(np.concatenate([getattr(p, name) for p in parts]) for name in names)
        )

    def plane(self, t):
        """Return plane ``t`` alone."""
        some = slice(t, t + 1)
        return Hyperplanes(
            self.anchors[some], self.slopes[some], self.differs[some],
            self.distances[some],
        )  # fmt: skip


def draw_hyperplanes(
    X, is_categorical, weights, n_planes, state, *, columns=None, min_samples_side=1
):
    """Draw a hyperplane from the rows that each member sees.

    Two different rows are drawn, uniformly among those of positive weight. There is no
    plane if all rows are equal, or if no draw leaves ``min_samples_side`` rows on
    either side.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Numbers, category codes, NaN.
    is_categorical : ndarray of bool of shape (n_features,)
    weights : ndarray of shape (n_members or 1, n_samples)
        Rows of positive weight are those that a member sees. A single row is for all.
    n_planes : int
        Number of members.
    state : RandomState
        Random numbers of the members, one after the other.
    columns : ndarray of bool of shape (n_members, n_features), default=None
        Columns that each member sees.
    min_samples_side : int, default=1
        Minimum number of rows on a side.

    Returns
    -------
    planes : Hyperplanes
        One for each member.
    """
    parts, rows = [], None
    for t in range(n_planes):
        if rows is None or len(weights) > 1:
            rows = np.flatnonzero(weights[t if len(weights) > 1 else 0])
            scale = _scale_numbers(X[rows], is_categorical)
        seen = np.ones(X.shape[1], bool) if columns is None else columns[t]
        is_nominal = is_categorical & seen
        parts.append(
            _draw_plane(X, rows, scale * seen, is_nominal, state, min_samples_side)
        )
    return Hyperplanes.concatenate(parts)


def _scale_numbers(X, is_categorical):
    """Return the factor that scales each number to a range of 1; 0 for all others."""
    span = np.fmax.reduce(X, axis=0) - np.fmin.reduce(X, axis=0)
    is_wide = (span > 0.0) & ~is_categorical
    return np.divide(1.0, span, out=np.zeros(len(span)), where=is_wide)


def _draw_plane(X, rows, scale, is_nominal, state, min_samples_side):
    n_rows = len(rows)
    for draw in range(_MAX_DRAWS if n_rows > 1 else 0):
        first = state.randint(n_rows)
        others = np.delete(rows, first) if draw == _MAX_DRAWS - 1 else None
        if others is None:
            second = rows[(first + 1 + state.randint(n_rows - 1)) % n_rows]
        else:  # rows that differ are rare: look for them all
            others = others[_differ(X[rows[first]], X[others], scale, is_nominal)]
            if len(others) == 0:
                break
            second = others[state.randint(len(others))]
        plane = _make_plane(X[rows[first]], X[second], scale, is_nominal)
        if plane.distances[0] > 0.0 and (
            min_samples_side <= 1 or _fewest(plane, X[rows]) >= min_samples_side
        ):
            return plane
    nothing = np.full(X.shape[1], np.nan)
    return _make_plane(nothing, nothing, scale, is_nominal)


def _differ(row, others, scale, is_nominal):
    """Return which rows differ from a row in some column that both know."""
    steps = np.where(is_nominal, others != row, (others - row) * scale)
    return (np.where(np.isnan(others - row), 0.0, steps) != 0.0).any(axis=1)


def _make_plane(a, b, scale, is_nominal):
    step = b - a
    step = np.where(np.isnan(step), 0.0, step)
    differs = is_nominal & (step != 0.0)
    distance = np.sum((step * scale) ** 2) + differs.sum()
    return Hyperplanes(
        np.array([[a, b]]), (step * scale**2)[None], differs[None], np.array([distance])
    )


def _fewest(plane, X):
    """Count the rows on the emptier side."""
    n_second = np.count_nonzero(plane.project(X)[:, 0] > plane.limits[0])
    return min(n_second, len(X) - n_second)
