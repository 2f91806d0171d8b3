"""Coverage of conformal predictions: calibrate on one half, count on the other."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import check_random_state

from manyminds.analysis.conformal.intervals import ConformalIntervals
from manyminds.analysis.conformal.sets import ConformalSets

__all__ = ["CoverageEstimate", "measure_coverage"]

LEVELS = (0.8, 0.9, 0.95)
N_PARTS = 5  # of predicted numbers
MIN_PART = 20  # rows, below which a class is not judged alone
MAX_ROWS = 20_000


@dataclass(frozen=True)
class CoverageEstimate:
    """Measured coverage at one level.

    Parameters
    ----------
    level : float
        Nominal coverage.
    coverage : float
        Share of rows that were covered, when calibrated on other rows, or other groups.
        With weights, it and all that follows but ``n_rows`` are weighted.
    standard_error : float
        Of the share: binomial, or from the differences between groups.
    size : float
        Mean width of the intervals, or mean number of classes in a set.
    lowest : float
        Coverage of the fifth of the predictions, or of the class with 20 rows or more,
        that is covered least; NaN if there are fewer than two of them.
    n_rows : int
        Number of rows counted.
    n_parts : int, default=0
        Number of fifths or classes that ``lowest`` is chosen from.
    """

    level: float
    coverage: float
    standard_error: float
    size: float
    lowest: float
    n_rows: int
    n_parts: int = 0


def measure_coverage(
    predictions,
    y,
    *,
    levels=LEVELS,
    n_repeats=5,
    by_class=False,
    random_state=0,
    sample_weight=None,
    groups=None,
):
    """Measure the coverage of conformal intervals or sets by cross-fitting.

    The rows are split in halves: each half is covered by a calibration on the other,
    several times. All rows were predicted out of fold, so that the halves differ in
    their calibration only: the measure shows whether intervals and sets reach their
    level, overall and where they do so least, not whether the model refitted to all
    rows is like those of the folds.

    Parameters
    ----------
    predictions : array-like of shape (n_samples,) or (n_samples, n_classes)
        Out of fold: numbers, or the probability of each class. Rows with NaN are
        ignored; of more than 20,000, a random sample is used.
    y : array-like of shape (n_samples,)
        Numbers, or the number of the class of each row.
    levels : sequence of float, default=(0.8, 0.9, 0.95)
    n_repeats : int, default=5
        Number of times that the rows are split.
    by_class : bool, default=False
        Whether sets have a threshold for each class.
    random_state : int, RandomState instance or None, default=0
    sample_weight : array-like of shape (n_samples,), default=None
        Weights by which intervals or sets are calibrated, and rows counted.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same value are in one half, so that the coverage is that of new
        groups.

    Returns
    -------
    estimates : tuple of CoverageEstimate
        One for each level; none with fewer than four rows, or with a single group.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import measure_coverage
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=1000)
    >>> [found] = measure_coverage(np.zeros(1000), y, levels=[0.9])
    >>> round(found.coverage, 2), round(found.size, 1)
    (0.9, 3.1)
    """
    predictions = np.asarray(predictions, dtype=np.float64)
    rng = check_random_state(random_state)
    known = np.isfinite(predictions.reshape(len(predictions), -1)).all(axis=1)
    if sample_weight is not None:
        known &= np.asarray(sample_weight) > 0.0
    rows = rng.permutation(np.flatnonzero(known))[:MAX_ROWS]
    blocks = None if groups is None else _encode(np.asarray(groups)[rows])
    if len(rows) < 4 or (blocks is not None and not blocks.any()):
        return ()
    predictions, y = predictions[rows], np.asarray(y)[rows]
    weight = None if sample_weight is None else np.asarray(sample_weight, float)[rows]
    covered, sizes = np.zeros((2, len(levels), len(rows)))
    for _ in range(n_repeats):
        halves = _halve(len(rows), blocks, rng)
        for tested, used in (halves, halves[::-1]):
            found = _cover(predictions, y, weight, used, tested, levels, by_class)
            for place, (inside, size) in enumerate(found):
                covered[place, tested] += inside / n_repeats
                sizes[place, tested] += size / n_repeats
    parts = _list_parts(predictions, y)
    return tuple(
        _estimate(level, covered[place], sizes[place], parts, weight, blocks)
        for place, level in enumerate(levels)
    )


def _encode(groups):
    """Return the number of the group of each row."""
    return np.unique(groups, return_inverse=True)[1].ravel()


def _halve(n_rows, blocks, rng):
    """Draw two halves of the rows, or of whole groups with about half of the rows."""
    if blocks is None:
        return np.array_split(rng.permutation(n_rows), 2)
    order = rng.permutation(blocks.max() + 1)
    ends = np.cumsum(np.bincount(blocks)[order])
    n_first = np.argmin(np.abs(ends[:-1] - n_rows / 2)) + 1
    is_first = np.isin(blocks, order[:n_first])
    return np.flatnonzero(is_first), np.flatnonzero(~is_first)


def _cover(predictions, y, weight, used, tested, levels, by_class):
    """Yield, for each level, which rows are covered, and the sizes."""
    known = None if weight is None else weight[used]
    if predictions.ndim == 2:
        fitted = ConformalSets.calibrate(predictions[used], y[used], known)
        return _cover_with_sets(fitted, predictions, y, tested, levels, by_class)
    fitted = ConformalIntervals.calibrate(predictions[used], y[used], known)
    return _cover_with_intervals(fitted, predictions, y, tested, levels)


def _cover_with_intervals(fitted, predictions, y, tested, levels):
    """Yield, for each level, which rows are covered, and the widths."""
    for level in levels:
        low, high = fitted.predict(predictions[tested], level)
        yield (y[tested] >= low) & (y[tested] <= high), high - low


def _cover_with_sets(fitted, predictions, y, tested, levels, by_class):
    """Yield, for each level, which rows are covered, and the sizes of the sets."""
    for level in levels:
        sets = fitted.predict(predictions[tested], level, by_class=by_class)
        yield sets[np.arange(len(tested)), y[tested]], sets.sum(axis=1)


def _list_parts(predictions, y):
    """Return the rows of each class, or of each fifth of the predictions."""
    if predictions.ndim == 2:
        parts = [np.flatnonzero(y == c) for c in range(predictions.shape[1])]
    else:
        parts = np.array_split(np.argsort(predictions, kind="stable"), N_PARTS)
    large = [rows for rows in parts if len(rows) >= MIN_PART]
    return large if len(large) > 1 else []  # of one, there is no lowest


def _estimate(level, covered, sizes, parts, weight, blocks):
    weight = np.ones(len(covered)) if weight is None else weight
    share = float(np.average(covered, weights=weight))
    lowest = min(
        (float(np.average(covered[rows], weights=weight[rows])) for rows in parts),
        default=np.nan,
    )
    error = _find_error(covered, share, weight, blocks)
    size = float(np.average(sizes, weights=weight))
    counts = len(covered), len(parts)
    return CoverageEstimate(float(level), share, error, size, lowest, *counts)


def _find_error(covered, share, weight, blocks):
    """Return the standard error of a share: of rows, or of groups, drawn at random."""
    if blocks is None:
        n_rows = weight.sum() ** 2 / (weight**2).sum()  # of the same weight
        return float(np.sqrt(share * (1.0 - share) / n_rows))
    sums = np.bincount(blocks, weight * (covered - share))
    n_groups = len(sums)
    scale = np.sqrt(n_groups / (n_groups - 1)) / weight.sum()
    return float(scale * np.sqrt((sums**2).sum()))
