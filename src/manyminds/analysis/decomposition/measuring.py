"""Measure bias and variance: train a learner many times and look at its answers."""

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
from manyminds.analysis.decomposition.sscv import check_whole
from manyminds.analysis.decomposition.training import (
    Predictions,
    Votes,
    as_rows,
    draw_generated,
    train_and_ask,
)


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
    r"""Return how much of a learner's error is noise, effect of bias, of variance.

    The learner is trained on many samples of the rows. Where its answers to a point
    agree, but on the wrong answer, the error is systematic; where they scatter, it is
    an effect of variance [1]_, [2]_. The result has the terms of other papers too; see
    `BiasVariance.terms`.

    Parameters
    ----------
    estimator : classifier or regressor
        The learner. Clones are fitted; each gets seeds of its own wherever it has a
        ``random_state``, for what the draws of a learner do to its answers is variance.
    X : array-like or dataframe of shape (n_samples, n_features)
        Rows to train on.
    y : array-like of shape (n_samples,)
        Their classes or responses.
    X_test : array-like or dataframe of shape (n_points, n_features), default=None
        Rows to ask about. By default, each learner is asked about rows of ``X`` that it
        was not trained on.
    y_test : array-like of shape (n_points,), default=None
        Their classes or responses.
    resampling : str or splitter, default="auto"
        How training rows are drawn.

        - "auto": "bootstrap" with test rows, and "sscv" without.
        - "sscv": sub-sampled cross-validation, see `SubsampledCV`. Each row is
          predicted ``n_predictors`` times. Not for test rows.
        - "bootstrap": as many rows as there are, with replacement.
        - "subsample": half of the rows, without replacement.
        - a splitter of scikit-learn, such as ``RepeatedKFold``; ``n_predictors`` and
          ``train_size`` are then not looked at.
    n_predictors : int, default=50
        How many learners are trained; with "sscv", how many answer to each row.
    train_size : int, default=None
        Rows of a training sample, if not as said above.
    truth : array-like or {"svm", "neighbors"}, default=None
        What is known about the noise at the points, be it rows of ``X`` or test rows.

        - None: nothing; the labels count as certain, the noise as part of the bias.
        - array of shape (n_points, n_classes): probabilities of the sorted classes.
        - "svm" or "neighbors": estimate them, see `estimate_posterior`.
        - in regression, an array of shape (n_points,): the expected response; or of
          shape (n_points, n_draws): draws of the response.
    loss : {"auto", "zero_one", "squared", "absolute"}, default="auto"
        "zero_one" for classifiers, and "squared" or "absolute" for regressors, of which
        "auto" takes the former.
    ties : {"lowest", "average"}, default="lowest"
        See `decompose_votes`.
    staged : bool, default=False
        Whether to ask the learner for ``staged_predict``, and to give a result for each
        stage: a curve over rounds or epochs for the price of one measurement.
    n_jobs : int, default=None
        Learners trained at once. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws samples and the seeds of the learners.
    verbose : int, default=0
        Whether to say on the screen how far it is.

    Returns
    -------
    result : BiasVariance, or list of BiasVariance if ``staged``

    References
    ----------
    .. [1] James, "Variance and bias for general loss functions", Machine Learning 51,
       2003.
    .. [2] Zor, Windeatt and Yanikoglu, "Bias-variance analysis of ECOC and bagging
       using neural nets", SUEMA, 2010.

    Examples
    --------
    A deep tree varies more than a stump, which is more often wrong on principle:

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
    check_whole("n_predictors", n_predictors, 2)
    check_option("ties", ties, ("lowest", "average"))
    loss = _choose_loss(loss, estimator)
    X, y = as_rows(X), np.asarray(y)
    if (X_test is None) != (y_test is None):
        raise ValueError("X_test and y_test must be given both or not at all.")
    has_test = X_test is not None
    X_asked, y_asked = (as_rows(X_test), np.asarray(y_test)) if has_test else (X, y)
    _check_lengths(X, y, X_asked, y_asked)
    rng = check_random_state(random_state)

    if isinstance(truth, str):
        check_option("truth", truth, METHODS)
        truth = estimate_posterior(X_asked, y_asked, method=truth, n_jobs=n_jobs)
    samples = list_samples(
        resampling, X, y, n_predictors, train_size, has_test, X_asked.shape[0], rng
    )
    tally = _make_tally(loss, y_asked, truth, np.union1d(y, y_asked), len(samples))
    jobs = [(X, y, train, X_asked, test) for train, test in samples]
    stages = train_and_ask(estimator, jobs, tally, staged, n_jobs, rng, verbose)
    results = [_decompose(stage, loss, y_asked, truth, ties) for stage in stages]
    return results if staged else results[0]


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
    """Tell noise and effects of bias and variance where data can be drawn at will.

    Each learner is trained on a fresh sample, and all those of a run are asked about
    the same fresh test rows [1]_. Nothing is shared between training sets, and the
    probabilities of the classes are exact if the generator knows them.

    Parameters
    ----------
    estimator : classifier or regressor
        The learner; see `bias_variance`.
    generator : callable
        ``generator(n_samples, random_state=seed)`` gives X and y, such as those of
        `manyminds.datasets.generators`. It is asked for ``return_posterior=True`` if it
        has this parameter. Any other may give a third array: class probabilities, or
        expected responses.
    n_samples : int, default=300
        Rows of a training set.
    n_test : int, default=18_000
        Test rows of a run.
    n_predictors : int, default=50
        Learners of a run.
    n_runs : int, default=10
        How many times to do it all.
    loss : {"auto", "zero_one", "squared", "absolute"}, default="auto"
        See `bias_variance`.
    ties : {"lowest", "average"}, default="lowest"
        See `decompose_votes`.
    staged : bool, default=False
        See `bias_variance`.
    n_jobs : int, default=None
        Learners trained at once. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws the data and the seeds of the learners.
    verbose : int, default=0
        Whether to say on the screen how far it is.

    Returns
    -------
    result : BiasVariance, or list of BiasVariance if ``staged``
        With the test rows of all runs.

    References
    ----------
    .. [1] Zor, Windeatt and Yanikoglu, "Bias-variance analysis of ECOC and bagging
       using neural nets", SUEMA, 2010.

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
    check_whole("n_samples", n_samples, 1)
    check_whole("n_test", n_test, 1)
    check_whole("n_predictors", n_predictors, 2)
    check_whole("n_runs", n_runs, 1)
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
        stages = train_and_ask(estimator, jobs, tally, staged, n_jobs, rng, verbose)
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
        raise ValueError(f"loss={loss!r} does not fit a {kind}.")
    return loss


def _check_lengths(X, y, X_test, y_test):
    for rows, labels, names in (
        (X, y, "X and y"),
        (X_test, y_test, "X_test and y_test"),
    ):
        if labels.ndim != 1 or len(labels) != rows.shape[0]:
            raise ValueError(
                f"{names} must have as many rows, and y be one column; got "
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
