"""Common base of forests with weighted draws: one feature a node, batches of trees."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions, with_callbacks
from manyminds.ensemble.forests._parameters import PARAGRAPHS
from manyminds.ensemble.forests.base import ForestClassifier
from manyminds.trees.growing import draw_seeds, grow, make_sampling
from manyminds.trees.scikit_learn import TreeExport
from manyminds.utils.docstrings import fill_docstring


class WeightedDrawsForest(TreeExport, ForestClassifier):
    """A forest whose nodes draw one feature, by weights that ``fit`` finds."""

    # Gains are comparable with a single random feature, entropy and unpruned trees.
    criterion, max_features, feature_weights = "entropy", 1, None
    min_samples_split, min_weight_fraction_leaf, min_impurity_decrease = 2, 0.0, 0.0
    max_leaf_nodes, ccp_alpha, class_weight = None, 0.0, None
    bootstrap, max_samples, warm_start = True, None, False

    _splitter = "best"
    _parameter_constraints = {
        **ForestClassifier._parameter_constraints,
        "on_constant": [StrOptions({"redraw", "leaf"})],
        "update_every": [Interval(Integral, 1, None, closed="left")],
    }

    @with_callbacks
    @fill_docstring(**PARAGRAPHS)
    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        {fit}
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        table = self._bin(X, self.n_jobs)
        grow_trees = self._make_grower(X, y, sample_weight, table)
        rng = check_random_state(self.random_state)
        self.trees_ = self._grow_forest(grow_trees, table, X, y, sample_weight, rng)
        self._seeds = self._seeds[: self.trees_.n_trees]
        if self.oob_score:
            self._score_out_of_bag(self._read_table(given), y, self._count_draws)
        return self

    def _grow_forest(self, grow_trees, table, X, y, sample_weight, rng):
        """Find the weights of the features and grow the trees: the algorithm."""
        raise NotImplementedError

    def _make_rules(self, X, total_weight, **others):
        redraw = self.on_constant == "redraw"
        return super()._make_rules(X, total_weight, redraw_constant=redraw, **others)

    def _make_grower(self, X, y, sample_weight, table):
        """Return a function that grows the trees of some seeds with some weights."""
        n_samples = X.shape[0]
        bounds = np.empty(0) if sample_weight is None else np.cumsum(sample_weight)
        self._store_draws(None, n_samples, n_samples, bounds)
        rules = self._make_rules(X, n_samples, splitter=self._splitter)

        def grow_trees(seeds, feature_weights=None, watch=None):
            sampling = make_sampling(
                *X.shape,
                sample_weight,
                bootstrap=n_samples,
                feature_weights=feature_weights,
            )
            n_jobs = self.n_jobs
            return grow(table, y, rules, sampling, seeds, n_jobs=n_jobs, watch=watch)

        return grow_trees

    def _draw_seeds(self, rng):
        """Draw the seeds of the trees that will classify."""
        self._seeds = draw_seeds(rng, self.n_estimators)
        return self._seeds


def cut_batches(seeds, size):
    """Cut the seeds into batches of at most ``size``."""
    return [seeds[first : first + size] for first in range(0, len(seeds), size)]
