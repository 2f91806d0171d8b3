"""DECOC: a binary tree of classes whose splits have much information, as a code."""

from numbers import Integral

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state, check_X_y

BLOCK_ROWS = 512  # rows whose distances to all others are held at once
TIED = 1e-12  # of all potentials, of which gains are sums: their rounding errors


def discriminant_tree_code(X, y, *, max_samples=2000, random_state=None):
    r"""Return the ternary code of a binary tree of classes, with :math:`N - 1` columns.

    Each inner node of the tree splits its classes into two groups, and is a column: 1
    for one group, -1 for the other, 0 for the classes outside the node. The split has
    the greatest quadratic mutual information between rows and groups that a floating
    search finds [1]_: starting with the best single class, the class whose change of
    side increases the information most changes it, until none does.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Training rows.
    y : array-like of shape (n_samples,)
        Their classes; rows of the code are in the order of the sorted classes.
    max_samples : int, default=2000
        At most so many rows, drawn at random, but at least one of each class, enter
        the estimate of the information, whose cost is quadratic in them.
    random_state : int, RandomState instance or None, default=None
        Draws these rows.

    Returns
    -------
    code : ndarray of shape (n_classes, n_classes - 1)

    Notes
    -----
    Densities are estimated by Gaussian windows on standardized features. The source
    leaves the width open; its square is here a quarter of the mean squared distance of
    two rows.

    References
    ----------
    .. [1] Pujol, Radeva and Vitrià, "Discriminant ECOC: a heuristic method for
       application dependent design of error correcting output codes", IEEE Transactions
       on Pattern Analysis and Machine Intelligence 28, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import discriminant_tree_code
    >>> discriminant_tree_code(*load_iris(return_X_y=True))  # setosa apart first
    array([[ 1,  0],
           [-1,  1],
           [-1, -1]], dtype=int8)
    """
    if not isinstance(max_samples, Integral) or max_samples < 1:
        raise ValueError(
            f"max_samples must be an integer, 1 or more; got {max_samples!r}."
        )
    X, y = check_X_y(X, y, dtype=np.float64)
    classes, label = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError("y must have two classes or more; it has one.")
    rng = check_random_state(random_state)

    potentials, prior = _class_potentials(*_draw_rows(X, label, max_samples, rng))
    code = np.zeros((len(classes), len(classes) - 1), dtype=np.int8)
    nodes = [np.arange(len(classes))]
    for column in code.T:
        inside = nodes.pop(0)
        in_group = _split_classes(potentials[np.ix_(inside, inside)], prior[inside])
        column[inside] = np.where(in_group, 1, -1)
        parts = inside[in_group], inside[~in_group]
        nodes += [part for part in parts if len(part) > 1]
    return code


def _draw_rows(X, label, max_samples, rng):
    """Draw at most so many rows, and one of each class."""
    order = rng.permutation(len(label))
    _, first = np.unique(label[order], return_index=True)
    kept = np.union1d(order[first], order[:max_samples])
    return X[kept], label[kept]


def _class_potentials(X, label):
    """Return the sums of the windows over the pairs of rows of each pair of classes."""
    X = StandardScaler().fit_transform(X)
    # The mean squared distance of two rows is twice the sum of the variances.
    width = max(0.5 * X.var(axis=0).sum(), np.finfo(float).tiny)
    n_classes = label.max() + 1
    of_class = np.eye(n_classes)[label]
    potentials = np.zeros((n_classes, n_classes))
    for first in range(0, len(X), BLOCK_ROWS):
        rows = slice(first, first + BLOCK_ROWS)
        squared = pairwise_distances(X[rows], X, metric="sqeuclidean")
        windows = np.exp(-squared / (4.0 * width))  # two windows of this variance
        potentials += of_class[rows].T @ (windows @ of_class)
    return potentials / len(X) ** 2, np.bincount(label) / len(X)


def _split_classes(potentials, prior):
    """Return which classes are in the first of two groups, by the floating search."""
    prior = prior / prior.sum()
    in_group = np.zeros(len(prior))
    best, margin = -np.inf, TIED * potentials.sum()
    while True:
        gains = _information_after_change(potentials, prior, in_group)
        greatest = gains.max()
        if greatest <= best + margin:
            return in_group > 0.5
        # Of changes that are as good, as of one of two classes, the first: which gain
        # is greater by rounding depends on the machine.
        change = np.flatnonzero(gains >= greatest - margin)[0]
        best = gains[change]
        in_group[change] = 1.0 - in_group[change]


def _information_after_change(potentials, prior, in_group):
    """Return the information after each class alone has changed its side.

    With :math:`V_{gh}` the potential of the pairs of rows of two groups, it is
    :math:`\\sum_g V_{gg} + V \\sum_g p_g^2 - 2 \\sum_g p_g V_g`.
    """
    step = 1.0 - 2.0 * in_group
    of_class, total = potentials.sum(axis=1), potentials.sum()
    share = prior @ in_group + step * prior
    within = in_group @ potentials @ in_group
    within = within + 2.0 * step * (potentials @ in_group) + np.diag(potentials)
    mixed = of_class @ in_group + step * of_class  # group by all rows
    outside = total - 2.0 * mixed + within
    information = (
        within
        + outside
        + total * (share**2 + (1.0 - share) ** 2)
        - 2.0 * (share * mixed + (1.0 - share) * (total - mixed))
    )
    size = in_group.sum() + step
    is_split = (size > 0.5) & (size < len(prior) - 0.5)
    return np.where(is_split, information, -np.inf)
