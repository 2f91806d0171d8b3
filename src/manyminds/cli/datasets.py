"""``manyminds datasets``: list the data sets that commands take by name."""

from pathlib import Path
from typing import Annotated

import typer

from manyminds.cli.console import JsonOption, make_console, print_json
from manyminds.utils.collection import no_collection


def datasets(
    folder: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Folder of further sets, with an INDEX.csv. By default that of "
            "MANYMINDS_DATA, if it is set.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the data sets that commands take by name, and need no download.

    Each line is a name, the numbers of rows and columns, and the task.

    Example: manyminds datasets
    """
    with no_collection():
        from manyminds.datasets import bundled_datasets, load_dataset

    rows = _list_folder(folder)
    known = {row["name"] for row in rows}
    for name in bundled_datasets():
        if name not in known:  # a set of the folder takes precedence, as everywhere
            data = load_dataset(name)
            rows.append(_describe(name, data.n_samples, data.n_features, data.task))
    rows.sort(key=lambda row: str(row["name"]))
    if as_json:
        print_json({"datasets": rows})
    else:
        _print_table(rows)


def _list_folder(folder: Path | None) -> list[dict[str, object]]:
    """List the data sets in the index of a folder."""
    import os

    from manyminds.datasets import DataFolder
    from manyminds.datasets.lookup import DATA_VARIABLE

    place = folder or os.environ.get(DATA_VARIABLE)
    if not place:
        return []
    index = DataFolder(place).index.reset_index()
    return [
        _describe(
            row["name"],
            int(row["rows"]),
            int(row["features"]),
            row["classes_or_regression"],
        )
        for row in index.to_dict(orient="records")
    ]


def _describe(name: str, rows: int, columns: int, task: str) -> dict[str, object]:
    task = f"{task} classes" if task.isdigit() else task
    return {"name": name, "rows": rows, "columns": columns, "task": task}


def _print_table(rows: list[dict[str, object]]) -> None:
    from rich.table import Table

    table = Table()
    for name in rows[0]:
        number = name in ("rows", "columns")
        table.add_column(name, justify="right" if number else "left")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    make_console().print(table)
