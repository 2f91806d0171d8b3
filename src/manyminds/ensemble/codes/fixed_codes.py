"""Codes without random variation: one-vs-all, one-vs-one, binary and Gray."""

from itertools import combinations
from numbers import Integral

import numpy as np


def one_vs_all_code(n_classes):
    """Return the code with one column for each class against all others.

    Parameters
    ----------
    n_classes : int
        Number of classes, 2 or more.

    Returns
    -------
    code : ndarray of shape (n_classes, n_classes)
        With two classes there is one column: the other would be its complement.

    Examples
    --------
    >>> from manyminds.ensemble import one_vs_all_code
    >>> one_vs_all_code(3)
    array([[ 1, -1, -1],
           [-1,  1, -1],
           [-1, -1,  1]], dtype=int8)
    """
    n_classes = check_n_classes(n_classes)
    code = 2 * np.eye(n_classes, dtype=np.int8) - np.int8(1)
    return code if n_classes > 2 else code[:, :1]


def one_vs_one_code(n_classes):
    """Return the ternary code with one column for each pair of classes.

    Parameters
    ----------
    n_classes : int
        Number of classes, 2 or more.

    Returns
    -------
    code : ndarray of shape (n_classes, n_classes * (n_classes - 1) / 2)

    Examples
    --------
    >>> from manyminds.ensemble import one_vs_one_code
    >>> one_vs_one_code(3)
    array([[ 1,  1,  0],
           [-1,  0,  1],
           [ 0, -1, -1]], dtype=int8)
    """
    n_classes = check_n_classes(n_classes)
    pairs = np.array(list(combinations(range(n_classes), 2)))
    code = np.zeros((n_classes, len(pairs)), dtype=np.int8)
    code[pairs[:, 0], np.arange(len(pairs))] = 1
    code[pairs[:, 1], np.arange(len(pairs))] = -1
    return code


def minimal_code(n_classes, kind="binary"):
    r"""Return a code with the least number of columns, :math:`\lceil\log_2 N\rceil`.

    Class :math:`i` has the bits of the number :math:`i`, or of its Gray code. The least
    distance of two codewords is 1: the code corrects no error.

    Parameters
    ----------
    n_classes : int
        Number of classes, 2 or more.
    kind : {"binary", "gray"}, default="binary"
        Binary numbers, or the Gray code, in which neighbors differ in one column. The
        most significant bit comes first.

    Returns
    -------
    code : ndarray of shape (n_classes, n_columns)

    Examples
    --------
    >>> from manyminds.ensemble import minimal_code
    >>> minimal_code(4, "gray")
    array([[-1, -1],
           [-1,  1],
           [ 1,  1],
           [ 1, -1]], dtype=int8)
    """
    n_classes = check_n_classes(n_classes)
    if kind not in ("binary", "gray"):
        raise ValueError(f'kind must be "binary" or "gray"; got {kind!r}.')
    word = np.arange(n_classes)
    if kind == "gray":
        word ^= word >> 1
    return code_from_words(word, count_bits(n_classes))


def count_bits(n_classes):
    """Return the least number of bits with which all classes differ."""
    return int(n_classes - 1).bit_length()


def code_from_words(words, n_bits):
    """Return the codewords of binary numbers: 1 for a bit of one, else -1."""
    places = np.arange(n_bits)[::-1]
    bits = np.asarray(words)[..., np.newaxis] >> places & 1
    return (2 * bits - 1).astype(np.int8)


def check_n_classes(n_classes):
    """Return ``n_classes`` if it is an integer, 2 or more."""
    if not isinstance(n_classes, Integral) or n_classes < 2:
        raise ValueError(f"n_classes must be an integer, 2 or more; got {n_classes!r}.")
    return int(n_classes)
