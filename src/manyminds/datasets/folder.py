"""Read a folder of data sets: one table per set, an index, a schema."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from manyminds.datasets.dataset import Dataset, DatasetNotFoundError
from manyminds.datasets.errors import TableError, convert_errors
from manyminds.datasets.names import check_unique, suggest_close
from manyminds.datasets.reading import read_table
from manyminds.datasets.schema import read_json
from manyminds.utils.errors import InputError, MissingFileError, Parameter

__all__ = ["DataFolder"]

COLUMNS = ("name", "rows", "features", "classes_or_regression")  # of INDEX.csv


class DataFolder:
    """Load data sets by name from a folder with an index.

    The folder holds ``INDEX.csv`` with a row for each set (columns ``name``, ``rows``,
    ``features``, ``classes_or_regression``, and optionally ``source`` and ``note``),
    ``SCHEMA.json`` with the categorical columns and the label columns of sets, and the
    sets as ``NAME.csv.gz`` or, if sparse, ``NAME.svm.gz``. The target is the column
    ``target``; an empty cell is a missing value; columns that the schema does not
    declare categorical are numbers.

    Parameters
    ----------
    path : path
        The folder.

    Attributes
    ----------
    index : DataFrame
        Content of ``INDEX.csv``, indexed by name.

    Examples
    --------
    >>> import gzip
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import DataFolder
    >>> with TemporaryDirectory() as path:
    ...     _ = Path(path, "INDEX.csv").write_text(
    ...         "name,rows,features,classes_or_regression\\ntoy,2,1,2\\n"
    ...     )
    ...     _ = Path(path, "SCHEMA.json").write_text('{"toy": {"categorical": ["a"]}}')
    ...     _ = Path(path, "toy.csv.gz").write_bytes(
    ...         gzip.compress(b"a,target\\n1,x\\n2,y\\n")
    ...     )
    ...     data = DataFolder(path).load("toy")
    >>> data
    Dataset('toy', 2 rows, 0 numeric and 1 categorical columns, 2 classes)
    """

    def __init__(self, path: str | PathLike[str]):
        self.path = Path(path)
        if not (self.path / "INDEX.csv").is_file():
            raise MissingFileError(
                Parameter("path"),
                f" must be a folder with a file INDEX.csv; got {str(path)!r}.",
            )

    @cached_property
    def index(self) -> pd.DataFrame:
        """Content of INDEX.csv, indexed by name."""
        file = self.path / "INDEX.csv"
        with convert_errors(file):
            read = pd.read_csv(file, keep_default_na=False, dtype=str)
            if lacking := [name for name in COLUMNS if name not in read]:
                raise InputError(
                    f"the columns {', '.join(lacking)} are missing; an index has "
                    f"{', '.join(COLUMNS)}."
                )
            check_unique(read["name"], "Data sets")
            try:
                return read.set_index("name").astype({"rows": int, "features": int})
            except (ValueError, OverflowError) as error:
                raise InputError(
                    f"rows and features must be whole numbers: {error}."
                ) from error

    @cached_property
    def _schema(self) -> dict[str, Any]:
        file = self.path / "SCHEMA.json"
        found = read_json(file) if file.is_file() else {}
        entries = found.values() if isinstance(found, dict) else [None]
        if not all(isinstance(entry, dict) for entry in entries):
            problem = "it must be an object that holds an object for each data set."
            raise TableError(problem, file=file.name)
        return found

    def names(self) -> list[str]:
        """Return the names of all sets."""
        return list(self.index.index)

    def __contains__(self, name: object) -> bool:
        return name in self.index.index

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        return f"DataFolder({len(self)} data sets)"

    def load(self, name: str) -> Dataset:
        """Read a data set.

        Parameters
        ----------
        name : str
            Its name in the index.

        Returns
        -------
        data : Dataset
            The set; its numbers of rows and features must be those of the index.
        """
        if name not in self:
            raise DatasetNotFoundError(
                f"No data set of this folder is called {name!r}. "
                f"{suggest_close(name, self.names())}See DataFolder.names().",
                name=name,
            )
        row = self.index.loc[name]
        task = _task(row["classes_or_regression"])
        sparse = self.path / f"{name}.svm.gz"
        if sparse.is_file():
            data = read_table(sparse, task=task, n_features=row["features"], name=name)
        else:
            schema = _table_schema(self._schema.get(name, {}), task)
            data = read_table(self.path / f"{name}.csv.gz", schema=schema, name=name)
        if (data.n_samples, data.n_features) != (row["rows"], row["features"]):
            raise InputError(
                f"The file of {name!r} holds {data.n_samples} rows and "
                f"{data.n_features} features, the index lists {row['rows']} and "
                f"{row['features']}: it is damaged or of another version."
            )
        return replace(data, source=row.get("source", ""), note=row.get("note", ""))


def _task(classes_or_regression: str) -> str:
    """Parse "regression", "6 labels" or a number of classes."""
    if classes_or_regression == "regression":
        return "regression"
    several = classes_or_regression.endswith("labels")
    return "multilabel" if several else "classification"


def _table_schema(entry: dict[str, Any], task: str) -> dict[str, Any]:
    return {
        "categorical": entry.get("categorical", ()),
        "numeric": () if entry.get("categorical") == "all" else "all",
        "target": entry.get("targets", "target"),
        "task": task,
        "missing": [""],
    }
