"""Remove a feature only if a better one alone is as good as both together."""

from numbers import Real

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.associations import entropy, mutual_information
from manyminds.feature_selection.base import rank_in_order
from manyminds.feature_selection.filters.coded_selector import (
    ASSOCIATIONS,
    ROUNDING,
    CodedSelector,
    order_by_score,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class PairwiseRedundancySelector(CodedSelector):
    r"""Select the features that add information to each of the better ones.

    A feature :math:`j` is removed [1]_ [2]_ if a better selected one, :math:`i`, has at
    least the association with the target that both have together:

    .. math::

       \rho(x_i, y) \ge \rho(x_j, y) \quad \text{and} \quad
       \rho(x_i, y) \ge \rho\bigl((x_i, x_j), y\bigr)

    where :math:`(x_i, x_j)` is the pair as one column. Two features that are only
    informative together, as in an exclusive or, do not remove each other.

    Parameters
    ----------
    threshold : float or None, default=0.0
        Features whose association with the target is not above it remove no other
        feature. None: every feature can, as printed in [2]_; then a noise feature that
        happens to come first may remove one half of an exclusive or.
    association : str, default="symmetrical_uncertainty"
        One of "symmetrical_uncertainty",
        "information_gain" and "gain_ratio".
        The measure :math:`\rho`. The information gain of a pair is never below that of
        one of its columns; the other measures divide by the entropy of the pair.
    discretize : str or None, default="auto"
        One of "auto", "mdl", "quantile", "uniform" and "mean_std".
        How numeric columns are discretized, see
        :func:`~manyminds.feature_selection.make_code_table`. "auto" is "quantile":
        "mdl" would not cut columns that are only informative in pairs.
    n_bins : int, default=4
        Number of levels of "quantile" and "uniform", and of a numeric target.
    {task}
    {categorical_features}
    {n_jobs}

    Attributes
    ----------
    {coded_scores}
    {greedy_ranking}
    {support}
    blankets_ : ndarray of shape (n_features,)
        For each removed feature, the selected one that removed it; -1 for the others.
    {n_features_in}

    See Also
    --------
    FCBFSelector : Compares features with each other, not pairs with the target.

    Notes
    -----
    Noise features are removed only by relevant features. In an exclusive or among noise
    features, no feature is relevant by itself and all are selected: this filter does
    not find interactions, it preserves them.

    The pair needs no column of its own: its information is
    :math:`I(x_i; y) + I(x_j; x_i y) - I(x_j; x_i)`.

    References
    ----------
    .. [1] Yu and Liu, "Efficient feature selection via analysis of relevance and
       redundancy", Journal of Machine Learning Research 5, 2004.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, eqs. 6.10 and 6.11.

    Examples
    --------
    The third column is a copy of the first, the fourth is noise.

    >>> import numpy as np
    >>> from manyminds.feature_selection import PairwiseRedundancySelector
    >>> X = np.array([[a, b, a, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    >>> y = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    >>> PairwiseRedundancySelector().fit(X, y).get_support(indices=True)
    array([0])
    >>> PairwiseRedundancySelector().fit(X[:, [1, 3]], X[:, 1] ^ X[:, 3]).get_support()
    array([ True,  True])
    """

    _parameter_constraints = {
        **CodedSelector._parameter_constraints,
        "threshold": [Interval(Real, 0.0, None, closed="left"), None],
        "association": [StrOptions(set(ASSOCIATIONS))],
    }

    def __init__(
        self,
        threshold=0.0,
        *,
        association="symmetrical_uncertainty",
        discretize="auto",
        n_bins=4,
        task="auto",
        categorical_features="from_dtype",
        n_jobs=None,
    ):
        self.threshold = threshold
        self.association = association
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Select features, in order of relevance.

        {fit_coded}
        """
        self._validate_params()
        rows = self._read_rows(X, y, sample_weight)

        table, target = self._code(*rows)
        pairs = _Pairs(table, target, self.association, rows[-1], self.n_jobs)
        self.scores_ = pairs.scores
        self.blankets_ = np.full(table.n_features, -1, dtype=np.int64)
        selected, rest = [], order_by_score(self.scores_)
        while len(rest):
            best, rest = rest[0], rest[1:]
            selected.append(best)
            if self._removes_others(best) and len(rest):
                joint = pairs.associate_with(best, rest)
                is_redundant = joint <= self.scores_[best] + ROUNDING
                self.blankets_[rest[is_redundant]] = best
                rest = rest[~is_redundant]
        self.ranking_ = rank_in_order(selected, table.n_features)
        self.support_ = self.ranking_ <= len(selected)
        return self

    def _removes_others(self, feature):
        if self.threshold is None:
            return True
        return self.scores_[feature] > self.threshold + ROUNDING

    def _choose_cuts(self, classes):
        return "quantile"


class _Pairs:
    """Associations of pairs of coded columns with a target."""

    def __init__(self, table, target, association, sample_weight, n_jobs):
        self.table, self.target, self.association = table, target, association
        self.options = {"sample_weight": sample_weight, "n_jobs": n_jobs}
        self.sample_weight = sample_weight
        self.entropies = entropy(table, sample_weight=sample_weight)
        self.gains = mutual_information(table, *target, **self.options)
        self.target_entropy = _find_entropy(target[0], sample_weight)
        self.scores = self._normalize(self.gains, self.entropies)

    def associate_with(self, feature, others):
        """Return the association of a feature together with each of some others."""
        column, n_levels = self.table.codes[feature], self.table.n_levels[feature]
        codes, n_classes = self.target
        _, both = np.unique(
            column.astype(np.int64) * n_classes + codes, return_inverse=True
        )
        shared = mutual_information(
            self.table, column, n_levels, features=others, **self.options
        )
        shared_with_both = mutual_information(
            self.table, both, both.max() + 1, features=others, **self.options
        )
        gains = self.gains[feature] + shared_with_both - shared
        entropies = self.entropies[feature] + self.entropies[others] - shared
        return self._normalize(gains, entropies)

    def _normalize(self, gains, entropies):
        """Turn information into the association of columns with these entropies."""
        if self.association == "information_gain":
            return gains
        if self.association == "gain_ratio":
            scale = entropies
        else:
            scale = 0.5 * (entropies + self.target_entropy)
        ratio = np.zeros_like(gains)
        return np.divide(gains, scale, out=ratio, where=scale > ROUNDING)


def _find_entropy(codes, sample_weight):
    counts = np.bincount(codes, weights=sample_weight)
    share = counts[counts > 0.0] / counts.sum()
    return float(-(share * np.log2(share)).sum())
