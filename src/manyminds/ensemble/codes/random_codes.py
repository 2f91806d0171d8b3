"""Random codes: dense, sparse, and with balanced columns."""

from functools import cache, partial
from itertools import combinations, product
from math import ceil, comb, log2
from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds.ensemble.codes.distances import (
    canonical_columns,
    column_distances,
    find_new_columns,
    row_distances,
)
from manyminds.ensemble.codes.fixed_codes import check_n_classes

MAX_LISTED = {"dense": 14, "sparse": 9, "balanced": 14}  # classes: all columns listed
MAX_DRAWS = 100  # attempts to draw new columns, or distinct rows


def dense_random_code(
    n_classes, n_columns=None, *, n_candidates=100, random_state=None
):
    r"""Return the best of many random codes of 1 and -1.

    Of the candidates, that with the greatest least distance between rows is returned;
    of equals, that with the greatest least distance between columns [1]_.

    Parameters
    ----------
    n_classes : int
        Number of classes, 2 or more.
    n_columns : int, default=None
        Number of columns; None: :math:`\lceil 10 \log_2 N \rceil`. There are at most as
        many as there are different ones up to complements.
    n_candidates : int, default=100
        Number of codes to draw.
    random_state : int, RandomState instance or None, default=None
        Draws the codes.

    Returns
    -------
    code : ndarray of shape (n_classes, n_columns)
        Rows are distinct; no column equals or complements another.

    References
    ----------
    .. [1] Allwein, Schapire and Singer, "Reducing multiclass to binary: a unifying
       approach for margin classifiers", Journal of Machine Learning Research 1, 2000.

    Examples
    --------
    >>> from manyminds.ensemble import dense_random_code
    >>> dense_random_code(10, random_state=0).shape
    (10, 34)
    """
    return _best_of("dense", 10, n_classes, n_columns, n_candidates, random_state)


def sparse_random_code(
    n_classes, n_columns=None, *, n_candidates=100, random_state=None
):
    r"""Return the best of many random codes of 1, -1 and 0, half of them 0.

    Each column ignores about half of the classes, so that learners are trained on fewer
    rows [1]_. The best is chosen as by `dense_random_code`.

    Parameters
    ----------
    n_classes : int
        Number of classes, 2 or more.
    n_columns : int, default=None
        Number of columns; None: :math:`\lceil 15 \log_2 N \rceil`. There are at most as
        many as there are different ones up to complements.
    n_candidates : int, default=100
        Number of codes to draw.
    random_state : int, RandomState instance or None, default=None
        Draws the codes.

    Returns
    -------
    code : ndarray of shape (n_classes, n_columns)
        Rows are distinct; no column equals or complements another.

    References
    ----------
    .. [1] Allwein, Schapire and Singer, "Reducing multiclass to binary: a unifying
       approach for margin classifiers", Journal of Machine Learning Research 1, 2000.

    Examples
    --------
    >>> from manyminds.ensemble import sparse_random_code
    >>> sparse_random_code(10, random_state=0).shape
    (10, 50)
    """
    return _best_of("sparse", 15, n_classes, n_columns, n_candidates, random_state)


def balanced_code(n_classes, n_columns=200, *, random_state=None):
    """Return a random code whose columns have as many 1 as -1.

    With an odd number of classes, one side, drawn at random, has one class more.

    Parameters
    ----------
    n_classes : int
        Number of classes, 2 or more.
    n_columns : int, default=200
        Number of columns. If there are not so many different ones, all of them are
        taken, then all of them again.
    random_state : int, RandomState instance or None, default=None
        Draws the columns.

    Returns
    -------
    code : ndarray of shape (n_classes, n_columns)
        Rows are distinct.

    Examples
    --------
    >>> from manyminds.ensemble import balanced_code
    >>> code = balanced_code(12, random_state=0)
    >>> code.shape, int(abs(code.sum(axis=0)).max())
    ((12, 200), 0)
    """
    n_classes = check_n_classes(n_classes)
    n_columns = _check_count("n_columns", n_columns)
    rng = check_random_state(random_state)

    n_distinct = comb(n_classes, n_classes // 2) // (2 - n_classes % 2)
    for _ in range(MAX_DRAWS):
        parts, n_missing = [], n_columns
        while n_missing > 0:
            part = min(n_missing, n_distinct)
            parts.append(_draw_columns("balanced", n_classes, part, rng))
            n_missing -= part
        code = np.concatenate(parts, axis=1)
        if _has_distinct_rows(code):
            return code
    raise ValueError(_describe_too_few(n_classes, n_columns))


def _best_of(kind, factor, n_classes, n_columns, n_candidates, random_state):
    """Draw candidates; return the one with the best least distances."""
    n_classes = check_n_classes(n_classes)
    if n_columns is None:
        n_columns = ceil(factor * log2(n_classes))
    n_columns = min(_check_count("n_columns", n_columns), _count_all(kind, n_classes))
    _check_count("n_candidates", n_candidates)
    rng = check_random_state(random_state)

    best, quality = None, (-1.0, -1.0)
    for _ in range(n_candidates):
        code = _draw_code(kind, n_classes, n_columns, rng)
        rows = _least_off_diagonal(row_distances(code))
        if rows < quality[0]:
            continue
        found = rows, _least_off_diagonal(column_distances(code))
        if found > quality:
            best, quality = code, found
    return best


def _count_all(kind, n_classes):
    """Return the number of columns that differ, complements counting as equal."""
    if kind == "dense":
        return 2 ** (n_classes - 1) - 1
    return (3**n_classes - 2 ** (n_classes + 1) + 1) // 2


def _draw_code(kind, n_classes, n_columns, rng):
    """Draw different columns, until all rows differ."""
    for _ in range(MAX_DRAWS):
        code = _draw_columns(kind, n_classes, n_columns, rng)
        if _has_distinct_rows(code):
            return code
    raise ValueError(_describe_too_few(n_classes, n_columns))


def _has_distinct_rows(code):
    return len(np.unique(code, axis=0)) == len(code)


def _describe_too_few(n_classes, n_columns):
    return (
        f"n_columns={n_columns} is too few for {n_classes} classes: {MAX_DRAWS} codes "
        "were drawn, and each had equal rows."
    )


def _draw_columns(kind, n_classes, n_columns, rng):
    """Draw columns that are neither equal nor complements."""
    if n_classes <= MAX_LISTED[kind]:
        columns = _list_columns(kind, n_classes)
        taken = rng.permutation(columns.shape[1])[:n_columns]
        return columns[:, taken] * rng.choice([-1, 1], size=len(taken)).astype(np.int8)
    code = np.empty((n_classes, 0), dtype=np.int8)
    for _ in range(MAX_DRAWS):
        fresh = _DRAWS[kind](n_classes, n_columns, rng)
        two_sided = (fresh.max(axis=0) == 1) & (fresh.min(axis=0) == -1)
        code = np.concatenate([code, fresh[:, two_sided]], axis=1)
        code = code[:, find_new_columns(code)]
        if code.shape[1] >= n_columns:
            break
    return code[:, :n_columns]


def _draw_entries(values, n_classes, n_columns, rng):
    """Draw entries independently of each other."""
    return rng.choice(values, size=(n_classes, n_columns))


def _draw_balanced(n_classes, n_columns, rng):
    """Draw columns with as many 1 as -1."""
    rank = rng.uniform(size=(n_classes, n_columns)).argsort(axis=0)
    surplus = rng.randint(2, size=n_columns) * (n_classes % 2)
    return np.where(rank < n_classes // 2 + surplus, 1, -1).astype(np.int8)


_DRAWS = {
    "dense": partial(_draw_entries, np.array([-1, 1], dtype=np.int8)),
    "sparse": partial(_draw_entries, np.array([-1, 0, 0, 1], dtype=np.int8)),
    "balanced": _draw_balanced,
}


@cache
def _list_columns(kind, n_classes):
    """List all different columns for a few classes."""
    if kind == "balanced":
        sides = list(combinations(range(n_classes), n_classes // 2))
        columns = np.full((n_classes, len(sides)), -1, dtype=np.int8)
        columns[np.array(sides).T, np.arange(len(sides))] = 1
    else:
        values = (-1, 1) if kind == "dense" else (-1, 0, 1)
        columns = np.array(list(product(values, repeat=n_classes)), dtype=np.int8).T
        columns = columns[:, (columns.max(axis=0) == 1) & (columns.min(axis=0) == -1)]
    return np.unique(canonical_columns(columns)[0], axis=1)


def _least_off_diagonal(distances):
    """Return the least distance of two different items; infinite for a single one."""
    distances = distances + np.diag(np.full(len(distances), np.inf))
    return distances.min()


def _check_count(name, value):
    if not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} must be an integer, 1 or more; got {value!r}.")
    return int(value)
