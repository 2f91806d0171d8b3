"""Targets of the rounds: classes or numbers first, then what a model leaves of them."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from manyminds.ensemble.boosting.gradient.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from manyminds.feature_selection.base import assign_folds

_SMALLEST_SHARE = 1e-15
_MIN_CURVATURE = 1e-12
_N_FOLDS = 5
_MANY_ROWS = 100  # of which a fifth can be held out to stop boosting


@dataclass(frozen=True, eq=False)
class Target:
    """What a round predicts: class codes, or one or more columns of numbers.

    Parameters
    ----------
    values : ndarray of shape (n_rows,) or (n_rows, n_columns)
        Class codes as int64; or numbers as float64.
    n_classes : int, default=1
        Number of classes; 1: the values are numbers.
    """

    values: np.ndarray
    n_classes: int = 1

    @property
    def n_rows(self):
        """Number of rows."""
        return len(self.values)

    @property
    def n_outputs(self):
        """Number of sums of trees that boosting makes: one for two classes."""
        if self.n_classes > 1:
            return 1 if self.n_classes == 2 else self.n_classes
        return self.values.shape[1]

    def list_columns(self):
        """List what trees are grown on: the class codes, or each column of numbers."""
        if self.n_classes > 1:
            return [self.values.astype(np.float64)]
        return list(np.ascontiguousarray(self.values.T))

    def make_baseline(self, sample_weight=None):
        """Return the constant raw predictions to begin with, (n_rows, n_outputs)."""
        if self.n_classes == 1:
            start = np.average(self.values, axis=0, weights=sample_weight)
        else:
            shares = np.bincount(self.values, sample_weight, self.n_classes)
            shares = np.log(np.maximum(shares / shares.sum(), _SMALLEST_SHARE))
            start = shares[1:] - shares[:1] if self.n_classes == 2 else shares
        return np.tile(start, (self.n_rows, 1))

    def measure_variance(self, sample_weight=None):
        """Return the variance that the baseline leaves, summed over outputs."""
        residuals = self.compute_residuals(self.make_baseline(sample_weight))
        return np.average(residuals**2, axis=0, weights=sample_weight).sum()

    def compute_residuals(self, raw):
        """Return what raw predictions leave: residuals, or those of probabilities.

        Of classes, the residual is 1 for the row's class and 0 for others, less the
        predicted probability: the negative gradient of the log loss.
        """
        if self.n_classes == 1:
            return self.values - raw
        if self.n_classes == 2:
            return self.values[:, np.newaxis] - expit(raw)
        residuals = -softmax(raw, axis=1)
        residuals[np.arange(self.n_rows), self.values] += 1.0
        return residuals

    def compute_steps(self, residual, draws, leaf):
        """Return the value of each leaf: the mean, or a Newton step of the log loss."""
        sums = np.bincount(leaf, draws * residual)
        if self.n_classes == 1:
            curvature = np.bincount(leaf, draws)
        else:
            size = np.abs(residual)
            curvature = np.bincount(leaf, draws * size * (1.0 - size))
            sums *= 1.0 if self.n_classes == 2 else 1.0 - 1.0 / self.n_classes
        return sums / np.maximum(curvature, _MIN_CURVATURE)

    def subtract_model(self, X, is_categorical, sample_weight, seed, n_jobs=None):
        """Return what a model of some columns leaves on rows that it was not fitted to.

        Boosted trees are fitted to four of five folds, and predict the fifth.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            The columns; NaN is a missing value.
        is_categorical : ndarray of bool of shape (n_columns,)
        sample_weight : ndarray of shape (n_rows,) or None
        seed : int
            Draws the folds and seeds the model.
        n_jobs : int, default=None

        Returns
        -------
        target : Target
            Of numbers, one column for each output.
        """
        rng = np.random.default_rng(seed)
        order = self.values if self.n_classes > 1 else self.values[:, 0]
        fold = assign_folds(self.n_rows, _N_FOLDS, "stratified", order, rng)
        n_columns = self.n_classes if self.n_classes > 1 else self.n_outputs
        predicted = np.empty((self.n_rows, n_columns))
        for one in range(min(_N_FOLDS, self.n_rows)):
            train, test = np.flatnonzero(fold != one), np.flatnonzero(fold == one)
            weight = None if sample_weight is None else sample_weight[train]
            models = self._fit_models(
                X[train], train, is_categorical, weight, seed, n_jobs
            )
            predicted[test] = self._predict(models, X[test])
        if self.n_classes == 1:
            return Target(self.values - predicted)
        residuals = np.eye(self.n_classes)[self.values] - predicted
        return Target(residuals[:, 1:] if self.n_classes == 2 else residuals)

    def _fit_models(self, X, rows, is_categorical, weight, seed, n_jobs):
        """Fit a classifier, or a regressor for each column of numbers, to some rows."""
        options = {
            "learning_rate": 0.1,
            "max_iter": 300,
            "max_features": None,
            "early_stopping": len(rows) >= _MANY_ROWS,
            "cv": None,
            "validation_fraction": 0.2,
            "categorical_features": is_categorical,
            "random_state": seed,
            "n_jobs": n_jobs,
        }
        if len(rows) < _MANY_ROWS:
            options["max_iter"] = 50
        values = self.values[rows]
        if self.n_classes == 1:
            return [
                GradientBoostingRegressor(**options).fit(X, column, weight)
                for column in values.T
            ]
        if np.ptp(values) == 0:  # all training rows are of one class
            return values[0]
        return GradientBoostingClassifier(**options).fit(X, values, weight)

    def _predict(self, models, X):
        """Return numbers, or probabilities of all classes, for other rows."""
        if self.n_classes == 1:
            return np.column_stack([model.predict(X) for model in models])
        probabilities = np.zeros((len(X), self.n_classes))
        if isinstance(models, np.integer):
            probabilities[:, models] = 1.0
        else:
            probabilities[:, models.classes_] = models.predict_proba(X)
        return probabilities
