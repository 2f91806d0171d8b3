"""Searching new leaves for their best split, by all threads of a team."""

from math import inf

import numpy as np

from manyminds.kernels._jit import helper
from manyminds.kernels.boosting.bundles import (
    A_SET,
    A_SET_NO_MISSING,
    CODE,
    DEPTH,
    END,
    FEATURE,
    GAIN,
    KIND,
    LEFT_TOTAL,
    LOWER,
    NO_MISSING,
    NODE,
    START,
    TOTAL,
    UPPER,
)
from manyminds.kernels.boosting.histograms import fill_block, subtract_block
from manyminds.kernels.boosting.splits import (
    center_cut,
    clip_value,
    decode,
    draw_cut,
    draw_number,
    mix,
    scan_categories,
    scan_ordered,
    scan_plain,
    score_value,
    write_set,
)
from manyminds.kernels.boosting.team import wait

_NONE = np.int64(-1)
_NOTHING = np.int64(0)


# ---------------------------------------------------------------- features


@helper(nogil=True, error_model="numpy")
def draw_mask(seed, n_drawn, n, features, thread, place):
    """Mark ``n_drawn`` of the tree's first ``n`` features (Floyd's algorithm)."""
    for j in range(features.shape[2]):
        features[thread, 1 + place, j] = 0
    for last in range(n - n_drawn, n):
        j = features[thread, 0, draw_number(seed, last, last + 1)]
        if features[thread, 1 + place, j] == 1:
            j = features[thread, 0, last]
        features[thread, 1 + place, j] = 1


@helper(nogil=True, error_model="numpy")
def draw_tree_features(seed, growth, features, thread):
    """List the features that a tree may split on."""
    n_features, n_listed = features.shape[2], 0
    for j in range(n_features):
        features[thread, 0, j] = j
    draw_mask(seed, growth.tree_features, n_features, features, thread, 0)
    for j in range(n_features):
        features[thread, 2, j] = features[thread, 1, j]
        if features[thread, 1, j] == 1:
            features[thread, 0, n_listed] = j
            n_listed += 1


# ---------------------------------------------------------------- searching a leaf


@helper(nogil=True, error_model="numpy")
def set_limits(packing, growth, leaves, thread, leaf, factor):
    """Return the limits of splits of a leaf in packed units.

    Where words have no count, hessians stand for it: the leaf's mean hessian per row.
    """
    _g, h, _count = decode(packing, leaves.ints[thread, leaf, TOTAL])
    min_count = np.int64(growth.min_samples_leaf)
    if packing.hessians_count:
        n = leaves.ints[thread, leaf, END] - leaves.ints[thread, leaf, START]
        min_count = np.int64(factor * growth.min_samples_leaf * h / n)
    unit = packing.gradient_unit / packing.hessian_unit
    return (
        min_count,
        max(growth.min_hessian / packing.hessian_unit, 0.5),
        growth.l2 / packing.hessian_unit,
        leaves.reals[thread, leaf, LOWER] / unit,
        leaves.reals[thread, leaf, UPPER] / unit,
        growth.bounded,
    )


@helper(nogil=True, error_model="numpy")
def _search_block(
    table, block, packing, growth, histograms, team, leaves, leaf, limits, seed, found
):
    """Find the best split of a leaf among the columns of a block."""
    _candidates, thread, place, slot = found
    base = slot * np.int64(table.offsets[-1])
    total = leaves.ints[thread, leaf, TOTAL]
    for column in range(table.block_starts[block], table.block_starts[block + 1]):
        if leaves.features[thread, 1 + place % 2, column] == 0:
            continue
        if not may_interact(table, leaves, thread, leaf, column):
            continue
        first = base + np.int64(table.offsets[column])
        n_bins = np.int64(table.offsets[column + 1] - table.offsets[column]) - 1
        work = histograms, team, first, n_bins, np.int64(column)
        if table.categorical[column]:
            _try_categories(work, total, packing, growth, limits, seed, leaves, found)
        else:
            sign = np.int64(table.monotonic[column])
            _try_cuts(work, total, packing, growth, limits, sign, seed, leaves, found)


@helper(nogil=True, error_model="numpy")
def may_interact(table, leaves, thread, leaf, column):
    """Return whether a column shares a group with all columns above a leaf."""
    n_words = table.groups.shape[1]
    for w in range(n_words):
        if (table.groups[column, w] & leaves.groups[thread, leaf, w]) != np.uint64(0):
            return True
    return n_words == 0


@helper(nogil=True, error_model="numpy")
def _try_categories(work, total, packing, growth, limits, seed, leaves, found):
    """Compare the best split of a categorical column with the best so far."""
    histograms, team, first, n_bins, column = work
    candidates, thread, place, _slot = found
    min_count, min_hessian, l2, lower, upper, bounded = limits
    l2 += growth.categorical_l2 / packing.hessian_unit
    memory = leaves.keys, leaves.order, thread
    gain, n_left, left = scan_categories(
        histograms, team, first, n_bins + 1, total, packing,
        (min_count, min_hessian, l2, lower, upper, bounded),
        growth.smoothing / packing.hessian_unit, memory,
        (growth.random_cuts, seed, column),
    )  # fmt: skip
    if gain > candidates.reals[thread, place, 0]:
        missing = histograms[team, first + n_bins]
        kind = A_SET if missing != 0 else A_SET_NO_MISSING
        note_split(candidates, thread, place, gain, column, n_left, kind, left)
        _g, h, _n = decode(packing, left)
        _all_g, all_h, _all_n = decode(packing, total)
        write_set(
            histograms, team, first, n_bins, 2 * h >= all_h, n_left, memory,
            candidates.sets, place,
        )  # fmt: skip


@helper(nogil=True, error_model="numpy")
def _try_cuts(work, total, packing, growth, limits, sign, seed, leaves, found):
    """Compare the best cut of a column of numbers with the best so far."""
    histograms, team, first, n_bins, column = work
    candidates, thread, place, _slot = found
    missing = histograms[team, first + n_bins]
    only = _NONE
    if growth.random_cuts:
        only = draw_cut(seed, column, histograms, team, first, n_bins)
        if only < 0 and missing == 0:
            return
    for missing_left in range(2 if missing != 0 else 1):
        begin = missing if missing_left == 1 else _NOTHING
        # With all values on the left, missing ones alone may go right.
        end = n_bins if missing != 0 and missing_left == 0 else n_bins - 1
        if growth.bounded or growth.random_cuts:
            gain, cut, left = scan_ordered(
                histograms, team, first, end, begin, total, packing, limits, sign, only
            )
        else:
            gain, cut, left = scan_plain(
                histograms, team, first, end, begin, total, packing, limits,
                leaves.sums, leaves.keys, thread,
            )  # fmt: skip
        if gain > candidates.reals[thread, place, 0]:
            if only < 0:
                cut = center_cut(histograms, team, first, n_bins, cut)
            kind = missing_left if missing != 0 else NO_MISSING
            note_split(candidates, thread, place, gain, column, cut, kind, left)


@helper(nogil=True, error_model="numpy")
def note_split(candidates, thread, place, gain, column, code, kind, left):
    """Write a split down as the best so far."""
    candidates.reals[thread, place, 0] = gain
    candidates.ints[thread, place, 0] = column
    candidates.ints[thread, place, 1] = code
    candidates.ints[thread, place, 2] = kind
    candidates.ints[thread, place, 3] = left


@helper(nogil=True, error_model="numpy")
def _score_leaf(packing, growth, leaves, thread, leaf):
    """Return twice the gain of an undivided leaf, in packed units."""
    g, h, _n = decode(packing, leaves.ints[thread, leaf, TOTAL])
    gradient, hessian = np.float64(g), np.float64(h) + growth.l2 / packing.hessian_unit
    if hessian <= 0.0:
        return inf
    if not growth.bounded:
        return gradient * gradient / hessian
    unit = packing.gradient_unit / packing.hessian_unit
    lower = leaves.reals[thread, leaf, LOWER] / unit
    upper = leaves.reals[thread, leaf, UPPER] / unit
    value = clip_value(gradient, hessian, lower, upper)
    return score_value(gradient, hessian, value)


@helper(nogil=True, error_model="numpy")
def _begin_search(packing, growth, leaves, leaf, candidates, thread, place, seed):
    """Draw the features of a node; only gains above that of the whole leaf count."""
    if growth.max_features < growth.tree_features:
        draw_mask(
            mix(seed, leaves.ints[thread, leaf, NODE]), growth.max_features,
            growth.tree_features, leaves.features, thread, place % 2,
        )  # fmt: skip
    score = _score_leaf(packing, growth, leaves, thread, leaf)
    candidates.reals[thread, place, 0] = score
    candidates.ints[thread, place, 0] = _NONE


@helper(nogil=True, error_model="numpy")
def agree_on_split(packing, growth, leaves, leaf, candidates, seat, place, whole):
    """Compare what all threads of the team found; keep the best as the leaf's split.

    whole  twice the gain without a split, in packed units
    """
    thread, rank, n_threads = seat
    first, best, winner = thread - rank, -inf, _NONE
    for other in range(first, first + n_threads):
        column = candidates.ints[other, place, 0]
        gain = candidates.reals[other, place, 0]
        if column >= 0 and (
            gain > best or (gain == best and column < candidates.ints[winner, place, 0])
        ):
            best, winner = gain, other
    leaves.reals[thread, leaf, GAIN] = -inf
    if winner < 0:
        return
    unit = packing.gradient_unit * packing.gradient_unit / packing.hessian_unit
    gain = 0.5 * unit * (best - whole)
    if gain <= growth.min_gain:
        return
    leaves.reals[thread, leaf, GAIN] = gain
    leaves.ints[thread, leaf, FEATURE] = candidates.ints[winner, place, 0]
    leaves.ints[thread, leaf, CODE] = candidates.ints[winner, place, 1]
    leaves.ints[thread, leaf, KIND] = candidates.ints[winner, place, 2]
    leaves.ints[thread, leaf, LEFT_TOTAL] = candidates.ints[winner, place, 3]
    for w in range(4):
        leaves.sets[thread, leaf, w] = candidates.sets[winner, place, w]


@helper(nogil=True, error_model="numpy")
def may_split(growth, leaves, thread, leaf):
    """Return whether a leaf has rows and depth enough to be split."""
    n = leaves.ints[thread, leaf, END] - leaves.ints[thread, leaf, START]
    deep = leaves.ints[thread, leaf, DEPTH] >= growth.max_depth
    return n >= 2 * growth.min_samples_leaf and not deep


@helper(nogil=True, error_model="numpy")
def search_leaves(
    table, packing, growth, memory, team, leaves, seat, candidates, work, seed
):
    """Make the histograms of new leaves, and find their best splits.

    work  (turn, small, large, small's slot, large's slot, large is a difference,
          histograms stand, factor of the least count); a leaf may be -1
    """
    thread, rank, n_threads = seat
    turn, small, large, slot, other_slot, difference, standing, factor = work
    ints, size = leaves.ints, np.int64(table.offsets[-1])
    place = 2 * turn
    for p in range(2):
        leaf = small if p == 0 else large
        if leaf >= 0:
            _begin_search(
                packing, growth, leaves, leaf, candidates, thread, place + p, seed
            )
    for block in range(rank, len(table.block_starts) - 1, n_threads):
        if not standing:
            fill_block(
                table, block, memory.rows, team, ints[thread, small, START],
                ints[thread, small, END], memory.packed, memory.histograms, slot * size,
            )  # fmt: skip
            if large >= 0 and difference:
                subtract_block(
                    table, block, memory.histograms, team, other_slot * size,
                    slot * size,
                )  # fmt: skip
            elif large >= 0:
                fill_block(
                    table, block, memory.rows, team, ints[thread, large, START],
                    ints[thread, large, END], memory.packed, memory.histograms,
                    other_slot * size,
                )  # fmt: skip
        for p in range(2):
            leaf = small if p == 0 else large
            if leaf < 0 or not may_split(growth, leaves, thread, leaf):
                continue
            limits = set_limits(packing, growth, leaves, thread, leaf, factor)
            _search_block(
                table, block, packing, growth, memory.histograms, team, leaves, leaf,
                limits, mix(seed, ints[thread, leaf, NODE]),
                (candidates, thread, place + p, slot if p == 0 else other_slot),
            )  # fmt: skip
    wait(memory.words, team, n_threads)
    for p in range(2):
        leaf = small if p == 0 else large
        if leaf >= 0:
            whole = _score_leaf(packing, growth, leaves, thread, leaf)
            agree_on_split(
                packing, growth, leaves, leaf, candidates, seat, place + p, whole
            )
