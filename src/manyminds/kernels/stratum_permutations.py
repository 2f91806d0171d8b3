"""Permutation tests of coded columns, within the strata of a conditioning set."""

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.conditional_tables import (
    G2,
    Rule,
    fill_base,
    make_scratch,
    measure_table,
)
from manyminds.kernels.draws import draw_below


@kernel(nogil=True, error_model="numpy")
def permute_columns(evidence, xs, y, strata, n_strata, seeds, n_permutations, out):
    """Count how often permuted columns depend on another as much as the columns do.

    The codes of a column are permuted among the rows of each stratum.

    evidence  Evidence      without weights
    xs        (n_tests,)    int64, columns to permute
    y         int           the other column
    strata    (n_samples,)  int32, stratum of each row
    n_strata  int
    seeds     (n_tests,)    int64, states of random draws
    out       (n_tests, 2)  float64, written: G2, and the number of permutations
              with at least this G2
    """
    n_samples, n_levels = len(strata), evidence.n_levels
    max_levels = n_levels[y]
    for x in xs:
        max_levels = max(max_levels, n_levels[x])
    rule = Rule(G2, 0, 0.0, -1.0, 0.0)
    scratch = make_scratch(n_samples, max_levels, 0)
    scratch.index[0] = strata
    order = np.argsort(strata)
    codes, state = np.empty(n_samples, np.int32), np.empty(1, np.int64)
    for k in range(len(xs)):
        x = xs[k]
        state[0] = seeds[k]
        fill_base(evidence, x, y, scratch)
        statistic = measure_table(evidence, rule, x, y, n_strata, 1.0, scratch, 0)[0]
        n_reached = 0
        for i in range(n_samples):
            codes[i] = evidence.codes[x, order[i]]
        for _ in range(n_permutations):
            _shuffle_strata(codes, strata, order, state)
            for i in range(n_samples):
                row = order[i]
                scratch.base[row] = codes[i] * n_levels[y] + evidence.codes[y, row]
            drawn = measure_table(evidence, rule, x, y, n_strata, 1.0, scratch, 0)[0]
            n_reached += drawn >= statistic - 1e-9
        out[k, 0], out[k, 1] = statistic, n_reached


@helper(error_model="numpy")
def _shuffle_strata(codes, strata, order, state):
    """Shuffle the codes, which are sorted by stratum, within each stratum."""
    start = 0
    for i in range(len(codes)):
        if strata[order[i]] != strata[order[start]]:
            start = i
        j = start + draw_below(state, i - start + 1)
        codes[i], codes[j] = codes[j], codes[i]
