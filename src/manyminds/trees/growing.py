"""Growing many trees on one binned table, in batches over threads."""

from functools import partial
from itertools import pairwise
from math import ceil, log2

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from manyminds.kernels import bundles
from manyminds.kernels.bundles import Rules, Sampling
from manyminds.kernels.criteria import (
    BALANCED_ERROR,
    ENTROPY,
    GINI,
    SQUARED_ERROR,
    SSV,
    SSV_LEXICOGRAPHIC,
)
from manyminds.kernels.draws import count_draws
from manyminds.kernels.growing.trees import grow_trees
from manyminds.trees.arrays import make_record, make_work
from manyminds.trees.rare_codes import can_use_rare_codes, list_rare_codes
from manyminds.trees.scratch import reserve
from manyminds.trees.structure import Trees
from manyminds.utils.backends import choose_return

CRITERIA = {
    "gini": GINI,
    "entropy": ENTROPY,
    "log_loss": ENTROPY,
    "ssv": SSV,
    "ssv_lexicographic": SSV_LEXICOGRAPHIC,
    "balanced_error": BALANCED_ERROR,
    "squared_error": SQUARED_ERROR,
}
CLASS_CRITERIA = set(CRITERIA) - {"squared_error"}
NO_LIMIT = 2**62
LARGEST_SEED = 2**62

_FEW_STEPS = 1e6  # about 20 ms of growing: too little for a second thread
_BATCHES_PER_THREAD = 25  # so that threads end together and progress is visible
_MAX_ROWS = 2**22  # of all trees of a batch together: their memory is allocated at once


def make_rules(
    n_samples,
    n_features,
    n_classes,
    total_weight,
    *,
    criterion,
    max_features=None,
    splitter="best",
    max_depth=None,
    min_samples_split=2,
    min_samples_leaf=1,
    min_weight_fraction_leaf=0.0,
    min_impurity_decrease=0.0,
    max_leaf_nodes=None,
    redraw_constant=True,
    balance_classes=False,
):
    """Convert scikit-learn's parameters to the grower's rules for one training set.

    Parameters
    ----------
    n_samples, n_features : int
        Shape of the training set.
    n_classes : int
        Number of classes; 1 for a regression.
    total_weight : float
        Sum of the sample weights.
    criterion : str
        A key of ``CRITERIA``.
    redraw_constant : bool, default=True
        Whether to draw more than ``max_features`` features until one is not constant in
        the node. Otherwise such a node becomes a leaf.
    balance_classes : bool, default=False
        Whether each tree weights classes inversely to their frequency among its draws.
    max_features, splitter, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, min_impurity_decrease, max_leaf_nodes : object
        As in scikit-learn's trees.

    Returns
    -------
    rules : Rules
        Argument of ``grow``.
    """
    return Rules(
        criterion=CRITERIA[criterion],
        n_classes=n_classes,
        max_features=count_features(max_features, n_features),
        random_cuts=splitter == "random",
        redraw_constant=redraw_constant,
        max_depth=NO_LIMIT if max_depth is None else int(max_depth),
        min_samples_split=max(_count_rows(min_samples_split, n_samples), 2),
        min_samples_leaf=_count_rows(min_samples_leaf, n_samples),
        min_weight_leaf=float(min_weight_fraction_leaf * total_weight),
        min_impurity_decrease=float(min_impurity_decrease),
        max_leaf_nodes=0 if max_leaf_nodes is None else int(max_leaf_nodes),
        balance_classes=balance_classes,
    )


def count_features(max_features, n_features):
    """Return how many features a node draws, from scikit-learn's max_features."""
    if max_features is None:
        return n_features
    if max_features == "sqrt":
        return max(1, int(n_features**0.5))
    if max_features == "log2":
        return max(1, int(log2(n_features)))
    if isinstance(max_features, float):
        return max(1, int(max_features * n_features))
    return min(int(max_features), n_features)


def _count_rows(rows, n_samples):
    """Convert a fraction of the rows to a number of rows."""
    return ceil(rows * n_samples) if isinstance(rows, float) else int(rows)


def make_odds(feature_weights, n_features):
    """Convert weights of features, one row or one for each tree, to integer odds.

    Parameters
    ----------
    feature_weights : array-like of shape (n_features,) or (n_trees, n_features) or None
        Relative probability of a feature's draw; 0: never.
    n_features : int
        Number of columns of the training set.

    Returns
    -------
    odds : ndarray of shape (0 or 1 or n_trees, n_features)
        Integers that add up to about 2**40; no rows if there are no weights.
    """
    if feature_weights is None:
        return np.empty((0, n_features), np.int64)
    weights = np.atleast_2d(np.asarray(feature_weights, dtype=np.float64))
    if weights.ndim != 2 or weights.shape[1] != n_features:
        raise ValueError(
            f"feature_weights must give one weight for each of the {n_features} "
            f"features; it has shape {np.shape(feature_weights)}."
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("feature_weights must be finite and not negative.")
    totals = weights.sum(axis=1, keepdims=True)
    if (totals <= 0).any():
        raise ValueError("feature_weights must give some feature a positive weight.")
    odds = np.rint(weights / totals * 2.0**40).astype(np.int64)
    return np.maximum(odds, (weights > 0).astype(np.int64))


def draw_seeds(random_state, n_trees):
    """Draw the seed of each tree from a RandomState."""
    return random_state.randint(1, LARGEST_SEED, size=n_trees, dtype=np.int64)


def make_sampling(
    n_samples, n_features, weights=None, *, bootstrap=0, feature_weights=None
):
    """Describe which rows and features trees draw.

    Parameters
    ----------
    n_samples, n_features : int
        Shape of the training set.
    weights : array-like of shape (n_samples,) or (n_trees, n_samples), default=None
        Sample weights, for all trees or for each tree. With a bootstrap, they are the
        odds of a row's draw instead, and must be the same for all trees.
    bootstrap : int, default=0
        How many rows a tree draws, with replacement; 0: it uses all rows.
    feature_weights : array-like, default=None
        See ``make_odds``.

    Returns
    -------
    sampling : Sampling
        Argument of ``grow``.
    """
    bounds = np.empty(0)
    if weights is None:
        weights = np.ones((1, n_samples))
    elif bootstrap:
        bounds, weights = np.cumsum(weights, dtype=np.float64), np.ones((1, n_samples))
    # Read-only arrays, as pandas returns them, would need another compilation.
    weights = np.require(np.atleast_2d(weights), np.float64, ["C", "W"])
    return Sampling(
        weights, int(bootstrap), bounds, make_odds(feature_weights, n_features)
    )


def list_draws(seeds, n_samples, n_draws, draw_bounds):
    """Return how often each tree drew each row: (n_trees, n_samples) int32.

    Parameters
    ----------
    seeds : ndarray of shape (n_trees,)
        Seeds of the trees.
    n_samples : int
        Number of rows of the training set.
    n_draws, draw_bounds : int, ndarray
        Those of the ``Sampling`` that the trees were grown with.
    """
    counts = np.zeros((len(seeds), n_samples), np.int32)
    count_draws(seeds, n_draws, draw_bounds, counts)
    return counts


def grow(
    table,
    y,
    rules,
    sampling,
    seeds,
    *,
    labels=None,
    rare=None,
    n_jobs=None,
    watch=None,
):
    """Grow a tree for each seed; the trees do not depend on ``n_jobs``.

    Parameters
    ----------
    table : Table
        Binned columns, from ``bin_table``.
    y : ndarray of shape (n_samples,)
        Targets as float64; for classification the numbers 0 ... n_classes - 1.
    rules : Rules
        From ``make_rules``.
    sampling : Sampling
        From ``make_sampling``.
    seeds : ndarray of shape (n_trees,)
        From ``draw_seeds``.
    labels : Labels, default=None
        Many targets for each row, which take the place of ``y``; see
        ``label_growing.grow_on_labels``.
    rare : RareCodes, default=None
        From ``list_rare_codes``, to be made once for several calls with this table; by
        default they are made where the trees can use them.
    n_jobs : int, default=None
        Number of threads.
    watch : callable, default=None
        Takes the iterator over the batches of trees and their number, and returns an
        iterator over the same batches, to show progress or to stop a fit early.

    Returns
    -------
    trees : Trees
        The grown trees, in the order of their seeds.
    """
    general = needs_general_path(table, rules)
    if general or labels is not None or not can_use_rare_codes(rules, sampling):
        rare = None
    elif rare is None:
        rare = list_rare_codes(table, len(y))
    most_bins = 0
    categorical = table.columns[:, bundles.IS_CATEGORICAL] == 1
    if categorical.any():
        most_bins = int(table.columns[categorical, bundles.N_BINS].max())
    n_words = max(1, -(-most_bins // 64))
    mean = 0.0
    if rules.criterion == SQUARED_ERROR:  # near zero, sums of squares lose no digits
        mean = np.average(y, weights=sampling.weights.mean(axis=0))
        y = y - mean

    n_steps = len(seeds) * len(y) * rules.max_features * max(log2(len(y)), 1.0)
    n_threads = effective_n_jobs(n_jobs)  # it also rejects n_jobs=0
    n_threads = n_threads if n_steps > _FEW_STEPS else 1
    n_batches = _BATCHES_PER_THREAD * n_threads if n_steps > _FEW_STEPS else 1
    n_batches = max(n_batches, len(seeds) * len(y) // _MAX_ROWS)
    n_batches = min(n_batches, len(seeds))
    ends = np.linspace(0, len(seeds), n_batches + 1).astype(int)
    grow_batch = partial(
        _grow_batch,
        inputs=(general, table, rules, sampling, y, labels, rare),
        room=(n_words, int(max(np.diff(ends)))),
        most_bins=most_bins,
        mean=mean,
        used=[],
    )
    if n_threads > 1:
        run = Parallel(
            n_jobs=n_threads,
            prefer="threads",
            return_as=choose_return(),
            batch_size=1,  # joblib would merge batches and leave threads idle
        )
        batches = run(delayed(grow_batch)(seeds[a:b], a) for a, b in pairwise(ends))
    else:
        batches = (grow_batch(seeds[a:b], a) for a, b in pairwise(ends))
    if watch is not None:
        batches = watch(batches, n_batches)
    return Trees.join(batches, len(seeds))


def _grow_batch(seeds, first, *, inputs, room, most_bins, mean, used):
    """Grow the trees of some seeds, the first of which is tree ``first``.

    Threads share ``used``, a list of arrays to use again, as new memory is slow. A
    function of the module, not of ``grow``, so that a cluster's workers find the
    compiled kernel by its name instead of compiling their own.
    """
    general, table, rules, sampling, y, labels, rare = inputs
    n_words, most_trees = room
    try:
        work, record = used.pop()
    except IndexError:
        n_label_words = 0 if labels is None else labels.words.shape[1]
        work = make_work(
            table,
            rules,
            len(y),
            n_words,
            n_label_words,
            lists_rare_codes=rare is not None,
        )
        record = make_record(table, rules, len(y), n_words, most_trees)
    # On a cluster, arrays arrive read-only, for which the kernel would be compiled
    # again; writable ones are not copied.
    arrays = _make_writable(table), rules, _make_writable(sampling)
    targets = np.require(y, requirements="W"), np.require(seeds, requirements="W")
    if labels is not None:
        labels = _make_writable(labels)
    if rare is not None:
        rare = _make_writable(rare)
    grow_trees(general, *arrays, *targets, first, work, record, labels, rare)
    grown = read_record(record, len(seeds), len(table.columns), most_bins, mean)
    used.append((work, record))
    return grown


def _make_writable(arrays):
    """Copy those arrays of a named tuple that are read-only."""
    return type(arrays)(
        *(
            np.require(entry, requirements="W")
            if isinstance(entry, np.ndarray)
            else entry
            for entry in arrays
        )
    )


def needs_general_path(table, rules):
    """Return None if the plain path suffices, as in most forests, or else True.

    The kernel is compiled once for each: the plain one in half the time.
    """
    plain = (
        rules.criterion in (GINI, ENTROPY, SQUARED_ERROR)
        and not table.columns[:, [bundles.HAS_MISSING, bundles.IS_CATEGORICAL]].any()
        and not rules.random_cuts
        and rules.min_samples_leaf == 1
        and rules.min_weight_leaf <= 0.0
    )
    return None if plain else True


def read_record(record, n_trees, n_features, max_categories, mean=0.0):
    """Copy the nodes of a batch out of the memory for the largest possible trees."""
    ends = record.ends[:n_trees]
    n_nodes, n_sets = ends[-1]
    ints, floats = record.ints[:, :n_nodes], record.floats[:, :n_nodes]
    value = _copy(record.values[:n_nodes])
    value += mean
    return {
        "feature": _copy(ints[bundles.FEATURE]),
        "threshold": _copy(floats[bundles.THRESHOLD]),
        "left": _copy(ints[bundles.LEFT]),
        "missing_left": ints[bundles.MISSING_LEFT] == 1,
        "category_set": _copy(ints[bundles.CATEGORY_SET]),
        "category_sets": _copy(record.category_sets[:n_sets]),
        "impurity": _copy(floats[bundles.IMPURITY]),
        "weight": _copy(floats[bundles.NODE_WEIGHT]),
        "n_samples": _copy(ints[bundles.N_SAMPLES]),
        "value": value,
        "starts": np.append(0, ends[:, 0]),
        "n_features": n_features,
        "max_categories": max_categories,
    }


def _copy(array):
    """Copy an array to memory that the system has back when the copy is deleted."""
    copied = reserve(array.shape, array.dtype)
    copied[...] = array
    return copied
