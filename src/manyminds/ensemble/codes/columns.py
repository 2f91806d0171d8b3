"""Fit binary learners to the columns of a code, and read their outputs."""

from collections import Counter

import numpy as np
from sklearn.dummy import DummyClassifier

from manyminds.ensemble.base import draw_member_seeds, make_member, route_weight


def draw_column_seeds(canonical, random_state):
    """Draw a seed for each column that depends on what it splits, not on its place.

    Equal columns get different seeds: without them, their learners would be equal.
    """
    base = int(draw_member_seeds(random_state, 1)[0])
    seen, seeds = Counter(), []
    for column in canonical.T.astype(np.int64):
        key = tuple(column + 1)
        sequence = np.random.SeedSequence([base, seen[key], len(key), *key])
        seeds.append(int(sequence.generate_state(1)[0] >> 1))
        seen[key] += 1
    return seeds


def fit_column(estimator, X, label, column, seed, sample_weight=None):
    """Fit a learner to tell the classes with 1 in a column from those with -1.

    Parameters
    ----------
    estimator : classifier
        Estimator to clone.
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Training rows.
    label : ndarray of shape (n_samples,)
        Class numbers.
    column : ndarray of shape (n_classes,)
        1 or -1 for each class; 0: rows of this class are left out.
    seed : int
        Seed of the learner.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights of the rows.

    Returns
    -------
    member : classifier or None
        Fitted to 0 and 1; a constant if all rows are on one side, None if there are
        no rows at all.
    """
    side = column[label]
    rows = np.flatnonzero(side)
    if len(rows) == 0:
        return None
    target = (side[rows] > 0).astype(np.intp)
    X = X if len(rows) == len(label) else X[rows]
    if (target == target[0]).all():
        return DummyClassifier(strategy="most_frequent").fit(X, target)
    member = make_member(estimator, seed)
    if sample_weight is None:
        return member.fit(X, target)
    return member.fit(X, target, **route_weight(member, sample_weight[rows]))


def read_output(member, X):
    """Return the signed outputs of a learner: positive for the class 1.

    Decision values, if it has any; else probabilities stretched to -1 and 1; else its
    predictions as 1 and -1. A learner without rows has 0 throughout.
    """
    if member is None:
        return np.zeros(X.shape[0])
    if len(member.classes_) == 1:
        return np.full(X.shape[0], 2.0 * member.classes_[0] - 1.0)
    if hasattr(member, "decision_function"):
        return np.asarray(member.decision_function(X), dtype=np.float64).ravel()
    if hasattr(member, "predict_proba"):
        return 2.0 * np.asarray(member.predict_proba(X))[:, 1] - 1.0
    return 2.0 * np.asarray(member.predict(X), dtype=np.float64) - 1.0


def predict_left_out(estimator, X, label, column, seed, fold, sample_weight=None):
    """Return outputs for each row of a learner that was fitted to the other folds."""
    outputs = np.empty(len(label))
    for f in range(fold.max() + 1):
        train, test = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
        weight = None if sample_weight is None else sample_weight[train]
        member = fit_column(estimator, X[train], label[train], column, seed, weight)
        outputs[test] = read_output(member, X[test])
    return outputs
