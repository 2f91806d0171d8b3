"""How far one method's error is below another's, and on how many data sets."""

import numpy as np

from manyminds.analysis.comparison._checks import check_not_negative, read_pair

__all__ = ["relative_advantage", "share_won"]


def relative_advantage(a, b):
    r"""Return how far the errors of a method are below those of another.

    .. math:: S = \frac{b - a}{\max(a, b)}

    is 0 for equal errors, 0.5 if the first error is half the second, and -0.5 if it is
    the other way round: halving and doubling weigh the same [1]_. It is 0 if both
    errors are 0.

    Parameters
    ----------
    a, b : array-like of the same shape
        Errors, 0 or more, of the first and of the second method.

    Returns
    -------
    advantage : ndarray
        Between -1 and 1; positive where the first method is better.

    References
    ----------
    .. [1] Pardo, Rodríguez, Díez-Pastor and García-Osorio, "Random oracles for
       regression ensembles", Ensembles in Machine Learning Applications, Springer,
       2011.

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


def share_won(a, b):
    """Tell on which share of the data sets a method has the smaller error.

    A tie counts half. With one column for each size of an ensemble, this is the curve
    that shows from which size on the one method is to be preferred.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,) or (n_datasets, n_sizes)
        Errors of the first and of the second method.

    Returns
    -------
    share : float or ndarray of shape (n_sizes,)
        Between 0 and 1.

    Examples
    --------
    >>> from manyminds.analysis import share_won
    >>> share_won([[1.0, 1.0], [3.0, 2.0]], [[2.0, 2.0], [2.0, 2.0]])
    array([0.5 , 0.75])
    """
    a, b = read_pair(a, b)
    return ((a < b) + 0.5 * (a == b)).mean(axis=0)
