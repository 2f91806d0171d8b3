"""Two stages: draw the features of a forest by their gains in a first one."""

from numbers import Integral

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.forests._parameters import PARAGRAPHS
from manyminds.ensemble.forests.weighted_draws.base import WeightedDrawsForest
from manyminds.trees.growing import draw_seeds
from manyminds.trees.nodes.feature_draws import normalize
from manyminds.trees.nodes.gain_statistics import collect_gains
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


@fill_docstring(**PARAGRAPHS, references=cite(f"{ROGERS_2007}, section 7.3"))
class TwoStageWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by their gains in a forest grown before.

    A first forest draws the feature of each node blindly. The trees of the second,
    which classify, draw a feature in proportion to its mean information gain
    :math:`\overline{IG}_f` in the first [1]_.

    Parameters
    ----------
    {n_trees}
    n_scouts : int, default=None
        Number of trees of the first forest; None: as many as of the second.
    weighting : {"complexity", "uniform"}, default="complexity"
        Whether a node counts by its `node_complexity`, or all nodes count the same.
    {options}

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        How features were drawn; they add up to 1.
    gain_statistics_ : GainStatistics
        Sums over the nodes of each feature in the first forest.
    {classifier_attributes}

    See Also
    --------
    CIWSForestClassifier : Does it in one go.
    TreeWSForestClassifier : Has a single tree for a first stage.

    {references}

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

    def _grow_forest(self, grow_trees, table, X, y, sample_weight, rng):
        scouts = grow_trees(draw_seeds(rng, self.n_scouts or self.n_estimators))
        self.gain_statistics_ = collect_gains(scouts, weighting=self.weighting)
        self.feature_weights_ = normalize(self.gain_statistics_.mean)
        seeds = self._draw_seeds(rng)
        return grow_trees(seeds, self.feature_weights_, self._watch)
