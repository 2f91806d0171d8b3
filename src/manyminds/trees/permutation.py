"""Permutation importance of features from the out-of-bag rows of each tree."""

import numpy as np
from sklearn.utils import Bunch

from manyminds.kernels.permuting import find_error_increases
from manyminds.trees.chunks import make_splits, map_chunks, predict_nodes, take_chunk
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, cite


@fill_docstring(references=cite(BREIMAN_2001))
def oob_permutation_importance(
    trees,
    X,
    y,
    in_bag,
    seeds,
    *,
    n_repeats=1,
    kind=None,
    sample_weight=None,
    n_jobs=None,
):
    """Compute how much a permuted feature increases the out-of-bag error of each tree.

    The feature's values are permuted among the rows that the tree has not drawn: it
    keeps its distribution and loses its meaning [1]_. Every tree, feature and repeat
    has a permutation of its own. A feature on which a tree does not split has an
    increase of exactly 0 there, and costs no time.

    Parameters
    ----------
    trees : Trees
        Grown trees.
    X : ndarray of shape (n_rows, n_features)
        The rows that the trees were grown with.
    y : ndarray of shape (n_rows,)
        Their targets, or the numbers of their classes.
    in_bag : ndarray of shape (n_trees, n_rows) or callable
        How often each tree has drawn each row. A callable takes a slice of trees and
        returns their counts, so that they need not be in memory all at once.
    seeds : ndarray of shape (n_trees,)
        A whole number between 1 and 2**62 for each tree, the seed of its permutations.
    n_repeats : int, default=1
        Number of permutations of each feature in each tree.
    kind : {"classification", "regression"}, default=None
        Error to count: the share of rows misclassified, or the mean squared error.
        None stands for classification if the trees have several values in a leaf.
    sample_weight : ndarray of shape (n_rows,), default=None
        Weights of the rows in the error; all the same if None.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.

    Returns
    -------
    importance : Bunch
        ``importances_mean`` of shape (n_features,), the increase of the error by the
        permutation of a feature, averaged over the trees. It is negative where the
        permutation reduces the error.
        ``importances_se`` of shape (n_features,), the standard error of this mean: the
        standard deviation over the trees by the root of their number; NaN when there
        is one tree only.
        ``importances_z`` of shape (n_features,), the mean in units of its standard
        error; 0 where the mean is 0.
        ``importances`` of shape (n_trees, n_features), the increase of each tree; NaN
        for trees without out-of-bag rows, which are left out of the mean.

    {references}
    """
    X = np.require(X, np.float64, "CW")
    y = np.require(y, np.float64, "CW")
    seeds = np.require(seeds, np.int64, "CW")
    if sample_weight is None:
        sample_weight = np.ones(len(y))
    sample_weight = np.require(sample_weight, np.float64, "CW")
    splits, (prediction, is_squared) = make_splits(trees), predict_nodes(trees, kind)
    increases = np.empty((trees.n_trees, X.shape[1]))

    def find_increases(chunk):
        find_error_increases(
            splits,
            trees.starts[chunk.start : chunk.stop + 1],
            prediction,
            X,
            y,
            sample_weight,
            take_chunk(in_bag, chunk, np.int32),
            seeds[chunk],
            n_repeats,
            is_squared,
            increases[chunk],
        )

    for _ in map_chunks(find_increases, trees.n_trees, len(y), n_jobs):
        pass
    mean, standard_error, z_score = _summarize(increases)
    return Bunch(
        importances_mean=mean,
        importances_se=standard_error,
        importances_z=z_score,
        importances=increases,
    )


def _summarize(increases):
    """Return mean, standard error and z-score over the trees with out-of-bag rows."""
    increases = increases[~np.isnan(increases[:, 0])]
    if len(increases) == 0:
        raise ValueError(
            "in_bag must leave some row out of bag; every tree has drawn every row."
        )
    mean = increases.mean(axis=0)
    standard_error = np.full_like(mean, np.nan)
    if len(increases) > 1:
        standard_error = increases.std(axis=0, ddof=1) / np.sqrt(len(increases))
    with np.errstate(divide="ignore", invalid="ignore"):
        z_score = np.where(mean == 0.0, 0.0, mean / standard_error)
    return mean, standard_error, z_score
