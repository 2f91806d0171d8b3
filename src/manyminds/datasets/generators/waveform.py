"""Breiman's waveforms: three classes of random combinations of two bumps."""

import numpy as np
from scipy.special import log_ndtr, softmax
from sklearn.utils import check_random_state

from manyminds.datasets.generators._densities import bayes_error_in_plane
from manyminds.datasets.generators._drawing import check_count
from manyminds.datasets.generators._paragraphs import document_generator

_PLACE = np.arange(1, 22)
BUMPS = np.maximum(6.0 - np.abs(_PLACE - np.array([[11], [15], [7]])), 0.0)
PAIRS = np.array([[0, 1], [0, 2], [1, 2]])  # the two bumps of each class


@document_generator
def make_waveform(
    n_samples=5000, *, n_irrelevant=0, return_posterior=False, random_state=None
):
    r"""Draw waves: a random combination of two of three bumps, plus noise.

    A row holds a wave at the positions :math:`i = 1, \dots, 21`. With the bumps
    :math:`h_1 = \max(6 - |i - 11|, 0)`, :math:`h_2 = \max(6 - |i - 15|, 0)` and
    :math:`h_3 = \max(6 - |i - 7|, 0)`, it is :math:`u h_a + (1 - u) h_b` plus
    standard normal noise at each position, :math:`u` uniform from 0 to 1 [1]_. Class 0
    combines bumps 1 and 2, class 1 bumps 1 and 3, class 2 bumps 2 and 3. Bayes error
    13.3 %.

    Parameters
    ----------
    n_samples : int, default=5000
        Number of rows.
    n_irrelevant : int, default=0
        Number of additional columns of standard normal noise; 19 in the well-known
        version with forty columns.
    {posterior_and_state}

    Returns
    -------
    X : ndarray of shape (n_samples, 21 + n_irrelevant)
        Samples.
    y : ndarray of shape (n_samples,)
        Their classes, 0 to 2, equally likely.
    posterior : ndarray of shape (n_samples, 3)
        Probability of each class. Only with ``return_posterior=True``.

    {cart}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_waveform
    >>> X, y = make_waveform(n_irrelevant=19, random_state=0)
    >>> X.shape
    (5000, 40)
    """
    n_samples = check_count("n_samples", n_samples)
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, low=0)
    rng = check_random_state(random_state)

    y = rng.randint(len(PAIRS), size=n_samples)
    first, second = BUMPS[PAIRS[y, 0]], BUMPS[PAIRS[y, 1]]
    share = rng.uniform(size=(n_samples, 1))
    X = rng.standard_normal((n_samples, BUMPS.shape[1] + n_irrelevant))
    X[:, : BUMPS.shape[1]] += share * first + (1 - share) * second
    if not return_posterior:
        return X, y
    waves = X[:, : BUMPS.shape[1]]
    return X, y, softmax(_log_joint(waves, BUMPS), axis=1)


def _log_joint(X, bumps):
    """Return the log of prior times density of each class at each row."""
    columns = [_log_density(X, *bumps[pair]) for pair in PAIRS]
    return np.stack(columns, axis=1) - np.log(len(PAIRS))


def _log_density(X, start, end):
    """Return the log density of a normal around a uniform point of a segment."""
    length = np.linalg.norm(end - start)
    along = (X - start) @ (end - start) / length
    squared_aside = ((X - start) ** 2).sum(axis=1) - along**2
    # Seen from the nearer end, the larger of the two tails is never close to one.
    along = np.minimum(along, length - along)
    near, far = log_ndtr(along), log_ndtr(along - length)
    log_mean = near + np.log1p(-np.exp(far - near)) - np.log(length)
    return log_mean - (squared_aside + (X.shape[1] - 1) * np.log(2 * np.pi)) / 2


def waveform_error():
    """Integrate the Bayes error of the waveforms over the plane of the three bumps.

    All means lie in that plane; orthogonal to it the noise of all classes is equal.
    """
    axes, _ = np.linalg.qr((BUMPS[1:] - BUMPS[0]).T)
    corners = (BUMPS - BUMPS[0]) @ axes
    lower, upper = corners.min(axis=0) - 8, corners.max(axis=0) + 8
    return bayes_error_in_plane(
        lambda Z: _log_joint(Z, corners), lower, upper, step=0.05
    )
