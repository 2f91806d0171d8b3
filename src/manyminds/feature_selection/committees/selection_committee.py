"""Selection committee: select the features that enough selectors vote for."""

from numbers import Integral

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import Interval, RealNotInt
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    Selector,
    rank_in_order,
    rank_scores,
)
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.filters.ssv import SSVSelector
from manyminds.feature_selection.member_selectors import fit_member, read_inputs
from manyminds.utils.docstrings import fill_docstring

_ROUNDING = 1e-9  # of votes: weights need not add up exactly


@fill_docstring(**PARAMETERS)
class SelectionCommittee(Selector):
    """Select the features that several selectors vote for.

    Each member selects features by itself, on the same samples. A feature gets one
    vote, or the member's weight, from each member that selected it, and is selected if
    it has enough votes [1]_. A threshold of one vote selects the union of the members'
    selections, to combine selectors with different strengths. A threshold of all votes
    selects their intersection.

    Parameters
    ----------
    selectors : list of (str, selector), default=None
        Names and members: any scikit-learn selectors, or pipelines that end in one and
        only preserve or select columns before it. None: the best ten features by
        `SSVSelector`, those by its tree, and those by `CorrelationSelector`, the
        paper's committee for MADELON.
    threshold : int or float, default=1
        Minimum number of votes: an integer, from 1 for the union to the number of
        members for the intersection, or a share of all votes, up to 1.0.
    min_features_to_select : int, default=0
        Features to keep in any case, those with the most votes.
    weights : array-like of shape (n_selectors,), default=None
        Number of votes of each member; None: one each.
    n_jobs : int, default=None
        Number of members that are fitted in parallel.

    Attributes
    ----------
    votes_ : ndarray of shape (n_features,)
        Votes of each feature.
    ranking_ : ndarray of shape (n_features,)
        1 for the feature with the most votes. Ties are broken by the mean of the
        members' rankings, if they have any.
    {support}
    selectors_ : list of selector
        The fitted members.
    {n_features_in}

    Notes
    -----
    The paper states neither the number of features of each member nor the threshold. On
    MADELON, the union of the best ten of each reproduces its fifteen features and its
    error; two votes of three have a larger error.

    {complex_models_paper}

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
        "min_features_to_select": [Interval(Integral, 0, None, closed="left")],
        "weights": ["array-like", None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        selectors=None,
        *,
        threshold=1,
        min_features_to_select=0,
        weights=None,
        n_jobs=None,
    ):
        self.selectors = selectors
        self.threshold = threshold
        self.min_features_to_select = min_features_to_select
        self.weights = weights
        self.n_jobs = n_jobs

    def fit(self, X, y=None, sample_weight=None):
        """Fit the members and count their votes.

        {fit_members}
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
        self.support_ |= self.ranking_ <= self.min_features_to_select
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
        """Return the named members; check names and members."""
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
        """Return the checked votes of the members; check the threshold."""
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
        tags.input_tags.sparse = True  # the member checks whether it supports this
        tags.target_tags.required = any(one.target_tags.required for one in members)
        return tags


def _read_pairs(selectors):
    """Return the pairs of name and member; an empty list if there are no pairs."""
    try:
        return [(name, one) for name, one in selectors if hasattr(one, "get_params")]
    except (TypeError, ValueError):
        return []


def _make_default_members():
    """Return the committee that the paper used for MADELON."""
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
