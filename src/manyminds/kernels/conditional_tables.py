"""Tests of independence of coded columns given others, by contingency tables.

The columns of a conditioning set divide the rows into strata. Small tables are counted
whole, all strata at once; for large ones the rows are sorted by stratum, and one table
is reused for all strata, so that the time depends on the rows and not on the cells.
"""

from typing import Any, NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.chi_square import log_chi_square_tail

LANES = 4  # tables filled in turn, so that a count need not wait for the previous one
FEW_CELLS = 512  # beyond which clearing the lanes costs more than they save
ROOMY = 4  # cells per row beyond which a table is mostly empty: rows are sorted

G2, CHI2, FISHER_Z, GAUSSIAN = range(4)  # kinds of tests
DEPENDENT, INDEPENDENT, UNKNOWN = 0.0, 1.0, 2.0  # verdicts
STATISTIC, DOF, LOG_P, STRENGTH, VERDICT = range(5)  # columns of results
N_RESULTS = 5


class Evidence(NamedTuple):
    """Data that tests read. Arrays that a kind of test does not need are empty.

    codes        (n_columns, n_samples)  uint8 or uint16, C order
    n_levels     (n_columns,)            int64; 0: a column of numbers
    weight       (n_samples,) or (0,)    float64; empty: every row has weight 1
    logs         (n_samples + 1,) or (0,)  float64, ``n ln n`` of whole numbers
    correlation  (n_columns, n_columns)  float64, C order
    values       (n_columns, n_samples)  float64, C order, standardized
    total        float64, sum of the weights
    """

    codes: Any
    n_levels: Any
    weight: Any
    logs: Any
    correlation: Any
    values: Any
    total: float


class Rule(NamedTuple):
    """How to test, and when columns count as independent.

    kind       int, G2, CHI2, FISHER_Z or GAUSSIAN
    nominal    int, 1: empty rows and columns of tables have degrees of freedom too
    log_alpha  float64, independent above this logarithm of a p-value
    threshold  float64, independent below this information in nats; negative: p-values
               decide
    min_count  float64, tables with fewer rows per cell on average are not tested
    """

    kind: int
    nominal: int
    log_alpha: float
    threshold: float
    min_count: float


class Scratch(NamedTuple):
    """Memory that tests reuse.

    index    (max_size + 1, n_samples)  int32, stratum of each row, by depth
    base     (n_samples,)               int32, cell of each row within its stratum
    order    (n_samples,)               int32, rows by stratum
    starts   (n_samples + 2,)           int32, first row of each stratum
    cells    (room,)                    float64
    rows     (max_levels,)              float64, zero between tests
    columns  (max_levels,)              float64, zero between tests
    keys     (2 ** k,)                  int32, a hash table of strata
    names    (2 ** k,)                  int32, their new numbers
    """

    index: Any
    base: Any
    order: Any
    starts: Any
    cells: Any
    rows: Any
    columns: Any
    keys: Any
    names: Any


@kernel(nogil=True, error_model="numpy")
def make_scratch(n_samples, max_levels, max_size):
    """Allocate the memory of tests of columns with at most ``max_levels`` levels."""
    room = max(ROOMY * n_samples, LANES * FEW_CELLS, max_levels * max_levels)
    n_keys = 16
    while n_keys < 2 * n_samples:
        n_keys *= 2
    return Scratch(
        np.zeros((max_size + 1, n_samples), np.int32),
        np.zeros(n_samples, np.int32),
        np.empty(n_samples, np.int32),
        np.empty(n_samples + 2, np.int32),
        np.zeros(room),
        np.zeros(max_levels),
        np.zeros(max_levels),
        np.empty(n_keys, np.int32),
        np.empty(n_keys, np.int32),
    )


@kernel(nogil=True, error_model="numpy")
def index_strata(evidence, given, scratch, out):
    """Number the strata of a conditioning set; return how many there are.

    given    (n_given,)    int64, columns of codes
    scratch  Scratch       of depth 1 or more
    out      (n_samples,)  int32, written
    """
    n_strata = 1
    for i in range(len(out)):
        scratch.index[0, i] = 0
    for z in given:
        n_strata = extend_index(evidence, z, n_strata, scratch, 0)
        for i in range(len(out)):
            scratch.index[0, i] = scratch.index[1, i]
    for i in range(len(out)):
        out[i] = scratch.index[0, i]
    return n_strata


@kernel(nogil=True, error_model="numpy")
def measure_columns(evidence, rule, xs, y, given, strata, n_strata, out):
    """Test many columns for independence of one column, given the same strata.

    evidence  Evidence
    rule      Rule           of kind G2 or CHI2
    xs        (n_tests,)     int64, the many columns
    y         int            the one column
    given     (n_given,)     int64, columns of the conditioning set
    strata    (n_samples,)   int32, stratum of each row by ``given``
    n_strata  int
    out       (n_tests, N_RESULTS)  float64, written
    """
    n_samples, n_levels = len(strata), evidence.n_levels
    max_levels = n_levels[y]
    for x in xs:
        max_levels = max(max_levels, n_levels[x])
    nominal = 1.0
    for z in given:
        nominal *= n_levels[z]
    scratch = make_scratch(n_samples, max_levels, 0)
    for i in range(n_samples):
        scratch.index[0, i] = strata[i]
    for k in range(len(xs)):
        x = xs[k]
        if is_sparse(evidence, rule, x, y, nominal):
            out[k] = 0.0
            out[k, VERDICT] = UNKNOWN
            continue
        fill_base(evidence, x, y, scratch)
        statistic, dof, strength = measure_table(
            evidence, rule, x, y, n_strata, nominal, scratch, 0
        )
        log_p, verdict = decide(rule, statistic, dof, strength)
        out[k, STATISTIC], out[k, DOF], out[k, LOG_P] = statistic, dof, log_p
        out[k, STRENGTH], out[k, VERDICT] = strength, verdict


@helper(error_model="numpy")
def is_sparse(evidence, rule, x, y, nominal):
    """Return whether there are too few rows for the cells of a test."""
    n_cells = nominal * evidence.n_levels[x] * evidence.n_levels[y]
    return evidence.total < rule.min_count * n_cells


@helper(error_model="numpy")
def decide(rule, statistic, dof, strength):
    """Return the logarithm of the p-value, and the verdict."""
    log_p = log_chi_square_tail(statistic, dof)
    if rule.threshold >= 0.0:
        independent = strength < rule.threshold
    else:
        independent = log_p > rule.log_alpha
    return log_p, INDEPENDENT if independent else DEPENDENT


@helper(error_model="numpy")
def fill_base(evidence, x, y, scratch):
    """Fill ``scratch.base`` with the cell of each row in the table of two columns."""
    n_columns = np.int32(evidence.n_levels[y])
    for i in range(evidence.codes.shape[1]):
        scratch.base[i] = (
            np.int32(evidence.codes[x, i]) * n_columns + evidence.codes[y, i]
        )


@helper(error_model="numpy")
def extend_index(evidence, z, n_strata, scratch, depth):
    """Divide the strata of a depth by one more column; return how many there are.

    There are never more strata than rows: where there could be, they are renumbered.
    """
    n_levels, n_samples = np.int32(evidence.n_levels[z]), evidence.codes.shape[1]
    for i in range(n_samples):
        scratch.index[depth + 1, i] = (
            scratch.index[depth, i] * n_levels + evidence.codes[z, i]
        )
    n_strata *= n_levels
    if n_strata <= max(n_samples, 64):
        return n_strata
    return _renumber(scratch, depth + 1)


@helper(error_model="numpy")
def _renumber(scratch, depth):
    """Number the strata that have rows, in order of appearance; return how many."""
    n_keys, n_found = len(scratch.keys), 0
    for k in range(n_keys):
        scratch.keys[k] = -1
    for i in range(scratch.index.shape[1]):
        key = scratch.index[depth, i]
        place = ((np.int64(key) * 2654435761) >> 7) & (n_keys - 1)
        while scratch.keys[place] != -1 and scratch.keys[place] != key:
            place = (place + 1) & (n_keys - 1)
        if scratch.keys[place] == -1:
            scratch.keys[place] = key
            scratch.names[place] = n_found
            n_found += 1
        scratch.index[depth, i] = scratch.names[place]
    return n_found


@helper(error_model="numpy")
def measure_table(evidence, rule, x, y, n_strata, nominal, scratch, depth):
    """Return the statistic of a test, its degrees of freedom and the information.

    ``scratch.index[depth]`` has the strata and ``scratch.base`` the cells within them;
    ``nominal`` is the number of strata that there could be. The information, in nats
    per row, is half of G2 or of the chi-square statistic divided by the rows.
    """
    n_rows, n_columns = evidence.n_levels[x], evidence.n_levels[y]
    n_cells = n_strata * n_rows * n_columns
    if n_cells <= max(ROOMY * evidence.codes.shape[1], FEW_CELLS):
        _count_cells(evidence, n_rows * n_columns, n_cells, scratch, depth)
        statistic, dof = _sum_cells(
            evidence, rule, n_rows, n_columns, n_strata, scratch
        )
    else:
        _sort_by_stratum(n_strata, scratch, depth)
        statistic, dof = _sum_strata(
            evidence, rule, n_rows, n_columns, n_strata, scratch
        )
    if rule.nominal == 1:
        dof = (n_rows - 1.0) * (n_columns - 1.0) * nominal
    statistic = max(statistic, 0.0)
    return statistic, dof, 0.5 * statistic / evidence.total


@helper(error_model="numpy")
def _count_cells(evidence, size, n_cells, scratch, depth):
    """Add up rows, or their weights, in the cells of all strata."""
    cells, index, base = scratch.cells, scratch.index, scratch.base
    n_samples, weighted = len(base), len(evidence.weight) > 0
    n_lanes = LANES if n_cells <= FEW_CELLS and not weighted else 1
    for c in range(n_lanes * n_cells):
        cells[c] = 0.0
    n_full = n_samples - n_samples % LANES if n_lanes == LANES else 0
    for i in range(0, n_full, LANES):
        cells[index[depth, i] * size + base[i]] += 1.0
        cells[n_cells + index[depth, i + 1] * size + base[i + 1]] += 1.0
        cells[2 * n_cells + index[depth, i + 2] * size + base[i + 2]] += 1.0
        cells[3 * n_cells + index[depth, i + 3] * size + base[i + 3]] += 1.0
    for i in range(n_full, n_samples):
        one = evidence.weight[i] if weighted else 1.0
        cells[index[depth, i] * size + base[i]] += one
    for lane in range(1, n_lanes):
        for c in range(n_cells):
            cells[c] += cells[lane * n_cells + c]


@helper(error_model="numpy")
def _sum_cells(evidence, rule, n_rows, n_columns, n_strata, scratch):
    """Sum the statistic and the degrees of freedom over tables counted whole."""
    cells, rows, columns = scratch.cells, scratch.rows, scratch.columns
    statistic, dof, at = 0.0, 0.0, 0
    for _ in range(n_strata):
        total, sums = 0.0, 0.0
        for b in range(n_columns):
            columns[b] = 0.0
        for a in range(n_rows):
            rows[a] = 0.0
            for b in range(n_columns):
                count = cells[at + a * n_columns + b]
                rows[a] += count
                columns[b] += count
            total += rows[a]
        if total > 0.0:
            n_full_rows, n_full_columns = 0, 0
            for a in range(n_rows):
                n_full_rows += rows[a] > 0.0
                sums -= _n_log_n(rows[a], evidence.logs)
            for b in range(n_columns):
                n_full_columns += columns[b] > 0.0
                sums -= _n_log_n(columns[b], evidence.logs)
            dof += (n_full_rows - 1.0) * (n_full_columns - 1.0)
            if rule.kind == CHI2:
                sums = 0.0
                for a in range(n_rows):
                    for b in range(n_columns):
                        if rows[a] > 0.0 and columns[b] > 0.0:
                            count = cells[at + a * n_columns + b]
                            sums += count * count / (rows[a] * columns[b])
                statistic += total * (sums - 1.0)
            else:
                for c in range(at, at + n_rows * n_columns):
                    sums += _n_log_n(cells[c], evidence.logs)
                statistic += 2.0 * (sums + _n_log_n(total, evidence.logs))
        at += n_rows * n_columns
    for a in range(n_rows):
        rows[a] = 0.0
    for b in range(n_columns):
        columns[b] = 0.0
    return statistic, dof


@helper(error_model="numpy")
def _sort_by_stratum(n_strata, scratch, depth):
    """List the rows by stratum in ``scratch.order``; ``starts`` are the first ones."""
    starts, index = scratch.starts, scratch.index
    for s in range(n_strata + 1):
        starts[s] = 0
    for i in range(index.shape[1]):
        starts[index[depth, i] + 1] += 1
    for s in range(n_strata):
        starts[s + 1] += starts[s]
    for i in range(index.shape[1]):
        s = index[depth, i]
        scratch.order[starts[s]] = i
        starts[s] += 1
    for s in range(n_strata, 0, -1):
        starts[s] = starts[s - 1]
    starts[0] = 0


@helper(error_model="numpy")
def _sum_strata(evidence, rule, n_rows, n_columns, n_strata, scratch):
    """Do what ``_sum_cells`` does, with one table that is reused for all strata."""
    cells, rows, columns, base = (
        scratch.cells, scratch.rows, scratch.columns, scratch.base,
    )  # fmt: skip
    weighted, is_chi2 = len(evidence.weight) > 0, rule.kind == CHI2
    for c in range(n_rows * n_columns):
        cells[c] = 0.0
    statistic, dof = 0.0, 0.0
    for s in range(n_strata):
        total, sums, n_full_rows, n_full_columns = 0.0, 0.0, 0, 0
        first, end = scratch.starts[s], scratch.starts[s + 1]
        for k in range(first, end):
            i = scratch.order[k]
            one = evidence.weight[i] if weighted else 1.0
            cells[base[i]] += one
            rows[base[i] // n_columns] += one
            columns[base[i] % n_columns] += one
            total += one
        for k in range(first, end):
            cell = base[scratch.order[k]]
            count, cells[cell] = cells[cell], 0.0
            if is_chi2 and count > 0.0:
                expected = rows[cell // n_columns] * columns[cell % n_columns]
                sums += count * count / expected
            elif count > 0.0:
                sums += _n_log_n(count, evidence.logs)
        for k in range(first, end):
            a, b = (
                base[scratch.order[k]] // n_columns,
                base[scratch.order[k]] % n_columns,
            )
            if rows[a] > 0.0:
                n_full_rows += 1
                sums -= 0.0 if is_chi2 else _n_log_n(rows[a], evidence.logs)
                rows[a] = 0.0
            if columns[b] > 0.0:
                n_full_columns += 1
                sums -= 0.0 if is_chi2 else _n_log_n(columns[b], evidence.logs)
                columns[b] = 0.0
        if total > 0.0:
            dof += (n_full_rows - 1.0) * (n_full_columns - 1.0)
            if is_chi2:
                statistic += total * (sums - 1.0)
            else:
                statistic += 2.0 * (sums + _n_log_n(total, evidence.logs))
    return statistic, dof


@helper(error_model="numpy")
def _n_log_n(count, logs):
    """Return ``count * ln(count)``, from the table if there is one."""
    if len(logs) > 0:
        return logs[int(count)]
    return count * np.log(count) if count > 0.0 else 0.0
