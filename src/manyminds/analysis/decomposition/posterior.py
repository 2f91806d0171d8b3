"""Estimate the probability of each class at each sample, and so the Bayes error."""

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
from manyminds.analysis.decomposition.sscv import check_count
from manyminds.analysis.distance_space import DistanceSpace
from manyminds.trees.columns import encode_table
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ZOR_2010, cite

METHODS = ("svm", "neighbors")
CALIBRATIONS = ("pooled", "inner")
# The usual values come first: they are preferred in ties. Gammas are divided by the
# number of columns.
GRID = {
    "C": [2.0, 8.0, 32.0, 128.0, 512.0, 0.5, 0.125],
    "gamma": [1.0, 0.25, 4.0, 0.0625],
}
MAX_LEFT_OUT = 500  # rows of leave-one-out; with more there are 50 folds


@fill_docstring(references=cite(ZOR_2010))
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
    """Estimate the probability of each class at each sample, out of fold.

    ``1 - posterior.max(axis=1).mean()`` then estimates the Bayes error. It tends to be
    too high: errors of the support vector machine count as noise, and overestimated
    noise hides bias. Report the method with the estimate.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        Samples. Columns are scaled, categories one-hot encoded, missing numbers
        replaced by the mean.
    y : array-like of shape (n_samples,)
        Classes.
    method : {"svm", "neighbors"}, default="svm"
        - "svm": a support vector machine with the radial kernel, its parameters chosen
          by ten-fold cross-validation, is fitted without the sample [1]_.
        - "neighbors": class frequencies among the nearest other samples.
    cv : "auto", int or splitter, default="auto"
        Folds: by default leave-one-out, or 50 folds with more than 500 samples.
    calibration : {"pooled", "inner"}, default="pooled"
        Calibration of the scores.

        - "pooled": logistic regression on the out-of-fold scores of all samples, itself
          fitted in ten folds.
        - "inner": sigmoids fitted in five inner folds of each training set, at five
          times the cost, as the probabilities of LIBSVM. With few samples it is
          underconfident and overestimates the noise.
    n_neighbors : int, default=None
        Number of neighbors; by default the root of the number of samples.
    n_jobs : int, default=None
        Number of machines fitted in parallel. The result does not depend on it.

    Returns
    -------
    posterior : ndarray of shape (n_samples, n_classes)
        One column for each of the sorted classes.

    {references}

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
        raise ValueError("y must have two or more classes of two or more rows.")
    n_neighbors = _count_neighbors(n_neighbors, len(labels))

    X = X.toarray() if hasattr(X, "toarray") else X
    points = DistanceSpace("standard").fit(X, encoder.is_categorical)
    if method == "neighbors":
        return _average_neighbors(points, labels, n_neighbors)
    folds = _list_folds(cv, points, labels)
    machine = _choose_machine(points, labels, n_jobs)
    left_out = (machine, points, labels, folds, n_jobs)
    if calibration == "inner":
        return _predict_left_out(_calibrate, *left_out)
    return _calibrate_pooled(_predict_left_out(_score, *left_out), labels)


def make_certain(y, classes):
    """Return one-hot probabilities of labels."""
    return np.eye(len(classes))[np.searchsorted(classes, y)]


def _count_neighbors(n_neighbors, n_rows):
    if n_neighbors is None:
        n_neighbors = max(1, round(np.sqrt(n_rows)))
    check_count("n_neighbors", n_neighbors, 1)
    if n_neighbors >= n_rows:
        raise ValueError(
            f"n_neighbors must be less than the {n_rows} rows of X; got {n_neighbors}."
        )
    return n_neighbors


def _average_neighbors(points, labels, n_neighbors):
    index = NearestNeighbors(n_neighbors=n_neighbors).fit(points)
    near = index.kneighbors(return_distance=False)  # never the row itself
    shares = [np.mean(labels[near] == c, axis=1) for c in range(labels.max() + 1)]
    return np.stack(shares, axis=1)


def _choose_machine(points, labels, n_jobs):
    """Choose the kernel's width and the penalty by ten-fold cross-validation."""
    gammas = [gamma / points.shape[1] for gamma in GRID["gamma"]]
    grid = {"C": GRID["C"], "gamma": gammas}
    folds = _stratify(10, points, labels)
    found = GridSearchCV(SVC(), grid, cv=folds, n_jobs=n_jobs, refit=False)
    return SVC(**found.fit(points, labels).best_params_)


def _stratify(n_folds, points, labels):
    """Return stratified folds, at most as many as the largest class has rows."""
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


def _predict_left_out(predict, machine, points, labels, folds, n_jobs):
    """Return the outputs of machines for each row that they were not fitted on."""
    outputs = np.empty((len(labels), labels.max() + 1))
    found = Parallel(n_jobs=n_jobs)(
        delayed(predict)(machine, points, labels, train, test, outputs.shape[1])
        for train, test in folds
    )
    for (_, test), output in zip(folds, found):
        outputs[test] = output
    return outputs


def _score(machine, points, labels, train, test, n_classes):
    model = SVC(**machine.get_params()).fit(points[train], labels[train])
    found = model.decision_function(points[test])
    found = np.stack([-found, found], axis=1) if found.ndim == 1 else found
    # A class whose only row is left out is unknown to the machine: the lowest score.
    scores = np.repeat(found.min(axis=1, keepdims=True), n_classes, axis=1)
    scores[:, model.classes_] = found
    return scores


def _calibrate_pooled(scores, labels):
    """Convert scores to probabilities by regressions in ten folds."""
    posterior = np.zeros(scores.shape)
    for train, test in _stratify(10, scores, labels):
        model = LogisticRegression(max_iter=1000).fit(scores[train], labels[train])
        posterior[np.ix_(test, model.classes_)] = model.predict_proba(scores[test])
    return posterior


def _calibrate(machine, points, labels, train, test, n_classes):
    fewest = np.bincount(labels[train])
    n_folds = max(2, min(5, fewest[fewest > 0].min()))
    model = CalibratedClassifierCV(machine, cv=n_folds, ensemble=False)
    model.fit(points[train], labels[train])
    posterior = np.zeros((len(test), n_classes))
    posterior[:, model.classes_] = model.predict_proba(points[test])
    return posterior
