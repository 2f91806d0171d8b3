"""Orders of members whose mean predicts, from the products of their errors.

``products`` of shape (n_members, n_members) has the mean over rows of the product of
two members' errors: all mean squared errors of weighted means follow from it.
"""

import numpy as np


def multiply_errors(values, y, weight=None):
    """Return the mean products of the members' errors.

    Parameters
    ----------
    values : ndarray of shape (n_members, n_samples) or (n_members, n_samples, n_values)
        What the members predict.
    y : ndarray of the same shape without members
        What is true.
    weight : ndarray of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    products : ndarray of shape (n_members, n_members)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.error_orderings import multiply_errors
    >>> multiply_errors(np.array([[1.0, 3.0], [2.0, 2.0]]), np.array([1.0, 2.0]))
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    error = values - y
    if weight is None:
        error = error.reshape(len(values), -1)
        return error @ error.T / len(y)
    scaled = error * weight.reshape(-1, *[1] * (error.ndim - 2))
    error, scaled = (some.reshape(len(values), -1) for some in (error, scaled))
    return error @ scaled.T / weight.sum()


def order_by_own_error(products):
    """Order members by their own mean squared error."""
    return np.argsort(products.diagonal(), kind="stable")


def order_by_mean_error(products):
    """Add the member with which the mean has the least error, one after the other."""
    counts = np.zeros(len(products), dtype=np.int64)
    return add_by_mean_error(products, counts, len(products), replace=False)[0]


def add_by_mean_error(products, counts, n_steps, replace):
    """Add members greedily to a mean.

    Parameters
    ----------
    products : ndarray of shape (n_members, n_members)
    counts : ndarray of int of shape (n_members,)
        How often each member is in the mean at the start.
    n_steps : int
        Number of members to add.
    replace : bool
        Whether a member may be added that is in already.

    Returns
    -------
    order : ndarray of int of shape (n_steps,)
        The added members; the first of equals.
    errors : ndarray of shape (n_steps,)
        Mean squared error after each step.
    """
    is_usable = np.ones(len(products), dtype=bool) if replace else counts == 0
    sums, n_in = products @ counts, counts.sum()
    total = float(counts @ sums)
    own = products.diagonal()
    order, errors = np.empty(n_steps, dtype=np.int64), np.empty(n_steps)
    for k in range(n_steps):
        after = (total + 2.0 * sums + own) / (n_in + 1.0) ** 2
        order[k] = best = np.where(is_usable, after, np.inf).argmin()
        errors[k] = after[best]
        total, n_in = total + 2.0 * sums[best] + own[best], n_in + 1
        sums = sums + products[best]
        is_usable[best] = replace
    return order, errors


def order_by_mean_removal(products):
    """Remove the member without which the mean has the least error, one by one."""
    n_members = len(products)
    sums, total = products.sum(axis=1), float(products.sum())
    own, is_in = products.diagonal(), np.ones(n_members, dtype=bool)
    order = np.empty(n_members, dtype=np.int64)
    for size in range(n_members, 0, -1):
        after = np.where(is_in, total - 2.0 * sums + own, np.inf)
        # The last of equals goes, so that the first ones stay.
        order[size - 1] = worst = n_members - 1 - after[::-1].argmin()
        total = float(after[worst])
        sums = sums - products[worst]
        is_in[worst] = False
    return order


def rate_mean_prefixes(products, order):
    """Return the mean squared error of the mean of the first 1, 2, 3 ... members."""
    ordered = products[np.ix_(order, order)]
    sums = ordered.cumsum(axis=0).cumsum(axis=1).diagonal()
    return sums / np.arange(1, len(order) + 1) ** 2


def measure_distances(products):
    """Return the root mean squared differences between members' predictions."""
    own = products.diagonal()
    squares = own[:, np.newaxis] + own - 2.0 * products
    return np.sqrt(np.maximum(squares, 0.0))
