"""Fit members that are any estimators, one by one on threads."""

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from manyminds.ensemble.base import (
    EstimatorMembers,
    draw_member_seeds,
    make_member,
    run_on_members,
)
from manyminds.utils.tables import take_columns, take_rows


class EstimatorFitter:
    """Fit members that are any estimators, one by one on threads.

    Parameters
    ----------
    estimator : estimator
        Estimator to clone.
    X : ndarray or dataframe of shape (n_samples, n_features)
        Training rows, as the members are to see them.
    n_classes : int, default=None
        Number of classes; None: regression.
    n_jobs : int, default=None
        Number of threads.
    """

    def __init__(self, estimator, X, *, n_classes=None, n_jobs=None):
        self.estimator, self.X, self.n_jobs = estimator, X, n_jobs
        self.classes = None if n_classes is None else np.arange(n_classes)

    def fit(self, y, weights, n_members, state, columns=None):
        """Fit members; see `TreeFitter.fit`."""
        seeds = np.zeros(n_members, dtype=np.intp)
        if has_random_state(self.estimator):
            seeds = draw_member_seeds(state, n_members)

        def fit_member(t):
            member = make_member(self.estimator, seeds[t])
            of_member = weights[t if len(weights) > 1 else 0]
            view = None if views is None else views[t]
            return fit_on_rows(member, self.X, y, of_member, view)

        views = None
        if columns is not None:
            views = [np.flatnonzero(seen) for seen in columns]
        numbers = ((t,) for t in range(len(seeds)))
        fitted = list(run_on_members(fit_member, numbers, self.n_jobs))
        return EstimatorMembers(fitted, self.classes, views, self.n_jobs)


def has_random_state(estimator):
    """Return whether an estimator, or one inside it, has a ``random_state``."""
    names = estimator.get_params(deep=True)
    return any(name.split("__")[-1] == "random_state" for name in names)


def fit_on_rows(member, X, y, weights, columns=None):
    """Fit a member on the rows of positive weight, and return it.

    Weights that are whole numbers become repeated rows where the member takes none.
    """
    rows = np.flatnonzero(weights)
    y = y.astype(np.intp) if is_classifier(member) else y
    if np.all(weights[rows] == 1.0):
        return member.fit(take(X, rows, columns), y[rows])
    if has_fit_parameter(member, "sample_weight"):
        seen = take(X, rows, columns)
        return member.fit(seen, y[rows], sample_weight=weights[rows])
    counts = np.rint(weights).astype(np.intp)
    if not np.array_equal(counts, weights):
        raise ValueError(
            f"estimator={member!r} takes no sample_weight, so that weights must be "
            "whole numbers, which become repeated rows."
        )
    rows = np.repeat(np.arange(len(counts)), counts)
    return member.fit(take(X, rows, columns), y[rows])


def take(X, rows=None, columns=None):
    """Take rows and columns of an array or of a dataframe, by their positions."""
    if rows is not None:
        X = take_rows(X, rows)
    return X if columns is None else take_columns(X, columns)
