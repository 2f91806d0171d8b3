"""Declarations about a table: types of columns that a person has corrected."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manyminds.datasets.schema import Schema
from manyminds.utils.errors import InputError
from manyminds.utils.files import write_atomically

__all__ = ["KINDS", "declare_kinds", "read_declared"]

# What a person chooses from, and the key of the schema.
KINDS = {"auto": None, "number": "numeric", "category": "categorical", "drop": "drop"}


def read_declared(path: Path | None) -> dict[str, Any]:
    """Return the content of a schema file; empty if there is none.

    Raises
    ------
    InputError
        If the file is damaged.
    """
    if path is None or not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text("utf-8"))
        Schema.read(content)
    except (ValueError, TypeError) as error:
        raise InputError(f"{path.name} is damaged: {error}") from error
    return dict(content)


def declare_kinds(path: Path, kinds: Mapping[str, str]) -> None:
    """Write types of columns into a schema file; others that it has stay.

    Parameters
    ----------
    path : Path
        Created if it does not exist.
    kinds : mapping of str to str
        Name of a column, and a key of `KINDS`.
    """
    content = read_declared(path)
    for name, kind in kinds.items():
        if kind not in KINDS:
            raise InputError(f"{kind!r} is no type of a column.")
        for key in filter(None, KINDS.values()):
            listed = content.get(key, [])
            if listed == "all":
                continue
            others = [one for one in listed if one != name]
            content[key] = [*others, name] if KINDS[kind] == key else others
    content = {key: value for key, value in content.items() if value not in ([], None)}
    if content:
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        write_atomically(path, text.encode())
    else:
        path.unlink(missing_ok=True)
