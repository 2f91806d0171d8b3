"""FCBF: select relevant features that no better feature makes redundant."""

from numbers import Integral, Real

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import rank_in_order
from manyminds.feature_selection.filters.coded_selector import (
    ASSOCIATIONS,
    ROUNDING,
    CodedSelector,
    order_by_score,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class FCBFSelector(CodedSelector):
    r"""Select relevant features that no other selected feature makes redundant.

    The fast correlation-based filter [1]_ goes through the features in order of
    decreasing association with the class. It selects the first, removes all features
    whose association with it is at least that with the class, and continues with the
    next one that is left. A selected feature :math:`j` is an *approximate Markov
    blanket* of the features :math:`i` that it removes:

    .. math:: SU(j, c) \ge SU(i, c) \quad \text{and} \quad SU(i, j) \ge SU(i, c)

    with the symmetrical uncertainty
    :math:`SU(x, y) = 2 \, [H(x) + H(y) - H(x, y)] \, / \, [H(x) + H(y)]`.

    Parameters
    ----------
    threshold : float, default=0.0
        Features whose association with the target is not above it are irrelevant.
    n_features_to_select : int, default=None
        Maximum number of features to select; None: no limit.
    min_features_to_select : int, default=0
        Features to keep in any case: if fewer are selected, the best of the others.
    association : str, default="symmetrical_uncertainty"
        One of "symmetrical_uncertainty",
        "information_gain" and "gain_ratio".
        Association of two columns. The gain ratio divides by the entropy of the
        feature.
    {coded_parameters}

    Attributes
    ----------
    {coded_scores}
    {greedy_ranking}
    {support}
    blankets_ : ndarray of shape (n_features,)
        For each redundant feature, the selected one that is its approximate Markov
        blanket; -1 for the others.
    {n_features_in}

    Notes
    -----
    "mdl" does not cut a numeric column without information about the classes, so that
    it is irrelevant at any threshold. Categorical columns, and columns discretized
    otherwise, have some information by random variation.

    A chapter [2]_ prints the first condition with the same feature on both sides; it is
    meant as above.

    References
    ----------
    .. [1] Yu and Liu, "Feature selection for high-dimensional data: a fast
       correlation-based filter solution", ICML, 2003.
    .. [2] Duangsoithong and Windeatt, "Hybrid correlation and causal feature selection
       for ensemble classifiers", Ensembles in Machine Learning Applications, Springer,
       2011.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.feature_selection import FCBFSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = FCBFSelector(n_features_to_select=3).fit(X, y)
    >>> print(selector.get_feature_names_out())
    ['flavanoids' 'color_intensity' 'od280/od315_of_diluted_wines']
    """

    _parameter_constraints = {
        **CodedSelector._parameter_constraints,
        "threshold": [Interval(Real, 0.0, None, closed="left")],
        "n_features_to_select": [Interval(Integral, 1, None, closed="left"), None],
        "min_features_to_select": [Interval(Integral, 0, None, closed="left")],
        "association": [StrOptions(set(ASSOCIATIONS))],
    }

    def __init__(
        self,
        threshold=0.0,
        *,
        n_features_to_select=None,
        min_features_to_select=0,
        association="symmetrical_uncertainty",
        discretize="auto",
        n_bins=10,
        task="auto",
        categorical_features="from_dtype",
        n_jobs=None,
    ):
        self.threshold = threshold
        self.n_features_to_select = n_features_to_select
        self.min_features_to_select = min_features_to_select
        self.association = association
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Select relevant features, in order of relevance.

        {fit_coded}
        """
        self._validate_params()
        rows = self._read_rows(X, y, sample_weight)
        weight, associate = rows[-1], ASSOCIATIONS[self.association]

        table, target = self._code(*rows)
        options = {"sample_weight": weight, "n_jobs": self.n_jobs}
        self.scores_ = associate(table, *target, **options)
        self.blankets_ = np.full(table.n_features, -1, dtype=np.int64)
        selected, rest = [], order_by_score(self.scores_, self.threshold)
        while len(rest) and len(selected) != self.n_features_to_select:
            best, rest = rest[0], rest[1:]
            selected.append(best)
            column = table.codes[best], table.n_levels[best]
            shared = associate(table, *column, features=rest, **options)
            is_redundant = shared >= self.scores_[rest] - ROUNDING
            self.blankets_[rest[is_redundant]] = best
            rest = rest[~is_redundant]
        for best in np.argsort(-self.scores_, kind="stable"):
            if len(selected) >= self.min_features_to_select:
                break
            selected += [best] if best not in selected else []
        self.ranking_ = rank_in_order(selected, table.n_features)
        self.support_ = self.ranking_ <= len(selected)
        return self
