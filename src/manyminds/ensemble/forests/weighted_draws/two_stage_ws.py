"""Two stages: a first forest tells how the second draws features."""

from numbers import Integral

from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions, with_callbacks
from manyminds.ensemble.forests.weighted_draws.base import WeightedDrawsForest
from manyminds.trees.growing import draw_seeds
from manyminds.trees.nodes.feature_draws import normalize
from manyminds.trees.nodes.gain_statistics import collect_gains


class TwoStageWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by their gains in a forest grown before.

    A first forest draws the feature of each node blindly. The trees of the second,
    which classify, draw a feature in proportion to its mean information gain
    :math:`\overline{IG}_f` in the first [1]_.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    n_scouts : int, default=None
        Number of trees of the first forest; None: as many as of the second.
    weighting : {"complexity", "uniform"}, default="complexity"
        Whether a node counts by its `node_complexity`, or all nodes count the same.
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
        Number of threads; -1: all processors. The result does not depend on it.
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
        How features were drawn; they add up to 1.
    gain_statistics_ : GainStatistics
        Sums over the nodes of each feature in the first forest.
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
    CIWSForestClassifier : Does it in one go.
    TreeWSForestClassifier : Has a single tree for a first stage.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 7.3.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.ensemble import TwoStageWSForestClassifier
    >>> X, y = make_simple(random_state=0)
    >>> forest = TwoStageWSForestClassifier(random_state=0).fit(X, y)
    >>> forest.feature_weights_.argmax()
    np.int64(1)
    """

    _parameter_constraints = {
        **WeightedDrawsForest._parameter_constraints,
        "n_scouts": [Interval(Integral, 1, None, closed="left"), None],
        "weighting": [StrOptions({"complexity", "uniform"})],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        n_scouts=None,
        weighting="complexity",
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
        self.n_scouts = n_scouts
        self.weighting = weighting
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
        self : TwoStageWSForestClassifier
            The fitted forest.
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        table = self._bin(X, self.n_jobs)
        grow_trees = self._make_grower(X, y, sample_weight, table)
        rng = check_random_state(self.random_state)
        scouts = grow_trees(draw_seeds(rng, self.n_scouts or self.n_estimators))
        self.gain_statistics_ = collect_gains(scouts, weighting=self.weighting)
        self.feature_weights_ = normalize(self.gain_statistics_.mean)
        seeds = self._draw_seeds(rng)
        trees = grow_trees(seeds, self.feature_weights_, self._watch)
        return self._store_trees(trees, given, y)
