"""Scores into probabilities: Platt's sigmoid, and the softmax of losses."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax

MAX_STEPS = 100
MIN_GAIN = 1e-12  # relative decrease of the loss below which Newton's method stops
RIDGE = 1e-12  # keeps the Hessian of perfectly separated scores invertible
LOG_TEMPERATURES = (-7.0, 7.0)


def fit_platt(scores, target, sample_weight=None):
    r"""Fit the sigmoid :math:`1 / (1 + \exp(A s + B))` by maximum likelihood.

    Targets are smoothed to :math:`(n_+ + 1) / (n_+ + 2)` and :math:`1 / (n_- + 2)`
    [1]_. Newton's method with halved steps finds the optimum [2]_.

    Parameters
    ----------
    scores : array-like of shape (n_samples,)
        Scores, higher for positive samples.
    target : array-like of shape (n_samples,)
        Whether samples are positive.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    slope, intercept : float
        :math:`A`, negative if scores are informative, and :math:`B`. If all samples
        are of one kind, the sigmoid is constant: 1 or 0.

    References
    ----------
    .. [1] Platt, "Probabilistic outputs for support vector machines", in Advances in
       Large Margin Classifiers, MIT Press, 1999.
    .. [2] Lin, Lin and Weng, "A note on Platt's probabilistic outputs for support
       vector machines", Machine Learning 68, 2007.

    Examples
    --------
    >>> from manyminds.ensemble.codes.calibration import apply_platt, fit_platt
    >>> sigmoid = fit_platt([0.1, 0.2, 0.25, 0.3], [0, 0, 1, 1])
    >>> apply_platt([0.1, 0.3], sigmoid).round(1)
    array([0.2, 0.8])
    """
    scores, target = np.asarray(scores, dtype=np.float64), np.asarray(target) > 0
    weight = np.ones(len(scores)) if sample_weight is None else sample_weight
    n_positive, n_negative = weight[target].sum(), weight[~target].sum()
    if n_positive == 0.0 or n_negative == 0.0:
        return 0.0, np.inf if n_positive == 0.0 else -np.inf
    goal = np.where(
        target, (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0)
    )
    # On standardized scores: the optimum is the same, and steps are well conditioned.
    center = np.average(scores, weights=weight)
    scale = np.sqrt(np.average((scores - center) ** 2, weights=weight)) or 1.0
    inputs = np.column_stack([(scores - center) / scale, np.ones(len(scores))])
    start = np.array([0.0, np.log((n_negative + 1.0) / (n_positive + 1.0))])
    slope, intercept = _minimize_newton(inputs, goal, weight, start)
    return float(slope / scale), float(intercept - slope * center / scale)


def _minimize_newton(inputs, goal, weight, start):
    """Minimize the cross entropy of the goals and the sigmoids of the inputs."""

    def cross_entropy(parameters):
        f = inputs @ parameters
        return weight @ (goal * f + np.logaddexp(0.0, -f))

    parameters, loss = start, cross_entropy(start)
    for _ in range(MAX_STEPS):
        p = expit(-(inputs @ parameters))
        gradient = inputs.T @ (weight * (goal - p))
        curvature = (inputs.T * (weight * p * (1.0 - p))) @ inputs
        direction = -np.linalg.solve(curvature + RIDGE * np.eye(2), gradient)
        size = 1.0
        while cross_entropy(parameters + size * direction) > loss and size > 1e-10:
            size /= 2.0
        found = cross_entropy(parameters + size * direction)
        if not found < loss - MIN_GAIN * abs(loss):
            break
        parameters, loss = parameters + size * direction, found
    return parameters


def apply_platt(scores, sigmoid):
    """Return the probabilities of scores, by a pair of slope and intercept."""
    slope, intercept = sigmoid
    return expit(-(slope * np.asarray(scores, dtype=np.float64) + intercept))


def fit_temperature(losses, label, sample_weight=None):
    """Fit the factor of losses in a softmax, by maximum likelihood.

    Losses add up the columns as though these were independent; they are not, and
    probabilities without a factor are too sure of themselves.

    Parameters
    ----------
    losses : ndarray of shape (n_samples, n_classes)
        Loss of each class, for samples that the learners have not seen.
    label : ndarray of shape (n_samples,)
        Number of the class of each sample.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    temperature : float
        Factor of the losses, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.codes.calibration import fit_temperature
    >>> losses = np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    >>> round(fit_temperature(losses, np.array([0, 0, 0, 0])), 2)  # log 3
    1.1
    """
    rows = np.arange(len(label))

    def negative_likelihood(log_temperature):
        p = log_softmax(-np.exp(log_temperature) * losses, axis=1)
        return -np.average(p[rows, label], weights=sample_weight)

    found = minimize_scalar(
        negative_likelihood, bounds=LOG_TEMPERATURES, method="bounded"
    )
    return float(np.exp(found.x))
