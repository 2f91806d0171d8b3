"""A node to search: all rows of a table, laid out as the grower does."""

import numpy as np
import pytest

from manyminds.kernels.bundles import (
    FEATURES,
    ROW,
    SCALE,
    SHARE,
    TOTAL,
    WEIGHT,
    Span,
    Y,
)
from manyminds.trees.arrays import make_work
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import make_rules


@pytest.fixture(scope="session")
def lay_out():
    """Return a function that lays out rows: (rules, table, span, work)."""
    return _lay_out


def _lay_out(
    X, y, *, criterion="gini", weights=None, categorical=None, max_bins=255, **options
):
    X, y = np.array(X, np.float64), np.array(y, np.float64)
    X = X.reshape(len(y), -1)
    weights = np.ones(len(y)) if weights is None else np.array(weights)
    is_numeric = criterion == "squared_error"
    n_classes = 1 if is_numeric else int(y.max()) + 1
    is_categorical = None
    if categorical is not None:
        is_categorical = np.isin(np.arange(X.shape[1]), categorical)
    table = bin_table(X, is_categorical, max_bins)
    rules = make_rules(
        *X.shape, n_classes, weights.sum(), criterion=criterion, **options
    )
    work = make_work(table, rules, len(y), 1)
    reals, sums = work.samples.reals, work.scratch.sums
    work.samples.rows[ROW] = np.arange(len(y))
    reals[Y], reals[WEIGHT] = y, weights
    if is_numeric:
        reals[SHARE] = weights * y
        sums[TOTAL, :2] = weights.sum(), weights @ y
    else:
        reals[SHARE] = weights * (y == 1)
        work.samples.classes[:] = y
        sums[TOTAL, :n_classes] = np.bincount(y.astype(int), weights)
        sums[SCALE, :n_classes] = 1.0 / np.maximum(sums[TOTAL, :n_classes], 1e-300)
        work.classes.weight[:n_classes] = sums[TOTAL, :n_classes]
        work.classes.index[:n_classes] = np.arange(n_classes)
    work.scratch.draws[FEATURES, :-1] = np.arange(X.shape[1])
    work.scratch.state[0] = 12345
    return rules, table, Span(0, len(y), 2 if is_numeric else n_classes), work
