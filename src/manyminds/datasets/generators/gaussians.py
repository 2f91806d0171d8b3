"""Problems of isotropic Gaussians in few dimensions, and two blobs in noise."""

import numpy as np
from scipy.special import ndtr
from scipy.stats import norm
from sklearn.utils import check_random_state

from manyminds.datasets.generators._densities import (
    GaussianClasses,
    bayes_error_in_plane,
)
from manyminds.datasets.generators._drawing import all_rows, check_count, check_number
from manyminds.datasets.generators._paragraphs import document_generator

FOUR_GAUSSIANS = GaussianClasses(
    means=np.array([[0.0, 0.0], [4.5, 3.0], [1.0, 3.0], [3.0, 0.1]]),
    stds=np.ones(4),
    classes=np.array([0, 0, 1, 1]),
)


def _center_and_corners(n_features, std):
    corners = all_rows(*[[-1.0, 1.0]] * n_features)
    means = np.vstack([np.zeros(n_features), corners])
    n_classes = len(means)
    return GaussianClasses(means, np.full(n_classes, std), np.arange(n_classes))


# Standard deviations for which the Bayes error is the published one.
MULTI1 = _center_and_corners(2, std=0.616279)
MULTI2 = _center_and_corners(3, std=0.544242)


@document_generator
def make_four_gaussians(n_samples=1000, *, return_posterior=False, random_state=None):
    """Draw two classes of two Gaussians each, placed crosswise in the plane.

    Unit Gaussians around (0, 0) and (4.5, 3) are class 0, around (1, 3) and (3, 0.1)
    class 1 [1]_. Logistic regression is hardly better than random guessing, but one
    such model for each half of the plane is nearly optimal. Bayes error 9.57 %.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows.
    {posterior_and_state}

    Returns
    -------
    {points}
    {equal_classes}
    {posterior}

    Notes
    -----
    The paper states the four centers, but neither the covariance nor the classes of
    the centers. Unit covariance and the crosswise choice reproduce its table.

    References
    ----------
    .. [1] Žliobaitė, "Three data partitioning strategies for building local
       classifiers", SUEMA, 2010.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_four_gaussians
    >>> X, y = make_four_gaussians(20000, random_state=0)
    >>> X[y == 0].mean(axis=0).round(1)
    array([2.2, 1.5])
    """
    return FOUR_GAUSSIANS.draw(n_samples, random_state, return_posterior)


@document_generator
def make_artificial_multi1(n_samples=300, *, return_posterior=False, random_state=None):
    """Draw five Gaussian classes in the plane: a center and four corners.

    The means are the origin and the corners of the square with coordinates -1 and 1;
    the common standard deviation is such that the Bayes error is 21.76 %.

    Parameters
    ----------
    n_samples : int, default=300
        Number of rows.
    {posterior_and_state}

    Returns
    -------
    {points}
    y : ndarray of shape (n_samples,)
        Their classes, 0 for the center, 1 to 4 for the corners, equally likely.
    posterior : ndarray of shape (n_samples, 5)
        Probability of each class. Only with ``return_posterior=True``.

    Notes
    -----
    {zor}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_artificial_multi1
    >>> X, y, posterior = make_artificial_multi1(return_posterior=True, random_state=0)
    >>> X.shape, posterior.shape
    ((300, 2), (300, 5))
    """
    return MULTI1.draw(n_samples, random_state, return_posterior)


@document_generator
def make_artificial_multi2(n_samples=300, *, return_posterior=False, random_state=None):
    """Draw nine Gaussian classes in space: a center and eight corners.

    The means are the origin and the corners of the cube with coordinates -1 and 1;
    the common standard deviation is such that the Bayes error is 14.33 %.

    Parameters
    ----------
    n_samples : int, default=300
        Number of rows.
    {posterior_and_state}

    Returns
    -------
    X : ndarray of shape (n_samples, 3)
        Samples.
    y : ndarray of shape (n_samples,)
        Their classes, 0 for the center, 1 to 8 for the corners, equally likely.
    posterior : ndarray of shape (n_samples, 9)
        Probability of each class. Only with ``return_posterior=True``.

    Notes
    -----
    {zor}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_artificial_multi2
    >>> X, y = make_artificial_multi2(18000, random_state=0)
    >>> X.shape, len(set(y))
    ((18000, 3), 9)
    """
    return MULTI2.draw(n_samples, random_state, return_posterior)


@document_generator
def make_blobs_in_noise(
    n_samples=200,
    *,
    n_features=50,
    n_informative=2,
    separation=6.0,
    noise_scale=3.0,
    return_posterior=False,
    random_state=None,
):
    r"""Draw two blobs that differ in the first columns; all others are noise.

    The blobs are unit Gaussians whose centers lie ``separation`` apart, along the
    diagonal of the first ``n_informative`` columns. Clustering finds the blobs in
    these columns, but not in all columns together. Bayes error
    :math:`\Phi(-separation / 2)`, 0.135 % by default.

    Parameters
    ----------
    n_samples : int, default=200
        Number of rows.
    n_features : int, default=50
        Number of columns in all.
    n_informative : int, default=2
        Number of leading columns in which the blobs differ.
    separation : float, default=6.0
        Distance of the two centers, in standard stds of a blob.
    noise_scale : float, default=3.0
        Standard deviation of the other columns. At 3, they hide the blobs from
        k-means; at 1, and columns left as they are, they hardly disturb it.
    {posterior_and_state}

    Returns
    -------
    {rows}
    y : ndarray of shape (n_samples,)
        Their blobs, 0 or 1, equally likely.
    {posterior}

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from manyminds.datasets.generators import make_blobs_in_noise
    >>> X, y = make_blobs_in_noise(random_state=0)
    >>> for columns in (X[:, :2], X):
    ...     found = KMeans(2, n_init=3, random_state=0).fit_predict(columns)
    ...     print(adjusted_rand_score(y, found) > 0.9)
    True
    False
    """
    n_features = check_count("n_features", n_features)
    n_informative = check_count("n_informative", n_informative, high=n_features)
    separation = check_number("separation", separation)
    noise_scale = check_number("noise_scale", noise_scale)
    rng = check_random_state(random_state)

    corner = np.full(n_informative, separation / 2 / np.sqrt(n_informative))
    blobs = GaussianClasses(np.stack([-corner, corner]), np.ones(2), np.arange(2))
    informative, *rest = blobs.draw(n_samples, rng, return_posterior)
    noise = rng.standard_normal((n_samples, n_features - n_informative))
    return np.hstack([informative, noise_scale * noise]), *rest


def four_gaussians_error():
    """Sum the Bayes error of the four Gaussians over the plane, to 1e-6."""
    return bayes_error_in_plane(
        FOUR_GAUSSIANS.log_joint, (-8, -8), (12.5, 11), step=0.04
    )


def artificial_multi1_error():
    """Integrate the Bayes error of the five classes, to 1e-6."""
    return _center_and_corners_error(2, MULTI1.stds[0])


def artificial_multi2_error():
    """Integrate the Bayes error of the nine classes, to 1e-6."""
    return _center_and_corners_error(3, MULTI2.stds[0])


def _center_and_corners_error(n_features, std, step=0.005):
    # All orthants are equal by symmetry. In one of them, the last axis is integrated
    # exactly, the others on a grid.
    x = np.arange(step / 2, 1 + 9 * std, step)
    center, corner = (step * norm.pdf(x, mean, std) for mean in (0, 1))
    total = x
    if n_features == 3:
        center, corner = np.outer(center, center), np.outer(corner, corner)
        total = np.add.outer(x, x)
    border = np.maximum(n_features / 2 - total, 0.0)
    center_right = 2**n_features * center * (ndtr(border / std) - 0.5)
    corner_right = 2**n_features * corner * ndtr((1.0 - border) / std)
    right = (center_right.sum() + corner_right.sum()) / (1 + 2**n_features)
    return float(1.0 - right)


def blobs_in_noise_error(separation=6.0):
    """Return the Bayes error of two unit Gaussians at this distance."""
    return float(norm.cdf(-check_number("separation", separation) / 2))
