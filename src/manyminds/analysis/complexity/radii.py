"""Radii of neighborhoods: how far one must go to meet so many other rows."""

from numbers import Integral

import numpy as np

STATISTICS = {"max": np.max, "mean": np.mean, "median": np.median}


def count_neighbors(name, size, n_samples):
    """Turn a number or a share of the other rows into a number, at least one.

    Examples
    --------
    >>> from manyminds.analysis.complexity.radii import count_neighbors
    >>> count_neighbors("smallest", 0.05, 150), count_neighbors("smallest", 3, 150)
    (7, 3)
    """
    if not isinstance(size, Integral):
        return max(1, int(size * (n_samples - 1)))
    if size > n_samples - 1:
        raise ValueError(
            f"{name}={size} neighbors are more than the {n_samples - 1} other rows; "
            "it takes a smaller number, or a share between 0 and 1."
        )
    return int(size)


def list_counts(smallest, largest, n_radii, spacing):
    """List the numbers of neighbors whose distances the radii are made of.

    Parameters
    ----------
    smallest, largest : int
        Neighbors within the first and the last radius.
    n_radii : int
        How many radii.
    spacing : {"linear_radius", "linear_count", "multiples"}
        See `space_radii`.

    Returns
    -------
    counts : ndarray of int64
        Rising.

    Examples
    --------
    >>> from manyminds.analysis.complexity.radii import list_counts
    >>> list_counts(2, 9, 4, "linear_count")
    array([2, 4, 6, 9])
    >>> list_counts(2, 9, 4, "linear_radius")
    array([2, 9])
    """
    if spacing == "multiples":
        return np.array([smallest])
    if spacing == "linear_radius":
        return np.array([smallest, largest])
    steps = np.arange(n_radii) * (largest - smallest) // (n_radii - 1)
    return smallest + steps


def space_radii(distances, n_radii, statistic, spacing):
    """Make radii of the distances at which rows have so many neighbors.

    Parameters
    ----------
    distances : ndarray of shape (n_samples, n_counts)
        How far each row is from its nearest neighbors of given ranks, those of
        `list_counts`.
    n_radii : int
        How many radii.
    statistic : {"max", "mean", "median"}
        What is taken over the rows.
    spacing : {"linear_radius", "linear_count", "multiples"}
        Whether radii go up in equal steps from the first to the last, meet numbers of
        neighbors that go up in equal steps, or are multiples of the first.

    Returns
    -------
    radii : ndarray of shape (n_radii,)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.complexity.radii import space_radii
    >>> space_radii(np.array([[1.0, 5.0], [3.0, 7.0]]), 3, "mean", "linear_radius")
    array([2., 4., 6.])
    """
    found = STATISTICS[statistic](distances, axis=0)
    if spacing == "multiples":
        return found[0] * np.arange(1.0, n_radii + 1.0)
    if spacing == "linear_radius":
        return np.linspace(found[0], found[1], n_radii)
    return found
