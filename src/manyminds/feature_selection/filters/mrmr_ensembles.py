"""Ensembles of mRMR searches: parts of the rows, one cache for all, a vote."""

from numbers import Integral

import numpy as np

EPSILON = 1e-12  # least redundancy that a relevance is divided by
LOWEST = -1e300  # score of a constant feature: worse than that of all others
TIE = 1e-10  # scores are equal that differ by less than this share: rounding does


def deal_rows(n_samples, n_parts, parting, y, rng):
    """Deal the rows to folds of equal size.

    Parameters
    ----------
    n_samples, n_parts : int
    parting : {"round_robin", "shuffled", "stratified"}
        Row i goes to fold i modulo ``n_parts``: in the order in which the rows stand,
        in a random one, or sorted by target and at random among equals.
    y : ndarray of shape (n_samples,)
    rng : RandomState

    Returns
    -------
    fold : ndarray of int64 of shape (n_samples,)

    Examples
    --------
    >>> from manyminds.feature_selection.filters.mrmr_ensembles import deal_rows
    >>> deal_rows(7, 3, "round_robin", None, None)
    array([0, 1, 2, 0, 1, 2, 0])
    """
    order = np.arange(n_samples)
    if parting != "round_robin":
        order = rng.permutation(n_samples)
    if parting == "stratified":
        order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(n_samples, dtype=np.int64)
    fold[order] = np.arange(n_samples) % n_parts
    return fold


def rate(relevance, redundancy, criterion):
    """Weigh relevance against mean redundancy."""
    if criterion == "difference":
        return relevance - redundancy
    return relevance / np.maximum(redundancy, EPSILON)


def find_bar(best, criterion):
    """Return the least score that is as good as the best one but for rounding."""
    scale = np.abs(best)
    if criterion == "difference":  # of two numbers that may be larger than it
        scale = np.maximum(scale, 1.0)
    return best - TIE * scale


def find_best(scores, criterion):
    """Find the first of the best scores along the last axis."""
    best = scores.max(axis=-1, keepdims=True)
    return np.argmax(scores >= find_bar(best, criterion), axis=-1)


def search_together(pairs, n_to_select, criterion, floor=0.0):
    """Search in all parts in step, so that one pass over the rows serves them all.

    Parameters
    ----------
    pairs : Pairs
    n_to_select : int
    criterion : {"quotient", "difference"}
    floor : float, default=0.0
        Smaller associations of two features count as this.

    Returns
    -------
    members : ndarray of int64 of shape (n_parts, n_to_select)
        Features that each part chose, in order.
    n_passes : int
        Pairs that were evaluated, each for all parts at once.
    """
    relevance = pairs.relevance
    n_parts, n_features = relevance.shape
    parts, redundancy = np.arange(n_parts), np.zeros_like(relevance)
    members = np.empty((n_parts, n_to_select), dtype=np.int64)
    limit = np.where(pairs.constant, LOWEST, np.inf)
    members[:, 0] = find_best(np.minimum(relevance, limit), criterion)
    for step in range(1, n_to_select):
        newest = members[:, step - 1]
        limit[parts, newest] = -np.inf
        redundancy += np.maximum(pairs.measure_parts(parts, newest), floor)
        scores = rate(relevance, redundancy / step, criterion)
        np.minimum(scores, limit, out=scores)
        members[:, step] = find_best(scores, criterion)
    n_swept = len(np.unique(members[:, :-1]))
    return members, count_passes(n_features, n_to_select, n_swept=n_swept)


def combine(members, relevance):
    """Order the features by the votes of members.

    The feature that most members chose goes first; among equals the one with the best
    mean rank in those members, then with the best mean relevance, then the first.

    Parameters
    ----------
    members : ndarray of int of shape (n_members, n_selected)
        Features that each member chose, in order.
    relevance : ndarray of shape (n_features,)
        Mean relevance.

    Returns
    -------
    order : ndarray of int64
        All features that some member chose, best first.
    counts : ndarray of int64 of shape (n_features,)
        How many members chose each feature.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.filters.mrmr_ensembles import combine
    >>> combine(np.array([[2, 0], [1, 2]]), np.array([0.1, 0.2, 0.3, 0.4]))
    (array([2, 1, 0]), array([1, 1, 2, 0]))
    """
    n_features = len(relevance)
    counts = np.bincount(members.ravel(), minlength=n_features)
    ranks = np.broadcast_to(np.arange(members.shape[1]), members.shape)
    rank_sums = np.bincount(members.ravel(), ranks.ravel(), minlength=n_features)
    chosen = np.flatnonzero(counts)
    mean_rank = rank_sums[chosen] / counts[chosen]
    order = np.lexsort((chosen, -relevance[chosen], mean_rank, -counts[chosen]))
    return chosen[order], counts


def count_passes(n_features, n_selected, n_parts=1, n_swept=None):
    """Count the pairs that mRMR evaluates: passes over the rows.

    One search takes :math:`pk - (k^2 - k) / 2` and :math:`e` of them :math:`e` times
    as many. A fast ensemble whose members chose :math:`s` different features in all
    steps but the last takes :math:`p + sp - s(s + 1) / 2` only.

    Parameters
    ----------
    n_features : int
        :math:`p`, features there are.
    n_selected : int
        :math:`k`, features chosen.
    n_parts : int, default=1
        :math:`e`, independent searches. Not looked at if ``n_swept`` is given.
    n_swept : int, default=None
        :math:`s`, for a fast ensemble.

    Returns
    -------
    n_passes : int

    Examples
    --------
    Three members that choose three of five features never take more than 15 passes;
    apart, they take 36.

    >>> from manyminds.feature_selection import count_passes
    >>> count_passes(5, 3, n_swept=5), count_passes(5, 3, n_parts=3)
    (15, 36)
    """
    p, k = _read_counts(n_features=n_features, n_selected=n_selected)
    if n_swept is not None:
        (s,) = _read_counts(n_swept=n_swept, least=0)
        return p + s * p - s * (s + 1) // 2
    (e,) = _read_counts(n_parts=n_parts)
    return e * (p * k - (k * k - k) // 2)


def estimate_passes(n_features, n_selected, n_parts, jaccard):
    """Estimate the passes of a fast ensemble before it is run.

    If two parts' selections have a mean Jaccard index :math:`J`, a part shares
    :math:`c = 2J / (J + 1)` of its features with another one, and the ensemble needs
    [1]_

    .. math:: T = p + (k - 1) \\Bigl(p - \\frac{k - 1}{2}\\Bigr)
                  \\frac{1 - (1 - c)^e}{c}.

    It is an estimate only: for one part it exceeds the exact count by
    :math:`(k - 1) / 2`, and it may exceed the number of pairs there are.

    Parameters
    ----------
    n_features, n_selected, n_parts : int
        :math:`p`, :math:`k` and :math:`e`.
    jaccard : float
        :math:`J`, between 0 and 1.

    Returns
    -------
    n_passes : float

    References
    ----------
    .. [1] Schowe and Morik, "Fast-Ensembles of Minimum Redundancy Feature Selection",
       in Ensembles in Machine Learning Applications, Springer, 2011, equation 8.

    Examples
    --------
    >>> from manyminds.feature_selection import estimate_passes
    >>> round(estimate_passes(34, 10, 20, jaccard=0.385))
    512
    """
    p, k, e = _read_counts(
        n_features=n_features, n_selected=n_selected, n_parts=n_parts
    )
    if not 0.0 <= jaccard <= 1.0:
        raise ValueError(f"jaccard must lie between 0 and 1; got {jaccard!r}.")
    c = 2.0 * jaccard / (jaccard + 1.0)
    n_searches = float(e) if c == 0.0 else (1.0 - (1.0 - c) ** e) / c
    return p + (k - 1) * (p - (k - 1) / 2) * n_searches


def _read_counts(least=1, **counts):
    for name, value in counts.items():
        if not isinstance(value, Integral) or value < least:
            raise ValueError(f"{name} must be an integer >= {least}; got {value!r}.")
    return tuple(int(value) for value in counts.values())
