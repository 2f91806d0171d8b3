"""Binned tables with artificial contrasts: a shuffled copy of every column."""

import numpy as np

from manyminds.kernels.bundles import IS_CATEGORICAL, N_BINS, Table


def take_columns(table, columns):
    """Return some columns of a binned table, column by column.

    Categorical columns of two levels or fewer become numeric: the splits are the same,
    and found faster.

    Parameters
    ----------
    table : Table
        From ``bin_table`` without ``row_copy``.
    columns : ndarray of int
        Which columns.

    Returns
    -------
    table : Table
        Shares the edges with the whole table.
    """
    codes = table.codes.reshape(len(table.columns), -1)[columns]
    description = table.columns[columns]
    description[description[:, N_BINS] <= 2, IS_CATEGORICAL] = 0
    return Table(codes.reshape(-1), description, table.edges)


def add_contrasts(table, rng):
    """Append a copy of every column whose rows are shuffled.

    The codes of the bins are shuffled, each column by a permutation of its own: nothing
    is binned again, and a missing value stays one.

    Parameters
    ----------
    table : Table
        From ``take_columns``.
    rng : Generator

    Returns
    -------
    table : Table
        With twice the columns; column j has the contrast m + j.
    """
    m = len(table.columns)
    codes = np.concatenate([table.codes, table.codes])
    contrasts = codes.reshape(2 * m, -1)[m:]
    rng.permuted(contrasts, axis=1, out=contrasts)
    return Table(codes, np.concatenate([table.columns, table.columns]), table.edges)
