"""A display of seven segments, some of them faulty."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import all_rows, check_count, check_number
from manyminds.datasets.generators._paragraphs import document_generator

# Top, upper left, upper right, middle, lower left, lower right, bottom.
SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ]
)


@document_generator
def make_led7(
    n_samples=500,
    *,
    segment_noise=0.1,
    n_irrelevant=0,
    return_posterior=False,
    random_state=None,
):
    """Draw digits as a display of seven segments shows them, faults included.

    Each segment is wrong with probability ``segment_noise``, independently of the
    others [1]_. Bayes error 26.0 % with one fault in ten.

    Parameters
    ----------
    n_samples : int, default=500
        Number of rows.
    segment_noise : float, default=0.1
        Probability that a segment is on where it should be off, or off where it
        should be on.
    n_irrelevant : int, default=0
        Number of additional columns, 0 or 1 at random; 17 in the well-known version
        with 24 columns.
    {posterior_and_state}

    Returns
    -------
    X : ndarray of shape (n_samples, 7 + n_irrelevant)
        1 where a segment is on, 0 where it is off: top, upper left, upper right,
        middle, lower left, lower right, bottom.
    y : ndarray of shape (n_samples,)
        The digits, 0 to 9, equally likely.
    posterior : ndarray of shape (n_samples, 10)
        Probability of each class. Only with ``return_posterior=True``.

    {cart}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_led7
    >>> X, y = make_led7(200, segment_noise=0.0, random_state=0)
    >>> print(X[y == 1][0])
    [0. 0. 1. 0. 0. 1. 0.]
    """
    n_samples = check_count("n_samples", n_samples)
    segment_noise = check_number("segment_noise", segment_noise, high=1.0)
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, low=0)
    rng = check_random_state(random_state)

    y = rng.randint(len(SEGMENTS), size=n_samples)
    faulty = rng.uniform(size=(n_samples, 7)) < segment_noise
    shown = (SEGMENTS[y] ^ faulty).astype(np.float64)
    noise = rng.randint(2, size=(n_samples, n_irrelevant))
    X = np.hstack([shown, noise])
    if not return_posterior:
        return X, y
    joint = _likelihood(shown, segment_noise)
    return X, y, joint / joint.sum(axis=1, keepdims=True)


def _likelihood(shown, segment_noise):
    """Return the probability of each row of segments given each digit."""
    n_faults = np.abs(shown[:, None] - SEGMENTS).sum(axis=2)
    return segment_noise**n_faults * (1.0 - segment_noise) ** (7 - n_faults)


def led7_error(segment_noise=0.1):
    """Add up the Bayes error over all 128 states of the display."""
    segment_noise = check_number("segment_noise", segment_noise, high=1.0)
    states = all_rows(*[[0, 1]] * 7)
    joint = _likelihood(states, segment_noise) / len(SEGMENTS)
    return float(1.0 - joint.max(axis=1).sum())
