"""Orders of members, of which an ensemble keeps the first ones.

All take one matrix of predictions: ``labels`` of shape (n_members, n_samples) holds
class numbers, ``y`` the true ones; some take weights of the samples. All return the
members, the first one first.
"""

import numpy as np

from manyminds.analysis.diversity import kappa
from manyminds.ensemble.pruning.votes import (
    by_row,
    count_votes,
    fill_weight,
    member_accuracy,
)
from manyminds.kernels import member_votes

MARGIN_GOAL = 0.075  # of Martínez-Muñoz et al.: rows with this margin are safe


def order_by_accuracy(labels, y, n_classes, weight=None):
    """Order members by their own accuracy ("choose best").

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.orderings import order_by_accuracy
    >>> labels = np.array([[0, 0, 0], [0, 1, 1], [0, 1, 0]])
    >>> order_by_accuracy(labels, np.array([0, 1, 1]), 2).tolist()
    [1, 2, 0]
    """
    return np.argsort(-member_accuracy(labels, y, weight), kind="stable")


def order_by_reduced_error(labels, y, n_classes, weight=None):
    """Add the member with which the vote is right most often, one after the other.

    This is also sequential forward selection.
    """
    return _add_greedily(labels, y, n_classes, weight, only_wrong=False)


def order_by_complementarity(labels, y, n_classes, weight=None):
    """Add the member that is right most often where the vote so far is wrong."""
    return _add_greedily(labels, y, n_classes, weight, only_wrong=True)


def _add_greedily(labels, y, n_classes, weight, only_wrong):
    order = np.empty(len(labels), dtype=np.int64)
    member_votes.add_greedily(
        by_row(labels),
        y.astype(np.int32),
        fill_weight(weight, len(y)),
        np.ones(len(labels), dtype=bool),
        False,
        only_wrong,
        np.zeros((len(y), n_classes), dtype=np.int32),
        order,
        np.empty(len(labels)),
    )
    return order


def order_by_removal(labels, y, n_classes, weight=None):
    """Remove the member without which the vote is right most often, one by one.

    The order is the reverse of the removals: sequential backward selection.
    """
    order = np.empty(len(labels), dtype=np.int64)
    member_votes.remove_greedily(
        by_row(labels),
        y.astype(np.int32),
        fill_weight(weight, len(y)),
        count_votes(labels, n_classes),
        order,
        np.empty(len(labels)),
    )
    return order


def measure_angles(labels, y):
    r"""Return the angle of each member's signature to the reference vector.

    A signature has 1 for a row that the member gets right, and -1 for others. The
    reference is the diagonal :math:`(1, ..., 1)` without its part along the mean
    signature: it points to the rows that the whole ensemble gets wrong.

    Returns
    -------
    angles : ndarray of shape (n_members,)
        In radians. Members beyond a right angle add to what is right already.
    """
    signature = np.where(labels == y, 1.0, -1.0)
    mean = signature.mean(axis=0)
    length = mean @ mean
    reference = np.ones(len(y))
    if length > 0.0:
        reference -= mean.sum() / length * mean
    norm = np.linalg.norm(reference) * np.sqrt(len(y))
    if norm <= 1e-9 * len(y):  # the mean signature is the diagonal itself
        return np.zeros(len(labels))
    return np.arccos(np.clip(signature @ reference / norm, -1.0, 1.0))


def order_by_orientation(labels, y, n_classes):
    """Order members by the angle of their signature to the reference vector.

    See Also
    --------
    measure_angles : The angles.
    """
    return np.argsort(np.round(measure_angles(labels, y), 12), kind="stable")


def order_by_margin_distance(labels, y, n_classes):
    r"""Add the member that brings the mean signature closest to a point of safety.

    The point has the same small margin on all rows; the sum of signatures is divided by
    the number of all members, so that rows with a large margin need no more votes.
    """
    signature = np.where(labels == y, 1.0, -1.0)
    n_members = len(labels)
    products = signature @ signature.T
    towards = MARGIN_GOAL * signature.sum(axis=1)
    with_sum, is_left = np.zeros(n_members), np.ones(n_members, dtype=bool)
    order = np.empty(n_members, dtype=np.int64)
    for k in range(n_members):
        # Squared distance, without what is the same for all candidates.
        distance = 2.0 * with_sum + products.diagonal() - 2.0 * n_members * towards
        order[k] = np.where(is_left, np.round(distance, 9), np.inf).argmin()
        is_left[order[k]] = False
        with_sum += products[order[k]]
    return order


def order_by_kappa(labels, y, n_classes):
    """Order members by the pairs in which they agree least, whatever their accuracy."""
    n_members = len(labels)
    if n_members < 2:
        return np.arange(n_members)
    first, second = np.triu_indices(n_members, k=1)
    agreement = kappa(None, labels, average=None)[first, second]
    pairs = np.argsort(np.round(agreement, 12), kind="stable")
    both = np.column_stack([first[pairs], second[pairs]]).ravel()
    _, place = np.unique(both, return_index=True)
    return both[np.sort(place)]
