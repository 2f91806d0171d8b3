"""Members that are any estimators, fitted one by one on threads."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from manyminds.ensemble.base import (
    draw_member_seeds,
    make_member,
    read_probabilities,
    run_on_members,
)
from manyminds.utils.tables import take_columns, take_rows


class PlainCrew:
    """Fit members that are any estimators, one by one on threads.

    Parameters
    ----------
    estimator : estimator
        What to clone.
    X : ndarray or dataframe of shape (n_samples, n_features)
        Training rows, as the members are to see them.
    n_classes : int, default=None
        Number of classes; None: a number is to be predicted.
    n_jobs : int, default=None
        Number of threads.
    """

    def __init__(self, estimator, X, *, n_classes=None, n_jobs=None):
        self.estimator, self.X = estimator, X
        self.n_classes, self.n_jobs = n_classes, n_jobs

    def fit(self, y, weights, n_members, state, columns=None):
        """Fit members; see `TreeCrew.fit`."""
        seeds = np.zeros(n_members, dtype=np.intp)
        if draws_by_itself(self.estimator):
            seeds = draw_member_seeds(state, n_members)

        def fit_member(t):
            member = make_member(self.estimator, seeds[t])
            seen = None if columns is None else np.flatnonzero(columns[t])
            of_member = weights[t if len(weights) > 1 else 0]
            return fit_on_rows(member, self.X, y, of_member, seen)

        numbers = ((t,) for t in range(len(seeds)))
        fitted = list(run_on_members(fit_member, numbers, self.n_jobs))
        return PlainMembers(fitted, columns, self.n_classes, self.n_jobs)


@dataclass(frozen=True, eq=False)
class PlainMembers:
    """Fitted estimators, with the columns that each sees."""

    estimators: list
    columns: np.ndarray | None
    n_classes: int | None
    n_jobs: Any = None

    def __len__(self):
        return len(self.estimators)

    @classmethod
    def join(cls, parts):
        """Return the members of all ``parts``, one after the other."""
        estimators = [one for part in parts for one in part.estimators]
        return replace(parts[0], estimators=estimators)

    def values(self, X):
        """Return what each member says: (n_members, n_rows, n_values)."""
        return np.array(list(self._ask(X)))

    def mean(self, X):
        """Return the mean of what the members say: (n_rows, n_values)."""
        return sum(self._ask(X)) / len(self)

    def _ask(self, X):
        def ask(t):
            seen = None if self.columns is None else np.flatnonzero(self.columns[t])
            return read_values(
                self.estimators[t], take(X, columns=seen), self.n_classes
            )

        numbers = ((t,) for t in range(len(self)))
        return run_on_members(ask, numbers, self.n_jobs)


def draws_by_itself(estimator):
    """Return whether an estimator, or one inside it, has a ``random_state``."""
    names = estimator.get_params(deep=True)
    return any(name.split("__")[-1] == "random_state" for name in names)


def read_values(member, X, n_classes):
    """Return a member's probabilities, or its predictions as a column."""
    if n_classes is not None:
        return read_probabilities(member, X, n_classes)
    return np.asarray(member.predict(X), dtype=np.float64).reshape(-1, 1)


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
            f"estimator={member!r} takes no sample_weight, so that it can be given "
            "whole numbers as weights only, as repeated rows."
        )
    rows = np.repeat(np.arange(len(counts)), counts)
    return member.fit(take(X, rows, columns), y[rows])


def take(X, rows=None, columns=None):
    """Take rows and columns of an array or of a dataframe, by their positions."""
    if rows is not None:
        X = take_rows(X, rows)
    return X if columns is None else take_columns(X, columns)
