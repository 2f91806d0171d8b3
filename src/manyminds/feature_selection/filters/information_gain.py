"""Keep the features that say enough about the target, each taken by itself."""

from numbers import Real

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection.base import N_TO_SELECT, count_to_select, rank_scores
from manyminds.feature_selection.filters.coded_selector import (
    ASSOCIATIONS,
    ROUNDING,
    CodedSelector,
)


class InformationGainSelector(CodedSelector):
    r"""Select the features whose information gain is above a threshold.

    The information gain of a feature is the part of the target's entropy that is gone
    once the feature is known, :math:`H(y) - H(y \mid x)`, in bits [1]_. The gain ratio
    divides it by the feature's own entropy, the symmetrical uncertainty by the mean
    entropy of both: features with many levels gain a lot by chance alone.

    Parameters
    ----------
    threshold : float, default=0.0
        Features whose association with the target is no higher are left out.
    n_features_to_select : int or float, default=None
        Largest number of features to keep, or their share; None: there is no limit.
    association : str, default="information_gain"
        One of "information_gain",
        "gain_ratio" and "symmetrical_uncertainty".
        How to measure what a feature says about the target.
    discretize : str or None, default="auto"
        One of "auto", "mdl", "quantile", "uniform" and "mean_std".
        How columns of numbers are cut into levels, see
        :func:`~manyminds.feature_selection.make_code_table`. "auto" is "mdl" for
        classes and "quantile" for a numeric target; None takes each number as a level.
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
        Rank of each feature, 1 for the highest score; among equals the first goes
        first.
    support_ : ndarray of bool of shape (n_features,)
        Which features are selected.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they are strings.

    See Also
    --------
    FCBFSelector : Leaves out what a better feature tells already.

    Notes
    -----
    By chance alone, a feature with :math:`k` levels gains about
    :math:`(k - 1) (C - 1) / (2 n \ln 2)` bits about :math:`C` classes in :math:`n`
    rows. "mdl" does not cut columns of numbers that gain no more than chance, so
    that a threshold of 0 is meant for it; other ways to cut want a higher one.

    References
    ----------
    .. [1] Roobaert, Karakoulas and Chawla, "Information gain, correlation and support
       vector machines", Feature Extraction, Springer, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import InformationGainSelector
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = InformationGainSelector(threshold=1.0).fit(X, y)
    >>> selector.scores_.round(2)
    array([0.65, 0.39, 1.36, 1.38])
    >>> print(selector.get_feature_names_out())
    ['petal length (cm)' 'petal width (cm)']
    """

    _parameter_constraints = {
        **CodedSelector._parameter_constraints,
        "threshold": [Interval(Real, 0.0, None, closed="left")],
        "n_features_to_select": [*N_TO_SELECT, None],
        "association": [StrOptions(set(ASSOCIATIONS))],
    }

    def __init__(
        self,
        threshold=0.0,
        *,
        n_features_to_select=None,
        association="information_gain",
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
        """Score every feature; select those above the threshold.

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
        self : InformationGainSelector
            The fitted selector.
        """
        self._validate_params()
        rows = self._read_rows(X, y, sample_weight)

        table, target = self._code(*rows)
        associate = ASSOCIATIONS[self.association]
        self.scores_ = associate(
            table, *target, sample_weight=rows[-1], n_jobs=self.n_jobs
        )
        self.ranking_ = rank_scores(self.scores_.round(10))
        self.support_ = self.scores_ > self.threshold + ROUNDING
        if self.n_features_to_select is not None:
            most = count_to_select(self.n_features_to_select, table.n_features)
            self.support_ &= self.ranking_ <= most
        return self
