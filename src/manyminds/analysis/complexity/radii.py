"""Radii of neighborhoods, from distances to neighbors of given ranks."""

from numbers import Integral

import numpy as np

STATISTICS = {"max": np.max, "mean": np.mean, "median": np.median}


def count_neighbors(name, size, n_samples):
    """Return a number of neighbors, at least one, from a number or a fraction.

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
            f"{name} must be at most the {n_samples - 1} other rows, or a fraction "
            f"between 0 and 1; got {size}."
        )
    return int(size)


def list_counts(smallest, largest, n_radii, spacing):
    """Return the ranks of the neighbors whose distances determine the radii.

    Parameters
    ----------
    smallest, largest : int
        Number of neighbors within the first and the last radius.
    n_radii : int
        Number of radii.
    spacing : {"linear_radius", "linear_count", "multiples"}
        See `space_radii`.

    Returns
    -------
    counts : ndarray of int64
        In ascending order.

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
    """Compute radii from the distances to neighbors of given ranks.

    Parameters
    ----------
    distances : ndarray of shape (n_samples, n_counts)
        Distances of each sample to its neighbors of the ranks of `list_counts`.
    n_radii : int
        Number of radii.
    statistic : {"max", "mean", "median"}
        Statistic over the samples.
    spacing : {"linear_radius", "linear_count", "multiples"}
        Equally spaced radii from the first to the last, radii of equally spaced numbers
        of neighbors, or multiples of the first.

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
