"""Probes: how well a neighborhood supports a label, from -1 to 1.

A probe takes `Neighborhoods` and labels of shape (n_centers, n_labels), and returns
numbers of shape (n_centers, n_labels, n_radii). -1: the neighborhood contradicts the
label; 1: it supports it; 0: neither, or it is empty.
"""

import numpy as np

from manyminds.utils.docstrings import fill_docstring

_NOISE = 1e-12  # rounding error, relative to the members' squared lengths
_RANK = 1e-10  # smallest eigenvalue of a direction, relative to the largest

_document = fill_docstring(
    sums="""
Parameters
----------
neighborhoods : Neighborhoods
    With sums.
labels : ndarray of shape (n_centers, n_labels)
    Classes, encoded from 0.
inverse : ndarray of shape (n_features, n_features), default=None
""",
    shrunk="""
shrinkage : float, default=0.0
    Shrinkage of such a matrix towards a multiple of the identity.

Returns
-------
values : ndarray of shape (n_centers, n_labels, n_radii)
""",
)


def measure_imbalance(neighborhoods, labels, chance_corrected=False):
    """Compare the number of members with a label with that of all others.

    Parameters
    ----------
    neighborhoods : Neighborhoods
    labels : ndarray of shape (n_centers, n_labels)
        Classes, encoded from 0.
    chance_corrected : bool, default=False
        Whether to divide the number of members of other classes by the number of other
        classes, so that random labels have a mean of 0.

    Returns
    -------
    values : ndarray of shape (n_centers, n_labels, n_radii)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.complexity.gathering import Neighborhoods
    >>> from manyminds.analysis.complexity.probes import measure_imbalance
    >>> counts = np.array([[[2, 0, 0], [2, 1, 1]]])  # one center, two radii
    >>> measure_imbalance(Neighborhoods(counts), np.array([[0]]))
    array([[[1., 0.]]])
    >>> measure_imbalance(Neighborhoods(counts), np.array([[0]]), True)
    array([[[1.  , 0.25]]])
    """
    same = _pick(neighborhoods.counts, labels).astype(np.float64)
    total = neighborhoods.counts.sum(axis=2)[:, None, :]
    n_other_classes = max(neighborhoods.counts.shape[2] - 1, 1)
    worth = 1.0 / n_other_classes if chance_corrected else 1.0
    return (same - worth * (total - same)) / np.maximum(total, 1)


@_document
def measure_linear_boundary(neighborhoods, labels, inverse=None, shrinkage=0.0):
    """Compute the signed distance of the center from a linear boundary.

    The boundary is that of a discriminant analysis with equal priors, half way between
    the mean of the members with the label and the mean of all others.

    {sums}
        Inverse of the covariance matrix. By default that within the two groups, which
        requires the scatter of the neighborhoods.
    {shrunk}
        Signed distance, through a sigmoid. 1 without members of other classes, -1
        without members with the label, 0 without a direction.
    """
    n_same = _pick(neighborhoods.counts, labels)
    total = neighborhoods.counts.sum(axis=2)[:, None, :]
    n_other = total - n_same
    values = np.where(n_same > 0, 1.0, -1.0) * (total > 0)
    center, asked, radius = at = np.nonzero((n_same > 0) & (n_other > 0))
    if len(center) == 0:
        return values
    own = neighborhoods.sums[center, radius, labels[center, asked]]
    rest = neighborhoods.sums[center, radius].sum(axis=1) - own
    n_own, n_rest = n_same[at][:, None], n_other[at][:, None]
    a, b = own / n_own, rest / n_rest
    if inverse is None:
        whole = neighborhoods.scatter[center, radius]
        scatter = whole - _outer(a, n_own) - _outer(b, n_rest)
        noise = _find_noise(whole)
        direction = solve(scatter, (a - b)[:, None, :], shrinkage, noise)[:, 0]
    else:
        direction = (a - b) @ inverse
    length = np.linalg.norm(direction, axis=1)
    # The center is the origin: the boundary is as far from it as (a + b) / 2.
    offset = -0.5 * np.einsum("ij,ij->i", direction, a + b)
    values[at] = np.tanh(0.5 * offset / np.where(length > 0.0, length, 1.0))
    return values


@_document
def measure_discriminant(neighborhoods, labels, inverse=None, shrinkage=0.0):
    """Compute the probability of the label by a local discriminant analysis.

    {sums}
        Inverse of the covariance matrix. By default that within the classes, which
        requires the scatter of the neighborhoods.
    {shrunk}
        2 P(label) - 1 at the center, with the class frequencies as priors and, as in
        scikit-learn's least-squares solver, the scatter divided by the number of
        members.
    """
    counts = neighborhoods.counts
    n_present = np.maximum(counts, 1)
    means = neighborhoods.sums / n_present[..., None]
    if inverse is None:
        roots = np.sqrt(counts)[..., None] * means
        scatter = neighborhoods.scatter - roots.swapaxes(2, 3) @ roots
        across = solve(scatter, means, shrinkage, _find_noise(neighborhoods.scatter))
        across *= counts.sum(axis=2)[..., None, None]
    else:
        across = means @ inverse
    square = np.einsum("irck,irck->irc", across, means)
    with np.errstate(divide="ignore"):
        odds = np.log(counts) - 0.5 * square
    best = odds.max(axis=2, keepdims=True, initial=-np.inf)
    odds = np.exp(odds - np.where(np.isfinite(best), best, 0.0))
    total = odds.sum(axis=2, keepdims=True)
    share = odds / np.where(total > 0.0, total, 1.0)
    is_empty = counts.sum(axis=2) == 0
    return np.where(is_empty[:, None, :], 0.0, 2.0 * _pick(share, labels) - 1.0)


def solve(scatter, right, shrinkage=0.0, noise=0.0):
    """Multiply rows by the (pseudo-)inverses of symmetric matrices.

    Parameters
    ----------
    scatter : ndarray of shape (..., n_features, n_features)
    right : ndarray of shape (..., n_rows, n_features)
    shrinkage : float, default=0.0
        Weight of the mean eigenvalue; with 0, directions without scatter are left out.
    noise : float or ndarray of shape (...), default=0.0
        Eigenvalues up to this are rounding errors.

    Returns
    -------
    solution : ndarray of shape (..., n_rows, n_features)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.complexity.probes import solve
    >>> solve(np.diag([4.0, 0.0]), np.array([[4.0, 1.0]]))
    array([[1., 0.]])
    >>> solve(np.diag([4.0, 0.0]), np.array([[3.0, 1.0]]), shrinkage=0.5)
    array([[1., 1.]])
    """
    values, vectors = np.linalg.eigh(scatter)
    values = np.where(values > np.asarray(noise)[..., None], values, 0.0)
    mean = values.mean(axis=-1, keepdims=True)
    values = (1.0 - shrinkage) * values + shrinkage * mean
    varies = values > _RANK * values[..., -1:]
    factors = np.where(varies, 1.0 / np.where(varies, values, 1.0), 0.0)
    return (right @ vectors * factors[..., None, :]) @ vectors.swapaxes(-1, -2)


def invert_global(points, covariance):
    """Invert a covariance matrix of all points, as in the tables of the thesis.

    It is centered at the mean of all numbers, not that of each column. Directions
    without variance, such as those of indicator columns that sum to 1, are left out:
    the code of the thesis divided by rounding errors.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    covariance : {"global", "identity"}

    Returns
    -------
    inverse : ndarray of shape (n_features, n_features)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.complexity.probes import invert_global
    >>> points = np.array([[1.0, 2.0], [1.0, -2.0], [-2.0, 0.0]])
    >>> invert_global(points, "global")
    array([[0.33333333, 0.        ],
           [0.        , 0.25      ]])
    """
    identity = np.eye(points.shape[1])
    if covariance == "identity":
        return identity
    seen = points - points.mean()
    return solve(seen.T @ seen / max(len(points) - 1, 1), identity)


def _pick(per_class, labels):
    """Select classes: (centers, radii, classes) becomes (centers, labels, radii)."""
    return np.take_along_axis(per_class.swapaxes(1, 2), labels[..., None], axis=1)


def _find_noise(scatter):
    """Return the rounding error of a scatter after subtracting that of the means."""
    return _NOISE * np.einsum("...ii->...", scatter)


def _outer(mean, count):
    """Return the outer products of means, times their counts."""
    return (count * mean)[:, :, None] * mean[:, None, :]
