"""Pruning as a quadratic program: least errors alone and together."""

import numpy as np

from manyminds.utils.threads import limit_blas_threads

N_STEPS = 300


def make_joint_errors(labels, y, weight=None):
    r"""Return the matrix whose quadratic form is small for a good subset.

    Its diagonal has the members' error rates; off the diagonal are the joint errors of
    two members, divided by the errors of either and averaged [1]_. A member without
    errors has no joint ones.

    Parameters
    ----------
    labels : ndarray of shape (n_members, n_samples)
        Class numbers.
    y : ndarray of shape (n_samples,)
        True ones.
    weight : ndarray of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    matrix : ndarray of shape (n_members, n_members)

    References
    ----------
    .. [1] Zhang, Burer and Street, "Ensemble pruning via semi-definite programming",
       Journal of Machine Learning Research 7, 2006.
    """
    wrong = (labels != y).astype(np.float64)
    joint = wrong @ (wrong if weight is None else wrong * weight).T
    own = joint.diagonal()
    share = joint / np.where(own > 0.0, own, 1.0)[:, np.newaxis]
    matrix = (share + share.T) / 2.0
    np.fill_diagonal(matrix, own / (len(y) if weight is None else weight.sum()))
    return matrix


def choose_by_quadratic_form(matrix, size):
    """Return the members whose quadratic form is least, nearly.

    Minimizes ``x @ matrix @ x`` for x of zeros and ``size`` ones: first for x between 0
    and 1, with a diagonal that makes the form convex and is the same for all subsets,
    then by rounding, and by swapping members as long as that helps.

    Parameters
    ----------
    matrix : ndarray of shape (n_members, n_members)
        Symmetric.
    size : int
        Number of members.

    Returns
    -------
    members : ndarray of int
        In ascending order.
    bound : float
        A lower bound of the form for all subsets of this size, up to the precision of
        the solution.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.quadratic import choose_by_quadratic_form
    >>> matrix = np.array([[0.1, 0.9, 0.0], [0.9, 0.1, 0.2], [0.0, 0.2, 0.3]])
    >>> choose_by_quadratic_form(matrix, 2)[0].tolist()
    [0, 2]
    """
    with limit_blas_threads():
        shares, bound = _relax(matrix, size)
    chosen = np.zeros(len(matrix), dtype=bool)
    chosen[np.argsort(-np.round(shares, 9), kind="stable")[:size]] = True
    return np.flatnonzero(_swap(matrix, chosen)), bound


def _relax(matrix, size):
    """Minimize the convex form over 0 <= x <= 1 with this sum, by projected steps."""
    eigenvalues = np.linalg.eigvalsh(matrix)
    shift = max(0.0, -eigenvalues[0])
    convex = matrix + shift * np.eye(len(matrix))
    rate = 0.5 / max(eigenvalues[-1] + shift, 1e-12)
    x = np.full(len(matrix), size / len(matrix))
    ahead, momentum = x, 1.0
    for _ in range(N_STEPS):
        new = _project(ahead - rate * 2.0 * (convex @ ahead), size)
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = new + (momentum - 1.0) / grown * (new - x)
        x, momentum = new, grown
    return x, float(x @ convex @ x - shift * size)


def _project(x, size):
    """Return the nearest point between 0 and 1 with this sum."""
    low, high = x.min() - 1.0, x.max()
    for _ in range(60):
        middle = (low + high) / 2.0
        if np.clip(x - middle, 0.0, 1.0).sum() > size:
            low = middle
        else:
            high = middle
    return np.clip(x - high, 0.0, 1.0)


def _swap(matrix, chosen):
    """Swap a chosen member for another one as long as the form decreases."""
    for _ in range(len(matrix)):
        inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
        if len(inside) == 0 or len(outside) == 0:
            break
        sums, own = matrix @ chosen, matrix.diagonal()
        gain = (own - 2.0 * sums)[inside, np.newaxis] + (own + 2.0 * sums)[outside]
        gain -= 2.0 * matrix[np.ix_(inside, outside)]
        best = np.unravel_index(gain.argmin(), gain.shape)
        if gain[best] > -1e-12:
            break
        chosen[inside[best[0]]], chosen[outside[best[1]]] = False, True
    return chosen
