"""Votes of members from one matrix of predictions: accuracy, diversity, prefixes."""

import numpy as np
from scipy.stats import rankdata

from manyminds.kernels import member_votes


def member_accuracy(labels, y, weight=None):
    """Return the accuracy of each member.

    Parameters
    ----------
    labels : ndarray of shape (n_members, n_samples)
        Class numbers.
    y : ndarray of shape (n_samples,)
        True ones.
    weight : ndarray of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    accuracy : ndarray of shape (n_members,)
    """
    return np.average(labels == y, axis=1, weights=weight)


def member_diversity(labels, weight=None):
    """Return the mean share of rows in which a member differs from the others.

    It follows from the numbers of votes for each class, without pairs of members.

    Parameters
    ----------
    labels : ndarray of shape (n_members, n_samples)
        Class numbers.
    weight : ndarray of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    diversity : ndarray of shape (n_members,)
        0 for a single member.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.votes import member_diversity
    >>> member_diversity(np.array([[0, 0], [0, 1], [0, 1]]))
    array([0.5 , 0.25, 0.25])
    """
    n_members, n_samples = labels.shape
    if n_members < 2:
        return np.zeros(n_members)
    n_votes = count_votes(labels, int(labels.max()) + 1)
    n_same = n_votes[np.arange(n_samples), labels]
    if weight is not None:
        same = np.average(n_same, axis=1, weights=weight)
        return (n_members - same) / (n_members - 1)
    same = n_same.sum(axis=1, dtype=np.int64)
    return (n_members * n_samples - same) / (n_samples * (n_members - 1))


def count_votes(labels, n_classes):
    """Return the number of votes for each class: (n_samples, n_classes), int32."""
    n_votes = np.zeros((labels.shape[1], n_classes), dtype=np.int32)
    member_votes.count_votes(by_row(labels), n_votes)
    return n_votes


def score_prefixes(labels, order, y, n_classes, scoring="accuracy", weight=None):
    """Return the score of the vote of the first 1, 2, 3 ... members of an order.

    Parameters
    ----------
    labels : ndarray of shape (n_members, n_samples)
        Class numbers.
    order : ndarray of int
        Members, the first one first.
    y : ndarray of shape (n_samples,)
        True class numbers.
    n_classes : int
        Number of classes.
    scoring : {"accuracy", "roc_auc"}, default="accuracy"
        Ties of votes go to the lowest class. The area under the ROC curve is that of
        the shares of votes for the second of two classes, and one half if there is but
        one.
    weight : ndarray of shape (n_samples,), default=None
        Weights of the samples, for the accuracy.

    Returns
    -------
    scores : ndarray of shape (len(order),)
    """
    if scoring == "roc_auc":
        return _prefix_auc(labels, order, y)
    if weight is not None:
        return _weighted_prefixes(labels, order, y, n_classes, weight)
    n_right = np.zeros(len(order), dtype=np.int64)
    order = np.asarray(order, dtype=np.int64)
    labels = np.ascontiguousarray(labels, dtype=np.int32)
    member_votes.rate_prefixes(labels, order, y.astype(np.int32), n_classes, n_right)
    return n_right / len(y)


def _weighted_prefixes(labels, order, y, n_classes, weight):
    rows, votes = np.arange(len(y)), np.zeros((len(y), n_classes), dtype=np.int32)
    scores = np.empty(len(order))
    for k, member in enumerate(order):
        votes[rows, labels[member]] += 1
        scores[k] = weight @ (votes.argmax(axis=1) == y)
    return scores / weight.sum()


def _prefix_auc(labels, order, y):
    n_positive = np.count_nonzero(y == 1)
    n_pairs = n_positive * (len(y) - n_positive)
    if n_pairs == 0:
        return np.full(len(order), 0.5)
    scores, votes = np.empty(len(order)), np.zeros(len(y))
    for k, member in enumerate(order):
        votes += labels[member] == 1
        ranks = rankdata(votes)[y == 1].sum()
        scores[k] = (ranks - n_positive * (n_positive + 1) / 2.0) / n_pairs
    return scores


def list_sizes(n_members, step=1, min_size=1, max_size=None):
    """Return the sizes that an ensemble may be cut to: multiples of a step.

    Parameters
    ----------
    n_members : int
    step : int, default=1
    min_size : int, default=1
    max_size : int, default=None
        None: all members.

    Returns
    -------
    sizes : ndarray of int
        In increasing order; if there is no multiple between the limits, the greatest
        size.

    Examples
    --------
    >>> from manyminds.ensemble.pruning.votes import list_sizes
    >>> list_sizes(35, step=10).tolist()
    [10, 20, 30]
    """
    last = n_members if max_size is None else min(max_size, n_members)
    sizes = np.arange(step, last + 1, step)
    sizes = sizes[sizes >= min_size]
    return sizes if len(sizes) > 0 else np.array([last])


def choose_size(scores, sizes):
    """Return the size with the greatest score; the least of equals.

    Parameters
    ----------
    scores : ndarray
        Score of each prefix, from that of one member.
    sizes : ndarray of int
        In increasing order.
    """
    return int(sizes[np.argmax(scores[sizes - 1])])


def fill_weight(weight, n_samples):
    """Return the weights as kernels take them; ones if there are none."""
    return np.ones(n_samples) if weight is None else np.ascontiguousarray(weight)


def by_row(labels):
    """Return the labels as kernels take them: (n_samples, n_members), int32."""
    return np.ascontiguousarray(labels.T, dtype=np.int32)
