"""Shapley values of the predictions of trees, many rows side by side.

If the features in a set S are known, a leaf counts as much as the product of ``o_j``
over the features j of its path in S, and of ``z_j`` over its other features: ``o_j``
is 1 if the row passes all splits by j on the path and 0 otherwise, and ``z_j`` is the
share of training weight that passes them, multiplied from split to split. The Shapley
value of feature i averages over all S what knowing i adds. The weights of this average
are beta integrals, so that the sum over all S, for one leaf, is

    value (o_i - z_i) integral_0^1 prod_{j != i} (o_j t + z_j (1 - t)) dt.

With m features on the path, this is the integral of a polynomial of degree m - 1, for
which a Gauss-Legendre rule of m / 2 points is exact. All terms are positive: long paths
lose no digits.

The product is built on the way down and summed over leaves on the way up: a node costs
a few operations for each row and point. A constant added to all leaves below a node
changes no Shapley value. The leaves below a node are therefore counted from one of
them, and a leaf from which its siblings are counted costs nothing.
"""

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bundles import Descent
from manyminds.kernels.walking import goes_right

CLOSED = 2  # side of a row that an earlier split by the same feature led elsewhere
PASS, MISS, PASS_GAIN, MISS_GAIN = range(4)  # rows of factors
TIMES, TIMES_LEFT, WEIGHTS = range(3)  # of a rule: points t, 1 - t, and their weights


@kernel(nogil=True, error_model="numpy")
def describe_paths(splits, starts, parent, weight, value, paths, expected):
    """Describe the paths of all trees, which are the same for all rows.

    splits    Splits
    starts    (n_trees + 1,)       int64
    parent    (n_nodes,)           int32, within the tree; -1 for a root
    weight    (n_nodes,)           float64
    value     (n_nodes, n_values)  float64, C order
    paths     Paths                its arrays are written
    expected  (n_trees, n_values)  float64, written: mean of the leaves by their shares
    """
    n_nodes, n_values = value.shape
    reach, n_on_path = np.empty(n_nodes), np.empty(n_nodes, np.int64)
    base = np.empty(n_nodes, np.int64)
    for t in range(len(starts) - 1):
        root, end = starts[t], starts[t + 1]
        paths.share[root], reach[root], n_on_path[root] = 1.0, 1.0, 0
        paths.n_features[t] = 0
        for v in range(n_values):
            expected[t, v] = 0.0
        for i in range(root, end):
            if splits.left[i] < 0:
                paths.n_features[t] = max(paths.n_features[t], n_on_path[i])
                for v in range(n_values):
                    expected[t, v] += reach[i] * value[i, v]
            else:
                left = root + splits.left[i]
                total = weight[left] + weight[left + 1]
                paths.share[left] = weight[left] / total if total > 0.0 else 0.5
                paths.share[left + 1] = 1.0 - paths.share[left]
                is_new = not _is_known(splits.feature, parent, root, i)
                for child in range(left, left + 2):
                    reach[child] = reach[i] * paths.share[child]
                    n_on_path[child] = n_on_path[i] + is_new
        for i in range(end - 1, root - 1, -1):
            base[i] = _choose_base(splits.left, base, root, i)
        for i in range(root, end):
            above = root + max(np.int64(parent[i]), 0)
            for v in range(paths.excess.shape[1]):
                paths.excess[i, v] = value[base[i], v] - value[base[above], v]


@helper(nogil=True, error_model="numpy")
def _is_known(feature, parent, root, node):
    """Return whether an ancestor of the node splits by the same feature."""
    above = np.int64(parent[node])
    while above >= 0:
        if feature[root + above] == feature[node]:
            return True
        above = np.int64(parent[root + above])
    return False


@helper(nogil=True, error_model="numpy")
def _choose_base(left, base, root, node):
    """Return the leaf from which leaves below a node are counted; a child if any is."""
    if left[node] < 0:
        return node
    child = root + left[node]
    only_left = left[child] < 0 and left[child + 1] >= 0
    return base[child] if only_left else base[child + 1]


@kernel(nogil=True, error_model="numpy")
def add_contributions(splits, starts, paths, rules, x, total):
    """Add the Shapley values of all trees for a batch of rows.

    splits  Splits
    starts  (n_trees + 1,)          int64
    paths   Paths
    rules   (3, n_rules, n_points)  float64: rule q has q points, from 0 to 1
    x       (n_features, n_rows)    float64, C order
    total   (n_outputs, n_values, n_features, n_rows)  float64, C order, added to in
            place; tree t is of output t % n_outputs
    """
    n_features, n_rows = x.shape
    n_values, n_points, n_levels = total.shape[1], rules.shape[2], paths.max_depth + 1
    descent = Descent(
        last_split=np.full(n_features, -1),
        node=np.empty(n_levels, np.int64),
        turn=np.empty(n_levels, np.int64),
        earlier=np.empty(n_levels, np.int64),
        share=np.empty(n_levels),
        factor=np.empty((n_levels, 4, n_points)),
        side=np.empty((n_levels, n_rows), np.int64),
        product=np.empty((n_levels, n_points, n_rows)),
        sums=np.empty((n_levels, n_values, n_points, n_rows)),
    )
    descent.product[0] = 1.0
    for t in range(len(starts) - 1):
        q = (paths.n_features[t] + 1) // 2
        if q > 0:
            output = t % total.shape[0]
            _add_tree(splits, starts[t], paths, rules, q, x, descent, total, output)


@helper(nogil=True, error_model="numpy")
def _add_tree(splits, root, paths, rules, n_points, x, descent, total, output):
    """Add the Shapley values of a tree with one split or more.

    Inner nodes are visited depth first. When a node is done, the sums over the leaves
    below it are on top of a stack; its parent collects them.
    """
    depth, top = 0, -1
    descent.node[0], descent.turn[0] = root, 0
    while depth >= 0:
        node = descent.node[depth]
        feature, left = splits.feature[node], root + splits.left[node]
        if descent.turn[depth] == 0:
            _choose_sides(splits, node, x, descent, depth)
            if splits.left[left] < 0 and splits.left[left + 1] < 0:
                top += 1
                _weigh_way(rules, n_points, paths.share[left], descent, depth)
                for v in range(total.shape[1]):
                    _count_leaf(
                        descent, depth, paths.share[left], paths.excess[left, v],
                        n_points, top, total, output, v, feature,
                    )  # fmt: skip
                descent.turn[depth] = 2
        while descent.turn[depth] < 2 and splits.left[left + descent.turn[depth]] < 0:
            descent.turn[depth] += 1

        if descent.turn[depth] < 2:
            child = left + descent.turn[depth]
            _weigh_way(rules, n_points, paths.share[child], descent, depth)
            _multiply(descent, depth, paths.share[child], n_points)
            descent.last_split[feature] = depth
            depth += 1
            descent.node[depth], descent.turn[depth] = child, 0
            continue

        descent.last_split[feature] = descent.earlier[depth]
        depth -= 1
        if depth >= 0:
            parent = descent.node[depth]
            has_sums = descent.turn[depth] == 1 and splits.left[node - 1] >= 0
            for v in range(total.shape[1]):
                _collect(
                    descent, depth, paths.excess[node, v], n_points, top, has_sums,
                    total, output, v, splits.feature[parent],
                )  # fmt: skip
            top -= has_sums
            descent.turn[depth] += 1


@helper(nogil=True, error_model="numpy")
def _choose_sides(splits, node, x, descent, depth):
    """Note to which side each row goes at a node."""
    side, feature = descent.side, splits.feature[node]
    if splits.category_set[node] >= 0:
        for r in range(x.shape[1]):
            side[depth, r] = goes_right(splits, node, x[feature, r])
    else:
        threshold, missing_right = splits.threshold[node], not splits.missing_left[node]
        for r in range(x.shape[1]):
            a = x[feature, r]
            side[depth, r] = (a > threshold) | ((a != a) & missing_right)
    earlier = descent.last_split[feature]
    descent.earlier[depth] = earlier
    if earlier >= 0:
        open_side = descent.turn[earlier]
        for r in range(x.shape[1]):
            if side[earlier, r] != open_side:
                side[depth, r] = CLOSED


@helper(nogil=True, error_model="numpy")
def _weigh_way(rules, n_points, share, descent, depth):
    """Compute the factors of the products and of the feature's gain at a child.

    There is one for rows that pass: they go to the child, and have passed all earlier
    splits by the feature; and one for rows that go elsewhere here for the first time.
    """
    earlier = descent.earlier[depth]
    before = descent.share[earlier] if earlier >= 0 else 1.0
    now = before * share
    descent.share[depth] = now
    for q in range(n_points):
        t, rest = rules[TIMES, n_points, q], rules[TIMES_LEFT, n_points, q]
        weight = rules[WEIGHTS, n_points, q]
        old, new = t + before * rest, t + now * rest
        counted = (1.0 - before) * weight / old  # by the earlier split
        descent.factor[depth, PASS, q] = new / old
        descent.factor[depth, MISS, q] = now * rest / old
        descent.factor[depth, PASS_GAIN, q] = (1.0 - now) * weight / new - counted
        descent.factor[depth, MISS_GAIN, q] = -weight / rest - counted


@helper(nogil=True, error_model="numpy")
def _multiply(descent, depth, share, n_points):
    """Compute the products at a child from those at its parent."""
    side, product, turn = descent.side, descent.product, descent.turn[depth]
    for q in range(n_points):
        a, b = descent.factor[depth, PASS, q], descent.factor[depth, MISS, q]
        for r in range(side.shape[1]):
            k = side[depth, r]
            f = a if k == turn else (share if k == CLOSED else b)
            product[depth + 1, q, r] = product[depth, q, r] * f


@helper(nogil=True, error_model="numpy")
def _count_leaf(
    descent, depth, share, excess, n_points, top, total, output, v, feature
):
    """Begin sums by a left leaf, counted from the right one, and add its gain."""
    side, product, sums = descent.side, descent.product, descent.sums
    c = share * excess
    for q in range(n_points):
        a = descent.factor[depth, PASS, q] * excess
        b = descent.factor[depth, MISS, q] * excess
        gain_a = descent.factor[depth, PASS_GAIN, q]
        gain_b = descent.factor[depth, MISS_GAIN, q]
        for r in range(side.shape[1]):
            k = side[depth, r]
            f = a if k == 0 else (c if k == CLOSED else b)
            gain = gain_a if k == 0 else (0.0 if k == CLOSED else gain_b)
            s = product[depth, q, r] * f
            sums[top, v, q, r] = s
            total[output, v, feature, r] += s * gain


@helper(nogil=True, error_model="numpy")
def _collect(
    descent, depth, excess, n_points, top, has_sums, total, output, v, feature
):
    """Add the gain of a child from its sums, and these to the sums of its parent.

    The parent has sums already, below those on top, if its left child has been here.
    """
    side, product, sums = descent.side, descent.product, descent.sums
    turn = descent.turn[depth]
    for q in range(n_points):
        gain_a = descent.factor[depth, PASS_GAIN, q]
        gain_b = descent.factor[depth, MISS_GAIN, q]
        for r in range(side.shape[1]):
            k = side[depth, r]
            gain = gain_a if k == turn else (0.0 if k == CLOSED else gain_b)
            s = sums[top, v, q, r] + excess * product[depth + 1, q, r]
            total[output, v, feature, r] += s * gain
            if has_sums:
                sums[top - 1, v, q, r] += s
            else:
                sums[top, v, q, r] = s
