"""Constraints of gradient boosting: monotonic columns, groups that may interact."""

import numpy as np


def read_monotonic(monotonic_cst, n_features, names=None):
    """Return the sign of each column's effect, or None if all are free.

    Parameters
    ----------
    monotonic_cst : array-like of int, dict of str to int or None
        1: increasing, -1: decreasing, 0: free.
    n_features : int
    names : ndarray of str or None
        Names of the columns.

    Returns
    -------
    signs : ndarray of shape (n_features,), int8, or None
    """
    if monotonic_cst is None:
        return None
    if isinstance(monotonic_cst, dict):
        known = [] if names is None else list(names)
        unknown = [name for name in monotonic_cst if name not in known]
        if unknown:
            raise ValueError(
                f"monotonic_cst names columns {unknown} that X has not; its columns "
                f"are {known or 'without names'}."
            )
        signs = np.array([monotonic_cst.get(name, 0) for name in known])
    else:
        signs = np.asarray(monotonic_cst)
    if signs.shape != (n_features,):
        raise ValueError(
            f"monotonic_cst must have one entry for each of the {n_features} columns; "
            f"it has shape {signs.shape}."
        )
    if not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotonic_cst must hold -1, 0 or 1 only; got {np.unique(signs).tolist()}."
        )
    return signs.astype(np.int8) if signs.any() else None


def read_interactions(interaction_cst, n_features):
    """Return the groups that each column belongs to as bits, or None if all interact.

    Parameters
    ----------
    interaction_cst : {"pairwise", "no_interactions"}, sequence of sequences or None
        Groups of columns that may be split on one path. Columns that are in no group
        form one more.
    n_features : int

    Returns
    -------
    groups : ndarray of shape (n_features, n_words), uint64, or None
        Bit ``g % 64`` of word ``g // 64`` is set if the column is in group ``g``.
    """
    if interaction_cst is None:
        return None
    if isinstance(interaction_cst, str):
        if interaction_cst == "pairwise":
            members = [
                {i, j} for i in range(n_features) for j in range(i + 1, n_features)
            ]
        else:
            members = [{i} for i in range(n_features)]
    else:
        members = [set(group) for group in interaction_cst]
        listed = set().union(*members) if members else set()
        wrong = sorted(j for j in listed if not 0 <= j < n_features)
        if wrong:
            raise ValueError(
                "interaction_cst must hold columns between 0 and "
                f"{n_features - 1}; got {wrong}."
            )
        rest = set(range(n_features)) - listed
        members += [rest] if rest else []
    groups = np.zeros((n_features, -(-len(members) // 64)), np.uint64)
    for number, group in enumerate(members):
        groups[list(group), number // 64] |= np.uint64(1) << np.uint64(number % 64)
    return groups
