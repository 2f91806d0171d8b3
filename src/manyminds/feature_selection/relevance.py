"""Definitions of relevance, decided exactly on a discrete joint distribution."""

from itertools import combinations
from numbers import Integral

import numpy as np
from scipy.stats import binom
from sklearn.utils import check_array, check_consistent_length, column_or_1d

from manyminds._compat import check_sample_weight
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import KOHAVI_1997, ROGERS_2007, cite

MAX_FEATURES = 20  # with more, there are too many subsets


@fill_docstring(references=cite(f"{ROGERS_2007}, section 6.1"))
def find_marginally_relevant(X, y, *, sample_weight=None, tolerance=1e-9):
    r"""Return which features are informative about the class by themselves.

    A feature is marginally relevant [1]_ if
    :math:`P(y \mid x_i) \ne P(y)` for some value and some class.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Possible samples; columns are discrete.
    y : array-like of shape (n_rows,)
        Class labels.
    sample_weight : array-like of shape (n_rows,), default=None
        Probability of each row; None: all are equally likely.
    tolerance : float, default=1e-9
        Bits of (conditional) mutual information that count as 0. If the rows are a
        sample, it is positive by random variation: about :math:`1 / (1.4\,n)` for each
        degree of freedom.

    Returns
    -------
    is_relevant : ndarray of bool of shape (n_features,)
        Whether each feature is marginally relevant.

    {references}

    Examples
    --------
    >>> from manyminds.datasets import make_xor
    >>> from manyminds.feature_selection.relevance import find_marginally_relevant
    >>> find_marginally_relevant(*make_xor(None, n_irrelevant=1))
    array([False, False, False])
    """
    joint = _Joint(X, y, sample_weight)
    every = range(joint.n_features)
    return np.array(
        [joint.information((i,), joint.target, ()) > tolerance for i in every]
    )


@fill_docstring(references=cite(KOHAVI_1997))
def find_strongly_relevant(X, y, *, sample_weight=None, tolerance=1e-9):
    r"""Return which features cannot be removed without loss of information.

    A feature is strongly relevant [1]_ if :math:`P(y \mid x_i, s) \ne P(y \mid s)` for
    some values, where :math:`s` are the values of all other features.

    Parameters
    ----------
    X, y, sample_weight, tolerance
        See `find_marginally_relevant`.

    Returns
    -------
    is_relevant : ndarray of bool of shape (n_features,)
        Whether each feature is strongly relevant.

    {references}

    Examples
    --------
    >>> from manyminds.datasets import make_xor
    >>> from manyminds.feature_selection.relevance import find_strongly_relevant
    >>> find_strongly_relevant(*make_xor(None, n_irrelevant=1))
    array([ True,  True, False])
    """
    joint = _Joint(X, y, sample_weight)
    every = range(joint.n_features)
    return np.array(
        [
            joint.information((i,), joint.target, joint.others(i)) > tolerance
            for i in every
        ]
    )


@fill_docstring(references=cite(KOHAVI_1997))
def find_weakly_relevant(X, y, *, sample_weight=None, tolerance=1e-9):
    r"""Return which features are informative only in the absence of certain others.

    A feature is weakly relevant [1]_ if it is not strongly relevant but there is a
    subset of the other features, with values :math:`s'`, for which
    :math:`P(y \mid x_i, s') \ne P(y \mid s')`. All subsets are checked, the small
    ones first.

    Parameters
    ----------
    X, y, sample_weight, tolerance
        See `find_marginally_relevant`. There must be at most 20 features.

    Returns
    -------
    is_relevant : ndarray of bool of shape (n_features,)
        Whether each feature is weakly relevant.

    {references}

    Examples
    --------
    The second column is a copy of the first: one of them can be removed, not both.

    >>> from manyminds.feature_selection.relevance import find_weakly_relevant
    >>> find_weakly_relevant([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]], [0, 1, 0, 1])
    array([ True,  True, False])
    """
    joint = _Joint(X, y, sample_weight)
    if joint.n_features > MAX_FEATURES:
        raise ValueError(
            f"X must have at most {MAX_FEATURES} features, as all subsets are checked; "
            f"got {joint.n_features}."
        )
    weak = np.zeros(joint.n_features, dtype=bool)
    for i in range(joint.n_features):
        others = joint.others(i)
        if joint.information((i,), joint.target, others) > tolerance:
            continue
        weak[i] = any(
            joint.information((i,), joint.target, subset) > tolerance
            for size in range(len(others))
            for subset in combinations(others, size)
        )
    return weak


def is_markov_blanket(X, y, feature, blanket, *, sample_weight=None, tolerance=1e-9):
    r"""Return whether some features are a Markov blanket of another one.

    A set with values :math:`s'` is a Markov blanket of a feature [1]_ if, given it, the
    feature is independent of the class and the remaining features together:
    :math:`P(s_{\text{rest}}, y \mid x_i, s') = P(s_{\text{rest}}, y \mid s')`. Then
    the feature can be removed, also after other features that have blankets have been
    removed.

    Parameters
    ----------
    X, y, sample_weight, tolerance
        See `find_marginally_relevant`.
    feature : int
        Position of the feature.
    blanket : sequence of int
        Positions of the candidate features.

    Returns
    -------
    is_blanket : bool
        Whether they are a Markov blanket of the feature.

    References
    ----------
    .. [1] Koller and Sahami, "Toward optimal feature selection", ICML, 1996.

    Examples
    --------
    >>> from manyminds.feature_selection.relevance import is_markov_blanket
    >>> X, y = [[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]], [0, 1, 0, 1]
    >>> is_markov_blanket(X, y, 0, [1]), is_markov_blanket(X, y, 0, [2])
    (True, False)
    """
    joint = _Joint(X, y, sample_weight)
    blanket = tuple(int(i) for i in blanket)
    if feature in blanket:
        raise ValueError(f"blanket must not include feature={feature} itself.")
    rest = tuple(i for i in joint.others(feature) if i not in blanket)
    return bool(
        joint.information((feature,), rest + joint.target, blanket) <= tolerance
    )


@fill_docstring(
    references=cite(
        f"{ROGERS_2007}, eq. 6.2, whose lower limit is T/2 rounded up: ties are right"
    )
)
def expected_ensemble_accuracy(p, n_members, ties="half"):
    r"""Compute the accuracy of a majority vote of members with accuracy p.

    .. math:: P(H = y) = \sum_{t > T/2} \binom{T}{t} p^t (1 - p)^{T - t}

    plus the share ``ties`` of ties if :math:`T` is even. The margin of a sample of two
    classes is :math:`2 p - 1`: the larger it is, the fewer members are needed [1]_.

    Parameters
    ----------
    p : float or array-like
        Probability that a random member is right about a sample.
    n_members : int or array-like of int
        Number of members, T.
    ties : {"half", "right", "wrong"}, default="half"
        Whether ties are right: half of them, all or none.

    Returns
    -------
    accuracy : float or ndarray
        Of the shape to which ``p`` and ``n_members`` broadcast.

    {references}

    Examples
    --------
    >>> from manyminds.feature_selection.relevance import expected_ensemble_accuracy
    >>> expected_ensemble_accuracy(0.6, [1, 3, 101]).round(3)
    array([0.6  , 0.648, 0.979])
    """
    shares = {"half": 0.5, "right": 1.0, "wrong": 0.0}
    if ties not in shares:
        raise ValueError(f"ties must be one of {list(shares)}; got {ties!r}.")
    n_members, p = np.asarray(n_members), np.asarray(p, dtype=np.float64)
    if not np.issubdtype(n_members.dtype, np.integer) or np.any(n_members < 1):
        raise ValueError(
            f"n_members must be whole numbers of 1 or more; got {n_members}."
        )
    if not np.all((p >= 0.0) & (p <= 1.0)):
        raise ValueError(f"p must lie between 0 and 1; got {p}.")
    half = n_members // 2
    tie = np.where(n_members % 2 == 0, binom.pmf(half, n_members, p), 0.0)
    accuracy = binom.sf(half, n_members, p) + shares[ties] * tie
    return accuracy if np.ndim(accuracy) else float(accuracy)


class _Joint:
    """A discrete joint distribution of features and class, the class last."""

    def __init__(self, X, y, sample_weight):
        X = check_array(X, dtype=None)
        y = column_or_1d(y)
        check_consistent_length(X, y)
        weight = check_sample_weight(sample_weight, X, ensure_non_negative=True)
        if weight.sum() <= 0.0:
            raise ValueError("sample_weight has no positive weight.")
        self.weight = weight / weight.sum()
        self.n_features = X.shape[1]
        columns = [*X.T, y]
        self.codes = [np.unique(one, return_inverse=True)[1] for one in columns]
        self.target = (self.n_features,)

    def others(self, feature):
        """List all features but one."""
        if not isinstance(feature, Integral) or not 0 <= feature < self.n_features:
            raise ValueError(
                f"feature must be a position from 0 to {self.n_features - 1}; got "
                f"{feature!r}."
            )
        return tuple(i for i in range(self.n_features) if i != feature)

    def information(self, a, b, given):
        """Return the conditional mutual information of columns a and b in bits."""
        return (
            self._entropy(a + given)
            + self._entropy(b + given)
            - self._entropy(a + b + given)
            - self._entropy(given)
        )

    def _entropy(self, columns):
        place = np.zeros(len(self.weight), dtype=np.intp)
        for column in columns:  # renumbered each time, so that codes stay small
            wide = place * (self.codes[column].max() + 1) + self.codes[column]
            place = np.unique(wide, return_inverse=True)[1]
        share = np.bincount(place, weights=self.weight)
        share = share[share > 0.0]
        return float(-(share * np.log2(share)).sum())
