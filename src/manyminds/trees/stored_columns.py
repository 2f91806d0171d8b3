"""A table on disk as trees read it: column after column, or block after block."""

from dataclasses import dataclass, field, replace

import numpy as np

_BLOCK_CELLS = 2**22


@dataclass(frozen=True, eq=False)
class StoredColumns:
    """Encoded columns of a table on disk, which are read when they are indexed.

    ``X[:, j]`` reads a column as floats, ``X[mask]`` returns fewer rows; both are what
    the indexing of an array returns.

    Parameters
    ----------
    table : ParquetTable
        Any object with ``columns``, ``shape``, ``max_memory``, ``read_column`` and
        ``iterate_frames``.
    encoder : ColumnEncoder
    kept : ndarray of bool or None
        Which rows of the table these are; None: all.
    level_codes : dict
        Merged codes of some categorical columns; see ``merge_rare_levels``.
    """

    table: object
    encoder: object
    kept: np.ndarray | None = None
    level_codes: dict = field(default_factory=dict)

    @property
    def shape(self):
        """Numbers of rows and columns."""
        n_rows, n_columns = self.table.shape
        return n_rows if self.kept is None else int(self.kept.sum()), n_columns

    def __len__(self):
        return self.shape[0]

    @property
    def max_memory(self):
        """Bytes of codes beyond which they are stored in a file."""
        return self.table.max_memory

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return replace(self, kept=key)
        _, j = key
        name = self.table.columns[j]
        column = self.encoder.encode_column(j, name, self.table.read_column(name))
        _refuse_infinite(column, name)
        column = column if self.kept is None else column[self.kept]
        return _rename(column, self.level_codes.get(j))

    def rename_levels(self, codes):
        """Return the table with merged levels; see ``merge_rare_levels``."""
        return replace(self, level_codes=codes)

    def iterate_blocks(self):
        """Yield consecutive rows as arrays."""
        first = 0
        n_rows = max(1, _BLOCK_CELLS // max(1, self.shape[1]))
        for frame in self.table.iterate_frames(n_rows):
            block = self.encoder.encode(frame)
            for j, name in enumerate(self.table.columns):
                _refuse_infinite(block[:, j], name)
                block[:, j] = _rename(block[:, j], self.level_codes.get(j))
            if self.kept is not None:
                block = block[self.kept[first : first + len(block)]]
            first += len(frame)
            yield block


def _refuse_infinite(column, name):
    if np.isinf(column).any():
        raise ValueError(f"Column {name!r} of X contains infinity.")


def _rename(column, codes):
    """Return the new codes of a column with merged levels."""
    if codes is None:
        return column
    known = ~np.isnan(column)
    column[known] = codes[column[known].astype(np.intp)]
    return column
