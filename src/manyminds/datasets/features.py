"""Read rows without a target, and give them the columns that a model has learned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from manyminds.datasets.columns import (
    MISSING_VALUES,
    Cells,
    number_in,
    read_column,
    warn_the_caller,
)
from manyminds.datasets.dataset import close_matches
from manyminds.datasets.dates import is_dates
from manyminds.datasets.failures import naming_file
from manyminds.datasets.frames import (
    as_pandas,
    refuse_sparse_infinities,
    with_text_names,
)
from manyminds.datasets.layout import TextLayout
from manyminds.datasets.schema import Schema, sibling_schema
from manyminds.datasets.svmlight import read_svmlight
from manyminds.datasets.tables import format_of, read_frame
from manyminds.utils.errors import InputError, MissingFileError, Parameter
from manyminds.utils.text import one_spelling

__all__ = ["Column", "describe_columns", "match_columns", "read_features"]

FEW = 5  # names and levels told in a message
BOOLEANS = {"False", "True"}


@dataclass(frozen=True)
class Column:
    """A column as a model knows it.

    Parameters
    ----------
    name : str
    levels : tuple of str or None, default=None
        Its categories in their order; None for a column of numbers or dates.
    ordered : bool, default=False
        Whether the order of the categories means something.
    is_date : bool, default=False
        Whether it holds dates.

    Examples
    --------
    >>> from manyminds.datasets.features import Column
    >>> Column("hue", ("blue", "red")).is_numeric
    False
    """

    name: str
    levels: tuple[str, ...] | None = None
    ordered: bool = False
    is_date: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.levels is None and not self.is_date


@dataclass(frozen=True)
class _Wanted(Schema):
    """Declarations of columns some of which may be lacking: that is told later."""

    def check_names(self, columns: list[str]) -> None:
        """Take any names."""


def describe_columns(X: pd.DataFrame) -> tuple[Column, ...]:
    """Tell names, kinds and categories of the columns of a data set.

    Parameters
    ----------
    X : DataFrame
        Columns of float64, of dates and of category, such as ``Dataset.X``.

    Returns
    -------
    columns : tuple of Column

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.datasets.features import describe_columns
    >>> describe_columns(load_dataset("tic-tac-toe").X)[0].levels
    ('b', 'o', 'x')
    """
    return tuple(
        Column(name, tuple(map(str, dtype.categories)), bool(dtype.ordered))
        if isinstance(dtype, pd.CategoricalDtype)
        else Column(name, is_date=is_dates(dtype))
        for name, dtype in X.dtypes.items()
    )


def read_features(
    path: str | PathLike[str],
    columns: Iterable[Column] = (),
    *,
    missing_values: Iterable[str] | None = None,
    n_features: int | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> pd.DataFrame | csr_array:
    """Read the rows of a file that need not have a target.

    The formats are those of `read_table`. Cells of the columns that are known to be
    categories keep the text of the file: a code 01 stays "01".

    Parameters
    ----------
    path : path
        File to read.
    columns : iterable of Column, default=()
        What is known about columns; they need not all be there.
    missing_values : iterable of str, default=None
        Texts that mean that a value is missing; by default those of the schema beside
        the file, or else the usual ones.
    n_features : int, default=None
        Number of columns of an svmlight file, which does not tell it.
    separator, decimal, encoding : str or None, default=None
        How cells are written in a text file, as in `read_table`.

    Returns
    -------
    table : DataFrame, or csr_array of an svmlight file
        All columns of the file; `match_columns` makes of them what a model takes. The
        target of an svmlight file is left out.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets.features import Column, read_features
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "new.csv"
    ...     _ = path.write_text("zone,size\\n01,2.5\\n02,?\\n")
    ...     read_features(path, [Column("zone", ("01", "02"))])["zone"].tolist()
    ['01', '02']
    """
    path = Path(path)
    format_, _ = format_of(path)
    if not path.is_file():
        raise MissingFileError(
            Parameter("path"), f" must be a file; there is none at {str(path)!r}."
        )
    layout = TextLayout(separator, decimal, encoding)
    with naming_file(path):
        if format_ == "svmlight":
            layout.refuse_all(format_)
            X = read_svmlight(path, n_features)[0]
            refuse_sparse_infinities(X)
            return X
        return _read_all(path, format_, tuple(columns), missing_values, layout)


def _read_all(
    path: Path,
    format_: str,
    columns: Sequence[Column],
    missing_values: Iterable[str] | None,
    layout: TextLayout,
) -> pd.DataFrame:
    """Read all columns of a file with names."""
    marks = missing_values
    if marks is None:
        declared = Schema.read(sibling_schema(path)).missing
        marks = MISSING_VALUES if declared is None else declared
    categorical = tuple(column.name for column in columns if column.levels is not None)
    # The first column stands for the target that readers ask for: one that is named
    # categorical is read as text all the same.
    wanted = _Wanted(categorical=categorical, target=0, missing=tuple(marks))
    frame, _ = read_frame(path, format_, wanted, layout)
    frame = with_text_names(as_pandas(frame))
    if not len(frame):
        raise ValueError(f"{path.name}: the file has names of columns, but no rows.")
    return _blank_marks(frame, marks)


def match_columns(frame: Any, columns: Sequence[Column]) -> pd.DataFrame:
    """Return a table the columns that a model knows: their names, order and kinds.

    A column that is lacking, text where there should be numbers or dates, and infinite
    numbers are errors.
    Columns that the model does not know are left out, and categories that it does not
    know become missing values; a warning tells of both.

    Parameters
    ----------
    frame : DataFrame
        Of pandas or of polars.
    columns : sequence of Column

    Returns
    -------
    X : DataFrame
        Columns of float64, of dates, and of category with just the known categories.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.features import Column, match_columns
    >>> known = [Column("hue", ("blue", "red")), Column("size")]
    >>> match_columns(pd.DataFrame({"size": ["3", "?"], "hue": ["red", "red"]}), known)
       hue  size
    0  red   3.0
    1  red   NaN
    >>> match_columns(pd.DataFrame({"sise": [3.0], "hue": ["red"]}), known)
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: The model needs the column 'size', which is not
    in the table (perhaps called 'sise').
    """
    frame = with_text_names(as_pandas(frame))
    names = [column.name for column in columns]
    if lacking := [name for name in names if name not in frame.columns]:
        others = [name for name in frame.columns if name not in names]
        raise InputError(_tell_lacking(lacking, others))
    if extra := [name for name in frame.columns if name not in set(names)]:
        warn_the_caller(
            f"{len(extra)} columns that the model does not know are left out: "
            f"{_some(extra)}."
        )
    found = {}
    for column in columns:
        read = _as_numbers if column.is_numeric else _as_levels
        read = _as_dates if column.is_date else read
        found[column.name] = read(frame[column.name], column)
    return pd.DataFrame(found, index=frame.index, columns=names)


def _blank_marks(frame: pd.DataFrame, marks: Iterable[str]) -> pd.DataFrame:
    """Make cells that mean "missing" missing; the usual marks are known later."""
    unusual: set[Any] = set(marks) - set(MISSING_VALUES)
    unusual |= {number_in(mark) for mark in unusual} - {None}
    return frame.mask(frame.isin(unusual)) if unusual else frame


def _tell_lacking(lacking: list[str], others: list[str]) -> str:
    several = len(lacking) > 1
    which = "columns" if several else "column"
    are = "are" if several else "is"
    text = f"The model needs the {which} {_some(lacking)}, which {are} not in the table"
    near = [close_matches(name, others, 1) for name in lacking[:FEW]]
    hints = [hint.removeprefix("Close: ").removesuffix(". ") for hint in near if hint]
    return text + (f" (perhaps called {_some(hints)})." if hints else ".")


def _as_numbers(cells: pd.Series, column: Column) -> np.ndarray:
    try:
        return read_column(cells, "numeric").to_numpy()
    except ValueError:
        words = list(Cells.of(cells, MISSING_VALUES).words())
        if not words:  # but infinite numbers
            raise
        raise InputError(
            f"Column {column.name!r} holds numbers in the model, but text in this "
            f"table: {_some(words)}."
        ) from None


def _as_dates(cells: pd.Series, column: Column) -> np.ndarray:
    try:
        return read_column(cells, "date").to_numpy()
    except ValueError as error:
        raise InputError(f"{error} The model knows it as a column of dates.") from None


def _as_levels(cells: pd.Series, column: Column) -> pd.Categorical:
    found = read_column(cells, "categorical")
    texts = [str(text) for text in found.cat.categories]
    levels = column.levels or ()
    if set(levels) <= BOOLEANS:
        # Some readers take true and TRUE for what Python writes as True.
        texts = [text.capitalize() for text in texts]
    place = {one_spelling(level): code for code, level in enumerate(levels)}
    codes = np.array([place.get(text, -1) for text in texts] + [-1])
    counts = np.bincount(found.cat.codes[found.notna()], minlength=len(texts))
    unseen = [text for text, n in zip(texts, counts) if n and text not in place]
    if unseen:
        warn_the_caller(
            f"Column {column.name!r} holds {len(unseen)} categories that the model has "
            f"never seen: {_some(unseen)}. They count as missing."
        )
    index = pd.Index(list(levels)) if levels else pd.Index([], dtype=object)
    dtype = pd.CategoricalDtype(index, column.ordered)
    return pd.Categorical.from_codes(codes[found.cat.codes.to_numpy()], dtype=dtype)


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:FEW])
    return shown + (f" and {len(names) - FEW} more" if len(names) > FEW else "")
