"""Node complexity: how many bits the labels of a node hold along a feature."""

import numpy as np
from scipy.special import gammaln

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite

_WHOLE = 1e-6  # a count this near to a whole number has lost the rest by rounding


@fill_docstring(references=cite(f"{ROGERS_2007}, section 7.2"))
def node_complexity(counts):
    r"""Measure the information of a split of a node, from its class counts.

    Lay the labels of the node's rows along a feature without ties. All :math:`C`
    arrangements of the labels are equally likely if the feature is irrelevant, and an
    arrangement and its mirror image are equally good to split. The entropy of the
    arrangement, mirror images taken together, is [1]_

    .. math:: \varphi = \log_2 C - (1 - A / C)

    where :math:`A` is the number of arrangements that are their own mirror image. A
    pure node, and one with a row of either class, has 0: any feature splits it as well
    as any other.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        How many rows of each class a node has.

    Returns
    -------
    complexity : ndarray of shape (...)
        Bits; never negative.

    Notes
    -----
    The thesis has two classes. With more, :math:`C` is the multinomial coefficient, and
    mirror images of themselves need at most one class with an odd count.

    Sums of weights that are not whole numbers take the gamma function's way between
    factorials in :math:`C` and are rounded in :math:`A`.

    {references}

    Examples
    --------
    >>> from manyminds.feature_selection import node_complexity
    >>> node_complexity([[1, 1], [1, 2], [2, 2], [0, 9]]).round(3)
    array([0.   , 0.918, 1.918, 0.   ])
    """
    counts = np.asarray(counts, dtype=np.float64)
    whole = np.rint(counts)
    counts = np.where(np.abs(counts - whole) < _WHOLE, whole, counts)
    log_all = _log_arrangements(counts)
    may_mirror = np.sum(whole % 2.0, axis=-1) <= 1.0
    log_mirrored = _log_arrangements(whole // 2.0)
    mirrored = np.where(may_mirror, np.exp2(np.minimum(log_mirrored - log_all, 0)), 0.0)
    return np.maximum(log_all - (1.0 - mirrored), 0.0)


def number_complexity(n_samples):
    r"""Measure the complexity of nodes whose targets are numbers, all different.

    Every row is then a class of its own: of :math:`n!` orders none is its own mirror
    image, and :math:`\varphi = \log_2 n! - 1`.

    Parameters
    ----------
    n_samples : array-like of shape (...)
        How many rows a node has.

    Returns
    -------
    complexity : ndarray of shape (...)
        Bits; 0 for one row or two.
    """
    n_samples = np.asarray(n_samples, dtype=np.float64)
    return np.maximum(gammaln(n_samples + 1.0) / np.log(2.0) - 1.0, 0.0)


def _log_arrangements(counts):
    """Return log2 of the number of different orders of the labels."""
    log = gammaln(counts.sum(axis=-1) + 1.0) - gammaln(counts + 1.0).sum(axis=-1)
    return log / np.log(2.0)
