"""Surrogate splits: how well another column sends a node's samples to the same sides.

From top to bottom: sides of a split, bins of a column, the best cut, one node, all
nodes of some trees. Indices are unsigned in the loops over samples.
"""

from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.bins import (
    LOW_SIX,
    ONE,
    SIX,
    TWO,
    ZERO,
    list_marked,
    threshold_between,
)
from manyminds.kernels.bundles import (
    FIRST_BIN,
    HAS_MISSING,
    HIGH,
    IS_CATEGORICAL,
    N_BINS,
    ROW,
    SPARE_ROW,
)

FEATURE, FLIPPED, CATEGORY_SET = range(3)  # columns of Found.ints
THRESHOLD, ASSOCIATION, AGREEMENT = range(3)  # columns of Found.reals
WEIGHT, SPARE_WEIGHT = range(2)  # rows of Room.reals

_TINY = 1e-12  # an association below is rounding


class Found(NamedTuple):
    """The best surrogate of each split.

    ints   (n_splits, 3)  int32: column, whether values up to the threshold go right,
           row of sets; -1, 0 and -1 beforehand
    reals  (n_splits, 3)  float64: threshold, association and agreement; NaN, 0 and
           anything beforehand
    sets   (n_splits or 0, n_words)  uint64, categories that go left; 0 rows if no
           candidate is categorical
    """

    ints: np.ndarray
    reals: np.ndarray
    sets: np.ndarray


class Room(NamedTuple):
    """The samples of a tree, and what the search of a node works in.

    rows   (2, n_rows)  uint32, rows of the table; spare room for a partition
    reals  (2, n_rows)  float64, their weights; spare room
    sides  (n_rows,)    uint8, side of the primary split; 0 is left
    sums   (2 * n_codes,)  float64, weight by bin and side; zero between columns
    mask   (2, n_words)    uint64, see ``manyminds.kernels.bins.list_marked``
    order  (n_codes + 1,)  uint32, bins that have samples
    """

    rows: np.ndarray
    reals: np.ndarray
    sides: np.ndarray
    sums: np.ndarray
    mask: np.ndarray
    order: np.ndarray


# ---------------------------------------------------------------- the primary split


@helper(nogil=True, error_model="numpy")
def _count_left_bins(edges, first_bin, n_bins, threshold):
    """Count the bins whose values are all at most the threshold."""
    low, high = np.int64(0), np.int64(n_bins)
    while low < high:
        middle = (low + high) // 2
        if edges[HIGH, first_bin + middle] <= threshold:
            low = middle + 1
        else:
            high = middle
    return low


@helper(nogil=True, error_model="numpy")
def _find_sides(table, splits, node, n_rows, start, end, rows, sides):
    """Find the side to which each sample of a node goes: 0 is left."""
    codes, category_sets = table.codes, splits.category_sets
    feature, number = np.int64(splits.feature[node]), splits.category_set[node]
    n_values, n_left = table.columns[feature, N_BINS], np.int64(0)
    if number < 0:
        n_left = _count_left_bins(
            table.edges, table.columns[feature, FIRST_BIN], n_values,
            splits.threshold[node],
        )  # fmt: skip
    at, n_bins, first_right = (
        np.uint64(feature * n_rows),
        np.uint64(n_values),
        np.uint64(n_left),
    )
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + np.uint64(rows[ROW, i])])
        side = np.uint8(code >= first_right)
        if code == n_bins:
            side = np.uint8(not splits.missing_left[node])
        elif number >= 0:
            word = category_sets[number, code >> SIX] >> (code & LOW_SIX)
            side = np.uint8((word & ONE) != ONE)
        sides[i] = side


@helper(nogil=True, error_model="numpy")
def _partition(start, end, rows, reals, sides):
    """Move the samples that go left to the front, in order; return their number."""
    left, right = np.uint64(start), ZERO
    for i in range(np.uint64(start), np.uint64(end)):
        row, weight, side = rows[ROW, i], reals[WEIGHT, i], np.uint64(sides[i])
        rows[ROW, left], rows[SPARE_ROW, right] = row, row
        reals[WEIGHT, left], reals[SPARE_WEIGHT, right] = weight, weight
        left += ONE - side
        right += side
    for i in range(right):
        rows[ROW, left + i] = rows[SPARE_ROW, i]
        reals[WEIGHT, left + i] = reals[SPARE_WEIGHT, i]
    return np.int64(left) - start


# ---------------------------------------------------------------- bins of a column
#
# ``sums[2 * bin + side]`` is the weight of the samples of a bin that go to a side.
# Nodes with few samples mark their bins in a mask, so that empty bins cost nothing.


@helper(nogil=True, error_model="numpy")
def _fill_bins(codes, at, start, end, rows, reals, sides, sums):
    """Add the weight of each sample to the place of its bin and side."""
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + np.uint64(rows[ROW, i])])
        sums[code * TWO + np.uint64(sides[i])] += reals[WEIGHT, i]


@helper(nogil=True, error_model="numpy")
def _fill_few_bins(codes, at, start, end, rows, reals, sides, sums, mask):
    """Add the weight of each sample to its bin and side; mark the bin."""
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + np.uint64(rows[ROW, i])])
        sums[code * TWO + np.uint64(sides[i])] += reals[WEIGHT, i]
        word = code >> SIX
        mask[0, word] |= ONE << (code & LOW_SIX)
        mask[1, word >> SIX] |= ONE << (word & LOW_SIX)


@helper(nogil=True, error_model="numpy")
def _list_bins(n_codes, sums, order):
    """Write the bins that have samples to ``order``; return their number."""
    n_listed = ZERO
    for code in range(np.uint64(n_codes)):
        order[n_listed] = code
        filled = sums[code * TWO] + sums[code * TWO + ONE] > 0.0
        n_listed += np.uint64(filled)
    return np.int64(n_listed)


# ---------------------------------------------------------------- the best cut


@helper(nogil=True, error_model="numpy")
def _cut_numbers(n_values, order, sums, n_left, n_right):
    """Find the cut with the smallest weight on which the two splits disagree.

    Returns this weight, after how many of the bins of ``order`` the cut is, and whether
    the values up to it go right. The cut is 0 where it is best to send all samples to
    the larger side.
    """
    least, cut, flipped = min(n_left, n_right), 0, False
    left, right = 0.0, 0.0
    for j in range(np.uint64(max(n_values - 1, 0))):
        code = np.uint64(order[j]) * TWO
        left += sums[code]
        right += sums[code + ONE]
        if right + (n_left - left) < least:
            least, cut, flipped = right + (n_left - left), np.int64(j) + 1, False
        if left + (n_right - right) < least:
            least, cut, flipped = left + (n_right - right), np.int64(j) + 1, True
    return least, cut, flipped


@helper(nogil=True, error_model="numpy")
def _cut_categories(n_values, order, sums):
    """Return the weight in disagreement when each category goes to its larger side."""
    least = 0.0
    for j in range(np.uint64(n_values)):
        code = np.uint64(order[j]) * TWO
        least += min(sums[code], sums[code + ONE])
    return least


@helper(nogil=True, error_model="numpy")
def _write_set(n_values, order, sums, majority_left, sets, number):
    """Write the categories that go left. Unseen ones and ties follow the majority."""
    for w in range(sets.shape[1]):
        sets[number, w] = ~ZERO if majority_left else ZERO
    for j in range(np.uint64(n_values)):
        code = np.uint64(order[j])
        left, right = sums[code * TWO], sums[code * TWO + ONE]
        bit = ONE << (code & LOW_SIX)
        if left > right:
            sets[number, code >> SIX] |= bit
        elif right > left:
            sets[number, code >> SIX] &= ~bit


@helper(nogil=True, error_model="numpy")
def _search_column(table, column, n_rows, start, end, room, best, number, found):
    """Find how well a column can replace the split of a node.

    Writes the column to row ``number`` of ``found`` if it is the best so far; ``best``
    is the weight that the best one agrees on. Returns the association and the new
    ``best``.
    """
    rows, reals, sides, sums, mask, order = room
    codes, columns = table.codes, table.columns
    at, n_bins = np.uint64(column * n_rows), columns[column, N_BINS]
    n_codes = n_bins + columns[column, HAS_MISSING]
    if end - start < n_codes:
        _fill_few_bins(codes, at, start, end, rows, reals, sides, sums, mask)
        n_listed = list_marked(n_codes, True, mask, order)
    else:
        _fill_bins(codes, at, start, end, rows, reals, sides, sums)
        n_listed = _list_bins(n_codes, sums, order)
    n_values, left, right = n_listed, 0.0, 0.0
    if n_listed > 0 and order[n_listed - 1] == n_bins:
        n_values -= 1
    for j in range(np.uint64(n_values)):
        code = np.uint64(order[j]) * TWO
        left += sums[code]
        right += sums[code + ONE]

    association, smaller = 0.0, min(left, right)
    cut, flipped, least = 0, False, smaller
    if columns[column, IS_CATEGORICAL] == 1:
        least = _cut_categories(n_values, order, sums)
    elif smaller > 0.0:
        least, cut, flipped = _cut_numbers(n_values, order, sums, left, right)
    if smaller > 0.0 and least < smaller * (1.0 - _TINY):
        association = 1.0 - least / smaller
    agreed, highest = left + right - least, found.reals[number, ASSOCIATION]
    if association > highest or (association == highest > 0.0 and agreed > best):
        best = agreed
        found.ints[number, FEATURE], found.ints[number, FLIPPED] = column, flipped
        found.ints[number, CATEGORY_SET] = -1
        found.reals[number, ASSOCIATION] = association
        found.reals[number, AGREEMENT] = agreed / (left + right)
        found.reals[number, THRESHOLD] = np.nan
        if columns[column, IS_CATEGORICAL] == 1:
            found.ints[number, CATEGORY_SET] = number
            _write_set(n_values, order, sums, left >= right, found.sets, number)
        else:
            first = columns[column, FIRST_BIN]
            found.reals[number, THRESHOLD] = threshold_between(
                table.edges,
                first + np.int64(order[cut - 1]),
                first + np.int64(order[cut]),
            )
    for j in range(np.uint64(n_listed)):
        code = np.uint64(order[j]) * TWO
        sums[code] = sums[code + ONE] = 0.0
    return association, best


# ---------------------------------------------------------------- nodes and trees


@helper(nogil=True, error_model="numpy")
def _choose_rows(weights, which, rows, reals):
    """Lay out the samples of a tree with their weights; return their number."""
    n_chosen = 0
    for i in range(weights.shape[1]):
        if weights[which, i] > 0.0:
            rows[ROW, n_chosen], reals[WEIGHT, n_chosen] = i, weights[which, i]
            n_chosen += 1
    return n_chosen


@helper(nogil=True, error_model="numpy")
def _larger_share(start, end, reals, sides):
    """Return the share of the weight that goes to the larger side."""
    left, right = 0.0, 0.0
    for i in range(np.uint64(start), np.uint64(end)):
        if sides[i] == 0:
            left += reals[WEIGHT, i]
        else:
            right += reals[WEIGHT, i]
    return max(left, right) / (left + right)


@kernel(nogil=True, error_model="numpy")
def find_surrogates(
    table, splits, starts, weights, candidates, is_wanted, numbers, decrease, found,
    associations, masking,
):  # fmt: skip
    """Find the best surrogate of every split of trees, over the samples that reach it.

    table         Table
    splits        Splits
    starts        (n_trees + 1,)  int64, first nodes of some of the trees; nodes of
                  other trees may come before and after
    weights       (n_trees or 1, n_rows)  float64; rows of weight 0 are left out
    candidates    (n_candidates,)  int64, columns that may be surrogates
    is_wanted     (n_features,)  bool, columns to find surrogates for
    numbers       (n_nodes,)  int64, row of a node in the arrays that follow
    decrease      (n_nodes,)  float64, by how much the split decreases the impurity
    found         Found, written
    associations  (n_splits or 0, n_candidates)  float64, written if it has rows
    masking       (n_features or 0, n_candidates)  float64; if it has rows, the
                  association times the decrease is added to the row of the split's
                  column

    Costs O(rows x candidates) for each level of a tree, and no more than the same
    again for empty bins.
    """
    n_rows, n_largest, n_codes = weights.shape[1], 1, 1
    for tree in range(len(starts) - 1):
        n_largest = max(n_largest, starts[tree + 1] - starts[tree])
    for j in range(len(table.columns)):
        n_codes = max(n_codes, table.columns[j, N_BINS] + 1)
    rows, reals = np.empty((2, n_rows), np.uint32), np.empty((2, n_rows))
    sides, sums = np.empty(n_rows, np.uint8), np.zeros(2 * n_codes)
    mask = np.zeros((2, n_codes // 64 + 1), np.uint64)
    room = Room(rows, reals, sides, sums, mask, np.empty(n_codes + 1, np.uint32))
    stack = np.empty((n_largest + 1, 3), np.int64)
    for tree in range(len(starts) - 1):
        base, which = starts[tree], tree if len(weights) > 1 else 0
        n_open = _push(stack, 0, base, 0, _choose_rows(weights, which, rows, reals))
        while n_open > 0:
            n_open -= 1
            node, start, end = stack[n_open, 0], stack[n_open, 1], stack[n_open, 2]
            if splits.left[node] < 0 or start == end:
                continue
            primary, number = np.int64(splits.feature[node]), numbers[node]
            _find_sides(table, splits, node, n_rows, start, end, rows, sides)
            if is_wanted[primary]:
                best = 0.0
                found.reals[number, AGREEMENT] = _larger_share(start, end, reals, sides)
                for c in range(len(candidates)):
                    if candidates[c] == primary:
                        continue
                    association, best = _search_column(
                        table, candidates[c], n_rows, start, end, room, best, number,
                        found,
                    )  # fmt: skip
                    if len(associations) > 0:
                        associations[number, c] = association
                    if len(masking) > 0:
                        masking[primary, c] += decrease[node] * association
            middle = start + _partition(start, end, rows, reals, sides)
            child = base + splits.left[node]
            n_open = _push(stack, n_open, child, start, middle)
            n_open = _push(stack, n_open, child + 1, middle, end)


@helper(nogil=True, error_model="numpy")
def _push(stack, n_open, node, start, end):
    """Put a node on the stack; return the new number of open nodes."""
    stack[n_open, 0], stack[n_open, 1], stack[n_open, 2] = node, start, end
    return n_open + 1
