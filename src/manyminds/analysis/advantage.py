"""Relative advantage and win rate of one method against another."""

import numpy as np

from manyminds.analysis._checks import check_not_negative, read_pair
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import PARDO_2011, cite

__all__ = ["relative_advantage", "win_rate"]


@fill_docstring(references=cite(PARDO_2011))
def relative_advantage(a, b):
    r"""Return the relative difference of the errors of two methods.

    .. math:: S = \frac{b - a}{\max(a, b)}

    is 0 for equal errors, 0.5 if the first error is half the second, and -0.5 if the
    second is half the first: it is antisymmetric [1]_. It is 0 if both errors are 0.

    Parameters
    ----------
    a, b : array-like of the same shape
        Errors, 0 or more, of the first and of the second method.

    Returns
    -------
    advantage : ndarray
        Between -1 and 1; positive where the first method is better.

    {references}

    Examples
    --------
    >>> from manyminds.analysis import relative_advantage
    >>> relative_advantage([1.0, 2.0, 0.0], [2.0, 1.0, 0.0])
    array([ 0.5, -0.5,  0. ])
    """
    a, b = read_pair(a, b)
    check_not_negative("the smallest of a and b", min(a.min(), b.min()))
    larger = np.maximum(a, b)
    return np.divide(b - a, larger, out=np.zeros(a.shape), where=larger > 0.0)


def win_rate(a, b):
    """Return the fraction of data sets on which a method has the smaller error.

    A tie counts half. With one column per ensemble size, the result is a curve that
    shows from which size on the method is better.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,) or (n_datasets, n_sizes)
        Errors of the first and of the second method.

    Returns
    -------
    rate : float or ndarray of shape (n_sizes,)
        Between 0 and 1.

    Examples
    --------
    >>> from manyminds.analysis import win_rate
    >>> win_rate([[1.0, 1.0], [3.0, 2.0]], [[2.0, 2.0], [2.0, 2.0]])
    array([0.5 , 0.75])
    """
    a, b = read_pair(a, b)
    return ((a < b) + 0.5 * (a == b)).mean(axis=0)
