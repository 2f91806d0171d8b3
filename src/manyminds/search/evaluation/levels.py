"""Nested samples of rows, on which pipelines are evaluated before they see all rows."""

from collections.abc import Sequence

import numpy as np

from manyminds.search.evaluation.folds import place_tests

__all__ = ["Levels", "choose_shares"]

FACTOR = 4  # by which the rows grow from level to level
MIN_TWO_LEVELS, MIN_THREE_LEVELS = 6_000, 13_000  # rows
MAX_FIRST = 20_000  # rows of the first level
MIN_CLASS_ROWS = 6  # of each class that are in every sample, if there are so many
MIN_TEST_ROWS = 20  # of each fold that are in every sample, if there are so many

Folds = list[tuple[np.ndarray, np.ndarray]]


def choose_shares(n_rows: int) -> tuple[float, ...]:
    """Return the shares of the rows that the levels take, the last of them 1.

    Parameters
    ----------
    n_rows : int

    Returns
    -------
    shares : tuple of float

    Examples
    --------
    >>> from manyminds.search.evaluation.levels import choose_shares
    >>> choose_shares(1_000), choose_shares(8_000), choose_shares(40_000)
    ((1.0,), (0.25, 1.0), (0.0625, 0.25, 1.0))
    """
    n_levels = 1 + (n_rows >= MIN_TWO_LEVELS) + (n_rows >= MIN_THREE_LEVELS)
    while n_rows / FACTOR ** (n_levels - 1) > MAX_FIRST:
        n_levels += 1
    return tuple(float(FACTOR) ** -place for place in range(n_levels - 1, -1, -1))


class Levels:
    """Restrict folds to nested samples of the rows.

    The rows of a sample are in all larger ones. Classes keep their shares; rare ones,
    and small test folds, keep some rows.

    Parameters
    ----------
    folds : list of (train, test)
        Of all rows.
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
    task : {"classification", "regression", "multilabel"}
    seed : int
    shares : sequence of float, default=(1.0,)
        Share of the rows of each level, rising; the last is 1.

    Attributes
    ----------
    folds : list of list of (train, test)
        For each level.
    n_rows : list of int
        Rows of each level.
    placed : list of list of (train, places)
        For each level; test rows as positions among all of its tested rows.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.evaluation.levels import Levels
    >>> low, high = np.arange(200), np.arange(200, 400)
    >>> folds = [(high, low), (low, high)]
    >>> levels = Levels(folds, np.arange(400.0), "regression", 0, (0.25, 1.0))
    >>> levels.n_rows, [len(test) for _, test in levels.folds[1]]
    ([100, 400], [200, 200])
    """

    def __init__(
        self,
        folds: Folds,
        y: np.ndarray,
        task: str,
        seed: int,
        shares: Sequence[float] = (1.0,),
    ) -> None:
        self.shares = tuple(shares)
        self._first = _draw_entries(y, task, seed)
        for _, test in folds:  # one of few rows would have none left
            earliest = np.argsort(self._first[test], kind="stable")[:MIN_TEST_ROWS]
            self._first[test[earliest]] = 0.0
        self.folds = [[self._restrict(one, share) for one in folds] for share in shares]
        self.placed = [place_tests(one) for one in self.folds]
        self.n_rows = [int(self._is_drawn(share).sum()) for share in shares]

    def __len__(self) -> int:
        return len(self.shares)

    @property
    def top(self) -> int:
        """Number of the level of all rows."""
        return len(self.shares) - 1

    def sample(self, rows: np.ndarray, share: float) -> np.ndarray:
        """Return those of some rows that a sample of a share of all rows draws."""
        return rows if share >= 1.0 else rows[self._is_drawn(share)[rows]]

    def _restrict(
        self, fold: tuple[np.ndarray, np.ndarray], share: float
    ) -> tuple[np.ndarray, np.ndarray]:
        return self.sample(fold[0], share), self.sample(fold[1], share)

    def _is_drawn(self, share: float) -> np.ndarray:
        return np.asarray(self._first < share)


def _draw_entries(y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Draw the share of rows from which on each row is in the sample.

    Within each class they are evenly spread over 0 to 1, in random order; the first
    rows of a class are in every sample.
    """
    order = np.random.default_rng([seed, len(y)]).permutation(len(y))  # not as folds
    classes = y if task == "classification" else np.zeros(len(y), dtype=np.int64)
    order = order[np.argsort(classes[order], kind="stable")]
    counts = np.bincount(classes)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    place = np.arange(len(y)) - starts
    entry = np.empty(len(y))
    entry[order] = np.where(
        place < MIN_CLASS_ROWS, 0.0, place / np.repeat(counts, counts)
    )
    return entry
