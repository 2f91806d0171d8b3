"""CI WS: draw features as equally as confidence intervals of their gains allow."""

from numbers import Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions, with_callbacks
from manyminds.ensemble.forests.weighted_draws.base import (
    WeightedDrawsForest,
    cut_batches,
)
from manyminds.trees.nodes.feature_draws import (
    bound_gains,
    draw_most_uniformly,
)
from manyminds.trees.nodes.gain_statistics import (
    ESS,
    GainStatistics,
    collect_gains,
)
from manyminds.trees.nodes.node_complexity import node_complexity
from manyminds.trees.structure import Trees


class CIWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by what these are known to gain.

    Every node is split by a single feature. The trees grow one after the other; after
    each, every feature has a confidence interval of its mean information gain, weighted
    by `node_complexity`. Features are drawn by the most equal weights that agree with
    all intervals [1]_: the first trees draw them blindly, later ones the more by their
    gains the more is known about these.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    confidence : float, default=0.95
        Level of the intervals; the higher, the longer features are drawn equally.
    ess : {"kish", "unit", "count"}, default="kish"
        What the nodes of a feature are worth when the interval is computed, see
        `GainStatistics.count`.
    unit : float, default=0.2
        With ``ess="unit"``: a node has to have this share of the complexity of the
        training set to count as one. The thesis does not print its share.
    update_every : int, default=1
        How many trees grow between two looks at the intervals.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    min_samples_leaf : int or float, default=1
        Fewest rows, or smallest share of them, on either side of a split.
    on_constant : {"redraw", "leaf"}, default="redraw"
        Where the drawn feature is constant in a node, draw another one, or make the
        node a leaf, as the thesis seems to do.
    oob_score : bool or callable, default=False
        Whether to predict each row by the trees that did not draw it, and to score that
        by accuracy or by ``oob_score(y_true, y_pred)``.
    n_jobs : int, default=None
        Number of threads; -1: all processors. The result does not depend on
        it. Only trees of one batch, see ``update_every``, grow at the same time.
    random_state : int, RandomState instance or None, default=None
        Draws rows and features.
    verbose : int, default=0
        Above 0: show on the error stream how far the forest has grown.
    max_bins : int, default=255
        Most bins of a column, up to 65,535.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        How features would be drawn for the next tree; they add up to 1.
    gain_statistics_ : GainStatistics
        Sums over the nodes of each feature.
    interval_widths_ : ndarray of shape (n_batches,)
        Mean width of the intervals after each batch of trees, over the features that
        have one; NaN while none has.
    trees_ : Trees
        The node arrays of all trees.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_classes_ : int
        Number of classes.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.
    feature_importances_ : ndarray of shape (n_features,)
        Mean over the trees of each feature's share in the fall of impurity.
    estimators_ : list of DecisionTreeClassifier
        The trees as fitted estimators, made when asked for.
    estimators_samples_ : list of ndarray
        The rows that each tree drew.
    oob_score_ : float
        Score of the out-of-bag predictions; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag probabilities; only with ``oob_score``.

    See Also
    --------
    TwoStageWSForestClassifier : Weighs by the gains in a first forest.
    LambdaWSForestClassifier : Changes the weights at a given pace.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 7.3, algorithm 3.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.ensemble import CIWSForestClassifier
    >>> X, y = make_simple(random_state=0)
    >>> forest = CIWSForestClassifier(random_state=0).fit(X, y)
    >>> forest.feature_weights_.argmax()
    np.int64(1)
    """

    _parameter_constraints = {
        **WeightedDrawsForest._parameter_constraints,
        "confidence": [Interval(Real, 0.0, 1.0, closed="neither")],
        "ess": [StrOptions(set(ESS))],
        "unit": [Interval(Real, 0.0, None, closed="neither")],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        confidence=0.95,
        ess="kish",
        unit=0.2,
        update_every=1,
        max_depth=None,
        min_samples_leaf=1,
        on_constant="redraw",
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.n_estimators = n_estimators
        self.confidence = confidence
        self.ess = ess
        self.unit = unit
        self.update_every = update_every
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.on_constant = on_constant
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.max_bins = max_bins
        self.categorical_features = categorical_features

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Odds of a row's draw.

        Returns
        -------
        self : CIWSForestClassifier
            The fitted forest.
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        grow_trees = self._make_grower(X, y, sample_weight, self._bin(X, self.n_jobs))
        seeds = self._draw_seeds(check_random_state(self.random_state))
        batches = cut_batches(seeds, self.update_every)
        unit = self.unit * float(node_complexity(np.bincount(y.astype(np.intp))))
        gains, weights = GainStatistics.empty(X.shape[1]), None
        parts, widths = [], []
        for some in self._watch(batches, len(batches)):
            parts.append(grow_trees(some, weights))
            gains += collect_gains(parts[-1])
            low, high = bound_gains(gains, gains.count(self.ess, unit), self.confidence)
            weights = draw_most_uniformly(low, high)
            widths.append(_mean_width(low, high))
        self.feature_weights_, self.gain_statistics_ = weights, gains
        self.interval_widths_ = np.array(widths)
        return self._store_trees(Trees.concatenate(parts), given, y)


def _mean_width(low, high):
    """Return the mean width of the intervals that are not infinite."""
    is_known = np.isfinite(low)
    return float(np.mean((high - low)[is_known])) if is_known.any() else np.nan
