"""Predicting with linear leaves."""

import numpy as np

from manyminds.kernels._jit import kernel


@kernel(nogil=True, error_model="numpy")
def add_linear_values(leaves, values, first_slope, columns, slopes, X, total):
    """Add to each row's total the values of its leaves, tree after tree.

    A leaf predicts its offset and the sum of slopes times columns, each column within
    the range that it has in the leaf's training rows. A row that lacks one of them gets
    the leaf's constant value.

    leaves       (n_rows, n_trees)  int64, nodes among those of all trees
    values       (2, n_nodes)  float64: constant value, offset
    first_slope  (n_nodes + 1,)  int64, slopes of a node are adjacent
    columns      (n_slopes,)  int32
    slopes       (3, n_slopes)  float64: slope, least and greatest value of the column
    X            (n_rows, n_features)  float64
    total        (n_rows,)  float64, added to in place
    """
    for i in range(leaves.shape[0]):
        for t in range(leaves.shape[1]):
            node = leaves[i, t]
            value, complete = values[1, node], True
            for k in range(first_slope[node], first_slope[node + 1]):
                x = X[i, columns[k]]
                if np.isnan(x):
                    complete = False
                    break
                value += slopes[0, k] * min(max(x, slopes[1, k]), slopes[2, k])
            total[i] += value if complete else values[0, node]
