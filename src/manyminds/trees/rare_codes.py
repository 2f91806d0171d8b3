"""Lists of the rarer of two values, for trees that search all columns of a table."""

import numpy as np

from manyminds.kernels.bundles import HAS_MISSING, IS_CATEGORICAL, N_BINS, RareCodes
from manyminds.kernels.criteria import GINI

_MIN_SHARE_OF_COLUMNS = 0.5  # of two values: otherwise the other columns take the time
_MAX_SHARE_OF_CELLS = 0.25  # with the rarer value: more of them are quicker by column
_BLOCK_CELLS = 2**22


def can_use_rare_codes(rules, sampling):
    """Return whether a grower with these rules and draws can use lists of rare codes.

    Each node must search all columns, and sums of weights must be exact: whole numbers.
    """
    n_features = sampling.feature_odds.shape[1]
    return (
        rules.criterion == GINI
        and rules.max_features >= n_features
        and len(sampling.feature_odds) == 0
        and not rules.balance_classes
        and bool((sampling.weights == np.rint(sampling.weights)).all())
    )


def list_rare_codes(table, n_samples):
    """List for each row the columns of two values of which it has the rarer one.

    Parameters
    ----------
    table : Table
        Binned columns.
    n_samples : int
        Number of rows.

    Returns
    -------
    rare : RareCodes or None
        None if lists would not save time: most columns have more values, or the rarer
        values are too many.
    """
    columns = table.columns
    special = columns[:, [HAS_MISSING, IS_CATEGORICAL]].any(axis=1)
    found = np.flatnonzero((columns[:, N_BINS] == 2) & ~special)
    if len(found) < _MIN_SHARE_OF_COLUMNS * len(columns):
        return None
    codes = table.codes[: n_samples * len(columns)].reshape(-1, n_samples)
    n_upper = np.array([np.count_nonzero(codes[feature]) for feature in found])
    rarer = (2 * n_upper <= n_samples).astype(np.int8)
    n_entries = int(np.where(rarer == 1, n_upper, n_samples - n_upper).sum())
    if n_entries > _MAX_SHARE_OF_CELLS * len(found) * n_samples:
        return None

    code = np.full(len(columns), -1, np.int8)
    code[found] = rarer
    first = np.zeros(n_samples + 1, np.int64)
    feature = np.empty(n_entries, np.uint32)
    n_rows = max(1, _BLOCK_CELLS // len(found))
    for start in range(0, n_samples, n_rows):
        rows = slice(start, min(start + n_rows, n_samples))
        is_rare = np.ascontiguousarray(codes[found, rows].T == rarer)
        ends = first[start] + np.cumsum(np.count_nonzero(is_rare, axis=1))
        first[rows.start + 1 : rows.stop + 1] = ends
        which = np.flatnonzero(is_rare) % len(found)
        feature[first[start] : first[rows.stop]] = found[which]
    return RareCodes(first, feature, code)
