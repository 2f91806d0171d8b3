"""CI WS: draw features as equally as confidence intervals of their gains allow."""

from numbers import Real

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.forests._parameters import PARAGRAPHS
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
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


@fill_docstring(
    **PARAGRAPHS, references=cite(f"{ROGERS_2007}, section 7.3, algorithm 3")
)
class CIWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by what these are known to gain.

    Every node is split by a single feature. The trees grow one after the other; after
    each, every feature has a confidence interval of its mean information gain, weighted
    by `node_complexity`. Features are drawn by the most equal weights that agree with
    all intervals [1]_: the first trees draw them blindly, later ones the more by their
    gains the more is known about these.

    Parameters
    ----------
    {n_trees}
    confidence : float, default=0.95
        Level of the intervals; the higher, the longer features are drawn equally.
    ess : {"kish", "unit", "count"}, default="kish"
        What the nodes of a feature are worth when the interval is computed, see
        `GainStatistics.count`.
    unit : float, default=0.2
        With ``ess="unit"``: a node has to have this share of the complexity of the
        training set to count as one. The thesis does not print its share.
    update_every : int, default=1
        Number of trees that grow between two updates of the intervals.
    {batch_options}

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        How features would be drawn for the next tree; they add up to 1.
    gain_statistics_ : GainStatistics
        Sums over the nodes of each feature.
    interval_widths_ : ndarray of shape (n_batches,)
        Mean width of the intervals after each batch of trees, over the features that
        have one; NaN while none has.
    {classifier_attributes}

    See Also
    --------
    TwoStageWSForestClassifier : Weighs by the gains in a first forest.
    LambdaWSForestClassifier : Changes the weights at a given pace.

    {references}

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

    def _grow_forest(self, grow_trees, table, X, y, sample_weight, rng):
        seeds = self._draw_seeds(rng)
        batches = cut_batches(seeds, self.update_every)
        unit = self.unit * float(node_complexity(np.bincount(y.astype(np.intp))))
        gains, weights = GainStatistics.empty(X.shape[1]), None
        grown, widths = [], []
        for some in self._watch(batches, len(batches)):
            grown.append(grow_trees(some, weights))
            gains += collect_gains(grown[-1])
            low, high = bound_gains(gains, gains.count(self.ess, unit), self.confidence)
            weights = draw_most_uniformly(low, high)
            widths.append(_mean_width(low, high))
        self.feature_weights_, self.gain_statistics_ = weights, gains
        self.interval_widths_ = np.array(widths)
        return Trees.concatenate(grown)


def _mean_width(low, high):
    """Return the mean width of the intervals that are not infinite."""
    is_known = np.isfinite(low)
    return float(np.mean((high - low)[is_known])) if is_known.any() else np.nan
