"""FCBF: keep what no better feature tells already."""

from numbers import Integral, Real

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection.base import rank_in_order
from manyminds.feature_selection.filters.coded_selector import (
    ASSOCIATIONS,
    ROUNDING,
    CodedSelector,
    order_by_score,
)


class FCBFSelector(CodedSelector):
    r"""Select relevant features, none of which another one makes superfluous.

    The fast correlation-based filter [1]_ goes through the features from the one that
    says most about the class to the one that says least. It keeps the first, leaves out
    all that say no more about the class than they say about it, goes on to the next
    that is left, and so on. A kept feature :math:`j` is an *approximate Markov blanket*
    of those, :math:`i`, which it removes:

    .. math:: SU(j, c) \ge SU(i, c) \quad \text{and} \quad SU(i, j) \ge SU(i, c)

    with the symmetrical uncertainty
    :math:`SU(x, y) = 2 \, [H(x) + H(y) - H(x, y)] \, / \, [H(x) + H(y)]`.

    Parameters
    ----------
    threshold : float, default=0.0
        Features whose association with the target is no higher are irrelevant.
    n_features_to_select : int, default=None
        Number of features after which to stop; None: there is no limit.
    association : str, default="symmetrical_uncertainty"
        One of "symmetrical_uncertainty",
        "information_gain" and "gain_ratio".
        How strongly two columns go together. The gain ratio of a feature is divided by
        its own entropy.
    discretize : str or None, default="auto"
        One of "auto", "mdl", "quantile", "uniform" and "mean_std".
        How columns of numbers are cut into levels, see
        :func:`~manyminds.feature_selection.make_code_table`. "auto" is "mdl" for
        classes and "quantile" for a numeric target; None takes each number as a level,
        which is right for columns that are codes already.
    n_bins : int, default=10
        Number of levels of "quantile" and "uniform", and of a numeric target.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the target is classes or numbers; "auto": numbers with decimals are
        numbers.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Columns whose values are names, which stay as they are: a mask, positions,
        names, or those of a dataframe that have a categorical dtype.
    n_jobs : int, default=None
        Number of threads.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Association of each feature with the target.
    ranking_ : ndarray of shape (n_features,)
        1, 2, ... for the selected features, the most relevant first; all others share
        the next rank.
    support_ : ndarray of bool of shape (n_features,)
        Which features are selected.
    blankets_ : ndarray of shape (n_features,)
        For each feature that was left out as redundant, the selected one that is its
        approximate Markov blanket; -1 for the others.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they are strings.

    Notes
    -----
    "mdl" leaves a column of numbers that says nothing about the classes in one piece,
    so that it is irrelevant at any threshold. Category columns, and all columns with
    another way to cut, say at least a little by chance.

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
        "association": [StrOptions(set(ASSOCIATIONS))],
    }

    def __init__(
        self,
        threshold=0.0,
        *,
        n_features_to_select=None,
        association="symmetrical_uncertainty",
        discretize="auto",
        n_bins=10,
        task="auto",
        categorical_features="from_dtype",
        n_jobs=None,
    ):
        self.threshold = threshold
        self.n_features_to_select = n_features_to_select
        self.association = association
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Select the features.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows. What is missing counts as a level of its own.
        y : array-like of shape (n_samples,)
            Their classes or numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self : FCBFSelector
            The fitted selector.
        """
        self._validate_params()
        rows = self._read_rows(X, y, sample_weight)
        weight, associate = rows[-1], ASSOCIATIONS[self.association]

        table, target = self._code(*rows)
        options = {"sample_weight": weight, "n_jobs": self.n_jobs}
        self.scores_ = associate(table, *target, **options)
        self.blankets_ = np.full(table.n_features, -1, dtype=np.int64)
        kept, rest = [], order_by_score(self.scores_, self.threshold)
        while len(rest) and len(kept) != self.n_features_to_select:
            best, rest = rest[0], rest[1:]
            kept.append(best)
            column = table.codes[best], table.n_levels[best]
            shared = associate(table, *column, features=rest, **options)
            is_redundant = shared >= self.scores_[rest] - ROUNDING
            self.blankets_[rest[is_redundant]] = best
            rest = rest[~is_redundant]
        self.ranking_ = rank_in_order(kept, table.n_features)
        self.support_ = self.ranking_ <= len(kept)
        return self
