"""Columns of codes: their contingency tables, entropies and mutual information."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from manyminds.kernels.contingency import (
    Columns,
    Rows,
    add_margins,
    sum_joint_logs,
    sum_margin_logs,
)

MAX_PLANES = 12  # with more levels, counting bits is no faster than counting rows
BLOCK = 2**22  # cells and rows that one task counts: enough to outweigh its overhead
TINY = 1e-12  # bits; less is a rounding error
NONE = np.empty(0)


@dataclass(frozen=True)
class CodeTable:
    """Columns of codes, one row for each feature, so that memory is read in order.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_samples), uint8 or uint16, C order
        Codes 0, 1, ... of each feature. Missing values have a code of their own.
    n_levels : array-like of int of shape (n_features,)
        Number of codes that each feature may have; all its codes are below.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import CodeTable
    >>> table = CodeTable(np.array([[0, 1, 2, 2]], dtype=np.uint8), [3])
    >>> table.n_features, table.n_samples
    (1, 4)
    """

    codes: Any
    n_levels: Any

    def __post_init__(self):
        codes, n_levels = self.codes, np.require(self.n_levels, np.int64, "CW")
        if np.ndim(codes) != 2 or codes.dtype not in (np.uint8, np.uint16):
            raise TypeError(
                "codes must be a two-dimensional array of uint8 or uint16, one row for "
                f"each feature; got {np.ndim(codes)} dimensions of "
                f"{np.asarray(codes).dtype}."
            )
        if n_levels.shape != codes.shape[:1]:
            raise ValueError(
                f"n_levels must have one number for each of the {len(codes)} features; "
                f"got shape {n_levels.shape}."
            )
        object.__setattr__(self, "codes", np.require(codes, None, "CW"))
        object.__setattr__(self, "n_levels", n_levels)

    @property
    def n_features(self):
        """Number of features."""
        return self.codes.shape[0]

    @property
    def n_samples(self):
        """Number of samples."""
        return self.codes.shape[1]

    @cached_property
    def counted(self):
        """The table with its margins, without weights and folds; cached."""
        return count_table(self)


@dataclass(frozen=True)
class CountedTable:
    """Columns of codes with their margins, in each split.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_samples)
        The codes, samples in the order of their folds.
    columns : Columns
    rows : Rows
    total : ndarray of shape (n_splits,)
        Total weight of each split.
    entropy : ndarray of shape (n_splits, n_features)
        Entropy of each column in each split, in bits.
    """

    codes: Any
    columns: Columns
    rows: Rows
    total: Any
    entropy: Any


def count_table(table, sample_weight=None, fold=None):
    """Count the levels of the columns of a table.

    Parameters
    ----------
    table : CodeTable
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights of the samples; None: each counts as one.
    fold : ndarray of int of shape (n_samples,), default=None
        Fold of each sample, from 0. There is one split for each fold: all samples but
        those of the fold. None: one split, of all samples.

    Returns
    -------
    counted : CountedTable
    """
    codes, n_levels = table.codes, table.n_levels
    n_samples = table.n_samples
    weight = NONE if sample_weight is None else np.asarray(sample_weight, np.float64)
    starts = np.array([0, n_samples])
    if fold is not None:
        order = np.argsort(fold, kind="stable")
        codes = np.ascontiguousarray(codes[:, order])
        weight = weight if sample_weight is None else weight[order]
        starts = np.concatenate([[0], np.cumsum(np.bincount(fold))])
    words = np.concatenate([[0], np.cumsum(-(-np.diff(starts) // 64))])
    rows = Rows(np.require(weight, None, "CW"), _list_logs(weight, n_samples),
                starts, words)  # fmt: skip
    columns = _make_columns(codes, n_levels, rows)
    sums = np.empty((len(starts) - 1, table.n_features))
    sum_margin_logs(columns, rows, sums)
    total = _weigh_splits(rows)
    return CountedTable(codes, columns, rows, total, find_entropy(sums, total[:, None]))


def joint_entropy(left, lefts, right, rights, split=None, n_jobs=None):
    """Compute the joint entropy of pairs of columns, in bits.

    Parameters
    ----------
    left, right : CountedTable
        Of the same samples, weights and folds.
    lefts, rights : array-like of int
        Columns of the one and of the other: each is paired with each.
    split : int, default=None
        The split; None: all of them.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    entropy : ndarray of shape (n_lefts, n_splits, n_rights)
        ``n_splits`` is 1 if a split is given.
    """
    lefts, rights = (np.require(some, np.int64, "CW") for some in (lefts, rights))
    total = left.total if split is None else left.total[split : split + 1]
    if len(left.total) == 1:
        split = 0
    sums = np.empty((len(lefts), len(total), len(rights)))
    size = _choose_block(left, lefts, right)

    def count(first):
        some = rights[first : first + size]
        block = np.empty((len(lefts), len(total), len(some)))
        sum_joint_logs(
            left.codes, left.columns, lefts, right.codes, right.columns, some,
            left.rows, -1 if split is None else split, block,
        )  # fmt: skip
        sums[..., first : first + size] = block

    firsts = range(0, len(rights), size)
    if len(firsts) < 2 or effective_n_jobs(n_jobs) == 1:
        for first in firsts:
            count(first)
    else:
        run = Parallel(n_jobs=n_jobs, require="sharedmem")
        run(delayed(count)(first) for first in firsts)
    return find_entropy(sums, total[:, None])


def find_entropy(sums, total):
    """Turn sums of ``n log2 n`` into entropies."""
    return np.maximum(np.log2(total) - sums / total, 0.0)


def compute_association(measure, h_x, h_y, h_xy):
    """Compute mutual information or symmetrical uncertainty from entropies."""
    shared = share_information(h_x, h_y, h_xy)
    if measure == "mutual_information":
        return shared
    return divide_information(2.0 * shared, h_x + h_y)


def share_information(h_x, h_y, h_xy):
    """Return the mutual information; a rounding error counts as 0."""
    shared = h_x + h_y - h_xy
    return np.where(shared > TINY, shared, 0.0)


def divide_information(information, entropy):
    """Divide information by an entropy; 0 where the entropy is 0."""
    ratio = np.zeros_like(information)
    np.divide(information, entropy, out=ratio, where=entropy > 0.0)
    return np.minimum(ratio, 1.0)


def _list_logs(weight, n_samples):
    """Tabulate ``n log2 n`` for all counts; weighted counts have no such table."""
    if len(weight) > 0:
        return NONE
    counts = np.arange(n_samples + 1, dtype=np.float64)
    return counts * np.log2(np.maximum(counts, 1.0))


def _make_columns(codes, n_levels, rows):
    first_level = np.concatenate([[0], np.cumsum(n_levels)])
    margins = np.zeros((first_level[-1], len(rows.starts) - 1))
    has_planes = (n_levels <= MAX_PLANES) & (len(rows.weight) == 0)
    n_planes = np.where(has_planes, n_levels - 1, 0)
    first_plane = np.where(has_planes, np.cumsum(n_planes) - n_planes, -1)
    planes = np.zeros((n_planes.sum(), rows.words[-1]), dtype=np.uint64)
    _pack_planes(codes, n_planes, first_plane, rows, planes)
    columns = Columns(n_levels, first_plane, planes, first_level[:-1], margins)
    add_margins(codes, columns, rows)
    return columns


def _pack_planes(codes, n_planes, first_plane, rows, planes):
    """Set the bits of samples that have a level; each fold begins with a new word."""
    size = max(1, BLOCK // max(codes.shape[1], 1))
    for first in range(0, len(codes), size):
        block = slice(first, first + size)
        for level in range(n_planes[block].max(initial=0)):
            chosen = first + np.flatnonzero(n_planes[block] > level)
            has_level = codes[chosen] == level
            for fold, (start, end) in enumerate(zip(rows.starts[:-1], rows.starts[1:])):
                bits = np.packbits(has_level[:, start:end], axis=1, bitorder="little")
                words = np.zeros((len(chosen), rows.words[fold + 1] - rows.words[fold]),
                                 dtype=np.uint64)  # fmt: skip
                words.view(np.uint8)[:, : bits.shape[1]] = bits
                here = slice(rows.words[fold], rows.words[fold + 1])
                planes[first_plane[chosen] + level, here] = words


def _weigh_splits(rows):
    """Return the total weight of each split."""
    if len(rows.weight) == 0:
        folds = np.diff(rows.starts).astype(np.float64)
    else:
        folds = np.add.reduceat(rows.weight, rows.starts[:-1])
    return folds if len(folds) == 1 else folds.sum() - folds


def _choose_block(left, lefts, right):
    """Return how many columns one task takes; it depends on the data alone."""
    n_samples = left.codes.shape[1]
    cells = left.columns.n_levels[lefts].mean() * right.columns.n_levels.mean()
    work = len(lefts) * (n_samples + len(left.total) * cells)
    return max(1, int(BLOCK // work))
