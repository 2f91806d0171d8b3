"""Friedman's problem cut into two classes, and a simpler one of its kind."""

import numpy as np
from scipy.special import ndtr
from scipy.stats import norm
from sklearn.datasets import make_friedman1
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import check_count, check_number
from manyminds.datasets.generators._paragraphs import document_generator


@document_generator
def make_friedman_classes(
    n_samples=200,
    *,
    n_features=10,
    threshold=14.0,
    noise=1.0,
    return_posterior=False,
    random_state=None,
):
    r"""Cut the first of Friedman's regression problems into two classes.

    Columns are uniform from 0 to 1. Class 1 is where
    :math:`10 \sin(\pi x_1 x_2) + 20 (x_3 - 0.5)^2 + 10 x_4 + 5 x_5` plus normal noise
    is above the threshold [1]_, [2]_; all other columns are irrelevant. Bayes error
    6.1 % with the defaults.

    Parameters
    ----------
    n_samples : int, default=200
        Number of rows.
    n_features : int, default=10
        Number of columns, at least 5.
    threshold : float, default=14.0
        Value above which a row is of class 1; 53 % of rows with the default.
    noise : float, default=1.0
        Standard deviation of the noise.
    {posterior_and_state}

    Returns
    -------
    {rows}
    {classes}
    {posterior}

    See Also
    --------
    sklearn.datasets.make_friedman1 : The regression problem.

    References
    ----------
    .. [1] Friedman, "Multivariate adaptive regression splines", The Annals of
       Statistics 19, 1991.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_friedman_classes
    >>> X, y = make_friedman_classes(random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((200, 10), [0, 1])
    """
    n_samples = check_count("n_samples", n_samples)
    n_features = check_count("n_features", n_features, low=5)
    threshold = check_number("threshold", threshold, low=-np.inf)
    noise = check_number("noise", noise)
    rng = check_random_state(random_state)

    X, level = make_friedman1(n_samples, n_features, noise=0.0, random_state=rng)
    above = level - threshold
    y = (above + noise * rng.standard_normal(n_samples) > 0).astype(np.intp)
    if not return_posterior:
        return X, y
    one = ndtr(above / noise) if noise > 0 else (above > 0).astype(np.float64)
    return X, y, np.column_stack([1.0 - one, one])


@document_generator
def make_simple(n_samples=300, *, n_irrelevant=7, random_state=None):
    """Draw rows whose class depends on two columns, smoothly and without noise.

    Columns are uniform from 0 to 1; class 1 is where the first one squared plus twice
    the second is above 4/3, which is its mean and its median [1]_. The second column
    matters more than the first. Bayes error 0.

    Parameters
    ----------
    n_samples : int, default=300
        Number of rows.
    n_irrelevant : int, default=7
        Number of additional columns that are independent of the class.
    {random_state}

    Returns
    -------
    X : ndarray of shape (n_samples, 2 + n_irrelevant)
        Samples.
    {equal_classes}

    Notes
    -----
    The thesis does not state the threshold; 4/3 fits its results.

    {rogers}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_simple
    >>> X, y = make_simple(random_state=0)
    >>> X.shape
    (300, 9)
    """
    n_samples = check_count("n_samples", n_samples)
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, low=0)
    X = check_random_state(random_state).uniform(size=(n_samples, 2 + n_irrelevant))
    y = X[:, 0] ** 2 + 2 * X[:, 1] > 4 / 3
    return X, y.astype(np.intp)


def friedman_classes_error(threshold=14.0, noise=1.0):
    """Integrate the Bayes error over the five columns, to 1e-6 for noise about one.

    At a point it is the probability that the noise reaches back over the threshold.
    The fourth column enters by a straight line and is integrated exactly.
    """
    noise = check_number("noise", noise)
    threshold = check_number("threshold", threshold, low=-np.inf)
    if noise == 0:
        return 0.0
    node, weight = np.polynomial.legendre.leggauss(24)
    node, weight = (node + 1) / 2, weight / 2
    waves = 10 * np.sin(np.pi * np.multiply.outer(node, node))
    bowl = 20 * (node - 0.5) ** 2
    rest = np.add.outer(np.add.outer(waves, bowl), 5 * node) - threshold
    slope = 10.0 / noise
    error = (_area(rest / noise + slope) - _area(rest / noise)) / slope
    for _ in range(4):
        error = error @ weight
    return float(error)


def _area(u):
    """Integrate, for v from 0 to u, the normal tail beyond the size of v."""
    size = np.abs(u)
    return np.sign(u) * (size * ndtr(-size) + norm.pdf(0) - norm.pdf(size))
