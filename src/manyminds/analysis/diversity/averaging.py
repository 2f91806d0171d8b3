"""Average a pairwise measure over all pairs, per member, or per ensemble size."""

import numpy as np

from manyminds.analysis._checks import check_option

__all__ = ["average_pairs"]

AVERAGES = ("pairs", "members", "path", None)


def average_pairs(matrix, average="pairs", *, undefined="skip"):
    """Average a pairwise measure over pairs of different members.

    Parameters
    ----------
    matrix : array-like of shape (n_members, n_members)
        Measure of each pair, symmetric; NaN if undefined.
    average : {"pairs", "members", "path", None}, default="pairs"
        - "pairs": over all pairs.
        - "members": over the pairs of each member.
        - "path": over the pairs of the first 1, 2, 3 ... members.
        - None: do not average.
    undefined : {"skip", "zero"}, default="skip"
        Treatment of pairs whose measure is undefined: leave them out, or count them as
        0.

    Returns
    -------
    mean : float, ndarray of shape (n_members,) or (n_members, n_members)
        NaN if there is no pair to average over.

    Examples
    --------
    >>> from manyminds.analysis.diversity import average_pairs
    >>> matrix = [[1.0, 0.2, 0.4], [0.2, 1.0, 0.6], [0.4, 0.6, 1.0]]
    >>> print(average_pairs(matrix))
    0.4
    >>> average_pairs(matrix, "members")
    array([0.3, 0.4, 0.5])
    >>> average_pairs(matrix, "path")
    array([nan, 0.2, 0.4])
    """
    check_option("average", average, AVERAGES)
    check_option("undefined", undefined, ("skip", "zero"))
    matrix = np.array(matrix, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"matrix must have shape (n_members, n_members); got {matrix.shape}."
        )
    if undefined == "zero":
        matrix[np.isnan(matrix)] = 0.0
    if average is None:
        return matrix

    counted = ~np.isnan(matrix)
    np.fill_diagonal(counted, False)
    total = np.where(counted, matrix, 0.0)
    if average == "path":
        total, counted = np.tril(total), np.tril(counted)
    total, n_pairs = total.sum(axis=1), counted.sum(axis=1)
    if average == "path":
        total, n_pairs = np.cumsum(total), np.cumsum(n_pairs)
    if average == "pairs":
        return float(total.sum() / n_pairs.sum()) if n_pairs.any() else float("nan")
    return np.divide(total, n_pairs, out=np.full(len(total), np.nan), where=n_pairs > 0)
