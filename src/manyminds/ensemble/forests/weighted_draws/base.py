"""What forests with weighted draws share: one feature to a node, trees in batches."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.forests.base import ForestClassifier
from manyminds.trees.growing import draw_seeds, grow, make_sampling


class WeightedDrawsForest(ForestClassifier):
    """A forest whose nodes look at one feature, drawn by weights that ``fit`` finds."""

    # What gains can be compared for: blind draws, entropy, trees grown to the end.
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

    def _make_rules(self, X, total_weight, **others):
        redraw = self.on_constant == "redraw"
        return super()._make_rules(X, total_weight, redraw_constant=redraw, **others)

    def _plant(self, X, y, sample_weight, table):
        """Return a function that grows the trees of some seeds with some weights."""
        self._n_draws = n_samples = X.shape[0]
        self._set_n_rows(n_samples)
        self._draw_bounds = np.empty(0)
        if sample_weight is not None:
            self._draw_bounds = np.cumsum(sample_weight)
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

    def _keep(self, trees, X, y):
        """Keep the trees; ask them about the rows of ``fit`` they did not draw."""
        self.trees_ = trees
        self._seeds = self._seeds[: trees.n_trees]
        if self.oob_score:
            self._set_oob_score(X, y)
        return self


def cut_batches(seeds, size):
    """Cut the seeds into batches of at most ``size``."""
    return [seeds[first : first + size] for first in range(0, len(seeds), size)]
