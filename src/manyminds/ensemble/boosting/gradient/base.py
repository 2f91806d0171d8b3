"""Common base of boosted classifiers and regressors: reading, fitting, raw sums."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import is_classifier
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from manyminds._compat import Interval, RealNotInt, StrOptions
from manyminds.ensemble.boosting.gradient._parameters import PARAGRAPHS
from manyminds.ensemble.boosting.gradient.constraints import (
    read_interactions,
    read_monotonic,
)
from manyminds.ensemble.boosting.gradient.fitting import Run
from manyminds.trees.base import TreeModel
from manyminds.trees.binned import MAX_BINS, make_binned_table
from manyminds.trees.boosting import SAMPLINGS, GrowthOptions
from manyminds.trees.columns import map_dense_blocks
from manyminds.trees.contributions import tree_contributions
from manyminds.trees.growing import count_features
from manyminds.trees.scikit_learn import convert_boosting
from manyminds.trees.stored_columns import StoredColumns
from manyminds.trees.structure import Trees
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import read_groups
from manyminds.utils.weights import read_weights

MAX_LEVEL_SAMPLES = 20  # rows below which a level shares a code with others


@fill_docstring(**PARAGRAPHS)
class GradientBoosting(TreeModel):
    """Sum of trees, each grown on the gradients that the sum of the others leaves."""

    _parameter_constraints = {
        "learning_rate": [
            Interval(Real, 0.0, None, closed="neither"),
            StrOptions({"auto"}),
        ],
        "max_iter": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "min_sum_hessian": [Interval(Real, 0.0, None, closed="left")],
        "l2_regularization": [Interval(Real, 0.0, None, closed="left")],
        "min_gain": [Interval(Real, 0.0, None, closed="left")],
        "max_features": TreeModel._parameter_constraints["max_features"],
        "max_features_tree": TreeModel._parameter_constraints["max_features"],
        "subsample": [Interval(Real, 0.0, 1.0, closed="right")],
        "sampling": [StrOptions(set(SAMPLINGS))],
        "random_thresholds": ["boolean"],
        "symmetric": ["boolean"],
        "monotonic_cst": ["array-like", dict, None],
        "interaction_cst": [
            "array-like",
            list,
            tuple,
            StrOptions({"pairwise", "no_interactions"}),
            None,
        ],
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both")],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "categorical_smoothing": [Interval(Real, 0.0, None, closed="left")],
        "min_samples_level": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"auto"}),
        ],
        "early_stopping": ["boolean", StrOptions({"auto"})],
        "validation_fraction": [
            Interval(RealNotInt, 0.0, 1.0, closed="neither"),
            Interval(Integral, 1, None, closed="left"),
        ],
        "cv": ["cv_object", StrOptions({"auto"})],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0.0, None, closed="left")],
        "refit": [StrOptions({"replay", "grow", "average"}), None],
        "max_seconds": [Interval(Real, 0.0, None, closed="neither"), None],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    _reads_stored_tables = True

    def fit(
        self,
        X,
        y,
        sample_weight=None,
        *,
        X_val=None,
        y_val=None,
        sample_weight_val=None,
        groups=None,
    ):
        """Fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe, ParquetTable} of shape \
(n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes or targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights. A row of weight 0 has no effect.
        X_val : {array-like, sparse matrix, dataframe}, default=None
            Rows on whose loss the fit stops early, instead of a part of the training
            rows.
        y_val : array-like, default=None
            Their classes or targets.
        sample_weight_val : array-like, default=None
            Their weights.
        groups : array-like of shape (n_samples,), default=None
            Groups of the training rows, as patients or days: what stops the fit is the
            loss of other groups than those it was fitted to. Passed on to ``cv`` if
            that is a splitter.

        Returns
        -------
        self : object
            The fitted model.
        """
        self._validate_params()
        n_before = self._count_rounds_before()
        groups = read_groups(groups, X)
        X, y, weights = self._read_training_set(X, y, sample_weight, not n_before)
        weights = self._weigh_samples(y, weights)
        few = self._count_level_samples(X.shape[0])
        X = self._merge_levels(X, MAX_BINS, reset=not n_before, min_samples=few)
        loss = self._choose_loss(y)
        validation = self._read_validation(X_val, y_val, sample_weight_val)
        self._check_rounds(X, n_before)
        if n_before == self.max_iter:
            return self
        if n_before == 0:
            self._baseline = self._find_baseline(loss, y, weights)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))

        table = make_binned_table(
            X, self._encoder.is_categorical, self.max_bins, self.n_jobs
        )
        raw = self._begin(X, n_before)
        if groups is not None and self._has_weight is not None:
            groups = read_groups(groups[self._has_weight], y)
        run = Run(self, X, table, y, weights, raw, loss, n_before, seed, groups)
        booster, n_rounds = run.fit(validation, self.max_iter)
        trees = booster.get_trees(n_rounds)
        if n_before:
            trees = Trees.concatenate([self.trees_, trees])
        self.trees_, self._lines = trees, self._join_lines(booster, n_rounds, n_before)
        self._loss = loss
        self.n_iter_ = n_before + n_rounds
        self._add_curves(run, n_before)
        return self

    # ------------------------------------------------------------ reading

    def _count_rounds_before(self):
        """Return the number of rounds of an earlier fit that a warm start keeps."""
        if not self.warm_start or not hasattr(self, "trees_"):
            return 0
        n_before = self.n_iter_
        if self.max_iter != "auto" and self.max_iter < n_before:
            raise ValueError(
                f"max_iter={self.max_iter} is less than the {n_before} rounds of the "
                "last fit; with warm_start=True it can only grow."
            )
        return n_before

    def _count_level_samples(self, n_rows):
        """Return the number of rows that a level of its own has, at least."""
        if self.min_samples_level != "auto":
            return self.min_samples_level
        return max(1, min(n_rows // 100, MAX_LEVEL_SAMPLES))

    def _read_table(self, X):
        check_is_fitted(self, "trees_")
        return super()._read_table(X)

    def _read_validation(self, X_val, y_val, sample_weight_val):
        """Check the validation rows; return table, targets and weights, or None."""
        if X_val is None:
            if y_val is not None or sample_weight_val is not None:
                raise ValueError("y_val and sample_weight_val need X_val.")
            return None
        if y_val is None:
            raise ValueError("X_val needs y_val.")
        X_val = super()._read_table(X_val)
        y_val = self._read_target(column_or_1d(y_val, warn=True), reset=False)
        check_consistent_length(X_val, y_val)
        weights = read_weights(sample_weight_val, X_val)
        return X_val, y_val, self._weigh_samples(y_val, weights)

    def _begin(self, X, n_before):
        """Return raw predictions before the first new round: (n_outputs, n_samples)."""
        if n_before:
            return np.ascontiguousarray(self._sum_trees(X).T)
        return np.repeat(self._baseline[:, np.newaxis], X.shape[0], axis=1)

    def _weigh_samples(self, y, sample_weight):
        return sample_weight

    def _check_rounds(self, X, n_before):
        """Raise if leaves or rounds of two kinds would be mixed."""
        linear = getattr(self, "linear_leaves", False)
        if linear and isinstance(X, StoredColumns):
            raise ValueError("linear_leaves=True needs a table in memory.")
        if self.refit == "average" and (linear or self.warm_start):
            raise ValueError(
                'refit="average" is not supported with linear_leaves=True or '
                "warm_start=True."
            )
        if n_before and linear != (self._lines is not None):
            raise ValueError(
                f"linear_leaves={linear} differs from that of the rounds which "
                "warm_start=True keeps."
            )

    def _make_options(self, n_features):
        """Return how trees are to grow."""
        names = getattr(self, "feature_names_in_", None)
        monotonic = read_monotonic(self.monotonic_cst, n_features, names)
        groups = read_interactions(self.interaction_cst, n_features)
        self._check_constraints(monotonic)
        return GrowthOptions(
            max_leaf_nodes=self.max_leaf_nodes,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            min_sum_hessian=self.min_sum_hessian,
            l2_regularization=self.l2_regularization,
            min_gain=self.min_gain,
            max_features=count_features(self.max_features, n_features),
            tree_features=count_features(self.max_features_tree, n_features),
            random_thresholds=self.random_thresholds,
            symmetric=self.symmetric,
            categorical_smoothing=self.categorical_smoothing,
            monotonic=monotonic,
            groups=groups,
        )

    def _check_constraints(self, monotonic):
        """Raise if monotonic constraints cannot be kept."""
        if monotonic is None:
            return
        if self.symmetric:
            raise ValueError("monotonic_cst is not supported with symmetric=True.")
        if is_classifier(self) and len(self.classes_) > 2:
            raise ValueError(
                "monotonic_cst is not defined for more than two classes; y has "
                f"{len(self.classes_)}."
            )
        categorical = self._encoder.is_categorical
        if categorical is not None and np.any(monotonic[categorical] != 0):
            raise ValueError(
                "monotonic_cst must be 0 for categorical columns: their levels have no "
                "order."
            )

    def _join_lines(self, booster, n_rounds, n_before):
        """Return the lines in the leaves of all trees, or None."""
        if booster.lines is None:
            return None
        lines = booster.lines.keep(n_rounds)
        return self._lines.extend(lines) if n_before else lines

    def _add_curves(self, run, n_before):
        """Keep the losses of each round."""
        kept = {}
        for name, curve in run.curves.items():
            before = getattr(self, name, np.empty(0))[:n_before] if n_before else []
            kept[name] = np.concatenate([before, curve])
        for name in ("train_score_", "validation_score_"):
            setattr(self, name, kept.get(name, np.empty(0)))

    # ------------------------------------------------------------ predicting

    def _sum_trees(self, X):
        """Return raw predictions of encoded rows: (n_samples, n_outputs)."""

        def add(X):
            if self._lines is not None:
                return self._lines.predict(self.trees_, X, self._baseline)
            return self.trees_.sum_values(X, self._baseline, self.n_jobs)

        return map_dense_blocks(add, X)

    def _predict_raw(self, X):
        return self._sum_trees(self._read_table(X))

    def _stage_raw(self, X):
        """Yield raw predictions after each round."""
        X = self._read_table(X)
        X = X.toarray() if issparse(X) else X
        if self._lines is not None:
            for n_trees in range(1, self.trees_.n_trees + 1):
                trees = self.trees_._between(0, n_trees)
                yield self._lines.predict(trees, X, self._baseline)
            return
        raw = np.tile(self._baseline, (X.shape[0], 1))
        nothing, n_round = np.zeros(raw.shape[1]), self.trees_.n_trees // self.n_iter_
        for first in range(0, self.trees_.n_trees, n_round):
            trees = self.trees_._between(first, first + n_round)
            raw = raw + trees.sum_values(X, nothing, self.n_jobs)
            yield raw

    def predict_contributions(self, X):
        """Divide each raw prediction among the features, by their Shapley values.

        A feature's contribution is the mean, over all orders in which the features can
        become known, of the change of the expected raw prediction when it becomes
        known. Branches of unknown features are followed by their shares of the training
        rows; see ``manyminds.ensemble.RandomForestRegressor.predict_contributions``.

        {predict_table}
        contributions : ndarray of shape (n_samples, n_features + 1) or \
(n_samples, n_features + 1, n_classes)
            Contribution of each feature, and at the end the expected raw prediction.
            The sum over axis 1 is the raw prediction: the ``decision_function`` of a
            classifier, the target of a regressor, its logarithm for loss="poisson" and
            "gamma".
        """
        X = self._read_table(X)
        if self._lines is not None:
            raise ValueError(
                "predict_contributions is not defined for linear_leaves=True."
            )

        def contribute(X):
            return tree_contributions(
                self.trees_,
                X,
                n_outputs=len(self._baseline),
                baseline=self._baseline,
                n_jobs=self.n_jobs,
            )

        contributions = map_dense_blocks(contribute, X)
        return contributions if contributions.shape[2] > 1 else contributions[:, :, 0]

    def to_sklearn(self):
        """Return histogram gradient boosting of scikit-learn that predicts the same.

        What reads scikit-learn's boosting (shap, treelite) reads the result.

        Returns
        -------
        model : HistGradientBoostingClassifier or HistGradientBoostingRegressor
            Its predictions are the same to the last bit of the raw sums, those of
            missing values included. For loss="huber" it names the squared error, which
            predicts alike.

        Raises
        ------
        ValueError
            If a column is categorical, or leaves hold lines.
        """
        check_is_fitted(self, "trees_")
        if self._lines is not None:
            raise ValueError(
                "to_sklearn is not defined for linear_leaves=True: leaves of "
                "scikit-learn hold one number."
            )
        return convert_boosting(self, self.trees_, self._baseline, self._loss)

    @property
    def feature_importances_(self):
        """Share of each feature in what all splits gain."""
        return self.get_importances("gain")

    def get_importances(self, kind="gain"):
        """Return the importance of each feature, with a sum of 1.

        Parameters
        ----------
        kind : {"gain", "count"}, default="gain"
            Decrease of the loss by the splits of a feature, or how many there are.

        Returns
        -------
        importances : ndarray of shape (n_features,)
            All 0 if no tree has a split.
        """
        if kind not in ("gain", "count"):
            raise ValueError(f"kind must be 'gain' or 'count'; got {kind!r}.")
        _, feature, gain = self.trees_.list_decreases()
        amount = gain if kind == "gain" else np.ones(len(feature))
        shares = np.bincount(feature, amount, self.n_features_in_)
        return shares / (shares.sum() or 1.0)
