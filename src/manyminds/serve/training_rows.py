"""The model of a search, and the rows of its table as the model reads them."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from manyminds.datasets import (
    bundled_datasets,
    describe_columns,
    load_dataset,
    read_table,
)
from manyminds.persistence import TableModel, load_model
from manyminds.serve.cache import stamp
from manyminds.serve.folder import ServedFolder
from manyminds.serve.notes import collect_notes
from manyminds.serve.results import parse_command
from manyminds.serve.state import ServeState
from manyminds.utils.errors import MissingFileError, UserError

__all__ = ["find_table", "load_search_model", "load_training_rows"]

MAX_BYTES = 200_000_000  # of a file that is read for its rows
MODEL, RESULT = "model.skops", "search.json"
LAYOUT = ("separator", "decimal", "encoding")


def load_search_model(state: ServeState, folder: Path) -> TableModel:
    """Return the model of a search, from the cache if its file has not changed.

    Parameters
    ----------
    state : ServeState
    folder : Path
        Of the search.

    Returns
    -------
    model : TableModel
    """
    file = folder / MODEL
    if not file.is_file():
        raise MissingFileError("The search has no model yet.")

    def load() -> TableModel:
        with collect_notes():
            return load_model(file)

    model: TableModel = state.models.get(stamp(file), load)
    return model


def find_table(served: ServedFolder, folder: Path) -> tuple[Path | str, dict[str, Any]]:
    """Return the table of a search, and how it was read.

    Parameters
    ----------
    served : ServedFolder
    folder : Path
        Of the search.

    Returns
    -------
    table : Path or str
        File within the served folder, or name of a bundled data set.
    options : dict
        Options of the command, by name.

    Raises
    ------
    MissingFileError
        If there is no such table any more, or it is outside of the folder.
    """
    content = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    data, options = parse_command(content.get("command") or "")
    if data in bundled_datasets():
        return data, options
    # The last is the place of a table that was moved together with its search.
    places = (served.root / data, folder.parent / data, folder.parent / Path(data).name)
    for place in places:
        path = place.resolve()
        if data and path.is_relative_to(served.root) and path.is_file():
            return served.find_file(served.name_of(path)), options
    raise MissingFileError("The table of the search is not in this folder any more.")


def load_training_rows(
    state: ServeState, folder: Path, model: TableModel
) -> pd.DataFrame:
    """Return the rows that a search was made on, as its model reads them.

    Parameters
    ----------
    state : ServeState
    folder : Path
        Of the search.
    model : TableModel

    Returns
    -------
    rows : DataFrame
        In the order of the search's predictions, from row 1 on.

    Raises
    ------
    UserError
        If the table is not there, is too large to be read at once, or has changed.
    """
    table, options = find_table(state.folder, folder)
    if isinstance(table, Path) and table.stat().st_size > MAX_BYTES:
        raise MissingFileError("The table is too large to take single rows from it.")
    stamps = stamp(table) if isinstance(table, Path) else ()
    key = ("rows", str(folder), stamp(folder / MODEL), table, stamps)

    def read() -> pd.DataFrame:
        with collect_notes():
            return _match(model, _read(table, options))

    rows: pd.DataFrame = state.tables.get(key, read)
    return rows


def _match(model: TableModel, X: Any) -> Any:
    """Return a table as the model reads it; quickly if it is that of the search."""
    if model.columns is not None:
        names = [one.name for one in model.columns]
        if set(names) <= set(X.columns):
            known = X[names]
            if describe_columns(known) == model.columns:
                return known
    return model.read_rows(X)


def _read(table: Path | str, options: dict[str, Any]) -> Any:
    if isinstance(table, str):
        return load_dataset(table).X
    target = options.get("target")
    if isinstance(target, str) and target.lstrip("-").isdigit():
        target = int(target)
    layout = {name: options[name] for name in LAYOUT if name in options}
    try:
        found = read_table(
            table,
            target=target,
            task=options.get("task"),
            drop=tuple(options.get("drop", ())),
            drop_missing_target=bool(options.get("drop_missing_target")),
            **layout,
        )
    except UserError as error:
        raise MissingFileError(
            f"The table of the search cannot be read any more: {error}"
        ) from error
    return found.X
