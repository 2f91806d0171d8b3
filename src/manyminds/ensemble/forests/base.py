"""What forests share: bootstrap, growing, out-of-bag answers, single members."""

import sys
import time
from numbers import Integral
from warnings import warn

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import Bunch, check_random_state

from manyminds._compat import (
    CallbackSupportMixin,
    Interval,
    RealNotInt,
    StrOptions,
    report_tasks,
)
from manyminds.trees.base import TreeClassifierMixin, TreeModel, TreeRegressorMixin
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.growing import draw_seeds, grow, list_draws, make_sampling
from manyminds.trees.permutation import oob_permutation_importance
from manyminds.trees.pruning import prune_cost_complexity
from manyminds.trees.structure import Trees


class Forest(CallbackSupportMixin, TreeModel):
    """Grow many trees and average what they say; a subclass sets ``_splitter``."""

    _parameter_constraints = {
        **TreeModel._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "bootstrap": ["boolean"],
        "oob_score": ["boolean", callable],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
        "warm_start": ["boolean"],
        "max_samples": [
            None,
            Interval(RealNotInt, 0.0, None, closed="neither"),
            Interval(Integral, 1, None, closed="left"),
        ],
    }

    def _fit(self, X, y, sample_weight, n_grown, balance_classes=False):
        """Grow the trees that are not there yet."""
        if n_grown == self.n_estimators:
            return self
        n_samples = X.shape[0]
        self._n_draws = self._count_draws(n_samples, sample_weight)
        sampling = make_sampling(
            *X.shape,
            sample_weight,
            bootstrap=self._n_draws,
            feature_weights=self._weigh_features(n_grown),
        )
        self._draw_bounds = sampling.draw_bounds
        self._set_n_rows(n_samples)
        total_weight = self._n_draws if self.bootstrap else sampling.weights.sum()
        rules = self._make_rules(
            X, total_weight, splitter=self._splitter, balance_classes=balance_classes
        )
        seeds = draw_seeds(check_random_state(self.random_state), self.n_estimators)
        trees = grow(
            self._bin(X, self.n_jobs),
            y,
            rules,
            sampling,
            seeds[n_grown:],
            n_jobs=self.n_jobs,
            watch=self._watch,
        )
        if self.ccp_alpha > 0.0:
            trees = prune_cost_complexity(trees, self.ccp_alpha)
        self.trees_ = Trees.concatenate([self.trees_, trees]) if n_grown else trees
        self._seeds = seeds[: self.trees_.n_trees]
        return self

    def _set_n_rows(self, n_grown_on):
        """Note how many rows ``fit`` was given, those of weight 0 included."""
        mask = self._has_weight
        self._n_rows = n_grown_on if mask is None else len(mask)

    def _start(self):
        """Check what hangs together; tell how many trees stand from an earlier fit."""
        if not self.bootstrap and self.max_samples is not None:
            raise ValueError(
                f"max_samples={self.max_samples!r} needs bootstrap=True; without a "
                "bootstrap every tree sees all rows."
            )
        if not self.bootstrap and self.oob_score:
            raise ValueError("oob_score=True needs bootstrap=True: no row is left out.")
        if not self.warm_start or not hasattr(self, "trees_"):
            return 0
        n_grown = self.trees_.n_trees
        if self.n_estimators < n_grown:
            raise ValueError(
                f"n_estimators={self.n_estimators} is less than the {n_grown} trees "
                "that stand already; with warm_start=True it can only grow."
            )
        if self.n_estimators == n_grown:
            warn(
                "A warm start without more n_estimators grows no new trees.",
                stacklevel=4,
            )
        return n_grown

    def _count_draws(self, n_samples, sample_weight):
        """Return how many rows a tree draws; 0: there is no bootstrap."""
        if not self.bootstrap:
            return 0
        if self.max_samples is None:
            return n_samples
        if isinstance(self.max_samples, Integral):
            return int(self.max_samples)
        whole = n_samples if sample_weight is None else sample_weight.sum()
        return max(1, int(self.max_samples * whole))

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

    def _watch(self, batches, n_batches):
        """Show progress on the way: to callbacks, and on the screen if ``verbose``."""
        started = time.monotonic()
        tasks = report_tasks(self, batches, n_batches, "grow trees")
        for n_done, batch in enumerate(tasks, start=1):
            if self.verbose:
                spent = time.monotonic() - started
                left = spent / n_done * (n_batches - n_done)
                print(
                    f"{type(self).__name__}: {100 * n_done / n_batches:3.0f}% of the "
                    f"trees grown, {spent:.1f} s spent, {left:.1f} s left",
                    file=sys.stderr,
                )
            yield batch

    def _count_draws_of(self, some):
        """Count how often the trees of a slice drew each row that ``fit`` was given."""
        draws = self._count_draws_of_weighted(some)
        if self._has_weight is None:
            return draws
        of_all = np.zeros((len(draws), self._n_rows), draws.dtype)
        of_all[:, self._has_weight] = draws
        return of_all

    def _count_draws_of_weighted(self, some):
        """Count how often the trees of a slice drew each row that has a weight."""
        kept = self._has_weight
        n_grown_on = self._n_rows if kept is None else np.count_nonzero(kept)
        return list_draws(
            self._seeds[some], n_grown_on, self._n_draws, self._draw_bounds
        )

    def _left_out_mean(self, X, y):
        """Average, for each training row, over the trees that did not draw it.

        Returns the means, the targets by which the forest is judged and the means
        that belong to them: of rows with a weight that some tree did not draw.
        """
        X = self._read_table(X)
        X = X.toarray() if issparse(X) else X
        mean, n_trees = self.trees_.left_out_mean(
            X, self._count_draws_of, n_jobs=self.n_jobs
        )
        if (n_trees == 0).any():
            warn(
                f"{np.sum(n_trees == 0)} rows were drawn by every tree and have no "
                "out-of-bag prediction (NaN); more trees would help.",
                stacklevel=5,
            )
        return mean, *self._pair_with_targets(y, mean, n_trees > 0)

    def _mean_value(self, X):
        return self._ask(X, lambda X: self.trees_.mean_value(X, n_jobs=self.n_jobs))

    def apply(self, X):
        """Tell in which leaf of each tree each row of X ends.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to send through the trees.

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_estimators)
            Numbers of nodes, counted within each tree.
        """
        return self._ask(X, lambda X: self.trees_.apply(X, n_jobs=self.n_jobs))

    def decision_path(self, X):
        """Return which nodes of the forest each row of X passes.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to send through the trees.

        Returns
        -------
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

    def oob_permutation_importance(self, X, y, *, n_repeats=1, random_state=None):
        """Measure how much the out-of-bag error rises when a feature is shuffled.

        Each tree is asked about the training rows that it did not draw, before and
        after the values of a feature are shuffled among them [1]_. The forest is not
        refitted, so that of two copies of a feature both keep a part of their
        importance.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            The rows that the forest was fitted on, in the same order.
        y : array-like of shape (n_samples,)
            Their targets. Rows that had the weight 0 take no part.
        n_repeats : int, default=1
            How often each feature is shuffled for each tree.
        random_state : int, RandomState instance or None, default=None
            Shuffles.

        Returns
        -------
        result : Bunch
            ``importances_mean`` of shape (n_features,), the mean rise over the trees
            (of the share of misclassified rows, or of the mean squared error),
            ``importances_se``, its standard error, and ``importances`` of shape
            (n_estimators, n_features), the rise of each tree.

        References
        ----------
        .. [1] Breiman, "Random forests", Machine Learning 45, 2001.
        """
        X = self._read_table(X)
        if not self.bootstrap:
            raise ValueError(
                "Out-of-bag importance needs bootstrap=True: no row is left out."
            )
        if X.shape[0] != self._n_rows or len(y) != self._n_rows:
            raise ValueError(
                f"X and y must be the {self._n_rows} rows that the forest was fitted "
                f"on; they have {X.shape[0]} and {len(y)} rows."
            )
        y = self._read_target(np.asarray(y), reset=False)
        if self._has_weight is not None:
            X, y = X[self._has_weight], y[self._has_weight]
        return Bunch(
            **oob_permutation_importance(
                self.trees_,
                X.toarray() if issparse(X) else X,
                y,
                self._count_draws_of_weighted,
                n_repeats=n_repeats,
                seeds=draw_seeds(check_random_state(random_state), self.trees_.n_trees),
                n_jobs=self.n_jobs,
            )
        )

    @property
    def estimators_(self):
        """The trees as single fitted estimators, which share the forest's arrays."""
        return [self._make_member(t) for t in range(self.trees_.n_trees)]

    def _make_member(self, t):
        """Return tree ``t`` as a fitted estimator of its own."""
        names = set(self._member().get_params()) & set(self.get_params(deep=False))
        member = self._member(
            splitter=self._splitter,
            random_state=int(self._seeds[t] % (2**32 - 1)),
            **{name: getattr(self, name) for name in names - {"random_state"}},
        )
        for name in ("classes_", "n_classes_", "feature_names_in_", "n_features_in_"):
            if hasattr(self, name):
                setattr(member, name, getattr(self, name))
        member._encoder, member.tree_ = self._encoder, self.trees_.tree(t)
        return member

    @property
    def estimators_samples_(self):
        """The training rows that each tree drew, in rising order, repeats included."""
        if not self.bootstrap:
            kept = self._has_weight
            rows = np.arange(self._n_rows) if kept is None else np.flatnonzero(kept)
            return [rows.copy() for _ in range(self.trees_.n_trees)]
        return [
            np.repeat(np.arange(self._n_rows), self._count_draws_of(slice(t, t + 1))[0])
            for t in range(self.trees_.n_trees)
        ]

    @property
    def feature_importances_(self):
        """Mean over the trees of each feature's share in the fall of impurity."""
        shares = self.trees_.feature_importances().mean(axis=0)
        return shares / (shares.sum() or 1.0)


class ForestClassifier(TreeClassifierMixin, Forest):
    """A forest that votes for classes."""

    _member = DecisionTreeClassifier
    _parameter_constraints = {
        **Forest._parameter_constraints,
        "criterion": DecisionTreeClassifier._parameter_constraints["criterion"],
        "class_weight": [
            dict,
            StrOptions({"balanced", "balanced_subsample"}),
            None,
        ],
    }

    def _grow(self, X, y, sample_weight):
        """Fit, once the parameters are known to be valid."""
        n_grown = self._start()
        given = X
        X, y, weights = self._read_training_set(X, y, sample_weight, reset=n_grown == 0)
        by_tree = self.class_weight == "balanced_subsample" and self.bootstrap
        class_weight = self.class_weight
        if class_weight == "balanced_subsample":
            class_weight = None if by_tree else "balanced"
        weights = self._weigh_classes(y, weights, class_weight)
        self._fit(X, y, weights, n_grown, balance_classes=by_tree)
        if self.oob_score and n_grown < self.n_estimators:
            self._set_oob_score(given, y)
        return self

    def _set_oob_score(self, X, y):
        self.oob_decision_function_, y, mean = self._left_out_mean(X, y)
        truth, guess = y.astype(np.intp), np.argmax(mean, axis=1)
        score = self.oob_score if callable(self.oob_score) else accuracy_score
        self.oob_score_ = score(self.classes_[truth], self.classes_[guess])

    def predict_all(self, X):
        """Predict the class of each row of X by each tree alone.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        labels : ndarray of shape (n_estimators, n_samples)
            What each tree votes for.
        """
        codes = self._ask(
            X, lambda X: self.trees_.labels_by_tree(X, n_jobs=self.n_jobs), axis=1
        )
        return self.classes_.take(codes)


class ForestRegressor(TreeRegressorMixin, Forest):
    """A forest that averages numbers."""

    _member = DecisionTreeRegressor
    _parameter_constraints = {
        **Forest._parameter_constraints,
        "criterion": DecisionTreeRegressor._parameter_constraints["criterion"],
    }

    def _grow(self, X, y, sample_weight):
        """Fit, once the parameters are known to be valid."""
        n_grown = self._start()
        given = X
        X, y, weights = self._read_training_set(X, y, sample_weight, reset=n_grown == 0)
        self._fit(X, y, weights, n_grown)
        if self.oob_score and n_grown < self.n_estimators:
            self._set_oob_score(given, y)
        return self

    def _set_oob_score(self, X, y):
        mean, truth, guess = self._left_out_mean(X, y)
        self.oob_prediction_ = mean[:, 0]
        score = self.oob_score if callable(self.oob_score) else r2_score
        self.oob_score_ = score(truth, guess[:, 0])

    def predict_all(self, X):
        """Predict the target of each row of X by each tree alone.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows to predict.

        Returns
        -------
        targets : ndarray of shape (n_estimators, n_samples)
            What each tree predicts.
        """
        values = self._ask(
            X, lambda X: self.trees_.values_by_tree(X, n_jobs=self.n_jobs), axis=1
        )
        return values[:, :, 0]
