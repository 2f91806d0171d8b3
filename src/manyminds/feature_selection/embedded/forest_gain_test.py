"""RF HT: select the features that gain more than an irrelevant one, by a t test."""

from numbers import Real

import numpy as np
from scipy.stats import t as student

from manyminds._compat import Interval, StrOptions
from manyminds.analysis import adjust_p_values
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import rank_scores
from manyminds.feature_selection.embedded.forest_gain_threshold import (
    FALLBACKS,
    fall_back,
)
from manyminds.feature_selection.embedded.random_split_forest import (
    RandomSplitForestSelector,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


@fill_docstring(
    **PARAMETERS, references=cite(f"{ROGERS_2007}, section 7.4, algorithm 4")
)
class ForestGainTestSelector(RandomSplitForestSelector):
    r"""Select the features whose gain is above that of an irrelevant one by a t test.

    The thesis calls it RF HT. As in `ForestGainThresholdSelector`, a forest is grown in
    which every node is split by a single feature drawn at random, and :math:`d_l` is
    the information gain of node :math:`l` minus the expected gain of an irrelevant
    feature. With the weighted mean :math:`\bar d` and variance :math:`\sigma^2` over
    the nodes of a feature, whose effective number is :math:`m`, the feature is selected
    if [1]_

    .. math:: \sqrt{m} \, \bar d / \sigma > t_{1 - \gamma, \, m - 1}

    A feature that is not selected need not be irrelevant. The thesis then grows a
    forest on the selected features; its out-of-bag error can choose :math:`\gamma`.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees. The more features and the smaller the trees, the more trees are
        needed: the nodes of all trees are shared by all features.
    gamma : float, default=0.05
        Significance level; a smaller one selects fewer features. The thesis goes down
        to 1e-9.
    correction : {"bh", "bonferroni", "none"}, default="bh"
        Correction for multiple tests: Benjamini and Hochberg, Bonferroni, or none as in
        the thesis.
    expected_gain : {"shadow", "exact", "midpoint"}, default="shadow"
        Expected gain of an irrelevant feature in a node; see
        `ForestGainThresholdSelector`. "midpoint" is the thesis's.
    ess : {"kish", "unit", "count"}, default="kish"
        Effective number of nodes of a feature, see `GainStatistics.count`.
    unit : float, default=0.2
        With ``ess="unit"``: share of the complexity of the training set that counts as
        one node. The thesis does not print it; 0.1 to 0.3 fits its results.
    {random_splits}
    {gain_table}
    random_state : int, RandomState instance or None, default=None
        Draws samples and features, shuffles targets.
    {n_jobs}

    Attributes
    ----------
    {support}
    scores_ : ndarray of shape (n_features,)
        Test statistic of each feature; 0 if it has fewer than two nodes.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature by its statistic, 1 for the best.
    pvalues_ : ndarray of shape (n_features,)
        Corrected p-value of each feature; 1 if it has fewer than two nodes.
    n_nodes_ : ndarray of shape (n_features,)
        Effective number of nodes of each feature, m.
    {gain_statistics}
    {n_features_in}

    See Also
    --------
    ForestGainThresholdSelector : Selects all features with a positive mean.

    Notes
    -----
    The test assumes independent nodes. They are not: all trees share the samples, and
    the random gain of an irrelevant feature on these recurs in all trees. So the more
    trees, the more irrelevant features pass. Of noise columns, 300 samples, at
    ``gamma=0.05`` without correction, 0.6 % passed with 100 trees and 6 % with 1000;
    with ``ess="count"`` 5 % and 15 %; with the thesis's "midpoint", which is too low,
    7 % and 53 %.

    {references}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.feature_selection import ForestGainTestSelector
    >>> X, y = make_simple(random_state=0)
    >>> selector = ForestGainTestSelector(gamma=1e-6, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 1])
    """

    _parameter_constraints = {
        **RandomSplitForestSelector._parameter_constraints,
        "gamma": [Interval(Real, 0.0, 1.0, closed="neither")],
        "correction": [StrOptions({"bh", "bonferroni", "none"})],
        "fallback": [StrOptions(set(FALLBACKS))],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        gamma=0.05,
        correction="bh",
        expected_gain="shadow",
        ess="kish",
        unit=0.2,
        weighting="complexity",
        bag="unique",
        on_constant="redraw",
        max_depth=None,
        fallback="best",
        task="auto",
        max_bins=255,
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
    ):
        self.n_estimators = n_estimators
        self.gamma = gamma
        self.correction = correction
        self.expected_gain = expected_gain
        self.ess = ess
        self.unit = unit
        self.weighting = weighting
        self.bag = bag
        self.on_constant = on_constant
        self.max_depth = max_depth
        self.fallback = fallback
        self.task = task
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Grow the forest and test the gains of each feature.

        {fit_forest}
        """
        self._validate_params()
        data = self._read(X, y, sample_weight, self.expected_gain)
        _, _, y, classes, _ = data

        self.gain_statistics_ = self._collect_gains(*data, self.expected_gain)
        unit = self._weigh_unit(y, classes)
        self.n_nodes_ = self.gain_statistics_.count(self.ess, unit)
        self.scores_, pvalues = find_pvalues(self.gain_statistics_, self.n_nodes_)
        self.pvalues_ = adjust_p_values(pvalues, self.correction)
        self.ranking_ = rank_scores(self.scores_)
        support = self.pvalues_ < self.gamma
        self.support_ = fall_back(support, self.ranking_, self.fallback)
        return self


def find_pvalues(statistics, size):
    """Test for each feature whether its mean is above 0 by a one-sided t test.

    Parameters
    ----------
    statistics : GainStatistics
        Of the differences from the expected gains.
    size : ndarray of shape (n_features,)
        Effective number of nodes of each feature.

    Returns
    -------
    statistic : ndarray of shape (n_features,)
        0 where the size is 1 or less.
    pvalues : ndarray of shape (n_features,)
        1 where the size is 1 or less.
    """
    known = size > 1.0
    statistic, pvalues = np.zeros(len(size)), np.ones(len(size))
    error = np.sqrt(statistics.variance(size)[known] / size[known])
    mean = statistics.mean[known]
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic[known] = np.where(mean == 0.0, 0.0, mean / error)
    pvalues[known] = student.sf(statistic[known], size[known] - 1.0)
    return statistic, pvalues
