"""Couple the probabilities of pairs of classes to probabilities of all classes."""

import numpy as np

from manyminds.kernels.coupling import couple_rows

MIN_PROBABILITY = 1e-7  # of a class within a pair
TOLERANCE = 1e-9
MAX_SWEEPS = 10_000


def couple_by_least_squares(pairs):
    r"""Couple by the second method of Wu, Lin and Weng.

    Minimizes :math:`\sum_i \sum_{j \ne i} (r_{ji} p_i - r_{ij} p_j)^2` with
    :math:`\sum_i p_i = 1`. With :math:`Q_{ii} = \sum_{j \ne i} r_{ji}^2` and
    :math:`Q_{ij} = -r_{ji} r_{ij}` the solution is that of the linear equations

    .. math:: \begin{pmatrix} Q & 1 \\ 1^T & 0 \end{pmatrix}
              \begin{pmatrix} p \\ b \end{pmatrix} =
              \begin{pmatrix} 0 \\ 1 \end{pmatrix}.

    Parameters
    ----------
    pairs : ndarray of shape (n_samples, n_classes, n_classes)
        :math:`r_{ij}`, the probability of class i if it is i or j; the diagonal is
        ignored. Probabilities of 0 and 1 are moved by 1e-7.

    Returns
    -------
    p : ndarray of shape (n_samples, n_classes)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.graphs.coupling import couple_by_least_squares
    >>> pairs = [[[0.0, 0.6, 0.75], [0.4, 0.0, 2 / 3], [0.25, 1 / 3, 0.0]]]
    >>> couple_by_least_squares(np.array(pairs))
    array([[0.5       , 0.33333333, 0.16666667]])
    """
    r = _clip(pairs)
    n_samples, n_classes = r.shape[:2]
    back = r.transpose(0, 2, 1)
    diagonal = np.arange(n_classes)
    system = np.ones((n_samples, n_classes + 1, n_classes + 1))
    system[:, :-1, :-1] = -back * r
    system[:, diagonal, diagonal] = (back**2).sum(axis=2)
    system[:, -1, -1] = 0.0
    right = np.zeros((n_samples, n_classes + 1, 1))
    right[:, -1] = 1.0
    p = np.maximum(np.linalg.solve(system, right)[:, :-1, 0], 0.0)
    return p / p.sum(axis=1, keepdims=True)


def couple_by_divergence(pairs, size):
    r"""Couple by the method of Hastie and Tibshirani.

    Minimizes the sum over pairs of :math:`n_{ij} KL(r_{ij} \Vert \mu_{ij})` with
    :math:`\mu_{ij} = p_i / (p_i + p_j)` by the iteration

    .. math::

       p_i \leftarrow p_i \frac{\sum_{j \ne i} n_{ij} r_{ij}}
                               {\sum_{j \ne i} n_{ij} \mu_{ij}}.

    Parameters
    ----------
    pairs : ndarray of shape (n_samples, n_classes, n_classes)
        :math:`r_{ij}`, as `couple_by_least_squares` takes it.
    size : ndarray of shape (n_classes, n_classes)
        :math:`n_{ij}`, the number of training samples of each pair.

    Returns
    -------
    p : ndarray of shape (n_samples, n_classes)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.graphs.coupling import couple_by_divergence
    >>> pairs = [[[0.0, 0.6, 0.75], [0.4, 0.0, 2 / 3], [0.25, 1 / 3, 0.0]]]
    >>> couple_by_divergence(np.array(pairs), np.ones((3, 3)))
    array([[0.5       , 0.33333333, 0.16666667]])
    """
    r = _clip(pairs)
    p = r.sum(axis=2) + MIN_PROBABILITY
    p /= p.sum(axis=1, keepdims=True)
    n_sweeps = np.empty(len(p), dtype=np.int64)
    size = np.ascontiguousarray(size, dtype=np.float64)
    couple_rows(r, size, TOLERANCE, MAX_SWEEPS, p, n_sweeps)
    return p


def _clip(pairs):
    """Move probabilities away from 0 and 1; set the diagonal to 0."""
    r = np.clip(pairs, MIN_PROBABILITY, 1.0 - MIN_PROBABILITY, dtype=np.float64)
    diagonal = np.arange(r.shape[1])
    r[:, diagonal, diagonal] = 0.0
    return np.ascontiguousarray(r)
