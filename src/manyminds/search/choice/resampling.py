"""Bootstrap samples of rows: single rows, whole groups, or blocks of time."""

from typing import Any

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

__all__ = ["MAX_ROWS", "Resampler", "draw_counts"]

MAX_ROWS = 8_000  # from which the bootstrap draws
BLOCK_FACTOR = 2.0  # times the root of the number of times, in a block
MIN_GROUPS = 50  # of more rows, groups are sampled if so many remain


class Resampler:
    """Draw bootstrap samples of rows, as counts of how often each row is drawn.

    Independent rows are drawn one by one. Of rows in groups, whole groups are drawn:
    the rows of one group vary together, and a sample that has a part of a group would
    judge the choice on rows much like those that made it. For the same reasons, of rows
    in the order of time, blocks of successive times are drawn [1]_, with the last time
    followed by the first, so that all are drawn as often.

    Parameters
    ----------
    n_rows : int
    seed : int
    groups : ndarray of shape (n_rows,), default=None
        Group of each row.
    time : ndarray of shape (n_rows,), default=None
        Time of each row; rows of one time are drawn together.
    max_rows : int, default=8000
        Of more rows, a random sample takes their place: of whole groups if 50 or more
        remain, of single rows otherwise.
    weights : ndarray of shape (n_rows,), default=None
        Weights of the rows, by which counts are multiplied.

    Attributes
    ----------
    rows : ndarray of int
        Positions of the rows that are drawn from, sorted.
    weights : ndarray of shape (n_rows,)
        Weights of all rows.
    n_units : float
        Number of rows, groups or blocks that vary on their own, among all rows; fewer
        if weights differ.
    share : float
        Of these units that are drawn from: the variance of a score over samples, times
        this share, is that of all rows.

    References
    ----------
    .. [1] Künsch, "The jackknife and the bootstrap for general stationary
       observations", Annals of Statistics 17, 1989.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.choice.resampling import Resampler
    >>> Resampler(6, 1, groups=np.array([7, 7, 7, 8, 9, 9])).draw(2)
    array([[0., 0., 0., 1., 2., 2.]])
    """

    def __init__(
        self,
        n_rows: int,
        seed: int,
        groups: np.ndarray | None = None,
        time: np.ndarray | None = None,
        max_rows: int = MAX_ROWS,
        weights: np.ndarray | None = None,
    ) -> None:
        self.seed = seed
        self.weights = np.ones(n_rows) if weights is None else weights
        self.rows = np.arange(n_rows)
        if n_rows > max_rows:
            self.rows = _sample_rows(n_rows, seed, groups, max_rows)
        units = groups if time is None else time
        units = np.arange(n_rows) if units is None else units
        self._codes = np.unique(units[self.rows], return_inverse=True)[1].ravel()
        n_drawn, n_all = int(self._codes.max()) + 1, len(np.unique(units))
        self._length = 1 if time is None else _choose_length(n_drawn)
        # Fewer rows of each time do not vary as fewer times would.
        self.share = n_drawn / n_all if time is None else 1.0
        self.is_independent = groups is time is None
        even = self.weights.sum() ** 2 / (n_rows * (self.weights**2).sum())
        self.n_units = float(even * n_all / self._length)

    def draw(self, n: int) -> np.ndarray:
        """Draw samples; those that leave no row out are dropped.

        Parameters
        ----------
        n : int

        Returns
        -------
        counts : ndarray of shape (n_drawn, len(rows))
            How often each row is drawn, times its weight; the same at each call.
        """
        rng = np.random.RandomState(self.seed)
        counts = draw_counts(rng, n, int(self._codes.max()) + 1, self._length)
        return np.asarray(counts[:, self._codes] * self.weights[self.rows])

    def find_quantile(self, level: float) -> float:
        """Return how many standard errors an interval reaches to each side.

        Of groups or blocks, which may be few, the quantile is Student's, for a variance
        that samples of so few units underestimate.

        Parameters
        ----------
        level : float
            Of the interval.

        Returns
        -------
        quantile : float
        """
        upper = 0.5 + level / 2.0
        if self.is_independent:
            return float(norm.ppf(upper))
        n = max(2.0, self.n_units * self.share)
        return float(student.ppf(upper, n - 1) * np.sqrt(n / (n - 1)))


def draw_counts(rng: Any, n: int, n_units: int, length: int = 1) -> np.ndarray:
    """Draw bootstrap samples as counts of units: of rows, or of blocks of them.

    Samples that leave no unit out, on which nothing can be compared, are dropped.

    Parameters
    ----------
    rng : RandomState
    n : int
        Number of samples.
    n_units : int
    length : int, default=1
        Of the blocks of successive units that are drawn together.

    Returns
    -------
    counts : ndarray of shape (n_drawn, n_units)
    """
    shares = np.full(n_units, 1.0 / n_units)
    n_blocks = -(-n_units // length)
    starts = rng.multinomial(n_blocks, shares, size=n).astype(np.float64)
    counts = starts.copy()
    for step in range(1, length):
        counts += np.roll(starts, step, axis=1)
    return np.asarray(counts[(counts == 0).any(axis=1)])


def _choose_length(n_times: int) -> int:
    """Return the length of blocks: long ones for dependence, at least four of them."""
    return max(1, min(round(BLOCK_FACTOR * n_times**0.5), n_times // 4))


def _sample_rows(
    n_rows: int, seed: int, groups: np.ndarray | None, max_rows: int
) -> np.ndarray:
    """Sample rows to draw from: whole groups if they are many, or else single rows."""
    rng = np.random.default_rng(seed)
    if groups is not None:
        codes = np.unique(groups, return_inverse=True)[1].ravel()
        sizes = np.bincount(codes)
        order = rng.permutation(len(sizes))
        kept = order[np.cumsum(sizes[order]) <= max_rows]
        if len(kept) >= MIN_GROUPS:
            return np.flatnonzero(np.isin(codes, kept))
    return np.sort(rng.choice(n_rows, max_rows, replace=False))
