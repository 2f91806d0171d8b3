"""Surrogate splits: how well another column could send a node's rows the same ways.

One file from top to bottom: sides of a split, bins of a column, the best cut, one node,
one tree, many trees. Indices are unsigned in the loops over rows.
"""

import numpy as np

from manyminds.kernels._jit import helper, kernel

N_BINS, FIRST_BIN, HAS_MISSING, IS_CATEGORICAL = range(4)  # columns of a table
LOW, HIGH = range(2)  # rows of edges
FEATURE, FLIPPED, CATEGORY_SET = range(3)  # columns of found_ints
THRESHOLD, ASSOCIATION, AGREEMENT = range(3)  # columns of found_reals
ROW, SPARE_ROW = range(2)  # rows of rows
WEIGHT, SPARE_WEIGHT = range(2)  # rows of reals

_TINY = 1e-12  # an association below is rounding

# Position of a single bit in a word, by the remainder of the word: the powers of two
# leave 66 different ones when divided by 67. Numba has no name for the machine's way.
_NUMBER = np.uint64(67)
_BIT_AT = np.zeros(67, dtype=np.uint8)
for _i in range(64):
    _BIT_AT[2**_i % 67] = _i
_ZERO, _ONE, _TWO, _SIX = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(6)
_LOW_SIX = np.uint64(63)


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
def _find_sides(
    codes, at, n_bins, n_left, missing_left, category_set, category_sets,
    start, end, rows, sides,
):  # fmt: skip
    """Note to which side each row of a node goes: 0 is left."""
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + np.uint64(rows[ROW, i])])
        side = np.uint8(code >= n_left)
        if code == n_bins:
            side = np.uint8(not missing_left)
        elif category_set >= 0:
            word = category_sets[category_set, code >> _SIX] >> (code & _LOW_SIX)
            side = np.uint8((word & _ONE) != _ONE)
        sides[i] = side


@helper(nogil=True, error_model="numpy")
def _part_rows(start, end, rows, reals, sides):
    """Bring the rows that go left to the front, in order; return how many they are."""
    left, right = np.uint64(start), _ZERO
    for i in range(np.uint64(start), np.uint64(end)):
        row, weight, side = rows[ROW, i], reals[WEIGHT, i], np.uint64(sides[i])
        rows[ROW, left], rows[SPARE_ROW, right] = row, row
        reals[WEIGHT, left], reals[SPARE_WEIGHT, right] = weight, weight
        left += _ONE - side
        right += side
    for i in range(right):
        rows[ROW, left + i] = rows[SPARE_ROW, i]
        reals[WEIGHT, left + i] = reals[SPARE_WEIGHT, i]
    return np.int64(left) - start


# ---------------------------------------------------------------- bins of a column
#
# ``sums[2 * bin + side]`` is the weight of the rows of a bin that go to a side. In
# nodes with few rows a mask tells which bins have rows: a bit for each bin, and a bit
# for each word of such bits, so that nothing is done for empty bins.


@helper(nogil=True, error_model="numpy")
def _fill_bins(codes, at, start, end, rows, reals, sides, sums):
    """Add the weight of each row to the place of its bin and side."""
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + np.uint64(rows[ROW, i])])
        sums[code * _TWO + np.uint64(sides[i])] += reals[WEIGHT, i]


@helper(nogil=True, error_model="numpy")
def _fill_few_bins(codes, at, start, end, rows, reals, sides, sums, mask):
    """Add the weight of each row to the place of its bin and side; mark the bin."""
    for i in range(np.uint64(start), np.uint64(end)):
        code = np.uint64(codes[at + np.uint64(rows[ROW, i])])
        sums[code * _TWO + np.uint64(sides[i])] += reals[WEIGHT, i]
        word = code >> _SIX
        mask[0, word] |= _ONE << (code & _LOW_SIX)
        mask[1, word >> _SIX] |= _ONE << (word & _LOW_SIX)


@helper(nogil=True, error_model="numpy")
def _list_bins(n_codes, sums, order):
    """Write the bins that have rows to ``order``; return how many they are."""
    n_listed = _ZERO
    for code in range(np.uint64(n_codes)):
        order[n_listed] = code
        filled = sums[code * _TWO] + sums[code * _TWO + _ONE] > 0.0
        n_listed += np.uint64(filled)
    return np.int64(n_listed)


@helper(nogil=True, error_model="numpy")
def _list_marked_bins(n_codes, mask, order):
    """Write the marked bins to ``order``, clean the mask; return how many they are."""
    n_listed = _ZERO
    for j in range(np.uint64((n_codes + 4095) // 4096)):
        index = mask[1, j]
        mask[1, j] = _ZERO
        while index != _ZERO:
            low = index & (~index + _ONE)
            index ^= low
            place = np.uint64(_BIT_AT[low % _NUMBER])
            w = (j << _SIX) + place
            word = mask[0, w]
            mask[0, w] = _ZERO
            while word != _ZERO:
                low = word & (~word + _ONE)
                word ^= low
                place = np.uint64(_BIT_AT[low % _NUMBER])
                order[n_listed] = (w << _SIX) + place
                n_listed += _ONE
    return np.int64(n_listed)


# ---------------------------------------------------------------- the best cut


@helper(nogil=True, error_model="numpy")
def _cut_numbers(n_values, order, sums, n_left, n_right):
    """Find the cut with the least weight on which the two splits disagree.

    Returns this weight, after how many of the bins of ``order`` the cut is, and whether
    the values up to it go right. The cut is 0 where it is best to send all rows to the
    larger side.
    """
    least, cut, flipped = min(n_left, n_right), 0, False
    left, right = 0.0, 0.0
    for j in range(np.uint64(max(n_values - 1, 0))):
        code = np.uint64(order[j]) * _TWO
        left += sums[code]
        right += sums[code + _ONE]
        if right + (n_left - left) < least:
            least, cut, flipped = right + (n_left - left), np.int64(j) + 1, False
        if left + (n_right - right) < least:
            least, cut, flipped = left + (n_right - right), np.int64(j) + 1, True
    return least, cut, flipped


@helper(nogil=True, error_model="numpy")
def _cut_categories(n_values, order, sums):
    """Find the weight in disagreement when each category takes its own larger side."""
    least = 0.0
    for j in range(np.uint64(n_values)):
        code = np.uint64(order[j]) * _TWO
        least += min(sums[code], sums[code + _ONE])
    return least


@helper(nogil=True, error_model="numpy")
def _write_set(n_values, order, sums, majority_left, found_sets, number):
    """Write the categories that go left. Those unseen, or torn, follow the majority."""
    for w in range(found_sets.shape[1]):
        found_sets[number, w] = ~_ZERO if majority_left else _ZERO
    for j in range(np.uint64(n_values)):
        code = np.uint64(order[j])
        left, right = sums[code * _TWO], sums[code * _TWO + _ONE]
        bit = _ONE << (code & _LOW_SIX)
        if left > right:
            found_sets[number, code >> _SIX] |= bit
        elif right > left:
            found_sets[number, code >> _SIX] &= ~bit


@helper(nogil=True, error_model="numpy")
def _search_column(
    column, n_rows, start, end, codes, columns, edges, rows, reals, sides, sums, mask,
    order, best, number, found_ints, found_reals, found_sets,
):  # fmt: skip
    """Find how well a column can stand in for the split of a node.

    Notes the column in ``found_*[number]`` if it is the best so far; ``best`` is the
    weight that the best one agrees on. Returns the association and the new ``best``.
    """
    at, n_bins = np.uint64(column * n_rows), columns[column, N_BINS]
    n_codes = n_bins + columns[column, HAS_MISSING]
    if end - start < n_codes:
        _fill_few_bins(codes, at, start, end, rows, reals, sides, sums, mask)
        n_listed = _list_marked_bins(n_codes, mask, order)
    else:
        _fill_bins(codes, at, start, end, rows, reals, sides, sums)
        n_listed = _list_bins(n_codes, sums, order)
    n_values, left, right = n_listed, 0.0, 0.0
    if n_listed > 0 and order[n_listed - 1] == n_bins:
        n_values -= 1
    for j in range(np.uint64(n_values)):
        code = np.uint64(order[j]) * _TWO
        left += sums[code]
        right += sums[code + _ONE]

    association, smaller = 0.0, min(left, right)
    cut, flipped, least = 0, False, smaller
    if columns[column, IS_CATEGORICAL] == 1:
        least = _cut_categories(n_values, order, sums)
    elif smaller > 0.0:
        least, cut, flipped = _cut_numbers(n_values, order, sums, left, right)
    if smaller > 0.0 and least < smaller * (1.0 - _TINY):
        association = 1.0 - least / smaller
    agreed, highest = left + right - least, found_reals[number, ASSOCIATION]
    if association > highest or (association == highest > 0.0 and agreed > best):
        best = agreed
        found_ints[number, FEATURE], found_ints[number, FLIPPED] = column, flipped
        found_ints[number, CATEGORY_SET] = -1
        found_reals[number, ASSOCIATION] = association
        found_reals[number, AGREEMENT] = agreed / (left + right)
        found_reals[number, THRESHOLD] = np.nan
        if columns[column, IS_CATEGORICAL] == 1:
            found_ints[number, CATEGORY_SET] = number
            _write_set(n_values, order, sums, left >= right, found_sets, number)
        else:
            first = columns[column, FIRST_BIN]
            a = edges[HIGH, first + np.int64(order[cut - 1])]
            b = edges[LOW, first + np.int64(order[cut])]
            middle = a + (b - a) / 2.0
            found_reals[number, THRESHOLD] = middle if middle < b else a
    for j in range(np.uint64(n_listed)):
        code = np.uint64(order[j]) * _TWO
        sums[code] = sums[code + _ONE] = 0.0
    return association, best


# ---------------------------------------------------------------- nodes and trees


@helper(nogil=True, error_model="numpy")
def _choose_rows(weights, which, rows, reals):
    """Lay out the rows of a tree with their weights; return how many they are."""
    n_chosen = 0
    for i in range(weights.shape[1]):
        if weights[which, i] > 0.0:
            rows[ROW, n_chosen], reals[WEIGHT, n_chosen] = i, weights[which, i]
            n_chosen += 1
    return n_chosen


@helper(nogil=True, error_model="numpy")
def _larger_share(start, end, reals, sides):
    """Share of the weight that goes to the side where most of it goes."""
    left, right = 0.0, 0.0
    for i in range(np.uint64(start), np.uint64(end)):
        if sides[i] == 0:
            left += reals[WEIGHT, i]
        else:
            right += reals[WEIGHT, i]
    return max(left, right) / (left + right)


@kernel(nogil=True, error_model="numpy")
def find_surrogates(
    codes, columns, edges,
    feature, threshold, left, missing_left, category_set, category_sets, starts,
    weights, candidates, is_wanted, numbers, decrease,
    found_ints, found_reals, found_sets, associations, masking,
):  # fmt: skip
    """Find the best stand-in for every split of trees, over the rows that reach it.

    codes, columns, edges      as in ``manyminds.trees.arrays.Table``
    feature ... category_sets  as in ``manyminds.trees.structure.Trees``
    starts        (n_trees + 1,)  int64, where the nodes of the trees in question begin;
                  nodes of other trees may come before and after
    weights       (n_trees or 1, n_rows)  float64; rows of weight 0 are left out
    candidates    (n_candidates,)  int64, columns that may stand in
    is_wanted     (n_features,)  bool, columns to find stand-ins for
    numbers       (n_nodes,)  int64, row of a node in the arrays that follow
    decrease      (n_nodes,)  float64, by how much the split decreases the impurity
    found_ints    (n_splits, 3)  int32: column, whether values up to the threshold go
                  right, row of found_sets; -1, 0 and -1 beforehand
    found_reals   (n_splits, 3)  float64: threshold, association and agreement; NaN, 0
                  and anything beforehand
    found_sets    (n_splits or 0, n_words)  uint64, categories that go left; 0 rows if
                  no candidate is categorical
    associations  (n_splits or 0, n_candidates)  float64, to be filled if it has rows
    masking       (n_features or 0, n_candidates)  float64; if it has rows, the
                  association times the decrease is added to the row of the split's
                  column

    Costs O(rows x candidates) for each level of a tree, and no more than the same
    again for empty bins.
    """
    n_rows, n_most, n_codes = weights.shape[1], 1, 1
    for tree in range(len(starts) - 1):
        n_most = max(n_most, starts[tree + 1] - starts[tree])
    for j in range(len(columns)):
        n_codes = max(n_codes, columns[j, N_BINS] + 1)
    rows, reals = np.empty((2, n_rows), np.uint32), np.empty((2, n_rows))
    sides, sums = np.empty(n_rows, np.uint8), np.zeros(2 * n_codes)
    mask = np.zeros((2, n_codes // 64 + 1), np.uint64)
    order = np.empty(n_codes + 1, np.uint32)
    stack = np.empty((n_most + 1, 3), np.int64)
    for tree in range(len(starts) - 1):
        base, which = starts[tree], tree if len(weights) > 1 else 0
        stack[0, 0], stack[0, 1] = base, 0
        stack[0, 2] = _choose_rows(weights, which, rows, reals)
        n_open = 1
        while n_open > 0:
            n_open -= 1
            node, start, end = stack[n_open, 0], stack[n_open, 1], stack[n_open, 2]
            if left[node] < 0 or start == end:
                continue
            primary, number = np.int64(feature[node]), numbers[node]
            n_bins, n_left = columns[primary, N_BINS], np.int64(0)
            if category_set[node] < 0:
                n_left = _count_left_bins(
                    edges, columns[primary, FIRST_BIN], n_bins, threshold[node]
                )
            _find_sides(
                codes, np.uint64(primary * n_rows), np.uint64(n_bins),
                np.uint64(n_left), missing_left[node], category_set[node],
                category_sets, start, end, rows, sides,
            )  # fmt: skip
            if is_wanted[primary]:
                best = 0.0
                found_reals[number, AGREEMENT] = _larger_share(start, end, reals, sides)
                for c in range(len(candidates)):
                    if candidates[c] == primary:
                        continue
                    association, best = _search_column(
                        candidates[c], n_rows, start, end, codes, columns, edges, rows,
                        reals, sides, sums, mask, order, best, number, found_ints,
                        found_reals, found_sets,
                    )  # fmt: skip
                    if len(associations) > 0:
                        associations[number, c] = association
                    if len(masking) > 0:
                        masking[primary, c] += decrease[node] * association
            middle = start + _part_rows(start, end, rows, reals, sides)
            child = base + left[node]
            stack[n_open, 0], stack[n_open, 1], stack[n_open, 2] = child, start, middle
            n_open += 1
            stack[n_open, 0], stack[n_open, 1], stack[n_open, 2] = (
                child + 1,
                middle,
                end,
            )
            n_open += 1
