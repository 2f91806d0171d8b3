"""The information gain of an irrelevant feature: bounds, midpoint and exact mean."""

from functools import lru_cache

import numpy as np

from manyminds.kernels.node_gains import find_shares_below, list_cut_gains
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite

_MAX_EXACT = 48  # labels: above, between two sizes of nodes one may interpolate
_MAX_COUNTED = 2048  # labels: above, extrapolate
_STEP = 1.3  # from one size to the next, and from one number of positives to the next
_FEWEST_BARS = 64  # the more labels, the smoother the probabilities
_MAX_BITS = 30.0  # n times a gain that is hardly ever random

GAIN_OF_ROWS = """\
Parameters
----------
n_samples : array-like
    Number of rows of a node.

Returns
-------
gain : ndarray
    In bits.
"""


@fill_docstring(references=cite(f"{ROGERS_2007}, equation 7.13"))
def lower_gain(n_samples):
    r"""Return what the best cut of an irrelevant feature gains with one minority row.

    The mean over the places that the row can have, for even n, is
    :math:`1/n - (1 - 1/n) \log_2 (1 - 1/n)`; the thesis uses it for odd n, too, and as
    a lower bound for all classes [1]_.

    Parameters
    ----------
    n_samples : array-like
        Number of rows of a node, two or more.

    Returns
    -------
    gain : ndarray
        In bits.

    {references}

    Examples
    --------
    >>> from manyminds.trees.nodes.expected_gain import lower_gain
    >>> lower_gain([10, 20]).round(4)
    array([0.2368, 0.1203])
    """
    rest = 1.0 - 1.0 / np.asarray(n_samples, dtype=np.float64)
    return 1.0 - rest - rest * np.log2(rest)


@fill_docstring(
    gain_of_rows=GAIN_OF_ROWS, references=cite(f"{ROGERS_2007}, equation 7.14")
)
def upper_gain(n_samples):
    r"""Return the thesis's fit of the gain with as many rows of either class.

    It is :math:`(n / 2)^{-0.82}` [1]_, and not the bound that it is called: the exact
    mean is up to 2.5 % higher for n from 8 to 22, and 35 % lower for n = 2000.

    {gain_of_rows}

    {references}
    """
    return (np.asarray(n_samples, dtype=np.float64) / 2.0) ** -0.82


@fill_docstring(gain_of_rows=GAIN_OF_ROWS)
def midpoint_gain(n_samples):
    """Return the middle between `lower_gain` and `upper_gain`, as the thesis has it.

    It is 12 % below the exact mean of balanced nodes with 20 to 100 rows, right at
    1000 rows, and above it beyond.

    {gain_of_rows}

    Examples
    --------
    >>> from manyminds.trees.nodes.expected_gain import midpoint_gain
    >>> midpoint_gain([10, 100]).round(4)
    array([0.252 , 0.0324])
    """
    return (lower_gain(n_samples) + upper_gain(n_samples)) / 2.0


def exact_gain(n_samples, n_positive):
    """Return the mean gain of the best cut of an irrelevant feature without ties.

    All arrangements of the labels are equally likely. They are not listed but counted:
    the probability that no cut gains more than some number of bits is that of a path
    through a grid that never leaves a strip, and the mean is the area above these
    probabilities.

    Parameters
    ----------
    n_samples : array-like of int
        Number of rows of nodes.
    n_positive : array-like of int
        Number of rows of one class; all others are of the other one.

    Returns
    -------
    gain : ndarray
        In bits. Up to 48 rows exact but for rounding; above, interpolated between
        sizes that differ by 30 %, to 0.3 %; above 2048 rows extrapolated.

    Examples
    --------
    >>> from manyminds.trees.nodes.expected_gain import exact_gain
    >>> exact_gain([10, 10, 20], [5, 1, 10]).round(4)
    array([0.271 , 0.2368, 0.1524])
    """
    n, p = np.broadcast_arrays(
        np.asarray(n_samples, dtype=np.int64), np.asarray(n_positive, dtype=np.int64)
    )
    p = np.minimum(p, n - p)
    pairs, where = np.unique(
        np.stack([n.ravel(), p.ravel()]), axis=1, return_inverse=True
    )
    gains = np.zeros(pairs.shape[1])
    is_small = pairs[0] <= _MAX_EXACT
    for k in np.flatnonzero(is_small & (pairs[1] > 0)):
        gains[k] = _count_mean(int(pairs[0, k]), int(pairs[1, k]))
    is_large = ~is_small & (pairs[1] > 0)
    if is_large.any():
        gains[is_large] = _interpolate(pairs[0, is_large], pairs[1, is_large])
    return gains[where.reshape(n.shape)]


@lru_cache(maxsize=8192)
def _count_mean(n, p):
    """Return the mean largest gain of a cut through n labels with p positives."""
    if n <= _MAX_EXACT:
        gains = np.empty((p + 1) * (n - p + 1))
        list_cut_gains(n, p, gains)
        bars = np.unique(gains.round(12)) + 1e-11
        shares = np.empty(len(bars))
        find_shares_below(n, p, bars, shares)
        return float(np.sum((1.0 - shares[:-1]) * np.diff(bars)))
    bars = np.linspace(0.0, _MAX_BITS / n, max(_FEWEST_BARS, 20_000 // n))
    shares = np.empty(len(bars))
    find_shares_below(n, p, bars, shares)
    return float(np.trapezoid(1.0 - shares, bars))


def _interpolate(n, p):
    """Interpolate n times the mean gain, which changes slowly, between sizes.

    It grows with the logarithm of the logarithm of n: more cuts, more chances.
    """
    sizes = _list_sizes(int(n.max()))
    scale = np.log(np.log(sizes))
    place = np.searchsorted(sizes, n, side="right") - 1
    place = np.clip(place, 0, len(sizes) - 2)
    below, above = np.empty(len(n)), np.empty(len(n))
    for k in np.unique(place):
        some = place == k
        below[some] = _interpolate_positives(int(sizes[k]), p[some], n[some])
        above[some] = _interpolate_positives(int(sizes[k + 1]), p[some], n[some])
    share = (np.log(np.log(n)) - scale[place]) / (scale[place + 1] - scale[place])
    return (below + share * (above - below)) / n


def _list_sizes(most):
    """List the sizes for which the mean is counted, up to the first above ``most``."""
    sizes = [_MAX_EXACT]
    while sizes[-1] <= most and sizes[-1] < _MAX_COUNTED:
        sizes.append(min(int(sizes[-1] * _STEP), _MAX_COUNTED))
    return np.array(sizes)


def _interpolate_positives(size, p, n):
    """Return ``size`` times the mean gain of nodes with as many positives.

    The logarithm of the number of positives is stretched so that balanced nodes stay
    balanced.
    """
    log_p, values = _count_means(size)
    stretch = np.log(size / 2.0) / np.log(n / 2.0)
    return np.interp(np.log(p) * stretch, log_p, values)


@lru_cache(maxsize=64)
def _count_means(size):
    """Return log p and ``size`` times the mean gain, for some p from 1 to half."""
    half = size // 2
    chosen = [1]
    while chosen[-1] < half:
        chosen.append(min(max(chosen[-1] + 1, int(chosen[-1] * _STEP)), half))
    values = [size * _count_mean(size, p) for p in chosen]
    return np.log(np.array(chosen, dtype=np.float64)), np.array(values)
