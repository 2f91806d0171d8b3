"""RF HT: keep the features that gain more than chance by a one-sided t test."""

from numbers import Real

import numpy as np
from scipy.stats import t as student

from manyminds._compat import Interval, StrOptions
from manyminds.analysis import adjust_p_values
from manyminds.feature_selection.base import rank_scores
from manyminds.feature_selection.embedded.forest_gain_threshold import (
    FALLBACKS,
    fall_back,
)
from manyminds.feature_selection.embedded.random_split_forest import BlindForestSelector


class ForestGainTestSelector(BlindForestSelector):
    r"""Keep the features whose gain above chance is positive by a t test.

    As in `ForestGainThresholdSelector`, a forest is grown in which every node is split by a single
    feature drawn at random, and :math:`d_l` is the information gain of node :math:`l`
    less what an irrelevant feature would gain there. With the weighted mean
    :math:`\bar d` and variance :math:`\sigma^2` over the nodes of a feature, which are
    worth :math:`m` independent ones, the feature is kept if [1]_

    .. math:: \sqrt{m} \, \bar d / \sigma > t_{1 - \gamma, \, m - 1}

    A feature that is not kept need not be irrelevant. The thesis then grows a forest on
    the features that are kept; its out-of-bag error can choose :math:`\gamma`.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees. The more features and the smaller the trees, the more are
        needed: a feature has as many nodes as a tree has, times the number of trees, by
        the number of features.
    gamma : float, default=0.05
        Level of the test; the smaller, the fewer features are kept. The thesis goes
        down to 1e-9.
    correction : {"bh", "bonferroni", "none"}, default="bh"
        How to allow for the number of features: by Benjamini and Hochberg, by
        Bonferroni, or not at all as in the thesis.
    expected_gain : {"shadow", "exact", "midpoint"}, default="shadow"
        What an irrelevant feature gains in a node; see `ForestGainThresholdSelector`. "midpoint" is
        the thesis's.
    ess : {"kish", "unit", "count"}, default="kish"
        What the nodes of a feature are worth, see `GainStatistics.count`.
    unit : float, default=0.2
        With ``ess="unit"``: a node has to have this share of the complexity of the
        training set to count as one. The thesis does not print it; 0.1 to 0.3 fits its
        results.
    weighting : {"complexity", "uniform"}, default="complexity"
        Whether a node counts by its complexity, or all nodes count the same.
    bag : {"unique", "bootstrap"}, default="unique"
        Whether a row that a tree has drawn repeatedly counts once, or as often as it
        was drawn; see `ForestGainThresholdSelector`.
    on_constant : {"redraw", "leaf"}, default="redraw"
        Where the drawn feature is constant in a node, draw another one, or make the
        node a leaf, as the thesis seems to do.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    fallback : {"best", "all", "none"}, default="best"
        What to keep if no feature passes; the thesis does not say.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is. For numbers the gain is the fall of the variance, as a share of the
        variance of y; only with ``expected_gain="shadow"``.
    max_bins : int, default=255
        Most bins of a column, up to 65,535.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.
    random_state : int, RandomState instance or None, default=None
        Draws rows and features, shuffles targets.
    n_jobs : int, default=None
        Number of threads; the result does not depend on it.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which features are kept.
    scores_ : ndarray of shape (n_features,)
        The test statistic of each feature; 0 where it has no two nodes.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature by its statistic, 1 for the best.
    pvalues_ : ndarray of shape (n_features,)
        Chance of such a statistic without relevance, after the correction; 1 where a
        feature has no two nodes.
    n_nodes_ : ndarray of shape (n_features,)
        What the nodes of each feature are worth, m.
    gain_statistics_ : GainStatistics
        Sums over the nodes of each feature.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    ForestGainThresholdSelector : Keeps all features with a positive mean.

    Notes
    -----
    The test takes nodes for independent. They are not: all trees see the same rows, and
    what an irrelevant feature gains on these by luck it gains in all trees. So the more
    trees, the more irrelevant features pass. Of columns of noise, 300 rows, at
    ``gamma=0.05`` without correction, 0.6 % passed with 100 trees and 6 % with 1000;
    with ``ess="count"`` 5 % and 15 %; with the thesis's "midpoint", which is too low,
    7 % and 53 %.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 7.4, algorithm 4.

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
        **BlindForestSelector._parameter_constraints,
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

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes or numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Odds of a row's draw.

        Returns
        -------
        self : ForestGainTestSelector
            The fitted selector.
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
    """Test for each feature whether its mean is above 0, with one-sided t tests.

    Parameters
    ----------
    statistics : GainStatistics
        Of gains above chance.
    size : ndarray of shape (n_features,)
        What the nodes of each feature are worth.

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
