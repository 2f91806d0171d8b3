"""Estimate bias and variance of a learner that is trained many times."""

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import check_random_state

from manyminds.analysis._checks import check_option
from manyminds.analysis.decomposition.decomposing import (
    decompose_predictions,
    decompose_votes,
)
from manyminds.analysis.decomposition.posterior import (
    METHODS,
    estimate_posterior,
    make_certain,
)
from manyminds.analysis.decomposition.result import join_runs
from manyminds.analysis.decomposition.sampling import draw_seed, list_samples
from manyminds.analysis.decomposition.sscv import check_count
from manyminds.analysis.decomposition.training import (
    Predictions,
    Votes,
    as_rows,
    draw_generated,
    train_and_predict,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import JAMES_2003, ZOR_2010, cite

RUNNING = """
n_jobs : int, default=None
    Number of learners trained in parallel. The result does not depend on it.
random_state : int, RandomState instance or None, default=None
    Determines the samples and the seeds of the learners.
verbose : int, default=0
    Whether to print the progress.
"""


@fill_docstring(running=RUNNING, references=cite(JAMES_2003, ZOR_2010))
def bias_variance(
    estimator,
    X,
    y,
    *,
    X_test=None,
    y_test=None,
    resampling="auto",
    n_predictors=50,
    train_size=None,
    truth=None,
    loss="auto",
    ties="lowest",
    staged=False,
    n_jobs=None,
    random_state=None,
    verbose=0,
):
    r"""Decompose a learner's error into noise and the effects of bias and variance.

    The learner is trained on many samples of the rows. If its predictions of a point
    agree on a wrong one, the error is systematic; if they differ, it is an effect of
    variance [1]_, [2]_. The result also has the terms of other papers; see
    `BiasVariance.terms`.

    Parameters
    ----------
    estimator : classifier or regressor
        Learner. Clones are fitted, each with its own seed for every ``random_state``,
        since the randomness of a learner is part of its variance.
    X : array-like or dataframe of shape (n_samples, n_features)
        Training samples.
    y : array-like of shape (n_samples,)
        Classes or responses.
    X_test : array-like or dataframe of shape (n_points, n_features), default=None
        Samples to predict. By default, each learner predicts the samples of ``X`` that
        it was not trained on.
    y_test : array-like of shape (n_points,), default=None
        Classes or responses.
    resampling : str or splitter, default="auto"
        Sampling of training rows.

        - "auto": "bootstrap" with ``X_test``, and "sscv" without.
        - "sscv": sub-sampled cross-validation, see `SubsampledCV`. Each row is
          predicted ``n_predictors`` times. Not with ``X_test``.
        - "bootstrap": as many rows as there are, with replacement.
        - "subsample": half of the rows, without replacement.
        - a splitter of scikit-learn, such as ``RepeatedKFold``; ``n_predictors`` and
          ``train_size`` are then ignored.
    n_predictors : int, default=50
        Number of learners; with "sscv", number of predictions of each row.
    train_size : int, default=None
        Size of a training sample; by default see ``resampling``.
    truth : array-like or {"svm", "neighbors"}, default=None
        Knowledge about the noise at the predicted points.

        - None: none; labels are taken as certain, and noise counts as bias.
        - array of shape (n_points, n_classes): probabilities of the sorted classes.
        - "svm" or "neighbors": estimate them, see `estimate_posterior`.
        - in regression, an array of shape (n_points,): the expected response; or of
          shape (n_points, n_draws): draws of the response.
    loss : {"auto", "zero_one", "squared", "absolute"}, default="auto"
        "zero_one" for classifiers, "squared" or "absolute" for regressors. "auto" is
        "zero_one" or "squared".
    ties : {"lowest", "average"}, default="lowest"
        See `decompose_votes`.
    staged : bool, default=False
        Whether to use ``staged_predict`` of the learner, and to return a result for
        each stage: a curve over rounds or epochs at the cost of one estimate.
    {running}

    Returns
    -------
    result : BiasVariance, or list of BiasVariance if ``staged``

    {references}

    Examples
    --------
    A deep tree has more variance than a stump, which has more bias:

    >>> from sklearn.datasets import load_wine
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from manyminds.analysis import bias_variance
    >>> X, y = load_wine(return_X_y=True)
    >>> stump, tree = (
    ...     bias_variance(DecisionTreeClassifier(max_depth=depth), X, y, random_state=0)
    ...     for depth in (1, None)
    ... )
    >>> stump.mean["bias"] > 2 * tree.mean["bias"]
    True
    >>> tree.mean["variance_effect"] > tree.mean["systematic_effect"]
    True
    """
    check_count("n_predictors", n_predictors, 2)
    check_option("ties", ties, ("lowest", "average"))
    loss = _choose_loss(loss, estimator)
    X, y = as_rows(X), np.asarray(y)
    if (X_test is None) != (y_test is None):
        raise ValueError("X_test and y_test must both be arrays, or both None.")
    has_test = X_test is not None
    X_points, y_points = (as_rows(X_test), np.asarray(y_test)) if has_test else (X, y)
    _check_lengths(X, y, X_points, y_points)
    rng = check_random_state(random_state)

    if isinstance(truth, str):
        check_option("truth", truth, METHODS)
        truth = estimate_posterior(X_points, y_points, method=truth, n_jobs=n_jobs)
    samples = list_samples(
        resampling, X, y, n_predictors, train_size, has_test, X_points.shape[0], rng
    )
    tally = _make_tally(loss, y_points, truth, np.union1d(y, y_points), len(samples))
    jobs = [(X, y, train, X_points, test) for train, test in samples]
    stages = train_and_predict(estimator, jobs, tally, staged, n_jobs, rng, verbose)
    results = [_decompose(stage, loss, y_points, truth, ties) for stage in stages]
    return results if staged else results[0]


@fill_docstring(running=RUNNING, references=cite(ZOR_2010))
def bias_variance_of_problem(
    estimator,
    generator,
    *,
    n_samples=300,
    n_test=18_000,
    n_predictors=50,
    n_runs=10,
    loss="auto",
    ties="lowest",
    staged=False,
    n_jobs=None,
    random_state=None,
    verbose=0,
):
    """Decompose a learner's error on data from a generator.

    Each learner is trained on a new sample, and all learners of a run predict the same
    new test samples [1]_. Training sets are independent, and the probabilities of the
    classes are exact if the generator returns them.

    Parameters
    ----------
    estimator : classifier or regressor
        Learner; see `bias_variance`.
    generator : callable
        ``generator(n_samples, random_state=seed)`` returns X and y, such as those of
        `manyminds.datasets.generators`. It is called with ``return_posterior=True`` if
        it has this parameter. It may return a third array: class probabilities, or
        expected responses.
    n_samples : int, default=300
        Number of training samples.
    n_test : int, default=18_000
        Number of test samples of a run.
    n_predictors : int, default=50
        Number of learners of a run.
    n_runs : int, default=10
        Number of runs.
    loss : {"auto", "zero_one", "squared", "absolute"}, default="auto"
        See `bias_variance`.
    ties : {"lowest", "average"}, default="lowest"
        See `decompose_votes`.
    staged : bool, default=False
        See `bias_variance`.
    {running}

    Returns
    -------
    result : BiasVariance, or list of BiasVariance if ``staged``
        Over the test samples of all runs.

    {references}

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from manyminds.analysis import bias_variance_of_problem
    >>> from manyminds.datasets.generators import make_twonorm
    >>> found = bias_variance_of_problem(
    ...     GaussianNB(), make_twonorm, n_test=2000, n_runs=1, random_state=0
    ... )
    >>> found.mean["error"] < 0.03, found.mean["systematic_effect"] < 0.001
    (True, True)
    """
    check_count("n_samples", n_samples, 1)
    check_count("n_test", n_test, 1)
    check_count("n_predictors", n_predictors, 2)
    check_count("n_runs", n_runs, 1)
    check_option("ties", ties, ("lowest", "average"))
    loss = _choose_loss(loss, estimator)
    rng = check_random_state(random_state)

    runs = []
    for _ in range(n_runs):
        X_test, y_test, truth = draw_generated(generator, n_test, draw_seed(rng))
        classes = np.unique(y_test)
        if truth is not None and loss == "zero_one" and truth.shape[1] > len(classes):
            classes = np.arange(truth.shape[1])
        tally = _make_tally(loss, y_test, truth, classes, n_predictors)
        jobs = [
            (generator, n_samples, draw_seed(rng), X_test, None)
            for _ in range(n_predictors)
        ]
        stages = train_and_predict(estimator, jobs, tally, staged, n_jobs, rng, verbose)
        runs.append([_decompose(one, loss, y_test, truth, ties) for one in stages])
    results = [join_runs(stage) for stage in zip(*runs)]
    return results if staged else results[0]


def _choose_loss(loss, estimator):
    check_option("loss", loss, ("auto", "zero_one", "squared", "absolute"))
    classifies = is_classifier(estimator)
    if loss == "auto":
        return "zero_one" if classifies else "squared"
    if classifies != (loss == "zero_one"):
        kind = "classifier" if classifies else "regressor"
        raise ValueError(f"loss must suit a {kind}; got {loss!r}.")
    return loss


def _check_lengths(X, y, X_test, y_test):
    for rows, labels, names in (
        (X, y, "X and y"),
        (X_test, y_test, "X_test and y_test"),
    ):
        if labels.ndim != 1 or len(labels) != rows.shape[0]:
            raise ValueError(
                f"{names} must have the same number of rows, and y one column; got "
                f"{rows.shape} and {labels.shape}."
            )


def _make_tally(loss, y, truth, classes, n_jobs):
    if loss != "zero_one":
        return Predictions(len(y), n_jobs)
    if truth is not None and np.shape(truth) != (len(y), len(classes)):
        raise ValueError(
            f"truth must have a probability for each of the {len(classes)} classes at "
            f"each of the {len(y)} points; got shape {np.shape(truth)}."
        )
    return Votes(len(y), classes)


def _decompose(tally, loss, y, truth, ties):
    if loss == "zero_one":
        posterior = make_certain(y, tally.classes) if truth is None else truth
        return decompose_votes(
            posterior, tally.counts, classes=tally.classes, ties=ties
        )
    if truth is not None and np.ndim(truth) == 1:
        return decompose_predictions(y, tally.values, loss=loss, expected=truth)
    responses = y if truth is None else truth
    return decompose_predictions(responses, tally.values, loss=loss)
