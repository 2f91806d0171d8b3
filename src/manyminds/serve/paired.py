"""Compare two searches row by row, on the rows that both have predicted out of fold."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from manyminds.serve.measures import Predictions

__all__ = ["Paired", "compare_rows"]


@dataclass(frozen=True)
class Paired:
    """On how many rows each of two models is better.

    Parameters
    ----------
    n_rows : int
        Rows that both have predicted.
    n_first, n_second : int
        Rows on which only the first, or only the second, is right; for numbers, rows
        on which it is nearer to the truth.
    n_both : int or None
        Rows on which both are right; None for numbers.
    p_value : float
        Of the sign test, which for classes is McNemar's exact test: small if the
        difference is hardly random.
    """

    n_rows: int
    n_first: int
    n_second: int
    n_both: int | None
    p_value: float


def compare_rows(first: Predictions, second: Predictions) -> Paired | None:
    """Compare two models on the rows that both have predicted.

    Parameters
    ----------
    first, second : Predictions
        Of the same table.

    Returns
    -------
    paired : Paired or None
        None if they share no rows, or the targets of shared rows differ.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.serve.measures import Predictions
    >>> from manyminds.serve.paired import compare_rows
    >>> rows, empty = np.array([1, 2, 3]), np.empty((3, 0))
    >>> y = np.array([1.0, 2.0, 3.0])
    >>> good = Predictions(rows, y, y, (), empty)
    >>> bad = Predictions(rows, y, y + 1.0, (), empty)
    >>> compare_rows(good, bad)
    Paired(n_rows=3, n_first=3, n_second=0, n_both=None, p_value=0.25)
    """
    _, here, there = np.intersect1d(first.rows, second.rows, return_indices=True)
    target = first.target[here]
    is_class = bool(first.labels)
    same = is_class == bool(second.labels) and len(here) > 0
    if not same or not np.array_equal(target, second.target[there]):
        return None
    made, other = first.prediction[here], second.prediction[there]
    if is_class:
        right, also = made == target, other == target
        n_both: int | None = int((right & also).sum())
        n_first, n_second = int((right & ~also).sum()), int((also & ~right).sum())
    else:
        off, also_off = np.abs(made - target), np.abs(other - target)
        n_both = None
        n_first, n_second = int((off < also_off).sum()), int((also_off < off).sum())
    n_different = n_first + n_second
    p_value = float(binomtest(n_first, n_different).pvalue) if n_different else 1.0
    return Paired(len(here), n_first, n_second, n_both, p_value)
