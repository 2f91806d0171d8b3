"""Cuts of columns with two values, from lists of the rows with the rarer one.

A table of words or of other zeros and ones has many such columns, and few ones. A node
that searches all columns visits only these, row after row, instead of all its cells;
what is not rare is the rest. Sums of whole weights are exact, so that the cuts are the
same.
"""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.bins import ONE
from manyminds.kernels.bundles import ROW, TOTAL, WEIGHT


@helper(nogil=True, error_model="numpy")
def add_rare_codes(rare, n_features, span, samples, sums):
    """Add up the class weights of a node's samples that have each rare code.

    rare  RareCodes, of these features and perhaps of further ones
    sums  Scratch.rare, written
    """
    width = np.uint64(span.n_classes)
    for j in range(np.uint64(n_features) * width):
        sums[j] = 0.0
    for i in range(np.uint64(span.start), np.uint64(span.end)):
        row = samples.rows[ROW, i]
        k, weight = np.uint64(samples.classes[i]), samples.reals[WEIGHT, i]
        for j in range(np.uint64(rare.first[row]), np.uint64(rare.first[row + 1])):
            feature = np.uint64(rare.feature[j])
            if feature >= np.uint64(n_features):
                break
            sums[feature * width + k] += weight


@helper(nogil=True, error_model="numpy")
def cut_by_rare(rare_code, feature, m, rare_sums, sums):
    """Compute the decrease of gini by the one cut of a column of two values.

    The formulas are those of ``cuts.cut_pair`` and ``cuts.cut_classes``, which find the
    same cut. Returns the decrease with the bins below and above the cut, -1 if all
    samples of the node have the same value.
    """
    at, is_below = np.uint64(feature * m), rare_code == 0
    total_weight, squares, w, on_left, cross = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(np.uint64(m)):
        total, below = sums[TOTAL, k], rare_sums[at + k]
        if not is_below:
            below = total - below
        total_weight += total
        squares += total * total
        w += below
        on_left += below * below
        cross += below * total
    if w <= 0.0 or w >= total_weight:
        return -inf, -1, -1
    if m == 2:
        share, total_share = rare_sums[at + ONE], sums[TOTAL, 1]
        share = share if is_below else total_share - share
        d = share * total_weight - total_share * w
        return 2.0 * (d * d / (w * (total_weight - w)) / total_weight), 0, 1
    score = total_weight * on_left + w * (squares - 2.0 * cross)
    return score / (w * (total_weight - w)) - squares / total_weight, 0, 1
