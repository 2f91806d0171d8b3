"""Distances between the codewords, and between the columns, of a code."""

import numpy as np
from sklearn.utils import check_array


def check_code(code, n_classes=None):
    """Check a code matrix and return it as int8.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        One codeword for each class: 1 and -1, and 0 where a column ignores the class.
    n_classes : int, default=None
        Number of rows that it must have; None: any.

    Returns
    -------
    code : ndarray of shape (n_classes, n_columns) and of dtype int8

    Examples
    --------
    >>> from manyminds.ensemble.codes.distances import check_code
    >>> check_code([[1, 1], [1, -1], [-1, 1]]).shape
    (3, 2)
    """
    code = check_array(code, ensure_min_samples=2, input_name="code")
    if not np.isin(code, (-1, 0, 1)).all():
        odd = code[~np.isin(code, (-1, 0, 1))][0]
        raise ValueError(f"code must consist of -1, 0 and 1; got {odd!r}.")
    code = code.astype(np.int8)
    if n_classes is not None and len(code) != n_classes:
        raise ValueError(
            f"code must have a row for each of the {n_classes} classes; got "
            f"{len(code)} rows."
        )
    if len(np.unique(code, axis=0)) < len(code):
        raise ValueError("code must have distinct rows; two classes have one codeword.")
    one_sided = (code.max(axis=0) < 1) | (code.min(axis=0) > -1)
    if one_sided.any():
        raise ValueError(
            "each column of code must have a 1 and a -1; column "
            f"{np.flatnonzero(one_sided)[0]} has not."
        )
    return code


def row_distances(code):
    """Return the Hamming distances between the codewords of all pairs of classes.

    Half the least distance off the diagonal, rounded down after subtracting one, is the
    number of wrong columns that nearest-codeword decoding always corrects.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        Code matrix of 1, -1 and 0.

    Returns
    -------
    distances : ndarray of shape (n_classes, n_classes)
        Number of columns in which two codewords differ. A column that ignores one of
        the two classes, or both, counts one half.

    Examples
    --------
    >>> from manyminds.ensemble import minimal_code, row_distances
    >>> row_distances(minimal_code(4, "gray"))
    array([[0., 1., 2., 1.],
           [1., 0., 1., 2.],
           [2., 1., 0., 1.],
           [1., 2., 1., 0.]])
    """
    code = np.asarray(code, dtype=np.float64)
    return (code.shape[1] - code @ code.T) / 2.0


def column_distances(code):
    """Return the Hamming distances between columns, complements being the same.

    Learners of near columns solve nearly the same problem and are wrong together.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        Code matrix of 1, -1 and 0.

    Returns
    -------
    distances : ndarray of shape (n_columns, n_columns)
        The lesser of the distances to a column and to its complement.

    Examples
    --------
    >>> from manyminds.ensemble import column_distances, one_vs_all_code
    >>> column_distances(one_vs_all_code(4))[0]
    array([0., 2., 2., 2.])
    """
    code = np.asarray(code, dtype=np.float64)
    return (len(code) - np.abs(code.T @ code)) / 2.0


def canonical_columns(code):
    """Turn columns so that the first class of each that is not ignored has a -1.

    Parameters
    ----------
    code : ndarray of shape (n_classes, n_columns)
        Code matrix of 1, -1 and 0.

    Returns
    -------
    canonical : ndarray of shape (n_classes, n_columns)
        The columns, complemented where the first entry other than 0 is 1.
    sign : ndarray of shape (n_columns,)
        -1 for those that are complemented, else 1.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.codes.distances import canonical_columns
    >>> canonical_columns(np.array([[0, -1], [1, 1]]))
    (array([[ 0, -1],
           [-1,  1]]), array([-1,  1]))
    """
    first = (code != 0).argmax(axis=0)
    sign = -code[first, np.arange(code.shape[1])]
    return code * sign, sign


def find_new_columns(code):
    """Return the indices of the columns that no earlier one equals or complements."""
    canonical, _ = canonical_columns(code)
    _, first = np.unique(canonical, axis=1, return_index=True)
    return np.sort(first)
