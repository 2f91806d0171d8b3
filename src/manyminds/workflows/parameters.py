"""Parameters of reading a table, which all workflows share."""

import os
from collections.abc import Sequence
from typing import TypedDict

TABLE = """\
data : path, str, DataFrame or Dataset
    A file of a table (.csv, .tsv, .txt, .parquet, .xlsx, .arff, .svm, also .gz), the
    name of a data set such as "iris", a frame of pandas or polars, or a `Dataset`.
target : str, int or sequence of str, default=None
    Column to predict: its name, or its position. Several columns of 0 and 1 are many
    labels: their names, in a sequence or in a text with commas. None means the one
    called target, class or label. Only for files and frames."""

Target = str | int | Sequence[str] | None

READING = """\
task : {"classification", "regression", "multilabel"}, default=None
    None infers it from the target.
drop : sequence of str, default=()
    Columns to leave out. Only for files and frames.
drop_missing_target : bool, default=False
    Whether to leave out rows without a target, rather than raise.
separator, decimal, encoding : str, default=None
    Format of a text file; None infers it.
folder : path, default=None
    Folder in which names of data sets are looked up first."""


class Reading(TypedDict, total=False):
    """Parameters of reading a table; see `run_search` for what they mean."""

    task: str | None
    drop: Sequence[str] | None
    drop_missing_target: bool
    separator: str | None
    decimal: str | None
    encoding: str | None
    folder: str | os.PathLike[str] | None
