"""Boosting rounds: gradients, trees, updates, losses; all threads of a fit run this."""

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.boosting.bundles import (
    BEST_ROUND,
    END,
    HELD_OUT,
    HUBER,
    LOWER,
    N_CHUNKS,
    N_DONE,
    N_DRAWN,
    NODE,
    NODE_CODE,
    NODE_FEATURE,
    NODE_LEFT,
    NODE_MISSING_LEFT,
    NODE_N,
    NODE_SET,
    NODE_VALUE,
    SOFTMAX,
    START,
    STOP,
    TRAINING,
    UPPER,
)
from manyminds.kernels.boosting.growing import grow_tree
from manyminds.kernels.boosting.losses import (
    choose_packing,
    fill_gradients,
    fill_probabilities,
    find_leaf_value,
    has_constant_hessian,
    needs_residuals,
    pack_rows,
    select_quantile,
    sum_losses,
)
from manyminds.kernels.boosting.sampling import draw_rows
from manyminds.kernels.boosting.searching import draw_tree_features
from manyminds.kernels.boosting.splits import mix
from manyminds.kernels.boosting.symmetric import grow_symmetric, widen_range
from manyminds.kernels.boosting.team import wait

_DELTA, _FIRST_DELTA = 4 * N_CHUNKS, 4 * N_CHUNKS + 1  # places in State.partial
_TRACKED_ROWS = 10_000  # training rows whose loss is tracked
_SIX, _LOW_SIX, _ONE = np.uint64(6), np.uint64(63), np.uint64(1)


@kernel(nogil=True, error_model="numpy")
def boost(
    table, growth, target, sampling, memory, leaves, candidates, nodes, state, schedule,
    levels, place,
):  # fmt: skip
    """Run the rounds of a schedule; every thread of the fit calls this.

    The bundles are those of ``manyminds.kernels.boosting.bundles``. ``nodes`` receives
    the trees of this call, one for each output and round. ``levels`` is None, or for
    symmetric trees a ``Levels``; ``place`` is (number of the thread, of all threads).
    """
    thread, n_threads = place
    n_outputs = state.raw.shape[0]
    side_by_side = n_outputs // n_threads * n_threads if n_threads > 1 else 0
    words = memory.words
    for number in range(schedule.first, schedule.last):
        seed = mix(schedule.seed, np.int64(schedule.offset + number))
        delta = _prepare_round(sampling, target, memory, state, seed, thread, n_threads)
        for output in range(n_outputs):
            # Classes side by side, a thread each; what is left over, all together.
            if output < side_by_side and output % n_threads != thread:
                continue
            alone = output < side_by_side
            team = thread if alone else 0
            seat = (thread, 0, 1) if alone else (thread, thread, n_threads)
            if output == side_by_side and output > 0:
                wait(words, 0, n_threads)
            tree = (number - schedule.first) * n_outputs + output
            _fit_tree(
                table, growth, target, memory, leaves, candidates, nodes, state, levels,
                (seat, team, output, tree, mix(seed, np.int64(output + 1))),
                schedule.learning_rate, delta,
            )  # fmt: skip
        wait(words, 0, n_threads)
        if schedule.track:
            _track_losses(target, state, thread, n_threads)
            wait(words, 0, n_threads)
        if thread == 0:
            _end_round(target, state, schedule, number)
        wait(words, 0, n_threads)
        if state.control[STOP] != 0:
            break


@helper(nogil=True, error_model="numpy")
def _prepare_round(sampling, target, memory, state, seed, thread, n_threads):
    """Compute probabilities and Huber's bound, and draw rows; return the bound."""
    n_rows = len(target.rows)
    if target.loss == SOFTMAX:
        start, end = n_rows * thread // n_threads, n_rows * (thread + 1) // n_threads
        fill_probabilities(state.raw, state.probabilities, target.rows, start, end)
        wait(memory.words, 0, n_threads)
    if thread == 0:
        delta = find_delta(target, memory, state)
        state.control[N_DRAWN] = draw_rows(sampling, target, state, seed, delta)
    wait(memory.words, 0, n_threads)
    return state.partial[_DELTA]


@helper(nogil=True, error_model="numpy")
def find_delta(target, memory, state):
    """Return and note the absolute residual beyond which Huber's loss is linear."""
    if target.loss == HUBER:
        weighted, n_rows = len(target.weights) > 0, len(target.rows)
        for i in range(n_rows):
            row = target.rows[i]
            memory.residuals[0, 0, i] = abs(target.y[row] - state.raw[0, row])
            memory.residuals[0, 1, i] = target.weights[row] if weighted else 1.0
        state.partial[_DELTA] = select_quantile(
            memory.residuals, 0, 0, n_rows, target.level
        )
        if state.partial[_FIRST_DELTA] == 0.0:  # losses of all rounds compare
            state.partial[_FIRST_DELTA] = state.partial[_DELTA]
    return state.partial[_DELTA]


@helper(nogil=True, error_model="numpy")
def _fit_tree(
    table, growth, target, memory, leaves, candidates, nodes, state, levels, job, rate,
    delta,
):  # fmt: skip
    """Grow one tree on the gradients of one output, and add it to the predictions."""
    seat, team, output, tree, seed = job
    thread, rank, n_threads = seat
    n_drawn = state.control[N_DRAWN]
    # Sums by chunk, whichever thread computes them: the same for any number of threads.
    first, last = N_CHUNKS * rank // n_threads, N_CHUNKS * (rank + 1) // n_threads
    start, end = n_drawn * first // N_CHUNKS, n_drawn * last // N_CHUNKS
    for chunk in range(first, last):
        memory.sums[team, 0, chunk], memory.sums[team, 1, chunk] = fill_gradients(
            target, state, output, delta, team, memory.gradients,
            n_drawn * chunk // N_CHUNKS, n_drawn * (chunk + 1) // N_CHUNKS,
        )  # fmt: skip
    for i in range(np.uint64(start), np.uint64(end)):
        memory.rows[team, 0, i] = state.drawn[i]
    wait(memory.words, team, n_threads)
    sum_gradient, sum_hessian = 0.0, 0.0
    for chunk in range(N_CHUNKS):
        sum_gradient += memory.sums[team, 0, chunk]
        sum_hessian += memory.sums[team, 1, chunk]
    constant = (
        has_constant_hessian(target.loss)
        and len(target.weights) == 0
        and len(state.factors) == 0
    )
    packing = choose_packing(n_drawn, constant, sum_gradient, sum_hessian)
    candidates.ints[thread, 0, 4] = pack_rows(
        packing, constant, state.drawn, start, end, team, memory.gradients,
        memory.packed,
    )  # fmt: skip
    wait(memory.words, team, n_threads)
    total = np.int64(0)
    for other in range(thread - rank, thread - rank + n_threads):
        total += candidates.ints[other, 0, 4]
    draw_tree_features(seed, growth, leaves.features, thread)
    work = tree, seed, n_drawn, total
    if levels is None:  # known when compiled: what is not used is not compiled
        n_leaves = grow_tree(
            table, packing, growth, memory, team, leaves, seat, candidates, nodes, work
        )
    else:
        n_leaves = grow_symmetric(
            table, packing, growth, memory, team, leaves, seat, candidates, nodes, work,
            levels,
        )  # fmt: skip
    wait(memory.words, team, n_threads)
    _set_leaf_values(
        growth, target, memory, team, leaves, seat, nodes, state,
        (tree, output, n_leaves, rate, delta), levels,
    )  # fmt: skip
    wait(memory.words, team, n_threads)
    _update_others(table, target, nodes, state, seat, (tree, output))


@helper(nogil=True, error_model="numpy")
def _set_leaf_values(
    growth, target, memory, team, leaves, seat, nodes, state, job, levels
):
    """Compute the values of leaves; add them to the predictions of their rows.

    All values come first: leaves of symmetric trees may borrow the rows of others.
    """
    tree, output, n_leaves, rate, delta = job
    thread, rank, n_threads = seat
    reals, step = leaves.reals, n_threads
    first = rank
    if levels is not None and needs_residuals(target.loss):
        # Borrowed residuals would be written by two threads: one works for all.
        first, step = (0, 1) if rank == 0 else (n_leaves, 1)
    for leaf in range(first, n_leaves, step):
        start, end = leaves.ints[thread, leaf, START], leaves.ints[thread, leaf, END]
        of = start, end
        if levels is not None:
            of = widen_range(growth, leaves, thread, leaf, n_leaves)
        value = find_leaf_value(
            target, state, memory, team, of[0], of[1], growth.l2, delta
        )
        value = min(max(value, reals[thread, leaf, LOWER]), reals[thread, leaf, UPPER])
        node = leaves.ints[thread, leaf, NODE]
        nodes.reals[tree, node, NODE_VALUE] = rate * value
        nodes.ints[tree, node, NODE_LEFT] = -1
        nodes.ints[tree, node, NODE_N] = end - start
        nodes.ints[tree, node, NODE_SET] = -1
    wait(memory.words, team, n_threads)
    for leaf in range(rank, n_leaves, n_threads):
        value = nodes.reals[tree, leaves.ints[thread, leaf, NODE], NODE_VALUE]
        start, end = leaves.ints[thread, leaf, START], leaves.ints[thread, leaf, END]
        for i in range(np.uint64(start), np.uint64(end)):
            state.raw[output, memory.rows[team, 0, i]] += value


@helper(nogil=True, error_model="numpy")
def walk_codes(table, nodes, tree, row):
    """Return the leaf of a row of the binned table."""
    node = np.int64(0)
    while nodes.ints[tree, node, NODE_LEFT] >= 0:
        column = np.uint64(nodes.ints[tree, node, NODE_FEATURE])
        at = table.places[column, 0] + table.places[column, 1] * row
        code = np.uint64(table.codes[at])
        n_bins = table.offsets[column + _ONE] - table.offsets[column] - _ONE
        place = nodes.ints[tree, node, NODE_SET]
        if code == n_bins:
            left = nodes.ints[tree, node, NODE_MISSING_LEFT] == 1
        elif place >= 0:
            word = nodes.sets[tree, place, code >> _SIX] >> (code & _LOW_SIX)
            left = (word & _ONE) == _ONE
        else:
            left = code <= np.uint64(nodes.ints[tree, node, NODE_CODE])
        node = np.int64(nodes.ints[tree, node, NODE_LEFT]) + (0 if left else 1)
    return node


@helper(nogil=True, error_model="numpy")
def _update_others(table, target, nodes, state, seat, job):
    """Add a tree to the predictions of rows that it was not grown from."""
    tree, output = job
    _thread, rank, n_threads = seat
    n_drawn = state.control[N_DRAWN]
    for i in range(n_drawn + rank, len(state.drawn), n_threads):
        row = np.uint64(state.drawn[i])
        leaf = walk_codes(table, nodes, tree, row)
        state.raw[output, row] += nodes.reals[tree, leaf, NODE_VALUE]
    for i in range(rank, len(target.held_out), n_threads):
        row = np.uint64(target.held_out[i])
        leaf = walk_codes(table, nodes, tree, row)
        state.raw[output, row] += nodes.reals[tree, leaf, NODE_VALUE]


@helper(nogil=True, error_model="numpy")
def _track_losses(target, state, thread, n_threads):
    """Sum the losses of held-out and of some training rows, in chunks."""
    for which in range(2):
        rows = target.held_out if which == HELD_OUT else target.rows
        step = max(1, len(rows) // _TRACKED_ROWS) if which == TRAINING else 1
        for chunk in range(thread, N_CHUNKS, n_threads):
            size = (len(rows) // step + N_CHUNKS) // N_CHUNKS * step
            start, end = chunk * size, min((chunk + 1) * size, len(rows))
            total, weights = sum_losses(
                target, state.raw, rows, start, end, step, state.partial[_FIRST_DELTA]
            )
            place = which * N_CHUNKS + chunk
            state.partial[place] = total
            state.partial[2 * N_CHUNKS + place] = weights


@kernel(nogil=True, error_model="numpy")
def mean_loss(target, raw, rows):
    """Return the weighted mean loss of rows, NaN if there are none."""
    total, weights = sum_losses(target, raw, rows, 0, len(rows), 1, 1.0)
    return total / weights


@helper(nogil=True, error_model="numpy")
def _end_round(target, state, schedule, number):
    """Write the losses down; stop if the held-out one has not improved for long."""
    state.control[N_DONE] = number + 1
    if not schedule.track:
        return
    for which in range(2):
        total, weights = 0.0, 0.0
        for chunk in range(which * N_CHUNKS, (which + 1) * N_CHUNKS):
            total += state.partial[chunk]
            weights += state.partial[2 * N_CHUNKS + chunk]
        state.losses[which, number + 1] = total / max(weights, 1e-300)
    if len(target.held_out) == 0:
        return
    judge_round(state, number, schedule.patience, schedule.tolerance)


@kernel(nogil=True, error_model="numpy")
def judge_round(state, number, patience, tolerance):
    """Note the best round so far; stop if it was too long ago.

    state      ``State`` with the held-out loss of the round
    number     int, of the round
    patience   int, rounds without improvement
    tolerance  float, decrease of the loss that counts
    """
    loss = state.losses[HELD_OUT, number + 1]
    best = state.losses[HELD_OUT, state.control[BEST_ROUND]]
    if loss < best - tolerance:
        state.control[BEST_ROUND] = number + 1
    elif number + 1 - state.control[BEST_ROUND] >= patience:
        state.control[STOP] = 1
