"""One fit of gradient boosting: on which rows, how many rounds, what stops them."""

import time

import numpy as np
from scipy.sparse import issparse
from sklearn.base import is_classifier

from manyminds.ensemble.boosting.gradient.averaging import AveragedBoosters
from manyminds.ensemble.boosting.gradient.linear_leaves import LinearLeaves
from manyminds.ensemble.boosting.gradient.losses import measure_scale
from manyminds.ensemble.boosting.gradient.stopping import choose_rounds, split_rows
from manyminds.trees.boosting import Booster
from manyminds.utils.progress import print_progress

_MAX_AUTO_ROUNDS = 2000
_FEW_ROWS = 5000  # up to which the number of rounds is cross-validated
_N_FOLDS = 5


class Run:
    """One fit: how many rounds, on which rows, with what stops them."""

    def __init__(self, model, X, table, y, weights, raw, loss, n_before, seed, groups):
        self.model, self.X, self.table = model, X, table
        self.y, self.weights, self.groups = y, weights, groups
        self.raw, self.loss, self.n_before, self.seed = raw, loss, n_before, seed
        self.options = model._make_options(table.n_features)
        self.curves = {}
        self.rate = model.learning_rate
        if self.rate == "auto":
            self.rate = choose_learning_rate(len(y))
        self.tolerance = model.tol * measure_scale(loss, y, weights, model._baseline)
        self.started = time.monotonic()

    def fit(self, validation, max_iter):
        """Return the fitted booster and the number of its rounds to keep."""
        model, n = self.model, len(self.y)
        stops = model.early_stopping
        if stops == "auto":
            stops = max_iter == "auto" or validation is not None
        n_rounds = _MAX_AUTO_ROUNDS if max_iter == "auto" else max_iter - self.n_before
        everything = np.arange(n, dtype=np.uint32)
        nothing = np.empty(0, np.uint32)
        if not stops:
            booster = self.boost(everything, nothing, n_rounds)
            return booster, booster.n_done
        if validation is not None:
            self.append(validation)
            held_out = np.arange(n, self.table.n_rows, dtype=np.uint32)
            return self.stop_early(everything, held_out, n_rounds, refit=None)
        cv = model.cv
        if cv == "auto":
            cv = _N_FOLDS if n <= _FEW_ROWS else None
        if cv is not None:
            n_rounds, boosters = choose_rounds(self, cv, n_rounds)
            booster = self.boost(everything, nothing, n_rounds, is_again=True)
            n_done = booster.n_done
            if model.refit == "average" and n_done == n_rounds:
                booster = AveragedBoosters(booster, boosters)
            return booster, n_done
        share, stratify = model.validation_fraction, is_classifier(model)
        rows, held_out = split_rows(self.y, share, stratify, self.seed, self.groups)
        refit = "replay" if model.refit == "average" else model.refit
        return self.stop_early(rows, held_out, n_rounds, refit)

    def append(self, validation):
        """Add validation rows to the table."""
        X, y, weights = validation
        if weights is not None or self.weights is not None:
            ours = np.ones(len(self.y)) if self.weights is None else self.weights
            theirs = np.ones(len(y)) if weights is None else weights
            self.weights = np.concatenate([ours, theirs])
        raw = self.model._begin(X, self.n_before)
        self.raw = np.concatenate([self.raw, raw], axis=1)
        self.table = self.table.append(X)
        if self.model_has_lines:
            self.X = np.concatenate([_make_dense(self.X), _make_dense(X)])
        self.y = np.concatenate([self.y, y])

    def stop_early(self, rows, held_out, n_rounds, refit):
        """Run rounds until the held-out loss stops them; refit as asked for."""
        first = self.raw.copy()
        booster = self.boost(rows, held_out, n_rounds)
        best = max(booster.best_round, 1)
        self.curves = {
            "train_score_": booster.curves[0].copy(),
            "validation_score_": booster.curves[1].copy(),
        }
        if refit is None:
            return booster, best
        everything = np.sort(np.concatenate([rows, held_out]))
        self.raw = first
        if refit == "grow" or not self.can_replay:
            nothing = np.empty(0, np.uint32)
            booster = self.boost(everything, nothing, best, is_again=True)
            return booster, booster.n_done
        booster.replay(everything, first, best)
        return booster, best

    def make_booster(self, rows, held_out, *, patience=None, raw=None, n_jobs=None):
        """Return a booster on some rows of the table."""
        model = self.model
        sampling = None
        if model.subsample < 1.0 or model.sampling == "bootstrap":
            n_drawn = max(1, round(model.subsample * len(rows)))
            sampling = model.sampling, n_drawn
        return Booster(
            self.table,
            self.y,
            self.raw if raw is None else raw,
            self.loss,
            self.options,
            rows,
            held_out,
            weights=self.weights,
            level=getattr(model, "_level", 0.5),
            sampling=sampling,
            learning_rate=self.rate,
            seed=self.seed,
            patience=model.n_iter_no_change if patience is None else patience,
            tolerance=self.tolerance,
            track=len(held_out) > 0 or bool(model.verbose),
            first_round=self.n_before,
            lines=self.make_lines(),
            n_jobs=n_jobs or model.n_jobs,
        )

    @property
    def can_replay(self):
        """Whether new values of leaves keep what the model promises."""
        return not (
            self.options.monotonic is not None
            or self.options.symmetric
            or self.model_has_lines
        )

    @property
    def model_has_lines(self):
        """Whether leaves are linear."""
        return getattr(self.model, "linear_leaves", False)

    def make_lines(self):
        """Return what fits lines in leaves, or None."""
        if not self.model_has_lines:
            return None
        return LinearLeaves(
            _make_dense(self.X), self.table.categorical, self.model.l2_regularization
        )

    def boost(self, rows, held_out, n_rounds, is_again=False):
        """Make a booster and run it, if it runs again for as long as it takes."""
        booster = self.make_booster(rows, held_out)
        limit = None if is_again else self.model.max_seconds
        booster.run(n_rounds, self.watch(n_rounds, limit))
        if booster.track and not len(held_out):
            self.curves = {"train_score_": booster.curves[0].copy()}
        return booster

    def watch(self, n_rounds, limit=None):
        """Return what is called between compiled calls: it reports, and says stop."""
        if not self.model.verbose and limit is None:
            return None
        name = type(self.model).__name__

        def report(n_done):
            if self.model.verbose:
                print_progress(name, "rounds", n_done / n_rounds, self.started)
            return limit is not None and time.monotonic() - self.started > limit

        return report


def _make_dense(X):
    return X.toarray() if issparse(X) else X


def choose_learning_rate(n_samples):
    """Return a learning rate: lower where there are few rows."""
    return float(np.clip(0.02 * (n_samples / 100.0) ** 0.25, 0.02, 0.1))
