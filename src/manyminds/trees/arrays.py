"""Allocation of the arrays that the grower works in and writes to."""

import numpy as np

from manyminds.kernels.bundles import (
    IS_CATEGORICAL,
    N_BINS,
    Bins,
    Classes,
    Record,
    Samples,
    Scratch,
    Work,
)
from manyminds.kernels.growing.histograms import END_OF_CHAIN
from manyminds.kernels.growing.search import FEW
from manyminds.trees.scratch import reserve


def make_work(
    table, rules, n_samples, n_words, n_label_words=0, *, lists_rare_codes=False
):
    """Allocate what one thread works in."""
    n_features = len(table.columns)
    n_codes = max(2, table.columns[:, N_BINS].max() + 1)
    n_channels = max(rules.n_classes, 2)
    return Work(
        samples=Samples(
            rows=reserve((2, n_samples), np.uint32),
            reals=reserve((5, n_samples), np.float64),
            classes=reserve((n_samples,), np.uint16),
        ),
        classes=Classes(
            index=np.zeros(n_channels, np.int64),
            weight=np.ones(n_channels),
        ),
        bins=Bins(
            chains=reserve((n_samples,), np.uint32),
            heads=np.full(n_codes, END_OF_CHAIN),
            mask=np.zeros((3, max(n_codes // 64 + 1, n_label_words)), np.uint64),
            hist=np.zeros(n_codes * n_channels),
            n_hist=np.zeros(n_codes, np.int32),
            order=np.empty(n_codes + 1, np.uint32),
        ),
        scratch=Scratch(
            sums=np.empty((6, max(n_codes, n_channels, FEW) + 1)),
            sets=np.zeros((2, 2 * n_words), np.uint64),
            draws=np.empty((3, n_features + 1), np.int64),
            state=np.empty(1, np.int64),
            rare=np.empty(n_features * n_channels if lists_rare_codes else 0),
        ),
        open_nodes=reserve((n_samples + 4, 5), np.int64),
        priorities=reserve((n_samples + 4,), np.float64),
    )


def make_record(table, rules, n_samples, n_words, n_trees):
    """Allocate room for trees: memory that is never touched costs nothing."""
    n_leaves = min(n_samples, rules.max_leaf_nodes or n_samples)
    n_nodes = n_trees * (2 * n_leaves + 1)
    n_sets = n_nodes if table.columns[:, IS_CATEGORICAL].any() else 1
    return Record(
        ints=reserve((6, n_nodes), np.int32),
        floats=reserve((3, n_nodes), np.float64),
        values=reserve((n_nodes, rules.n_classes), np.float64),
        category_sets=reserve((n_sets, n_words), np.uint64),
        ends=np.empty((n_trees, 2), np.int64),
    )
