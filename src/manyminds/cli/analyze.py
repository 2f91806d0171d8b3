"""``manyminds analyze``: summarize a table before a model is fitted."""

from pathlib import Path
from typing import Annotated

import typer

from manyminds.cli import table_options as options
from manyminds.cli.console import (
    JsonOption,
    make_console,
    print_files,
    print_json,
    show_work,
)
from manyminds.cli.messages import show_notes
from manyminds.utils.collection import no_collection


def analyze(
    data: options.TableArgument,
    target: options.TargetOption = None,
    task: options.TaskOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write analysis.html and analysis.json here."
        ),
    ] = None,
    folder: options.FolderOption = None,
    drop: options.DropOption = None,
    drop_missing_target: options.DropMissingOption = False,
    separator: options.SeparatorOption = None,
    decimal: options.DecimalOption = None,
    encoding: options.EncodingOption = None,
    as_json: JsonOption = False,
) -> None:
    """Summarize a table: columns, missing values, target and complexity of the rows.

    Columns that are constant, copies of others, or have very many categories are
    marked. Each column is scored by the share of the target that it explains. For
    classes, the complexity of the rows is measured, overall and by clusters of rows,
    and the most complex rows are listed; above 20,000 rows on a random sample.

    Example: manyminds analyze sales.csv --target price --out analysis
    """
    with no_collection():
        from manyminds.reports import print_data_summary, to_plain
        from manyminds.workflows import run_analysis

    with show_work("analyze") as on_progress, show_notes():
        result = run_analysis(
            data,
            target,
            out=out,
            task=task,
            drop=drop,
            drop_missing_target=drop_missing_target,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            folder=folder,
            on_progress=on_progress,
        )
    if as_json:
        files = [str(file) for file in result.files]
        print_json({"files": files, "summary": to_plain(result.summary)})
        return
    console = make_console()
    print_data_summary(result.summary, console)
    print_files(console, result.files)
