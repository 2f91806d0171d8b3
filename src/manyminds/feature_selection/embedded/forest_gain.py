"""Mean gain in a forest of random splits: rank features by it."""

from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import N_TO_SELECT, ScoreSelector
from manyminds.feature_selection.embedded.random_split_forest import (
    RandomSplitForestSelector,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


@fill_docstring(**PARAMETERS, references=cite(f"{ROGERS_2007}, sections 7.1 and 7.2"))
class ForestGainSelector(RandomSplitForestSelector, ScoreSelector):
    r"""Select the features of the highest mean gain in a forest of random splits.

    A forest is grown in which every node is split by a single feature drawn at random.
    So each feature is evaluated in many contexts, after splits by others, and features
    that are only informative together, as in an exclusive or, are found. The score of a
    feature is the mean information gain of its splits [1]_,

    .. math:: \overline{IG}_f = \sum_l \varphi_l IG_l \Big/ \sum_l \varphi_l

    over the nodes :math:`l` that split by it. In small nodes any feature has a high
    gain by random variation; they get a low weight :math:`\varphi`, see
    `node_complexity`.

    Parameters
    ----------
    {n_features_to_select}
    {n_estimators}
    {random_splits}
    task : {"auto", "classification", "regression"}, default="auto"
        Type of the target. For a numeric target the gain is the decrease of the
        variance, as a share of the variance of y, and a node of n samples has the
        complexity log2 n! - 1.
    {max_bins}
    {categorical_features}
    random_state : int, RandomState instance or None, default=None
        Draws samples and features.
    {n_jobs}

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean gain of each feature; 0 if it was never drawn.
    {ranking}
    {gain_statistics}
    {n_features_in}

    See Also
    --------
    ForestGainThresholdSelector : Compares the gain with that of an irrelevant feature.
    ForestGainTestSelector : Tests whether the gain is that of an irrelevant feature.

    Notes
    -----
    This is not the ``feature_importances_`` of a forest, which sums gains, weighted by
    the size of the nodes, over splits that were chosen for their gain.

    {references}

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
        **RandomSplitForestSelector._parameter_constraints,
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

        {fit_forest}
        """
        self._validate_params()
        data = self._read(X, y, sample_weight)

        self.gain_statistics_ = self._collect_gains(*data)
        self.scores_ = self.gain_statistics_.mean
        return self
