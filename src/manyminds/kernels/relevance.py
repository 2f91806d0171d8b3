"""Gains of each feature for each row, summed along the row's path through trees."""

from math import inf

from manyminds.kernels._jit import kernel


@kernel(allocates=False, nogil=True, error_model="numpy")
def add_gains(
    parent, feature, log_share, starts, leaf, in_bag, label, begin, end, total, n_seen
):
    """Add the gain of each split on the paths of rows ``begin`` to ``end - 1``.

    Each path is followed from the leaf to the root. The gain of a split is the increase
    of the logarithm of the proportion of the row's class from the node to its child.

    parent     (n_nodes,)             int32, within the tree; -1 for a root
    feature    (n_nodes,)             int32
    log_share  (n_nodes, n_classes)   float64, C order, base 2; -inf for none
    starts     (n_trees,)             int64, where the nodes of these trees begin
    leaf       (n_rows, n_trees)      int64, C order, within the tree
    in_bag     (n_trees, n_rows)      int32, C order; 0: the row is out of bag
    label      (n_rows,)              int64
    begin      int
    end        int
    total      (n_rows, n_features)   float64, C order, added to in place
    n_seen     (n_rows, n_features)   int32, C order, splits passed: added to in place
    """
    for i in range(begin, end):
        c = label[i]
        for t in range(len(starts)):
            node = starts[t] + leaf[i, t]
            here = log_share[node, c]
            if in_bag[t, i] == 0 or here == -inf:
                continue
            up = parent[node]
            while up >= 0:
                node = starts[t] + up
                above = log_share[node, c]
                f = feature[node]
                total[i, f] += here - above
                n_seen[i, f] += 1
                here = above
                up = parent[node]
