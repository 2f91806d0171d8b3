"""How far numbers lie beyond the range of training, in units of its tails."""

import numpy as np

__all__ = ["find_quantiles", "fit_ranges", "measure_excess"]

MIN_SCALE = 0.25  # of the range, for columns whose largest values are common


def fit_ranges(numbers, widths=None):
    """Return lowest and highest value, and the scale of both tails, of each column.

    The scale of a tail is the distance from its outermost tenth to its end, so that a
    heavy tail is measured in larger units; at least a quarter of the range.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples, n_columns)
        NaN where missing.
    widths : ndarray of shape (n_columns,) or None, default=None
        Ranges to use for the least scale; None uses those of the numbers.

    Returns
    -------
    ranges : ndarray of shape (4, n_columns)
        Low, high, scale of the lower tail, scale of the upper tail; NaN for a column
        without numbers, scales of 0 for a constant one.
    """
    ranges = np.full((4, numbers.shape[1]), np.nan)
    some = np.isfinite(numbers).any(axis=0)
    if not some.any():
        return ranges
    low, inner_low, inner_high, high = find_quantiles(
        numbers[:, some], [0.0, 0.1, 0.9, 1.0]
    )
    least = MIN_SCALE * ((high - low) if widths is None else widths[some])
    ranges[:, some] = [
        low,
        high,
        np.maximum(inner_low - low, least),
        np.maximum(high - inner_high, least),
    ]
    return ranges


def find_quantiles(numbers, levels):
    """Return quantiles of each column, without missing values.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples, n_columns)
    levels : sequence of float

    Returns
    -------
    quantiles : ndarray of shape (n_levels, n_columns)
    """
    missing = np.isnan(numbers).any(axis=0)
    found = np.empty((len(levels), numbers.shape[1]))
    found[:, ~missing] = np.quantile(numbers[:, ~missing], levels, axis=0)
    for column in np.flatnonzero(missing):
        values = numbers[:, column]
        found[:, column] = np.quantile(values[~np.isnan(values)], levels)
    return found


def measure_excess(numbers, ranges):
    """Return how far each number is beyond the range, in scales of that tail.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples, n_columns)
    ranges : ndarray of shape (4, n_columns)
        See `fit_ranges`.

    Returns
    -------
    excess : ndarray of shape (n_samples, n_columns)
        0 within the range and where a number is missing; infinite for another value of
        a constant column.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.novelty.ranges import measure_excess
    >>> measure_excess(
    ...     np.array([[5.0], [14.0], [-1.0]]), np.array([[0], [10], [1], [2]])
    ... )
    array([[0.],
           [2.],
           [1.]])
    """
    low, high, lower, upper = ranges
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.fmax((low - numbers) / lower, (numbers - high) / upper)
    return np.fmax(excess, 0.0)  # NaN, also of 0 / 0, becomes 0
