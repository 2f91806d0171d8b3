"""Declarations about a table: types of columns, target, task, missing values."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from manyminds.datasets.columns import MISSING_VALUES
from manyminds.datasets.dataset import TASKS
from manyminds.datasets.errors import TableError, convert_errors
from manyminds.datasets.names import suggest_close
from manyminds.utils.errors import InputError, ParameterError
from manyminds.utils.text import one_spelling

__all__ = ["Schema", "read_json", "sibling_schema"]

KEYS = ("categorical", "numeric", "target", "task", "drop", "missing")


@dataclass(frozen=True)
class Schema:
    """Declarations that a table does not contain.

    Parameters
    ----------
    categorical, numeric : tuple of str or "all", default=()
        Columns of each type. "all" means every feature that the other does not name.
    target : str, int, tuple of str or None, default=None
        Column to predict, by name or position, or several labels.
    task : str or None, default=None
        "classification", "regression" or "multilabel".
    drop : tuple of str, default=()
        Columns to leave out.
    missing : tuple of str or None, default=None
        Texts that represent missing values.
    """

    categorical: Any = ()
    numeric: Any = ()
    target: Any = None
    task: str | None = None
    drop: tuple[str, ...] = ()
    missing: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for key in ("categorical", "numeric"):
            object.__setattr__(
                self, key, _names(getattr(self, key), key, allow_all=True)
            )
        object.__setattr__(self, "drop", _names(self.drop, "drop"))
        if self.missing is not None:
            object.__setattr__(self, "missing", _names(self.missing, "missing"))
        if isinstance(self.target, str):
            object.__setattr__(self, "target", one_spelling(self.target))
        elif isinstance(self.target, bool) or not isinstance(self.target, int | None):
            object.__setattr__(self, "target", _names(self.target, "target"))
        if self.task is not None and self.task not in TASKS:
            raise InputError(f"task must be one of {TASKS}; got {self.task!r}.")
        if both := set(self.named("categorical")) & set(self.named("numeric")):
            raise InputError(
                f"Columns are declared both categorical and numeric: {sorted(both)}."
            )
        if self.categorical == "all" == self.numeric:
            raise InputError('categorical and numeric cannot both be "all".')

    @classmethod
    def read(cls, source: "Mapping[str, Any] | str | PathLike[str] | None") -> "Schema":
        """Create a schema from a dict or a JSON file; None means an empty one.

        Parameters
        ----------
        source : mapping, path or None
            With any of the keys "categorical", "numeric", "target", "task", "drop" and
            "missing".

        Returns
        -------
        schema : Schema
        """
        if source is None:
            return cls()
        if isinstance(source, str | PathLike):
            path = Path(source)
            with convert_errors(path):
                return cls._from_object(read_json(path))
        return cls._from_object(source)

    @classmethod
    def _from_object(cls, source: Any) -> "Schema":
        if not isinstance(source, Mapping):
            raise InputError(
                f"A schema is an object with some of the keys {', '.join(KEYS)}; got a "
                f"{type(source).__name__}."
            )
        if unknown := sorted(set(source) - set(KEYS)):
            raise InputError(
                f"Unknown keys in the schema: {', '.join(map(str, unknown))}. It takes "
                f"{', '.join(KEYS)}."
            )
        return cls(**source)

    def updated(
        self,
        target: Any = None,
        task: str | None = None,
        categorical: Any = None,
        drop: Iterable[str] = (),
        missing_values: Collection[str] = MISSING_VALUES,
    ) -> "Schema":
        """Return the schema updated by arguments, which take precedence."""
        given = missing_values is not MISSING_VALUES or self.missing is None
        return Schema(
            categorical=self.categorical if categorical is None else categorical,
            numeric=self.numeric,
            target=self.target if target is None else target,
            task=task or self.task,
            drop=(*self.drop, *_names(drop, "drop")),
            missing=_names(missing_values, "missing_values") if given else self.missing,
        )

    def named(self, key: str) -> tuple[str, ...]:
        """Return the columns that a key lists by name."""
        value = getattr(self, key)
        return () if value == "all" else value

    def kind(self, column: str) -> str | None:
        """Return the declared type of a feature, or None."""
        for key in ("categorical", "numeric"):
            if column in self.named(key):
                return key
        for key in ("categorical", "numeric"):
            if getattr(self, key) == "all":
                return key
        return None

    def check_names(self, columns: list[str]) -> None:
        """Raise if a declared column is not in the table."""
        for key in ("categorical", "numeric", "drop"):
            for name in self.named(key):
                if name not in columns:
                    raise InputError(
                        f"{key} names the column {name!r}, which is not in the table. "
                        f"{suggest_close(name, columns)}"
                    )


def sibling_schema(path: Path) -> Path | None:
    """Return the schema file of a table, ``foo.schema.json`` for ``foo.csv.gz``."""
    stem = path.name.removesuffix(".gz")
    schema = path.with_name(stem.rpartition(".")[0] + ".schema.json")
    return schema if schema.is_file() else None


def read_json(path: Path) -> Any:
    """Read a JSON file; an error names the file and the line.

    Parameters
    ----------
    path : Path
        File to read, in UTF-8.

    Returns
    -------
    content : object
        Plain values.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        line = error.lineno
        problem = f"line {line} is not valid JSON: {error.msg}, column {error.colno}."
        raise TableError(problem, file=path.name, line=line) from error
    except UnicodeDecodeError as error:
        raise TableError(
            "the text is not in UTF-8;", file=path.name, advice="save it as UTF-8."
        ) from error
    except RecursionError as error:
        problem = "lists and objects are nested too deeply."
        raise TableError(problem, file=path.name) from error


def _names(value: Any, key: str, allow_all: bool = False) -> Any:
    if isinstance(value, str) and value == "all" and allow_all:
        return value
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        takes = 'a list of names, or "all"' if allow_all else "a list of texts"
        raise ParameterError(key, value, takes)
    return tuple(one_spelling(str(name)) for name in value)
