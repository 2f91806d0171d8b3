"""Kappa-error pruning: keep the members of pairs on the lower left convex hull."""

import numpy as np

from manyminds.analysis import KappaErrorDisplay
from manyminds.analysis.diversity import kappa
from manyminds.ensemble.pruning.votes import member_accuracy


def find_kappa_hull(labels, y):
    """Return the members of the pairs that are both diverse and accurate.

    Each pair is a point: its kappa and its mean error. The lower left part of the
    convex hull of all points has the pairs than which none is better in both.

    Parameters
    ----------
    labels : ndarray of shape (n_members, n_samples)
        Class numbers.
    y : ndarray of shape (n_samples,)
        True ones.

    Returns
    -------
    members : ndarray of int
        In ascending order.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.kappa_hull import find_kappa_hull
    >>> labels = np.array([[0, 0, 1, 0], [0, 1, 1, 1], [1, 0, 1, 1]])
    >>> find_kappa_hull(labels, np.array([0, 0, 1, 1])).tolist()
    [1, 2]
    """
    if len(labels) < 2:
        return np.arange(len(labels))
    first, second = np.triu_indices(len(labels), k=1)
    error = 1.0 - member_accuracy(labels, y)
    display = KappaErrorDisplay(
        kappa=kappa(None, labels, average=None)[first, second],
        error=(error[first] + error[second]) / 2.0,
        n_members=len(labels),
    )
    return display.find_hull()
