"""Selection committee: keep the features that enough selectors agree on."""

from numbers import Integral

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import Interval, RealNotInt
from manyminds.feature_selection.base import (
    Selector,
    rank_in_order,
    rank_scores,
)
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.filters.ssv import SSVSelector
from manyminds.feature_selection.member_selectors import fit_member, read_inputs

_ROUNDING = 1e-9  # of votes: shares of weights need not add up exactly


class SelectionCommittee(Selector):
    """Select the features that several selectors vote for.

    Each member selects features by itself, on the same rows. A feature gets one vote,
    or the member's weight, from each member that selected it, and is kept if it has
    votes enough [1]_. A threshold of one vote keeps the union of the members' choices:
    the way to join selectors that see different things. A threshold of all votes keeps
    the intersection: the features beyond doubt.

    Parameters
    ----------
    selectors : list of (str, selector), default=None
        The members and their names: any scikit-learn selectors, or pipelines that end
        in one and leave the columns before it as they are or select among them. None:
        the best ten features by `SSVSelector`, those by its tree, and those by
        `CorrelationSelector`, the paper's committee for MADELON.
    threshold : int or float, default=1
        Votes that a feature needs: a whole number, from 1 for the union to the number
        of members for the intersection, or a share of all votes, up to 1.0 for all.
    weights : array-like of shape (n_selectors,), default=None
        Votes of each member; one each by default.
    n_jobs : int, default=None
        Number of members that are fitted at a time.

    Attributes
    ----------
    votes_ : ndarray of shape (n_features,)
        Votes of each feature.
    ranking_ : ndarray of shape (n_features,)
        1 for the feature with the most votes. Those with equal votes are ranked by the
        mean of the members' rankings, where these have any.
    support_ : ndarray of shape (n_features,)
        Which features are selected.
    selectors_ : list of selector
        The fitted members.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    Notes
    -----
    The paper tells neither how many features each member picks nor the threshold. On
    MADELON, the union of the best ten of each gives its fifteen features and its error;
    two votes of three give a larger error.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.feature_selection import SelectKBest
    >>> from manyminds.feature_selection import (
    ...     CorrelationSelector,
    ...     SelectionCommittee,
    ...     SSVSelector,
    ... )
    >>> X, y = load_wine(return_X_y=True)
    >>> members = [
    ...     ("ssv", SSVSelector(3)),
    ...     ("correlation", CorrelationSelector(3)),
    ...     ("f", SelectKBest(k=3)),
    ... ]
    >>> SelectionCommittee(members, threshold=2).fit(X, y).votes_
    array([1., 0., 0., 0., 0., 0., 3., 0., 0., 1., 0., 1., 3.])
    """

    _parameter_constraints = {
        "selectors": [list, None],
        "threshold": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
        ],
        "weights": ["array-like", None],
        "n_jobs": [Integral, None],
    }

    def __init__(self, selectors=None, *, threshold=1, weights=None, n_jobs=None):
        self.selectors = selectors
        self.threshold = threshold
        self.weights = weights
        self.n_jobs = n_jobs

    def fit(self, X, y=None, sample_weight=None):
        """Let the members select, and count their votes.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows, as the members take them.
        y : array-like of shape (n_samples,), default=None
            Their targets, if the members need them.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights, if all members take them.

        Returns
        -------
        self : SelectionCommittee
            The fitted committee.
        """
        self._validate_params()
        named = self._list_members()
        weights = self._read_votes(len(named))
        X, y, sample_weight = read_inputs(self, X, y, sample_weight)

        run = Parallel(self.n_jobs, prefer="threads")
        found = run(
            delayed(fit_member)(f"the member {name!r}", one, X, y, sample_weight)
            for name, one in named
        )
        self.selectors_, supports, rankings = map(list, zip(*found))
        self.votes_ = weights @ np.array(supports, dtype=np.float64)
        needed = self.threshold
        if not isinstance(needed, Integral):
            needed = needed * weights.sum()
        self.support_ = self.votes_ >= needed - _ROUNDING
        self.ranking_ = _rank(self.votes_, rankings)
        return self

    def get_params(self, deep=True):
        """Get the parameters of the committee, and those of its members by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the members and their parameters.

        Returns
        -------
        params : dict of str to object
        """
        params = super().get_params(deep=False)
        if deep:
            for name, member in _read_pairs(self.selectors):
                params[name] = member
                for key, value in member.get_params(deep=True).items():
                    params[f"{name}__{key}"] = value
        return params

    def set_params(self, **params):
        """Set parameters of the committee, of members, or whole members by name.

        Parameters
        ----------
        **params : dict
            Such as ``threshold=2``, ``ssv__n_features_to_select=5`` or ``ssv=...``.

        Returns
        -------
        self : SelectionCommittee
            The committee itself.
        """
        if "selectors" in params:
            self.selectors = params.pop("selectors")
        named = dict(_read_pairs(self.selectors))
        changed = {name: params.pop(name) for name in list(params) if name in named}
        if changed:
            self.selectors = list((named | changed).items())
        return super().set_params(**params)

    def _list_members(self):
        """Return the named members; refuse what cannot be a list of them."""
        if self.selectors is None:
            return _make_default_members()
        named = _read_pairs(self.selectors)
        if len(named) == 0 or len(named) < len(self.selectors):
            raise ValueError(
                "selectors must be a list of pairs (name, selector), at least one; got "
                f"{self.selectors!r}."
            )
        names = [name for name, _ in named]
        taken = set(super().get_params(deep=False))
        for name in names:
            if names.count(name) > 1 or name in taken or "__" in name:
                raise ValueError(
                    f"selectors has the name {name!r}; names must differ from each "
                    "other and from the committee's parameters, and have no '__'."
                )
        return named

    def _read_votes(self, n_members):
        """Check the votes of the members, and that the threshold can be reached."""
        weights = np.ones(n_members)
        if self.weights is not None:
            weights = np.asarray(self.weights, dtype=np.float64)
        if weights.shape != (n_members,) or not (weights >= 0.0).all():
            raise ValueError(
                f"weights must be {n_members} numbers of 0 or more, one for each of "
                f"the selectors; got {self.weights!r}."
            )
        if self.threshold > weights.sum() + _ROUNDING and self.threshold > 1.0:
            raise ValueError(
                f"threshold={self.threshold} is more than all votes together, which "
                f"are {weights.sum():g}."
            )
        return weights

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        named = _read_pairs(self.selectors) or _make_default_members()
        members = [get_tags(member) for _, member in named]
        tags.input_tags.allow_nan = all(one.input_tags.allow_nan for one in members)
        tags.input_tags.sparse = True  # a member that takes none says so itself
        tags.target_tags.required = any(one.target_tags.required for one in members)
        return tags


def _read_pairs(selectors):
    """Return the pairs of name and member; none if it is not pairs that are given."""
    try:
        return [(name, one) for name, one in selectors if hasattr(one, "get_params")]
    except (TypeError, ValueError):
        return []


def _make_default_members():
    """Make the committee that the paper used for MADELON."""
    return [
        ("ssv", SSVSelector(10)),
        ("tree", SSVSelector(10, method="tree", random_state=0)),
        ("correlation", CorrelationSelector(10)),
    ]


def _rank(votes, rankings):
    """Rank features by votes, and those with equal votes by the members' rankings."""
    rankings = [ranking for ranking in rankings if ranking is not None]
    if not rankings:
        return rank_scores(votes)
    return rank_in_order(np.lexsort((np.mean(rankings, axis=0), -votes)), len(votes))
