"""Coverage of conformal predictions: calibrate on one half, count on the other."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import check_random_state

from manyminds.analysis.conformal.intervals import ConformalIntervals
from manyminds.analysis.conformal.sets import ConformalSets

__all__ = ["CoverageEstimate", "measure_coverage"]

LEVELS = (0.8, 0.9, 0.95)
N_GROUPS = 5  # of predicted numbers
MIN_GROUP = 20  # rows, below which a class is not judged alone
MAX_ROWS = 20_000


@dataclass(frozen=True)
class CoverageEstimate:
    """Measured coverage at one level.

    Parameters
    ----------
    level : float
        Nominal coverage.
    coverage : float
        Share of rows that were covered, when calibrated on other rows.
    standard_error : float
        Of the share, binomial.
    size : float
        Mean width of the intervals, or mean number of classes in a set.
    lowest : float
        Coverage of the fifth of the predictions, or of the class, that is covered
        least; NaN if no class has 20 rows.
    n_rows : int
        Number of rows counted.
    """

    level: float
    coverage: float
    standard_error: float
    size: float
    lowest: float
    n_rows: int


def measure_coverage(
    predictions, y, *, levels=LEVELS, n_repeats=5, by_class=False, random_state=0
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

    Returns
    -------
    estimates : tuple of CoverageEstimate
        One for each level; none with fewer than four rows.

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
    wide = predictions.reshape(len(predictions), -1)
    rows = rng.permutation(np.flatnonzero(np.isfinite(wide).all(axis=1)))[:MAX_ROWS]
    if len(rows) < 4:
        return ()
    predictions, y = predictions[rows], np.asarray(y)[rows]
    cover = _cover_with_sets if predictions.ndim == 2 else _cover_with_intervals
    covered = np.zeros((len(levels), len(rows)))
    sizes = np.zeros((len(levels), len(rows)))
    for _ in range(n_repeats):
        halves = np.array_split(rng.permutation(len(rows)), 2)
        for tested, used in (halves, halves[::-1]):
            found = cover(predictions, y, used, tested, levels, by_class)
            for place, (inside, size) in enumerate(found):
                covered[place, tested] += inside / n_repeats
                sizes[place, tested] += size / n_repeats
    groups = _group(predictions, y)
    return tuple(
        _estimate(level, covered[place], sizes[place], groups)
        for place, level in enumerate(levels)
    )


def _cover_with_intervals(predictions, y, used, tested, levels, by_class):
    """Yield, for each level, which rows are covered, and the widths."""
    fitted = ConformalIntervals.calibrate(predictions[used], y[used])
    for level in levels:
        low, high = fitted.predict(predictions[tested], level)
        yield (y[tested] >= low) & (y[tested] <= high), high - low


def _cover_with_sets(predictions, y, used, tested, levels, by_class):
    """Yield, for each level, which rows are covered, and the sizes of the sets."""
    fitted = ConformalSets.calibrate(predictions[used], y[used])
    for level in levels:
        sets = fitted.predict(predictions[tested], level, by_class=by_class)
        yield sets[np.arange(len(tested)), y[tested]], sets.sum(axis=1)


def _group(predictions, y):
    """Return the rows of each class, or of each fifth of the predictions."""
    if predictions.ndim == 2:
        groups = [np.flatnonzero(y == c) for c in range(predictions.shape[1])]
    else:
        groups = np.array_split(np.argsort(predictions, kind="stable"), N_GROUPS)
    return [rows for rows in groups if len(rows) >= MIN_GROUP]


def _estimate(level, covered, sizes, groups):
    share, n_rows = float(covered.mean()), len(covered)
    error = np.sqrt(share * (1.0 - share) / n_rows)
    lowest = min((float(covered[rows].mean()) for rows in groups), default=np.nan)
    size = float(sizes.mean())
    return CoverageEstimate(float(level), share, float(error), size, lowest, n_rows)
