"""Parallel update: draw features by their gains so far, at a given pace."""

from numbers import Real

import numpy as np

from manyminds._compat import Interval
from manyminds.ensemble.forests._parameters import PARAGRAPHS
from manyminds.ensemble.forests.weighted_draws.base import (
    WeightedDrawsForest,
    cut_batches,
)
from manyminds.trees.nodes.feature_draws import normalize
from manyminds.trees.nodes.gain_statistics import list_node_gains
from manyminds.trees.structure import Trees
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class LambdaWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by their gains in the trees before.

    Every node is split by a single feature, which tree T + 1 draws in proportion to
    [1]_ [2]_

    .. math:: v_f = \lambda \, H(y) + \sum_{t \le T} g_f(t)

    where :math:`H(y)` is the entropy of the classes and :math:`g_f(t)` the mean
    information gain of the feature in tree t, 0 if the tree does not use it.

    Parameters
    ----------
    {n_trees}
    pace : float, default=10.0
        The factor :math:`\lambda`: the larger, the longer features are drawn about
        equally often. Tune it, by ``oob_score`` for instance.
    update_every : int, default=1
        Number of trees that grow between two updates of the weights.
    {batch_options}

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        How features would be drawn for the next tree; they add up to 1.
    {classifier_attributes}

    See Also
    --------
    CIWSForestClassifier : Needs no pace.

    References
    ----------
    .. [1] Borisov, Eruhimov and Tuv, "Tree-based ensembles with dynamic soft feature
       selection", in "Feature extraction: Foundations and applications", 2006.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 7.3.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.ensemble import LambdaWSForestClassifier
    >>> X, y = make_simple(random_state=0)
    >>> forest = LambdaWSForestClassifier(random_state=0).fit(X, y)
    >>> forest.feature_weights_.argmax()
    np.int64(1)
    """

    _parameter_constraints = {
        **WeightedDrawsForest._parameter_constraints,
        "pace": [Interval(Real, 0.0, None, closed="left")],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        pace=10.0,
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
        self.pace = pace
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
        weights = np.full(X.shape[1], self.pace * _entropy(y, sample_weight))
        draws, grown = None, []
        for some in self._watch(batches, len(batches)):
            grown.append(grow_trees(some, draws))
            weights += _add_tree_means(grown[-1])
            draws = normalize(weights)
        self.feature_weights_ = draws
        return Trees.concatenate(grown)


def _entropy(y, sample_weight):
    """Return the entropy of the classes in bits."""
    counts = np.bincount(y.astype(np.intp), sample_weight)
    shares = counts[counts > 0.0] / counts.sum()
    return float(-np.sum(shares * np.log2(shares)))


def _add_tree_means(trees):
    """Add up, over trees, the mean gain of each feature in each tree."""
    gains, n_features = list_node_gains(trees), trees.n_features
    tree = np.repeat(np.arange(trees.n_trees), trees.node_counts)[gains.nodes]
    cell = tree * n_features + gains.feature
    n_cells = trees.n_trees * n_features
    total = np.bincount(cell, weights=gains.gain, minlength=n_cells)
    n_nodes = np.bincount(cell, minlength=n_cells)
    return (total / np.maximum(n_nodes, 1)).reshape(-1, n_features).sum(axis=0)
