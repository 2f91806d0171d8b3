"""Information gain: select features by their information about the target."""

from numbers import Real

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import N_TO_SELECT, count_to_select, rank_scores
from manyminds.feature_selection.filters.coded_selector import (
    ASSOCIATIONS,
    ROUNDING,
    CodedSelector,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class InformationGainSelector(CodedSelector):
    r"""Select the features whose information gain is above a threshold.

    The information gain of a feature is the decrease of the target's entropy by knowing
    the feature, :math:`H(y) - H(y \mid x)`, in bits [1]_. The gain ratio divides it by
    the entropy of the feature, the symmetrical uncertainty by the mean entropy of both:
    features with many levels have a high gain by random variation alone.

    Parameters
    ----------
    threshold : float, default=0.0
        Features whose association with the target is not above it are not selected.
    n_features_to_select : int or float, default=None
        Maximum number of features to select, or their share of all; None: no limit.
    association : str, default="information_gain"
        One of "information_gain",
        "gain_ratio" and "symmetrical_uncertainty".
        Association of a feature with the target.
    {coded_parameters}

    Attributes
    ----------
    {coded_scores}
    {ranking}
    {support}
    {n_features_in}

    See Also
    --------
    FCBFSelector : Removes features that a better one makes redundant.

    Notes
    -----
    A feature with :math:`k` levels that is independent of :math:`C` classes gains about
    :math:`(k - 1) (C - 1) / (2 n \ln 2)` bits on :math:`n` samples. "mdl" does not cut
    numeric columns that gain no more than that, so that a threshold of 0 suits it;
    other discretizations need a higher one.

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

        {fit_coded}
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
