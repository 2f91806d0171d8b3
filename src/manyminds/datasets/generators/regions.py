"""Two classes as regions of the plane: points drawn at random."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import check_count, flip_labels
from manyminds.datasets.generators._paragraphs import document_generator


@document_generator
def make_checkerboard(n_samples=1000, *, n_tiles=3, label_noise=0.0, random_state=None):
    """Draw points on a checkerboard; their class is the color of their tile.

    Points are uniform on the square from 0 to ``n_tiles``; the corner tiles of an odd
    board are of class 1. No single column is informative. Bayes error 0,
    or ``label_noise`` if that is up to one half. (The function of this name in
    scikit-learn makes matrices for biclustering.)

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows.
    n_tiles : int, default=3
        Number of tiles on each side.
    {label_noise}
    {classes_of_points}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_checkerboard
    >>> X, y = make_checkerboard(n_tiles=2, random_state=0)
    >>> print(*set(y[(X < 1).all(axis=1)].tolist()))  # the tile at the origin
    1
    """
    n_samples = check_count("n_samples", n_samples)
    n_tiles = check_count("n_tiles", n_tiles)
    rng = check_random_state(random_state)
    X = n_tiles * rng.uniform(size=(n_samples, 2))
    y = (np.floor(X).astype(np.intp).sum(axis=1) + 1) % 2
    return X, flip_labels(y, label_noise, rng)


@document_generator
def make_frame(n_samples=500, *, random_state=None):
    """Draw points of the unit square: a frame around a smaller square.

    The middle, from one to three quarters on both axes, is of class 0, the frame of
    class 1. Axis-parallel splits fit it exactly, yet forests of such splits, fitted
    to few points, do not [1]_. Bayes error 0.

    Parameters
    ----------
    n_samples : int, default=500
        Number of rows.
    {random_state}

    Returns
    -------
    {points}
    y : ndarray of shape (n_samples,)
        Their classes, 0 or 1; three quarters are of class 1.

    {rogers}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_frame
    >>> X, y = make_frame(random_state=0)
    >>> bool((abs(X[y == 0] - 0.5) <= 0.25).all())
    True
    """
    n_samples = check_count("n_samples", n_samples)
    X = check_random_state(random_state).uniform(size=(n_samples, 2))
    y = (np.abs(X - 0.5) > 0.25).any(axis=1)
    return X, y.astype(np.intp)


@document_generator
def make_oblique_border(n_samples=500, *, random_state=None):
    """Draw points of the unit square on both sides of a steep line.

    Class 1 lies above x2 = 2.5 x1 - 0.75. The line crosses the square where x1 is
    from 0.3 to 0.7: there the second column is relevant, elsewhere the first alone
    determines the class [1]_. Bayes error 0.

    Parameters
    ----------
    n_samples : int, default=500
        Number of rows.
    {random_state}

    Returns
    -------
    {points}
    {equal_classes}

    {rogers}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_oblique_border
    >>> X, y = make_oblique_border(random_state=0)
    >>> print(set(y[X[:, 0] < 0.3].tolist()), set(y[X[:, 0] > 0.7].tolist()))
    {1} {0}
    """
    n_samples = check_count("n_samples", n_samples)
    X = check_random_state(random_state).uniform(size=(n_samples, 2))
    y = X[:, 1] > 2.5 * X[:, 0] - 0.75
    return X, y.astype(np.intp)
