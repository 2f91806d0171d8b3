"""CFS: search a subset of high relevance and low redundancy."""

from dataclasses import dataclass
from functools import partial
from numbers import Integral

import numpy as np
from scipy.sparse import issparse

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.associations import (
    absolute_pearson,
    symmetrical_uncertainty,
)
from manyminds.feature_selection.base import rank_in_order
from manyminds.feature_selection.filters.coded_selector import (
    ROUNDING,
    CodedSelector,
)
from manyminds.feature_selection.subset_search import (
    search_best_first,
    search_floating,
    search_forward,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class CFSSelector(CodedSelector):
    r"""Select the subset of highest relevance and lowest redundancy by a search.

    Correlation-based feature selection [1]_ searches the subset :math:`S` of :math:`k`
    features with the highest merit

    .. math::

       \frac{k \, \bar r_{cf}}{\sqrt{k + k (k - 1) \, \bar r_{ff}}}
       = \frac{\sum_{i \in S} r_{ic}}
              {\sqrt{k + 2 \sum_{i < j \in S} r_{ij}}}

    where :math:`r_{ic}` is the association of a feature with the target and
    :math:`r_{ij}` that of two features. An exact copy of the only member does not raise
    the merit.

    Parameters
    ----------
    search : {"best_first", "floating", "forward"}, default="best_first"
        Search through the subsets: "best_first" expands the best subset not yet
        expanded [1]_; "floating" adds a feature, then removes features as long as the
        result is the best of its size so far (SFFS) [2]_; "forward" adds the best
        feature as long as this raises the merit.
    n_stale : int, default=5
        "best_first" stops after this number of successive expansions without
        improvement, "floating" this number of sizes beyond that of the best subset.
        Ignored by "forward".
    association : {"auto", "symmetrical_uncertainty", "pearson"}, default="auto"
        Association of two columns. "auto" is the absolute Pearson correlation if the
        target and all columns are numeric, and the symmetrical uncertainty otherwise.
        The correlation with classes is the mean of those with the indicators of the
        classes, weighted by class frequency.
    {coded_parameters}

    Attributes
    ----------
    {coded_scores}
    ranking_ : ndarray of shape (n_features,)
        1, 2, ... for the selected features in the order in which they were added; all
        others share the next rank.
    {support}
    merit_ : float
        Merit of the selected subset.
    path_ : list of tuple of int
        Successive best subsets of the search; of "floating", the best one of each size.
    path_merits_ : ndarray of shape (n_steps,)
        Their merits.
    n_compared_ : int
        Number of features whose associations with all others were computed.
    {n_features_in}

    Notes
    -----
    Associations of features are computed when a subset with the feature is expanded,
    one row at a time, and cached. Features without any association with the target
    cannot raise a merit and are skipped. Missing values are a level of their own;
    correlations do not support them.

    A chapter [3]_ prints the denominator without the factor :math:`k` before
    :math:`(k - 1)`, a thesis [4]_ with the number of all features in place of
    :math:`k`; both are meant as above.

    References
    ----------
    .. [1] Hall, "Correlation-based feature selection for discrete and numeric class
       machine learning", ICML, 2000.
    .. [2] Pudil, Novovičová and Kittler, "Floating search methods in feature
       selection", Pattern Recognition Letters 15, 1994.
    .. [3] Duangsoithong and Windeatt, "Hybrid correlation and causal feature selection
       for ensemble classifiers", Ensembles in Machine Learning Applications, Springer,
       2011.
    .. [4] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import CFSSelector
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = CFSSelector().fit(X, y)
    >>> print(selector.get_feature_names_out(), round(selector.merit_, 2))
    ['petal length (cm)' 'petal width (cm)'] 0.9
    """

    _parameter_constraints = {
        **CodedSelector._parameter_constraints,
        "search": [StrOptions({"best_first", "floating", "forward"})],
        "n_stale": [Interval(Integral, 1, None, closed="left")],
        "association": [StrOptions({"auto", "symmetrical_uncertainty", "pearson"})],
    }

    def __init__(
        self,
        search="best_first",
        *,
        n_stale=5,
        association="auto",
        discretize="auto",
        n_bins=10,
        task="auto",
        categorical_features="from_dtype",
        n_jobs=None,
    ):
        self.search = search
        self.n_stale = n_stale
        self.association = association
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Search the best subset.

        {fit_coded}
        """
        self._validate_params()
        rows = self._read_rows(X, y, sample_weight)
        n_features = rows[0].shape[1]

        self.scores_, compare = self._associate(*rows)
        candidates = np.flatnonzero(self.scores_ > ROUNDING)
        merits = CorrelationMerit(self.scores_, compare, candidates)
        path = self._search(merits)
        best = max(path, key=lambda subset: round(subset.merit, 10))  # the smallest
        chosen = candidates[list(best.members)]
        self.merit_ = best.merit
        self.path_ = [tuple(candidates[list(one.members)].tolist()) for one in path]
        self.path_merits_ = np.array([one.merit for one in path])
        self.n_compared_ = len(merits.rows)
        self.ranking_ = rank_in_order(chosen, n_features)
        self.support_ = self.ranking_ <= len(chosen)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.association != "pearson"
        return tags

    def _associate(self, X, is_categorical, y, classes, sample_weight):
        """Return the associations with the target, and a function that computes others.

        The function takes a feature and an array of features to compare it with.
        """
        association = self.association
        if association == "auto":
            is_numeric = classes is None and not is_categorical.any() and _is_known(X)
            association = "pearson" if is_numeric else "symmetrical_uncertainty"
        if association == "pearson":
            _check_numbers(X, is_categorical)
            scores = _correlate_target(X, y, classes, sample_weight)
            return scores, partial(_correlate, X, sample_weight)
        table, target = self._code(X, is_categorical, y, classes, sample_weight)
        options = {"sample_weight": sample_weight, "n_jobs": self.n_jobs}
        scores = symmetrical_uncertainty(table, *target, **options)
        return scores, partial(_share, table, options)

    def _search(self, merits):
        if self.search == "forward":
            return search_forward(merits)
        if self.search == "floating":
            return search_floating(merits, self.n_stale)
        return search_best_first(merits, self.n_stale)


@dataclass(frozen=True)
class Subset:
    """A subset of the candidates, in the order of addition, with its sums."""

    members: tuple
    target_sum: float
    pair_sum: float
    merit: float


class CorrelationMerit:
    """Merits of subsets of candidates; each association is computed at most once.

    Parameters
    ----------
    scores : ndarray of shape (n_features,)
        Association of each feature with the target.
    compare : callable
        ``compare(feature, others)`` returns the associations of a feature with others.
    candidates : ndarray of int of shape (n_candidates,)
        The features that subsets may contain. Members are positions among these.
    """

    def __init__(self, scores, compare, candidates):
        self.scores = scores[candidates]
        self.compare = compare
        self.candidates = candidates
        self.n_features = len(candidates)
        self.rows = {}

    def start(self):
        """Return the empty subset."""
        return Subset((), 0.0, 0.0, 0.0)

    def after_adding(self, subset):
        """Return the merit of each subset with one member more."""
        n_members = len(subset.members) + 1
        pairs = subset.pair_sum + self._sum_rows(subset.members)
        merits = (subset.target_sum + self.scores) / np.sqrt(n_members + 2.0 * pairs)
        merits[list(subset.members)] = -np.inf
        return merits

    def after_removing(self, subset):
        """Return the merit of each subset with one member fewer."""
        members, merits = list(subset.members), np.full(self.n_features, -np.inf)
        n_members = len(members) - 1
        pairs = subset.pair_sum - self._sum_rows(members)[members]
        sums = subset.target_sum - self.scores[members]
        merits[members] = sums / np.sqrt(n_members + 2.0 * np.maximum(pairs, 0.0))
        return merits

    def add(self, subset, feature):
        """Return the subset with one member more."""
        return self._change(subset, (*subset.members, feature), feature, 1.0)

    def remove(self, subset, feature):
        """Return the subset with one member fewer."""
        members = tuple(one for one in subset.members if one != feature)
        return self._change(subset, members, feature, -1.0)

    def _change(self, subset, members, feature, sign):
        shared = sum(self._find_row(one)[feature] for one in members if one != feature)
        target_sum = subset.target_sum + sign * self.scores[feature]
        pair_sum = subset.pair_sum + sign * shared
        merit = target_sum / np.sqrt(len(members) + 2.0 * max(pair_sum, 0.0))
        return Subset(members, target_sum, pair_sum, float(merit))

    def _sum_rows(self, members):
        """Return the sum of each candidate's associations with the members."""
        total = np.zeros(self.n_features)
        for one in members:
            total += self._find_row(one)
        return total

    def _find_row(self, member):
        """Return the associations of a candidate with all others; 0 with itself."""
        if member not in self.rows:
            row = self.compare(self.candidates[member], self.candidates)
            row[member] = 0.0
            self.rows[member] = row
        return self.rows[member]


def _is_known(X):
    """Return whether there is no missing value."""
    values = X.data if issparse(X) else X
    return not np.isnan(values.sum())


def _check_numbers(X, is_categorical):
    if is_categorical.any():
        raise ValueError(
            "association='pearson' takes numbers only; the columns "
            f"{np.flatnonzero(is_categorical).tolist()} are categorical. Use "
            "'symmetrical_uncertainty'."
        )


def _correlate_target(X, y, classes, sample_weight):
    """Return each feature's correlation with numbers or, on average, with classes."""
    if classes is None:
        return absolute_pearson(X, y, sample_weight)
    shares = np.bincount(y, weights=sample_weight) / (
        len(y) if sample_weight is None else sample_weight.sum()
    )
    return sum(
        share * absolute_pearson(X, (y == c).astype(np.float64), sample_weight)
        for c, share in enumerate(shares)
    )


def _correlate(X, sample_weight, feature, others):
    column = X[:, [feature]].toarray().ravel() if issparse(X) else X[:, feature]
    return absolute_pearson(X[:, others], column, sample_weight)


def _share(table, options, feature, others):
    column = table.codes[feature], table.n_levels[feature]
    return symmetrical_uncertainty(table, *column, features=others, **options)
