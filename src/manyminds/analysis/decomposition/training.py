"""Train a learner on many samples in parallel, and collect its predictions."""

import sys
import time
from copy import deepcopy
from inspect import signature

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from manyminds.utils.tables import take_rows


class Votes:
    """Count the votes of learners, without storing predictions.

    Parameters
    ----------
    n_points : int
        Number of points.
    classes : ndarray of shape (n_classes,)
        Class labels, sorted.
    """

    def __init__(self, n_points, classes):
        self.classes = classes
        self.counts = np.zeros((n_points, len(classes)), dtype=np.int64)

    def add(self, number, rows, answers):
        """Count the predictions of a learner for some points."""
        labels = np.searchsorted(self.classes, answers)
        labels = np.minimum(labels, len(self.classes) - 1)
        if not np.array_equal(self.classes[labels], answers):
            raise ValueError("The estimator predicts labels that are not among y.")
        self.counts[rows, labels] += 1


class Predictions:
    """Store the predictions of learners; NaN for points they do not predict.

    Parameters
    ----------
    n_points : int
        Number of points.
    n_learners : int
        Number of learners.
    """

    def __init__(self, n_points, n_learners):
        self.values = np.full((n_points, n_learners), np.nan)

    def add(self, number, rows, answers):
        """Store the predictions of a learner for some points."""
        self.values[rows, number] = answers


def train_and_predict(estimator, jobs, tally, staged, n_jobs, rng, verbose):
    """Fit a clone for each job, and collect the predictions of each stage.

    jobs   tuples: X, y, training rows, X of the points, and which of them; or a
           generator, a number of rows, a seed, X of the points, and None for all
    tally  `Votes` or `Predictions`, empty: copied for each stage
    """
    if staged and not hasattr(estimator, "staged_predict"):
        raise ValueError(
            f"staged=True requires an estimator with staged_predict; got {estimator!r}."
        )
    # Seeds are drawn before the loop, so that results do not depend on n_jobs.
    models = [_make_learner(estimator, rng) for _ in jobs]
    run = Parallel(n_jobs=n_jobs, return_as="generator")
    found = run(
        delayed(_fit_and_predict)(model, job, staged)
        for model, job in zip(models, jobs)
    )
    stages, started = [], time.monotonic()
    for number, (job, answers) in enumerate(zip(jobs, found)):
        if not stages:
            stages = [deepcopy(tally) for _ in answers]
        if len(answers) != len(stages):
            raise ValueError(
                "staged=True requires learners with the same number of stages; got "
                f"{len(stages)} and {len(answers)}."
            )
        rows = np.arange(len(answers[0])) if job[4] is None else job[4]
        for stage, answer in zip(stages, answers):
            stage.add(number, rows, answer)
        if verbose:
            _print_progress(number + 1, len(jobs), time.monotonic() - started)
    return stages


def draw_generated(generator, n_samples, seed):
    """Draw rows and labels, and the posterior if the generator returns it."""
    options = {"random_state": seed}
    if "return_posterior" in signature(generator).parameters:
        options["return_posterior"] = True
    X, y, *truth = generator(n_samples, **options)
    return X, np.asarray(y), truth[0] if truth else None


def as_rows(X):
    """Convert lists to arrays; return other tables unchanged."""
    return X if hasattr(X, "shape") else np.asarray(X)


def _make_learner(estimator, rng):
    model = clone(estimator)
    names = sorted(
        name
        for name in model.get_params(deep=True)
        if name == "random_state" or name.endswith("__random_state")
    )
    seeds = {name: int(rng.randint(np.iinfo(np.int32).max)) for name in names}
    return model.set_params(**seeds) if seeds else model


def _fit_and_predict(model, job, staged):
    """Fit a learner and return its predictions, an array for each stage."""
    source, labels, train, X, rows = job
    if callable(source):
        X_train, y_train, _ = draw_generated(source, labels, train)
    else:
        X_train, y_train = take_rows(source, train), labels[train]
        X = X if rows is None else take_rows(X, rows)
    model.fit(X_train, y_train)
    if staged:
        return [np.array(answer) for answer in model.staged_predict(X)]
    return [model.predict(X)]


def _print_progress(n_done, n_jobs, spent):
    left = spent / n_done * (n_jobs - n_done)
    print(
        f"bias_variance: {n_done} of {n_jobs} learners trained, {spent:.1f} s spent, "
        f"{left:.1f} s left",
        file=sys.stderr,
    )
