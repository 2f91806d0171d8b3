"""Joining the nodes of trees that arrive in batches, without holding them twice."""

import numpy as np

from manyminds.trees.scratch import reserve

NODE_ARRAYS = (
    "value",
    "threshold",
    "impurity",
    "weight",
    "feature",
    "left",
    "n_samples",
    "category_set",
    "missing_left",
)

_SPARE = 1.1  # room for trees that are larger than those so far


def join_batches(batches, n_trees):
    """Copy batches of trees behind one another, each as it arrives.

    The room for all trees is estimated from those so far. Memory that is never touched
    costs nothing: as long as the estimate holds, no more than all trees and one batch
    are in memory at a time.

    Parameters
    ----------
    batches : iterable of dict
        What ``Trees`` consist of. The dicts are emptied.
    n_trees : int
        Number of trees of all batches; there may be fewer if a fit stops early.

    Returns
    -------
    arrays : dict
        What the ``Trees`` of all batches consist of.
    """
    joined, starts, sets, n_nodes, n_sets, others = {}, [], [], 0, 0, {}
    for batch in batches:
        starts.append(batch.pop("starts")[:-1] + n_nodes)
        end = n_nodes + len(batch["left"])
        share = sum(map(len, starts)) / n_trees
        _make_room(joined, batch, end, int(_SPARE * end / share))
        for name in NODE_ARRAYS:
            joined[name][n_nodes:end] = batch.pop(name)
        if n_sets:
            numbers = joined["category_set"][n_nodes:end]
            numbers[numbers >= 0] += n_sets
        sets.append(batch.pop("category_sets"))
        n_nodes, n_sets = end, n_sets + len(sets[-1])
        most = max(others.get("max_categories", 0), batch["max_categories"])
        others = {"n_features": batch["n_features"], "max_categories": most}
    return {
        **{name: _cut(array, n_nodes) for name, array in joined.items()},
        **others,
        "category_sets": _stack_sets(sets),
        "starts": np.concatenate([*starts, [n_nodes]]),
    }


def _make_room(joined, batch, n_nodes, n_expected):
    """Lengthen the arrays to the number of nodes expected, if these do not fit in."""
    for name in NODE_ARRAYS:
        old = joined.get(name, batch[name][:0])
        if name not in joined or len(old) < n_nodes:
            joined[name] = reserve((n_expected, *old.shape[1:]), old.dtype)
            joined[name][: len(old)] = old


def _cut(array, length):
    """Cut an array to size; in pages of its own, the rest takes no memory."""
    return array[:length].copy() if array.base is None else array[:length]


def _stack_sets(sets):
    """Concatenate category sets, padded to the number of words of the longest."""
    n_words = max(words.shape[1] for words in sets)
    return np.concatenate(
        [np.pad(words, [(0, 0), (0, n_words - words.shape[1])]) for words in sets]
    )
