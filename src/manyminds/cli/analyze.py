"""``manyminds analyze``: tell what a table is like before a model is made."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from manyminds.cli.compare_options import (
    DropOption,
    FolderOption,
    TargetOption,
    TaskOption,
)
from manyminds.cli.console import JsonOption, make_console, print_json
from manyminds.cli.tables import (
    DecimalOption,
    DropMissingOption,
    EncodingOption,
    SeparatorOption,
    TableArgument,
    load_table,
    show_work,
    tell_warnings,
    write_command,
)

if TYPE_CHECKING:
    from manyminds.reports.data.parts import DataSummary


def analyze(
    data: TableArgument,
    target: TargetOption = None,
    task: TaskOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write analysis.html and analysis.json here."
        ),
    ] = None,
    folder: FolderOption = None,
    drop: DropOption = None,
    drop_missing_target: DropMissingOption = False,
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    as_json: JsonOption = False,
) -> None:
    """Return what a table is like: columns, gaps, target, and how hard its rows are.

    Columns that are constant, copies of others, or have very many categories are
    marked. Each column is scored by how much of the target it explains. Complexity, by
    classes and by clusters of rows, and the hardest rows are told if the target has
    classes; above 20,000 rows of a sample of them.

    Example: manyminds analyze sales.csv --target price --out look
    """
    from manyminds.reports.data.page import write_analysis
    from manyminds.reports.data.summary import summarize_data

    layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
    with show_work("analyze") as say, tell_warnings():
        table = load_table(
            data, target, task, folder, drop, drop_missing_target, layout
        )
        summary = summarize_data(table, on_step=say)
        files = []
        if out is not None:
            options: dict[str, Any] = {"target": target, "task": task, "drop": drop}
            options |= {"drop-missing-target": drop_missing_target, **layout}
            command = write_command("analyze", [str(data)], options)
            files = write_analysis(summary, out, command=command)
    if as_json:
        _print_as_json(summary, files)
    else:
        _print_for_people(summary, files)


def _print_as_json(summary: "DataSummary", files: list[Path]) -> None:
    from manyminds.reports import to_plain

    print_json({"files": [str(file) for file in files], "summary": to_plain(summary)})


def _print_for_people(summary: "DataSummary", files: list[Path]) -> None:
    from manyminds.reports.data.terminal import print_data_summary

    console = make_console()
    print_data_summary(summary, console)
    if files:
        text = f"Written: {', '.join(str(file) for file in files)}"
        console.print(text, style="dim", markup=False, highlight=False)
