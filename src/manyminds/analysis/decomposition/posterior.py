"""Estimate how likely each class is at each row, and so the error nobody can avoid."""

import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    StratifiedKFold,
    check_cv,
)
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import SVC
from sklearn.utils.multiclass import check_classification_targets

from manyminds.analysis._checks import check_option
from manyminds.analysis.decomposition.sscv import check_whole
from manyminds.analysis.distance_space import DistanceSpace
from manyminds.trees.columns import encode_table

METHODS = ("svm", "neighbors")
CALIBRATIONS = ("pooled", "inner")
# The usual values come first: they are taken where others do as well. Gammas are
# divided by the number of columns.
GRID = {
    "C": [2.0, 8.0, 32.0, 128.0, 512.0, 0.5, 0.125],
    "gamma": [1.0, 0.25, 4.0, 0.0625],
}
MAX_LEFT_OUT = 500  # rows that are left out one by one; more are in 50 folds


def estimate_posterior(
    X,
    y,
    *,
    method="svm",
    cv="auto",
    calibration="pooled",
    n_neighbors=None,
    n_jobs=None,
):
    """Estimate the probability of each class at each row, without the row itself.

    ``1 - posterior.max(axis=1).mean()`` then estimates the Bayes error. It is rather
    too high: what a support vector machine cannot tell apart counts as noise, and noise
    that is overestimated hides bias. Report the method with the figure.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        The rows. Columns are scaled, categories spread out, gaps filled by the mean.
    y : array-like of shape (n_samples,)
        Their classes.
    method : {"svm", "neighbors"}, default="svm"
        - "svm": a support vector machine with the radial kernel, its parameters chosen
          by ten-fold cross-validation, is fitted without the row [1]_.
        - "neighbors": shares of the classes among the nearest other rows.
    cv : "auto", int or splitter, default="auto"
        Which rows the machine is fitted without: by default each row in turn, or, with
        more than 500 rows, each of 50 folds.
    calibration : {"pooled", "inner"}, default="pooled"
        How the machine's scores become probabilities.

        - "pooled": by logistic regression on the scores of all rows, each from a
          machine that has not seen the row. Nor has the regression: there are ten, each
          without a tenth of the rows.
        - "inner": by sigmoids that each machine fits to its own rows, in five folds
          within them, at five times the cost. With few rows it is too modest and tells
          far too much noise; papers that use LIBSVM's probabilities do so.
    n_neighbors : int, default=None
        By default the root of the number of rows.
    n_jobs : int, default=None
        Machines fitted at once. The result does not depend on it.

    Returns
    -------
    posterior : ndarray of shape (n_samples, n_classes)
        One column for each of the sorted classes.

    References
    ----------
    .. [1] Zor, Windeatt and Yanikoglu, "Bias-variance analysis of ECOC and bagging
       using neural nets", SUEMA, 2010.

    Examples
    --------
    >>> from manyminds.analysis import estimate_posterior
    >>> from manyminds.datasets.generators import make_twonorm
    >>> X, y = make_twonorm(300, random_state=0)
    >>> posterior = estimate_posterior(X, y, cv=10)
    >>> print(abs(1 - posterior.max(axis=1).mean() - 0.02275) < 0.01)
    True
    """
    check_option("method", method, METHODS)
    check_option("calibration", calibration, CALIBRATIONS)
    X, encoder = encode_table(BaseEstimator(), X, reset=True)
    y = np.asarray(y)
    check_classification_targets(y)
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"y must have a class for each of the {X.shape[0]} rows of X; got shape "
            f"{y.shape}."
        )
    labels = np.unique(y, return_inverse=True)[1]
    if (np.bincount(labels) > 1).sum() < 2:
        raise ValueError("y must have two classes or more that have two rows or more.")
    n_neighbors = _count_neighbors(n_neighbors, len(labels))

    X = X.toarray() if hasattr(X, "toarray") else X
    points = DistanceSpace("standard").fit(X, encoder.is_categorical)
    if method == "neighbors":
        return _ask_neighbors(points, labels, n_neighbors)
    folds = _list_folds(cv, points, labels)
    machine = _choose_machine(points, labels, n_jobs)
    if calibration == "inner":
        return _ask_calibrated(machine, points, labels, folds, n_jobs)
    scores = _ask_machines(machine, points, labels, folds, n_jobs)
    return _calibrate_pooled(scores, labels)


def make_certain(y, classes):
    """Return the probabilities of labels that count as certain."""
    return np.eye(len(classes))[np.searchsorted(classes, y)]


def _count_neighbors(n_neighbors, n_rows):
    if n_neighbors is None:
        n_neighbors = max(1, round(np.sqrt(n_rows)))
    check_whole("n_neighbors", n_neighbors, 1)
    if n_neighbors >= n_rows:
        raise ValueError(
            f"n_neighbors={n_neighbors} must be less than the {n_rows} rows of X."
        )
    return n_neighbors


def _ask_neighbors(points, labels, n_neighbors):
    index = NearestNeighbors(n_neighbors=n_neighbors).fit(points)
    near = index.kneighbors(return_distance=False)  # of others: never the row itself
    shares = [np.mean(labels[near] == c, axis=1) for c in range(labels.max() + 1)]
    return np.stack(shares, axis=1)


def _choose_machine(points, labels, n_jobs):
    """Find the kernel's width and the penalty with the lowest error in ten folds."""
    gammas = [gamma / points.shape[1] for gamma in GRID["gamma"]]
    grid = {"C": GRID["C"], "gamma": gammas}
    folds = _stratify(10, points, labels)
    found = GridSearchCV(SVC(), grid, cv=folds, n_jobs=n_jobs, refit=False)
    return SVC(**found.fit(points, labels).best_params_)


def _stratify(n_folds, points, labels):
    """Cut rows into folds by class, as many as the largest class allows."""
    n_folds = min(n_folds, np.bincount(labels).max())
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(splitter.split(points, labels))


def _list_folds(cv, points, labels):
    if isinstance(cv, str):
        check_option("cv", cv, ("auto",))
        if len(labels) > MAX_LEFT_OUT:
            return _stratify(50, points, labels)
        cv = LeaveOneOut()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        folds = list(check_cv(cv, labels, classifier=True).split(points, labels))
    times = np.bincount(np.concatenate([test for _, test in folds]),
                        minlength=len(labels))  # fmt: skip
    if (times != 1).any():
        raise ValueError(f"cv must leave each row out exactly once; got {cv!r}.")
    return folds


def _ask_machines(machine, points, labels, folds, n_jobs):
    """Return scores of the classes at each row, by a machine that has not seen it."""
    scores = np.empty((len(labels), labels.max() + 1))
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_score)(machine, points, labels, train, test, scores.shape[1])
        for train, test in folds
    )
    for (_, test), part in zip(folds, parts):
        scores[test] = part
    return scores


def _score(machine, points, labels, train, test, n_classes):
    model = SVC(**machine.get_params()).fit(points[train], labels[train])
    found = model.decision_function(points[test])
    found = np.stack([-found, found], axis=1) if found.ndim == 1 else found
    # A class whose only row is left out is not known to the machine: the last choice.
    scores = np.repeat(found.min(axis=1, keepdims=True), n_classes, axis=1)
    scores[:, model.classes_] = found
    return scores


def _calibrate_pooled(scores, labels):
    """Turn scores into probabilities, by regressions that have not seen the row."""
    posterior = np.zeros(scores.shape)
    for train, test in _stratify(10, scores, labels):
        model = LogisticRegression(max_iter=1000).fit(scores[train], labels[train])
        posterior[np.ix_(test, model.classes_)] = model.predict_proba(scores[test])
    return posterior


def _ask_calibrated(machine, points, labels, folds, n_jobs):
    posterior = np.empty((len(labels), labels.max() + 1))
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_calibrate)(machine, points, labels, train, test, posterior.shape[1])
        for train, test in folds
    )
    for (_, test), part in zip(folds, parts):
        posterior[test] = part
    return posterior


def _calibrate(machine, points, labels, train, test, n_classes):
    fewest = np.bincount(labels[train])
    n_folds = max(2, min(5, fewest[fewest > 0].min()))
    model = CalibratedClassifierCV(machine, cv=n_folds, ensemble=False)
    model.fit(points[train], labels[train])
    posterior = np.zeros((len(test), n_classes))
    posterior[:, model.classes_] = model.predict_proba(points[test])
    return posterior
