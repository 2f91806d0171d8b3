"""Contributions: the Shapley values of the features in a prediction of trees."""

import numpy as np
from joblib import effective_n_jobs
from numpy.polynomial.legendre import leggauss
from sklearn.base import is_classifier
from sklearn.utils.parallel import Parallel, delayed

from manyminds.kernels.bundles import Paths
from manyminds.kernels.contributions import add_contributions, describe_paths
from manyminds.trees.chunks import divide_rows, make_splits
from manyminds.trees.columns import map_dense_blocks
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import LUNDBERG_2020, OWEN_1972, cite

_MAX_BATCH = 512  # rows side by side, as many as caches hold
_MAX_CELLS = 2**21  # numbers that one thread holds, for all rows of a batch
_SAME_SUM = 1e-12  # by which the sums of class shares may differ


@fill_docstring(**ROWS, references=cite(LUNDBERG_2020, OWEN_1972))
class ContributionsMixin:
    """Explain predictions that are the mean of the trees in ``_averaged_trees``."""

    def predict_contributions(self, X):
        """Divide each prediction among the features, by their Shapley values.

        A feature's contribution is the mean, over all orders in which the features can
        become known, of the change of the expected prediction when it becomes known
        [1]_. At a split by an unknown feature, a row goes both ways, by the shares of
        the training weight in the two branches ("tree path dependent"). Contributions
        thus describe the model on the training data. They are not effects of changing
        a feature.

        The values are exact up to rounding, also in deep trees: the sum over all orders
        is an integral of a polynomial [2]_. A row takes time in proportion to the
        number of nodes, times half the number of features on the longest path.

        {predict_table}
        contributions : ndarray of shape (n_samples, n_features + 1) or \
(n_samples, n_features + 1, n_classes)
            Contribution of each feature, and at the end the expected prediction, the
            same for all rows. The sum over axis 1 is ``predict(X)`` of a regressor and
            ``predict_proba(X)`` of a classifier.

        {references}

        Examples
        --------
        >>> from sklearn.datasets import load_diabetes
        >>> from manyminds.ensemble import RandomForestRegressor
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> forest = RandomForestRegressor(random_state=0).fit(X, y)
        >>> contributions = forest.predict_contributions(X)
        >>> contributions.shape
        (442, 11)
        >>> bool(abs(contributions.sum(axis=1) - forest.predict(X)).max() < 1e-9)
        True
        >>> X.columns[abs(contributions[:, :-1]).mean(axis=0).argmax()]
        's5'
        """
        X = self._read_table(X)
        trees, n_jobs = self._averaged_trees, getattr(self, "n_jobs", None)
        scale = 1.0 / trees.n_trees

        def contribute(X):
            return tree_contributions(trees, X, scale=scale, n_jobs=n_jobs)

        contributions = map_dense_blocks(contribute, X)
        return contributions if is_classifier(self) else contributions[:, :, 0]


def tree_contributions(trees, X, *, scale=1.0, n_outputs=1, baseline=0.0, n_jobs=None):
    """Compute the Shapley values of the features in a sum of trees.

    Parameters
    ----------
    trees : Trees
        Grown trees. The shares of ``weight`` say how often a branch is taken; between
        two branches without weight, each is taken half of the time.
    X : ndarray of shape (n_rows, n_features)
        Rows to explain.
    scale : float, default=1.0
        Factor of the values of all trees; one by their number for their mean.
    n_outputs : int, default=1
        Tree ``t`` is added to output ``t % n_outputs``.
    baseline : float or array-like of shape (n_outputs,), default=0.0
        Prediction of each output before the first tree.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.

    Returns
    -------
    contributions : ndarray of shape (n_rows, n_features + 1, n_outputs * n_values)
        Contribution of each feature, then the expected prediction. The values of an
        output come one after the other.
    """
    X = np.asarray(X, dtype=np.float64)
    splits = make_splits(trees)
    paths, expected = _describe(trees, splits)
    rules, n_counted = _make_rules(paths.n_features), paths.excess.shape[1]
    out = np.empty((len(X), trees.n_features + 1, n_outputs, trees.n_values))
    expected = [expected[k::n_outputs].sum(axis=0) for k in range(n_outputs)]
    out[:, -1] = scale * np.array(expected) + np.reshape(baseline, (-1, 1))

    def fill(rows):
        x = np.ascontiguousarray(X[rows].T)
        total = np.zeros((n_outputs, n_counted, *x.shape))
        add_contributions(splits, trees.starts, paths, rules, x, total)
        total *= scale
        out[rows, :-1, :, :n_counted] = total.transpose(3, 2, 0, 1)
        if n_counted < trees.n_values:
            out[rows, :-1, :, -1] = -total.sum(axis=1).transpose(2, 1, 0)

    n_cells = (paths.max_depth + 1) * (n_counted + 1) * rules.shape[2]
    n_cells += trees.n_features * n_outputs * n_counted
    longest = min(_MAX_BATCH, max(1, _MAX_CELLS // n_cells))
    Parallel(n_jobs, require="sharedmem")(
        delayed(fill)(rows)
        for rows in divide_rows(len(X), longest, effective_n_jobs(n_jobs))
    )
    return out.reshape(*out.shape[:2], n_outputs * trees.n_values)


def _describe(trees, splits):
    """Return the paths of all trees, and the expected values of each tree.

    Class shares sum to one: what a feature adds to the last class, it takes from the
    others, so that this class need not be counted.
    """
    sums = trees.value.sum(axis=1)
    is_shared = trees.n_values > 1 and np.ptp(sums) <= _SAME_SUM * np.max(np.abs(sums))
    n_nodes, n_counted = len(trees.left), trees.n_values - is_shared
    paths = Paths(
        share=np.empty(n_nodes),
        excess=np.empty((n_nodes, n_counted)),
        n_features=np.empty(trees.n_trees, dtype=np.int64),
        max_depth=int(trees.max_depth.max()),
    )
    expected = np.empty((trees.n_trees, trees.n_values))
    describe_paths(
        splits, trees.starts, trees.parent, trees.weight, trees.value, paths, expected
    )
    return paths, expected


def _make_rules(n_features):
    """Return the Gauss-Legendre rules that are exact for paths of so many features.

    Rule ``q`` of shape (3, q) has points, their distances from 1, and weights.
    """
    sizes = np.unique((n_features + 1) // 2)
    rules = np.zeros((3, sizes[-1] + 1, max(1, sizes[-1])))
    for q in sizes[sizes > 0]:
        points, weights = leggauss(q)
        rules[:, q, :q] = (1.0 + points) / 2.0, (1.0 - points) / 2.0, weights / 2.0
    return rules
