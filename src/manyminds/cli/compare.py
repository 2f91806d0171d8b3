"""``manyminds compare``: compare methods on tables, and test their differences."""

from typing import TYPE_CHECKING

import typer
from rich.table import Table

from manyminds.cli import table_options as options
from manyminds.cli.compare_options import (
    CvOption,
    DataArgument,
    ListOption,
    MethodsOption,
    MetricOption,
    NativeOption,
    OutOption,
    RetryOption,
)
from manyminds.cli.console import (
    DEFAULT_STORE,
    JobsOption,
    JsonOption,
    StoreOption,
    make_console,
    print_files,
    print_json,
    show_progress,
)
from manyminds.cli.messages import show_notes
from manyminds.utils.collection import no_collection

if TYPE_CHECKING:
    from manyminds.workflows import ComparisonResult


def compare(
    data: DataArgument,
    target: options.TargetOption = None,
    methods: MethodsOption = None,
    cv: CvOption = "10",
    metric: MetricOption = None,
    task: options.TaskOption = None,
    store: StoreOption = DEFAULT_STORE,
    jobs: JobsOption = 1,
    out: OutOption = None,
    folder: options.FolderOption = None,
    drop: options.DropOption = None,
    separator: options.SeparatorOption = None,
    decimal: options.DecimalOption = None,
    encoding: options.EncodingOption = None,
    native: NativeOption = False,
    seed: options.SeedOption = 0,
    retry_failed: RetryOption = False,
    as_json: JsonOption = False,
    show_methods: ListOption = False,
) -> None:
    """Compare methods on tables by cross-validation, and test their differences.

    All methods share the same folds and the same preprocessing: medians for missing
    numbers, one-hot encoded categories, and standardized numbers for methods that
    depend on units, such as knn and svm. Results are stored: when you add a method or
    a data set, only what is new is run.

    Two examples:

    manyminds compare iris wine balance-scale -m "rf, tree, knn" --cv 10x10

    manyminds compare sales.csv --target price -m "rf, ridge" --out report
    """
    with no_collection():
        from manyminds.workflows import run_comparison

    with show_progress("compare") as on_progress, show_notes():
        result = run_comparison(
            data,
            target,
            methods=methods,
            cv=cv,
            metrics=metric,
            store=store,
            out=out,
            native=native,
            retry_failed=retry_failed,
            task=task,
            drop=drop,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            folder=folder,
            on_progress=on_progress,
            n_jobs=jobs,
            random_state=seed,
        )
    if as_json:
        _print_as_json(result, store)
    else:
        _print_for_people(result, store)
    if not result.succeeded:
        raise typer.Exit(1)


def _print_as_json(result: "ComparisonResult", store: str) -> None:
    from manyminds.reports import to_plain
    from manyminds.utils.databases import hide_password

    content = {
        "command": result.command,
        "store": hide_password(store),
        "n_new": result.n_new,
        "seconds": result.seconds,
        "files": [str(file) for file in result.files],
        "summaries": to_plain(result.summaries),
    }
    print_json(content)


def _print_for_people(result: "ComparisonResult", store: str) -> None:
    from manyminds.reports import print_summary
    from manyminds.reports.shared.formatting import format_time
    from manyminds.utils.databases import hide_password

    console = make_console()
    for summary in result.summaries.values():
        print_summary(summary, console)
    n_known = len(result.records) - result.n_new
    known = f" ({n_known} were stored before)" if n_known else ""
    done = f"{result.n_new} folds run in {format_time(result.seconds)}{known}"
    text = f"{done}; all are stored in {hide_password(store)}."
    console.print(text, style="dim", markup=False, highlight=False)
    print_files(console, result.files)


def print_methods(task: str, *, as_json: bool = False) -> None:
    """Print the methods for a task, with their short names and packages."""
    from dataclasses import asdict

    from manyminds.experiments import list_methods

    if as_json:
        print_json([asdict(one) for one in list_methods(task)])
        return
    table = Table(title=f"Methods for {task}")
    for column in ("short", "name", "library", "numbers", "needs"):
        table.add_column(column, overflow="fold")
    for one in list_methods(task):
        scaled = "scaled" if one.scaled else ""
        short, needs = ", ".join(one.aliases), ", ".join(one.needs)
        table.add_row(short, one.name, one.library, scaled, needs)
    make_console().print(table)
