"""``manyminds select``: which columns to keep, and how stable the selection is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from manyminds.cli import table_options as options
from manyminds.cli.console import (
    JobsOption,
    JsonOption,
    make_console,
    print_files,
    print_json,
    show_work,
)
from manyminds.cli.messages import show_notes
from manyminds.utils.collection import no_collection

if TYPE_CHECKING:
    from manyminds.workflows import SelectionResult


def select(
    data: options.TableArgument,
    target: options.TargetOption = None,
    number: Annotated[
        int | None,
        typer.Option(
            "-k",
            "--number",
            metavar="K",
            min=1,
            help="Number of columns to select on each resample, and to keep. By "
            "default 20, or half of the columns if there are fewer than 40.",
        ),
    ] = None,
    selector: Annotated[
        str,
        typer.Option(
            "--selector",
            metavar="NAME",
            help="Selector to run on each resample: mrmr, correlation, ssv, fcbf, "
            "information or forest.",
        ),
    ] = "mrmr",
    resamples: Annotated[
        int,
        typer.Option(
            "--resamples",
            metavar="N",
            min=2,
            help="Number of halves of the rows, in disjoint pairs; an odd number is "
            "raised by one.",
        ),
    ] = 50,
    permutations: Annotated[
        int | None,
        typer.Option(
            "--permutations",
            metavar="N",
            min=0,
            help="Number of permuted targets to compare with; each takes as long as "
            "the selection itself. By default 10, or fewer for a very large table.",
            show_default=False,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="SHARE",
            help="Keep the columns with at least this selection frequency, instead of "
            "K.",
        ),
    ] = None,
    task: options.TaskOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write selection.csv and stability.svg here."
        ),
    ] = None,
    folder: options.FolderOption = None,
    drop: options.DropOption = None,
    drop_missing_target: options.DropMissingOption = False,
    separator: options.SeparatorOption = None,
    decimal: options.DecimalOption = None,
    encoding: options.EncodingOption = None,
    seed: options.SeedOption = 0,
    jobs: JobsOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Select columns on many halves of the rows, and keep those selected most often.

    Shown are the frequency of each column and the stability between disjoint halves
    (1: always the same, 0: random) with its 95 % interval; and, for comparison, both
    for permuted targets, which no column can predict. With --threshold above 0.5 there
    is a bound on the number of falsely kept columns.

    Two examples:

    manyminds select wine -k 5

    manyminds select sales.csv --target price --selector forest --threshold 0.8
    """
    with no_collection():
        from manyminds.workflows import run_selection

    with show_work("select") as on_progress, show_notes():
        result = run_selection(
            data,
            target,
            n_features=number,
            selector=selector,
            n_resamples=resamples,
            n_permutations=permutations,
            threshold=threshold,
            out=out,
            task=task,
            drop=drop,
            drop_missing_target=drop_missing_target,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            folder=folder,
            on_progress=on_progress,
            n_jobs=jobs,
            random_state=seed,
        )
    if as_json:
        _print_as_json(result)
    else:
        _print_for_people(result, f"{result.data.name}, {selector}")


def _print_as_json(result: "SelectionResult") -> None:
    from manyminds.reports import to_plain

    content = {
        **to_plain(result.summary),
        "identifiers": result.identifiers,
        "files": [str(file) for file in result.files],
        "columns": to_plain(result.frequencies.to_dict(orient="records")),
    }
    print_json(content)


def _print_for_people(result: "SelectionResult", title: str) -> None:
    from manyminds.reports import print_selection

    console = make_console()
    print_selection(
        result.frequencies,
        result.summary,
        console,
        title=title,
        identifiers=result.identifiers,
    )
    print_files(console, result.files)
