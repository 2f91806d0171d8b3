"""Stumps that predict many labels: the best cut of all features, and their sum."""

import numpy as np

from manyminds.kernels._jit import kernel
from manyminds.kernels.bundles import N_BINS

TIE = 1e-10  # relative margin of a later cut: rounding breaks no ties


@kernel(nogil=True, error_model="numpy")
def find_label_stump(codes, columns, signed, hist, sides):
    """Find the cut with the largest sum over labels of |left sum| + |right sum|.

    codes    (n_features, n_samples)  uint8 or uint16, C order
    columns  (n_features, 4)          int64, see Table
    signed   (n_samples, n_labels)    float64, C order: weight of a pair, negative if
             the sample does not have the label
    hist     (at least n_bins, n_labels)  float64, C order, overwritten
    sides    (2, n_labels)            float64, written: sums left and right of the cut

    Returns (sum, feature, bin below the cut, bin above it). A feature with one bin has
    one side; bin above -1: the stump has one side, the left one.
    """
    n_samples, n_labels = signed.shape
    total = np.zeros(n_labels)
    for i in range(n_samples):
        for k in range(n_labels):
            total[k] += signed[i, k]
    best, best_feature, best_below, best_above = 0.0, np.int64(0), -1, -1
    for k in range(n_labels):
        sides[0, k], sides[1, k] = total[k], 0.0
        best += abs(total[k])
    best_below = columns[0, N_BINS]
    left = np.empty(n_labels)
    filled = np.empty(len(hist), np.bool_)
    for feature in range(len(columns)):
        n_bins = columns[feature, N_BINS]
        for b in range(n_bins):
            filled[b] = False
            for k in range(n_labels):
                hist[b, k] = 0.0
        for i in range(n_samples):
            b = codes[feature, i]
            filled[b] = True
            for k in range(n_labels):
                hist[b, k] += signed[i, k]
        left[:] = 0.0
        last = -1
        for b in range(n_bins):
            if not filled[b]:
                continue
            if last >= 0:
                score = 0.0
                for k in range(n_labels):
                    score += abs(left[k]) + abs(total[k] - left[k])
                if score > best * (1.0 + TIE):
                    best, best_feature, best_below, best_above = score, feature, last, b
                    for k in range(n_labels):
                        sides[0, k], sides[1, k] = left[k], total[k] - left[k]
            last = b
            for k in range(n_labels):
                left[k] += hist[b, k]
    return best, best_feature, best_below, best_above


@kernel(nogil=True, error_model="numpy")
def add_label_stumps(columns, cuts, votes, margins):
    """Add the votes of all stumps to the margins of the samples.

    columns  (n_stumps, n_samples)     float64, C order: the feature of each stump
    cuts     (n_stumps,)               float64, greatest value on the left
    votes    (n_stumps, 2, n_labels)   float64, votes left and right of the cut
    margins  (n_samples, n_labels)     float64, added to in place
    """
    for t in range(len(cuts)):
        for i in range(len(margins)):
            side = np.int64(columns[t, i] > cuts[t])
            for k in range(margins.shape[1]):
                margins[i, k] += votes[t, side, k]
