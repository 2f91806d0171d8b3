"""Forests: check, bin, draw, grow, score out of bag."""

import time
from numbers import Integral
from warnings import warn

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from manyminds._compat import (
    CallbackSupportMixin,
    Interval,
    StrOptions,
    report_tasks,
    with_callbacks,
)
from manyminds.ensemble.base import TreeMembers, adopt_tree
from manyminds.ensemble.estimators import BootstrapEnsemble
from manyminds.ensemble.forests.out_of_bag import DrawnRows, RepeatedDraws
from manyminds.trees.base import TreeClassifierMixin, TreeModel, TreeRegressorMixin
from manyminds.trees.contributions import ContributionsMixin
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.growing import draw_seeds, grow, make_sampling
from manyminds.trees.pruning import prune_cost_complexity
from manyminds.trees.structure import Trees
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.progress import print_progress
from manyminds.utils.tables import is_stored


@fill_docstring(**ROWS)
class Forest(
    BootstrapEnsemble,
    RepeatedDraws,
    ContributionsMixin,
    CallbackSupportMixin,
    TreeModel,
):
    """Grow many trees and average their predictions; a subclass sets ``_splitter``."""

    _parameter_constraints = {
        **TreeModel._parameter_constraints,
        **BootstrapEnsemble._bootstrap_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "oob_score": ["boolean", callable],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
        "warm_start": ["boolean"],
    }

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe, ParquetTable} of shape \
(n_samples, n_features)
            Training rows; NaN is a missing value. Random forests and extra-trees take
            tables on disk.
        y : array-like of shape (n_samples,)
            Their classes or targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights: the odds of being drawn, if there is a bootstrap. A row of
            weight 0 has no effect.

        Returns
        -------
        self : object
            The fitted forest.
        """
        self._validate_params()
        self._check_bootstrap()
        if self.oob_score and is_stored(X):
            raise ValueError("oob_score=True needs a table in memory.")
        n_grown = self._count_grown()
        given = X
        X, y, weights = self._read_training_set(X, y, sample_weight, reset=n_grown == 0)
        weights = self._weigh_samples(y, weights)
        X = self._merge_levels(X, self.max_bins, reset=n_grown == 0)
        if n_grown == self.n_estimators:
            return self

        table = self._bin(X, self.n_jobs)
        sampling, seeds = self._draw(X, weights, n_grown)
        rules = self._make_forest_rules(X, sampling)
        trees = self._grow(table, y, rules, sampling, seeds[n_grown:])
        if self.ccp_alpha > 0.0:
            trees = prune_cost_complexity(trees, self.ccp_alpha)
        self.trees_ = Trees.concatenate([self.trees_, trees]) if n_grown else trees
        self._seeds = seeds[: self.trees_.n_trees]  # a callback may have stopped early
        if self.oob_score:
            self._score_out_of_bag(self._read_table(given), y, self._count_draws)
        return self

    def _count_grown(self):
        """Return the number of trees of an earlier fit that a warm start keeps."""
        if not self.warm_start or not hasattr(self, "trees_"):
            return 0
        n_grown = self.trees_.n_trees
        if self.n_estimators < n_grown:
            raise ValueError(
                f"n_estimators={self.n_estimators} is less than the {n_grown} trees "
                "of the last fit; with warm_start=True it can only grow."
            )
        if self.n_estimators == n_grown:
            warn(
                "A warm start without more n_estimators grows no new trees.",
                stacklevel=4,
            )
        return n_grown

    def _weigh_samples(self, y, sample_weight):
        """Return the weights by which trees grow or draw."""
        return sample_weight

    def _draw(self, X, weights, n_grown):
        """Draw the trees' seeds, from which their rows and features follow."""
        n_draws = self._get_n_draws(X.shape[0], weights)
        sampling = make_sampling(
            *X.shape,
            weights,
            bootstrap=n_draws,
            feature_weights=self._weigh_features(n_grown),
        )
        seeds = draw_seeds(check_random_state(self.random_state), self.n_estimators)
        self._store_draws(seeds, n_draws, X.shape[0], sampling.draw_bounds)
        return sampling, seeds

    def _store_draws(self, seeds, n_draws, n_samples, draw_bounds):
        """Store the seeds, and what else the draws of rows follow from.

        ``n_samples`` counts the rows with a weight, of which trees draw ``n_draws``.
        """
        self._seeds, self._n_draws, self._draw_bounds = seeds, n_draws, draw_bounds
        mask = self._has_weight
        self._n_rows = n_samples if mask is None else len(mask)

    def _weigh_features(self, n_grown):
        """Return the weights of the features for the trees that are still to grow."""
        weights = self.feature_weights
        if weights is None or np.ndim(weights) < 2:
            return weights
        if len(weights) != self.n_estimators:
            raise ValueError(
                f"feature_weights has {len(weights)} rows; it takes one row for all "
                f"trees or one for each of the n_estimators={self.n_estimators}."
            )
        return np.asarray(weights)[n_grown:]

    def _make_forest_rules(self, X, sampling):
        """Describe when and how nodes are split."""
        total_weight = self._n_draws if self.bootstrap else sampling.weights.sum()
        return self._make_rules(X, total_weight, splitter=self._splitter)

    def _grow(self, *inputs):
        """Grow the trees of some seeds; see ``grow``."""
        return grow(*inputs, n_jobs=self.n_jobs, watch=self._watch)

    def _watch(self, batches, n_batches):
        """Report progress: to callbacks, and on the error stream if ``verbose``."""
        started = time.monotonic()
        tasks = report_tasks(self, batches, n_batches, "grow trees")
        for n_done, batch in enumerate(tasks, start=1):
            if self.verbose:
                name, share = type(self).__name__, n_done / n_batches
                print_progress(name, "trees grown", share, started)
            yield batch

    @property
    def _members(self):
        return TreeMembers(self.trees_, self.n_jobs)

    @property
    def _averaged_trees(self):
        return self.trees_

    def _mean_value(self, X):
        X = self._read_table(X)
        return self._members.mean(X)

    def apply(self, X):
        """Return the leaf of each row of X in each tree.

        {walk_trees}
        leaves : ndarray of shape (n_samples, n_estimators)
            Indices of nodes, counted within each tree.
        """
        X = self._read_table(X)
        return self._members.apply(X)

    def decision_path(self, X):
        """Return which nodes of the forest each row of X passes.

        {walk_trees}
        indicator : sparse CSR matrix of shape (n_samples, n_nodes)
            1 where a row passes a node.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            Columns ``n_nodes_ptr[t]`` to ``n_nodes_ptr[t + 1]`` belong to tree t.
        """
        X = self._read_table(X)
        indicator = self.trees_.decision_path(
            X.toarray() if issparse(X) else X, n_jobs=self.n_jobs
        )
        return indicator, self.trees_.starts

    @property
    def estimators_(self):
        """The trees as single fitted estimators, which share the forest's arrays."""
        names = set(self._tree().get_params()) & set(self.get_params(deep=False))
        params = {name: getattr(self, name) for name in names - {"random_state"}}
        params["splitter"] = self._splitter
        return [
            adopt_tree(
                self,
                self._tree(random_state=int(seed % (2**32 - 1)), **params),
                self.trees_.tree(t),
            )
            for t, seed in enumerate(self._seeds)
        ]

    @property
    def feature_importances_(self):
        """Mean over the trees of each feature's share in the decrease of impurity."""
        return self._members.feature_importances()


class ForestClassifier(TreeClassifierMixin, DrawnRows, Forest):
    """A forest that votes for classes."""

    _tree = DecisionTreeClassifier
    _parameter_constraints = {
        **Forest._parameter_constraints,
        "criterion": DecisionTreeClassifier._parameter_constraints["criterion"],
        "class_weight": [
            dict,
            StrOptions({"balanced", "balanced_subsample"}),
            None,
        ],
    }

    @property
    def _balances_each_tree(self):
        return self.class_weight == "balanced_subsample" and self.bootstrap

    def _weigh_samples(self, y, sample_weight):
        class_weight = self.class_weight
        if class_weight == "balanced_subsample":
            class_weight = None if self._balances_each_tree else "balanced"
        return self._weigh_classes(y, sample_weight, class_weight)

    def _make_rules(self, X, total_weight, **others):
        balance = {"balance_classes": self._balances_each_tree}
        return super()._make_rules(X, total_weight, **balance, **others)


class ForestRegressor(TreeRegressorMixin, DrawnRows, Forest):
    """A forest that averages numbers."""

    _tree = DecisionTreeRegressor
    _parameter_constraints = {
        **Forest._parameter_constraints,
        "criterion": DecisionTreeRegressor._parameter_constraints["criterion"],
    }
