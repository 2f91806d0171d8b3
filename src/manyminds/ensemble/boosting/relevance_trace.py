"""Relevance along boosting: of features for the drawn rows, and in the members."""

import numpy as np
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from manyminds.ensemble.boosting.div_boost import (
    DivBoostClassifier,
    count_pairwise_votes,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite

__all__ = ["relevance_trace"]


@fill_docstring(references=cite(f"{ROGERS_2007}, section 8.8"))
def relevance_trace(boost, X, y, relevance, *, sample_weight=None):
    r"""Follow, from member to member, which features matter for the rows it draws.

    With the weights :math:`w_t(x_i)` by which member :math:`t` draws its rows, and the
    relevance :math:`R(f, x_i)` of feature :math:`f` for row :math:`i`, the feature is
    worth :math:`\sum_i w_t(x_i) R(f, x_i)` to the member [1]_. What it is used for is
    the share of the member's splits that are by it.

    Parameters
    ----------
    boost : DivBoostClassifier
        Fitted. Its members must be single trees, ours or scikit-learn's.
    X : array-like of shape (n_samples, n_features)
        The rows that it was fitted on, in the same order.
    y : array-like of shape (n_samples,)
        Their classes.
    relevance : array-like of shape (n_samples, n_features)
        Relevance of each feature for each row; see
        ``manyminds.feature_selection.relevance_matrix``.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights passed to ``fit``.

    Returns
    -------
    trace : Bunch
        ``expected`` of shape (n_members, n_features), the relevance of the features for
        the rows that each member draws; ``used`` of the same shape, the shares of its
        splits, 0 for a member without any; ``odds`` of the same shape, the expected
        relevances as odds of features: what is negative counts as 0 and rows add up
        to 1, or are equal where nothing is positive; ``weights`` of shape (n_members,
        n_samples), by which each draws its rows.

    Notes
    -----
    ``odds`` are the distribution over features that the thesis proposes to boost with,
    in place of, or in addition to, the one over rows. Neither it nor we tried it: trees
    of ours take such odds as ``feature_weights``.

    {references}

    Examples
    --------
    >>> from manyminds.datasets import make_friedman_classes
    >>> from manyminds.ensemble import DivBoostClassifier
    >>> from manyminds.ensemble.boosting.relevance_trace import relevance_trace
    >>> from manyminds.feature_selection import LocalRelevance
    >>> X, y = make_friedman_classes(500, random_state=0)
    >>> relevance = LocalRelevance(random_state=0).fit(X, y).relevance_
    >>> boost = DivBoostClassifier(n_estimators=30, random_state=0).fit(X, y)
    >>> trace = relevance_trace(boost, X, y, relevance)
    >>> print(trace.expected[0].round(1))  # for all rows
    [0.2 0.2 0.1 0.2 0.1 0.1 0.1 0.1 0.1 0.1]
    >>> print(trace.expected[-1].round(1))  # for the rows in dispute
    [0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1]
    """
    if not isinstance(boost, DivBoostClassifier):
        raise ValueError(f"boost must be a DivBoostClassifier; got {boost!r}.")
    check_is_fitted(boost)
    relevance = np.asarray(relevance, dtype=np.float64)
    if relevance.shape != (len(y), boost.n_features_in_):
        raise ValueError(
            f"relevance must have shape ({len(y)}, {boost.n_features_in_}), one number "
            f"for each row and feature; it has shape {relevance.shape}."
        )

    weights = _replay_weights(boost, X, y, sample_weight)
    expected = weights @ relevance
    members = boost.estimators_
    used = np.array([_count_splits(member, boost.n_features_in_) for member in members])
    return Bunch(
        expected=expected, used=used, odds=_make_odds(expected), weights=weights
    )


def _replay_weights(boost, X, y, sample_weight):
    """Compute the weights by which each member drew its rows, from earlier votes."""
    label = np.searchsorted(boost.classes_, y)
    odds = np.ones(len(label)) if sample_weight is None else np.asarray(sample_weight)
    odds = odds / odds.sum()
    predicted = np.searchsorted(boost.classes_, boost.predict_all(X))
    votes = np.zeros((len(label), boost.n_classes_), dtype=np.intp)
    replayed, every_row = [odds], np.arange(len(label))
    for labels in predicted[:-1]:
        votes[every_row, labels] += 1
        weights = odds * boost._weigh(*count_pairwise_votes(votes, label))
        replayed.append(weights / weights.sum())
    return np.array(replayed)


def _count_splits(member, n_features):
    """Return the share of a tree's splits that are by each feature."""
    tree = getattr(member, "tree_", None)
    if tree is None and not hasattr(member, "constant_"):  # a dummy has no splits
        raise ValueError(f"Members of boost must be single trees; got {member!r}.")
    feature = np.empty(0, dtype=np.intp) if tree is None else np.asarray(tree.feature)
    counts = np.bincount(feature[feature >= 0], minlength=n_features)
    return counts / max(counts.sum(), 1)


def _make_odds(expected):
    """Turn expected relevances into odds of features that add up to 1."""
    odds = np.maximum(expected, 0.0)
    odds[~odds.any(axis=1)] = 1.0
    return odds / odds.sum(axis=1, keepdims=True)
