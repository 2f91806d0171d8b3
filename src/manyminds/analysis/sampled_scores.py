"""Measures of all pairs of rows, estimated on random samples with standard errors."""

from dataclasses import dataclass

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_array, check_random_state, column_or_1d
from sklearn.utils.validation import check_consistent_length

from manyminds.analysis._checks import check_option
from manyminds.analysis.correlation.reading import read_encoding
from manyminds.analysis.correlation.score import UNCERTAINTIES, correlation_score
from manyminds.analysis.decomposition.sscv import check_count
from manyminds.analysis.distance_space import DistanceSpace

PAIRWISE = ("distance", *UNCERTAINTIES)  # coefficients that compare all pairs
N_GROUPS = 10  # of the drawn rows, each with an estimate of its own
MIN_GROUP_ROWS = 20


@dataclass(frozen=True)
class SampledScore:
    """A measure of a table, and its error if it was computed on drawn rows.

    Parameters
    ----------
    value : float
    std_error : float
        Standard error because rows were drawn; 0 if all were used.
    n_samples : int
        Number of rows that were used.
    is_sampled : bool
        Whether they were drawn.
    """

    value: float
    std_error: float
    n_samples: int
    is_sampled: bool


def estimate_correlation_score(
    X,
    y,
    method="distance",
    *,
    max_samples=20_000,
    categorical_features="from_dtype",
    random_state=None,
):
    """Estimate a correlation score that compares all pairs of rows, on drawn rows.

    The drawn rows are divided into ten groups at random. The estimate is the mean of
    the scores of the groups; their variance gives its standard error. Time does not
    depend on the number of rows.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        Encoded vectors; see `correlation_score`.
    y : array-like of shape (n_samples,)
        Class labels.
    method : {"distance", "uncertainty", "thesis_uncertainty"}, default="distance"
        Coefficient. All others take time in proportion to the number of rows: compute
        them by `correlation_score`. The bias of the uncertainty, an estimate by nearest
        neighbors, is that of a group's number of rows.
    max_samples : int, default=20000
        Number of rows to draw, 200 or more. With no more rows than these, the score is
        that of all, which is exact.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Categorical columns.
    random_state : int, RandomState instance or None, default=None
        Draws the rows.

    Returns
    -------
    score : SampledScore
        Not clipped.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import estimate_correlation_score
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 5000)
    >>> X = rng.normal(size=(5000, 2)) + y[:, None]
    >>> exact = estimate_correlation_score(X, y)
    >>> drawn = estimate_correlation_score(X, y, max_samples=2000, random_state=0)
    >>> exact.is_sampled, drawn.is_sampled, drawn.n_samples
    (False, True, 2000)
    >>> print(abs(drawn.value - exact.value) < 3 * drawn.std_error < 0.1)
    True
    """
    check_option("method", method, PAIRWISE)
    check_count("max_samples", max_samples, N_GROUPS * MIN_GROUP_ROWS)
    X, y = read_encoding(X, categorical_features), column_or_1d(y)
    check_consistent_length(X, y)

    rng = check_random_state(random_state)
    options = {"clip": False, "categorical_features": None, "random_state": rng}
    if len(X) <= max_samples:
        value = correlation_score(X, y, method, **options)
        return SampledScore(value, 0.0, len(X), False)
    drawn = rng.permutation(len(X))[:max_samples]
    scores = [
        correlation_score(X[rows], y[rows], method, **options)
        for rows in np.array_split(drawn, N_GROUPS)
    ]
    return _average(np.array(scores), max_samples, len(X))


def estimate_disagreement(
    X, y, n_neighbors=5, *, max_samples=10_000, random_state=None, n_jobs=None
):
    """Estimate the mean fraction of nearest neighbors with another label, on some rows.

    The neighbors of the drawn rows are exact: they are found among all rows. See
    `disagreeing_neighbors`, which returns the fraction for each row.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples; columns are standardized first.
    y : array-like of shape (n_samples,)
        Classes.
    n_neighbors : int, default=5
        Number of neighbors; all other rows if there are fewer.
    max_samples : int, default=10000
        Number of rows to draw; of no more rows, all are used.
    random_state : int, RandomState instance or None, default=None
        Draws the rows.
    n_jobs : int, default=None
        Number of threads of a search by a tree, for up to 15 columns.

    Returns
    -------
    score : SampledScore

    Examples
    --------
    >>> from manyminds.analysis import estimate_disagreement
    >>> X, y = [[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 0]
    >>> estimate_disagreement(X, y, n_neighbors=1)
    SampledScore(value=0.5, std_error=0.0, n_samples=4, is_sampled=False)
    """
    X, y = check_array(X, dtype=np.float64, ensure_min_samples=2), column_or_1d(y)
    check_consistent_length(X, y)
    check_count("n_neighbors", n_neighbors, 1)
    check_count("max_samples", max_samples, 2)

    rows = np.arange(len(X))
    if len(X) > max_samples:
        rng = check_random_state(random_state)
        rows = np.sort(rng.permutation(len(X))[:max_samples])
    points, n_near = DistanceSpace("standard").fit(X), min(n_neighbors, len(X) - 1)
    index = NearestNeighbors(n_neighbors=n_near + 1, n_jobs=n_jobs).fit(points)
    near = index.kneighbors(points[rows], return_distance=False)
    is_other = near != rows[:, None]
    is_other[is_other.all(axis=1), -1] = False  # equal rows: itself may be missing
    near = near[is_other].reshape(len(rows), n_near)
    return _average((y[near] != y[rows, None]).mean(axis=1), len(rows), len(X))


def _average(values, n_drawn, n_rows):
    """Return the mean of the values with its standard error."""
    missing = 1.0 - n_drawn / n_rows
    std_error = np.sqrt(missing * values.var(ddof=1) / len(values)) if missing else 0.0
    return SampledScore(
        float(values.mean()), float(std_error), n_drawn, n_drawn < n_rows
    )
