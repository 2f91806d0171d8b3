"""TREE WS: draw the features of a forest by their gains in a single tree."""

import numpy as np
from scipy.sparse import issparse

from manyminds.ensemble.forests._parameters import PARAGRAPHS
from manyminds.ensemble.forests.weighted_draws.base import WeightedDrawsForest
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling
from manyminds.trees.nodes.feature_draws import normalize
from manyminds.trees.nodes.node_complexity import node_complexity
from manyminds.trees.nodes.node_rows import list_all_gains
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


@fill_docstring(**PARAGRAPHS, references=cite(f"{ROGERS_2007}, section 8.4"))
class TreeWSForestClassifier(WeightedDrawsForest):
    r"""Classify by trees that draw features by what these would gain in one tree.

    First a single tree is grown that considers all features in all nodes, and what each
    of them would have gained is noted in each node. The trees of the forest then draw a
    feature in proportion to the mean of these gains, weighted by `node_complexity`
    [1]_. One greedy tree sees few contexts: features that show only after splits it
    does not make are drawn too seldom.

    Parameters
    ----------
    {n_trees}
    {options}

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        How features were drawn; they add up to 1.
    gain_means_ : ndarray of shape (n_features,)
        Weighted mean gain of each feature over the nodes of the single tree.
    {classifier_attributes}

    See Also
    --------
    TwoStageWSForestClassifier : Has a forest for a first stage.

    {references}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> from manyminds.ensemble import TreeWSForestClassifier
    >>> X, y = make_simple(random_state=0)
    >>> forest = TreeWSForestClassifier(random_state=0).fit(X, y)
    >>> forest.feature_weights_.argmax()
    np.int64(1)
    """

    def __init__(
        self,
        n_estimators=100,
        *,
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
        self.gain_means_ = self._average_gains(X, y, sample_weight, table, rng)
        self.feature_weights_ = normalize(self.gain_means_)
        seeds = self._draw_seeds(rng)
        return grow_trees(seeds, self.feature_weights_, self._watch)

    def _average_gains(self, X, y, sample_weight, table, rng):
        """Grow a tree that considers all features; average their gains over nodes."""
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        rules = make_rules(
            *X.shape,
            self.n_classes_,
            weights.sum(),
            criterion=self.criterion,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
        )
        seed = draw_seeds(rng, 1)
        tree = grow(table, y, rules, make_sampling(*X.shape, weights), seed)
        complexity = node_complexity(tree.value * tree.weight[:, np.newaxis])
        X = X.tocsc() if issparse(X) else X
        total = np.zeros(X.shape[1])
        for node, gains, _ in list_all_gains(tree, table, X, y, weights):
            total += complexity[node] * gains
        return total / (complexity.sum() or 1.0)
