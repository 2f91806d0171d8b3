"""Mean gain in a forest: rank features by what they gain when drawn blindly."""

from manyminds.feature_selection.base import N_TO_SELECT, ScoreSelector
from manyminds.feature_selection.embedded.random_split_forest import BlindForestSelector


class ForestGainSelector(BlindForestSelector, ScoreSelector):
    r"""Select the features whose splits gain most in a forest that draws them blindly.

    A forest is grown in which every node is split by a single feature drawn at random.
    So each feature is tried in many contexts, after splits by others, and features
    that tell something only together, as in an exclusive or, show it. The score of a
    feature is the mean information gain of its splits [1]_,

    .. math:: \overline{IG}_f = \sum_l \varphi_l IG_l \Big/ \sum_l \varphi_l

    over the nodes :math:`l` that split by it. In small nodes any feature gains much by
    chance; the weight :math:`\varphi`, see `node_complexity`, keeps them from deciding.

    Parameters
    ----------
    n_features_to_select : int or float, default=10
        How many features to keep, or which share of them.
    n_estimators : int, default=100
        Number of trees.
    weighting : {"complexity", "uniform"}, default="complexity"
        Whether a node counts by its complexity, or all nodes count the same.
    bag : {"unique", "bootstrap"}, default="unique"
        Rows of a tree are drawn with replacement. Whether a row drawn repeatedly counts
        once, or as often as it was drawn: then copies, which no split parts, inflate
        all gains.
    on_constant : {"redraw", "leaf"}, default="redraw"
        Where the drawn feature is constant in a node, draw another one, or make the
        node a leaf, as the thesis seems to do.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is. For numbers the gain is the fall of the variance, as a share of the
        variance of y, and a node of n rows has the complexity log2 n! - 1.
    max_bins : int, default=255
        Most bins of a column, up to 65,535.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.
    random_state : int, RandomState instance or None, default=None
        Draws rows and features.
    n_jobs : int, default=None
        Number of threads; the result does not depend on it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean gain of each feature; 0 if it was never drawn.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 for the best.
    gain_statistics_ : GainStatistics
        Sums over the nodes of each feature.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    ForestGainThresholdSelector : Keeps what gains more than chance would.
    ForestGainTestSelector : Keeps what gains more than chance by a test.

    Notes
    -----
    This is not the ``feature_importances_`` of a forest, which adds gains up, weighted
    by the size of the nodes, over splits that were chosen for their gain.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, sections 7.1 and 7.2.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_xor
    >>> from manyminds.feature_selection import ForestGainSelector
    >>> X, y = make_xor(random_state=0)
    >>> selector = ForestGainSelector(n_features_to_select=2, random_state=0)
    >>> selector.fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    _parameter_constraints = {
        **BlindForestSelector._parameter_constraints,
        "n_features_to_select": N_TO_SELECT,
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        n_estimators=100,
        weighting="complexity",
        bag="unique",
        on_constant="redraw",
        max_depth=None,
        task="auto",
        max_bins=255,
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.n_estimators = n_estimators
        self.weighting = weighting
        self.bag = bag
        self.on_constant = on_constant
        self.max_depth = max_depth
        self.task = task
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Grow the forest and average the gains of each feature.

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
        self : ForestGainSelector
            The fitted selector.
        """
        self._validate_params()
        data = self._read(X, y, sample_weight)

        self.gain_statistics_ = self._collect_gains(*data)
        self.scores_ = self.gain_statistics_.mean
        return self
