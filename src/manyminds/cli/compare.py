"""``manyminds compare``: try methods on tables and tell which differences are real."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from manyminds.cli.compare_options import (
    CvOption,
    DataArgument,
    DropOption,
    FolderOption,
    ListOption,
    MethodsOption,
    MetricOption,
    NativeOption,
    OutOption,
    RetryOption,
    SeedOption,
    TargetOption,
    TaskOption,
)
from manyminds.cli.console import (
    DEFAULT_STORE,
    JobsOption,
    JsonOption,
    StoreOption,
    make_console,
    print_json,
    show_progress,
)
from manyminds.cli.tables import (
    DecimalOption,
    EncodingOption,
    SeparatorOption,
    read_named,
    tell_warnings,
    write_command,
)

if TYPE_CHECKING:
    from manyminds.datasets import Dataset
    from manyminds.experiments import CrossValidation, Method, Outcome, Plan
    from manyminds.reports import ComparisonSummary

METHODS = {
    "classification": "rf, et, tree, logistic, dummy",
    "regression": "rf, et, tree, ridge, dummy",
    "multilabel": "sklearn.rf, sklearn.et, sklearn.tree, knn, dummy",
}
METRICS = {"classification": "accuracy", "regression": "rmse", "multilabel": "accuracy"}


def compare(
    data: DataArgument,
    target: TargetOption = None,
    methods: MethodsOption = None,
    cv: CvOption = "10",
    metric: MetricOption = None,
    task: TaskOption = None,
    store: StoreOption = DEFAULT_STORE,
    jobs: JobsOption = 1,
    out: OutOption = None,
    folder: FolderOption = None,
    drop: DropOption = None,
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    native: NativeOption = False,
    seed: SeedOption = 0,
    retry_failed: RetryOption = False,
    as_json: JsonOption = False,
    show_methods: ListOption = False,
) -> None:
    """Compare methods on tables, and tell which differences are real.

    All methods see the same folds and the same preparation: medians for
    missing numbers, a column of 0 and 1 for each category, and numbers of
    mean 0 and variance 1 for methods that depend on units, such as knn and
    svm. Results are kept: when you add a method or a data set, only what is
    new is done.

    Two examples:

    manyminds compare iris wine balance-scale -m "rf, tree, knn" --cv 10x10

    manyminds compare sales.csv --target price -m "rf, ridge" --out report
    """
    layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
    datasets = _load_all(data, target, task, folder, drop, layout)
    given = task or datasets[0].task
    metrics = tuple(metric or [METRICS[given]])
    chosen = methods or METHODS[given]
    plans = _make_plans(datasets, chosen, given, metrics, _read_cv(cv, seed), native)
    outcome = _run_all(plans, store, jobs, retry_failed, "compare")
    options = {"cv": cv, "metric": metrics, "methods": chosen, "target": target}
    others = {"task": task, "drop": drop, "seed": seed or None, "native": native}
    command = write_command("compare", data or [], options | others | layout)
    _tell(outcome, metrics, store, out, command, as_json)


# ------------------------------------------------------------------ what to compare


def _load_all(
    data: list[str],
    target: str | None,
    task: str | None,
    folder: Path | None,
    drop: list[str] | None,
    layout: dict[str, Any],
) -> list["Dataset"]:
    """Load the data sets, and raise unless they can be compared in one go."""
    if task is not None and task not in METHODS:
        raise typer.BadParameter(f"takes {', '.join(METHODS)}.", param_hint="--task")
    with tell_warnings():
        datasets = [
            read_named(name, target, task, folder, drop, layout) for name in data
        ]
    _check_comparable(datasets, task)
    return datasets


def _check_comparable(datasets: list["Dataset"], task: str | None) -> None:
    tasks = {data.task: data.name for data in reversed(datasets)}
    if len(tasks) > 1:
        told = " and ".join(f"{name} is {kind}" for kind, name in tasks.items())
        raise ValueError(f"Data sets of one comparison have one task, but {told}.")
    if task is not None and task not in tasks:
        first = datasets[0]
        raise ValueError(f"--task is {task}, but {first.name} is {first.task}.")
    names: dict[str, str] = {}
    for data in datasets:
        known = names.setdefault(data.fingerprint, data.name)
        if known != data.name:
            raise ValueError(f"{known} and {data.name} hold the same data.")


def _read_cv(text: str, seed: int) -> "CrossValidation":
    from manyminds.experiments import CrossValidation

    found = re.fullmatch(r"(?:(\d+)\s*[x×]\s*)?(\d+)", text.strip().lower())
    if found is None or int(found[2]) < 2 or int(found[1] or 1) < 1:
        raise typer.BadParameter(
            f"takes REPEATSxFOLDS, such as 10x10, or FOLDS, from 2 on; got {text!r}.",
            param_hint="--cv",
        )
    return CrossValidation(int(found[2]), int(found[1] or 1), seed)


def _make_plans(
    datasets: list["Dataset"],
    methods: str,
    task: str,
    metrics: tuple[str, ...],
    splits: "CrossValidation",
    native: bool,
) -> list["Plan"]:
    """Make a plan for the dense tables and one for the sparse, which need no care."""
    from scipy.sparse import issparse

    from manyminds.experiments import Plan
    from manyminds.experiments.methods import parse_methods
    from manyminds.utils.hashing import make_key

    parsed = parse_methods(methods, task)
    names = [[d.name for d in datasets], [m.name for m in parsed]]
    key = make_key([*names, metrics, splits.describe(), len(splits), native])
    plans = []
    for sparse in (False, True):
        tables = [data for data in datasets if issparse(data.X) == sparse]
        if tables:
            ready = parsed if sparse else [_prepare(one, native) for one in parsed]
            title = f"compare {key[:8]}"
            plans.append(Plan(title, tables, ready, metrics, splits, seed=splits.seed))
    return plans


def _prepare(method: "Method", native: bool) -> "Method":
    from manyminds.experiments import Method
    from manyminds.experiments import needs_scaling
    from manyminds.experiments.preparation import prepared, takes_raw_tables

    if native and takes_raw_tables(method.estimator):
        return method
    scale = needs_scaling(method.estimator)
    return Method(method.name, prepared(method.estimator, scale))


def _run_all(
    plans: list["Plan"], store: str, jobs: int, retry_failed: bool, title: str
) -> "Outcome":
    """Run the plans one after the other, and give what came of all of them."""
    from manyminds.experiments import Outcome, open_store, run

    place = open_store(store)
    try:
        with show_progress(title) as update:
            outcomes = [
                run(
                    plan,
                    place,
                    n_jobs=jobs,
                    retry_failed=retry_failed,
                    on_progress=update,
                )
                for plan in plans
            ]
    finally:
        place.close()
    return Outcome(
        plans[0],
        [record for one in outcomes for record in one.records],
        {name: reason for one in outcomes for name, reason in one.missing.items()},
        sum(one.n_new for one in outcomes),
        sum(one.seconds for one in outcomes),
    )


# ------------------------------------------------------------------ what came of it


def _tell(
    outcome: "Outcome",
    metrics: tuple[str, ...],
    store: str,
    out: Path | None,
    command: str,
    as_json: bool,
) -> None:
    """Print the result, write the report, and leave with 1 if nothing worked."""
    from manyminds.reports import summarize, write_report

    if not outcome.records:
        raise ValueError("; ".join(f"{n}: {why}" for n, why in outcome.missing.items()))
    missing = outcome.missing
    summaries = {m: summarize(outcome.records, m, missing=missing) for m in metrics}
    works = any(cell.n for one in summaries.values() for cell in one.cells)
    files: list[Path] = []
    if out is not None and works:
        shown = summaries[metrics[0]]
        files = write_report(shown, outcome.records, out, command=command)
    if as_json:
        _print_as_json(summaries, outcome, store, files, command)
    else:
        _print_for_people(summaries, outcome, store, files)
    if not works:
        raise typer.Exit(1)


def _print_as_json(
    summaries: dict[str, "ComparisonSummary"],
    outcome: "Outcome",
    store: str,
    files: list[Path],
    command: str,
) -> None:
    from manyminds.reports import to_plain
    from manyminds.utils.databases import hide_password

    content = {
        "command": command,
        "store": hide_password(store),
        "n_new": outcome.n_new,
        "seconds": outcome.seconds,
        "files": [str(file) for file in files],
        "summaries": to_plain(summaries),
    }
    print_json(content)


def _print_for_people(
    summaries: dict[str, "ComparisonSummary"],
    outcome: "Outcome",
    store: str,
    files: list[Path],
) -> None:
    from manyminds.reports import print_summary
    from manyminds.reports.comparison.words import say_time
    from manyminds.utils.databases import hide_password

    console = make_console()
    for summary in summaries.values():
        print_summary(summary, console)
    n_known = len(outcome.records) - outcome.n_new
    known = f" ({n_known} were known)" if n_known else ""
    done = f"{outcome.n_new} folds done in {say_time(outcome.seconds)}{known}"
    lines = [f"{done}; all are kept in {hide_password(store)}."]
    lines += [f"Written: {', '.join(str(file) for file in files)}"] if files else []
    for line in lines:
        console.print(line, style="dim", markup=False, highlight=False)


def print_methods(task: str) -> None:
    """Print the methods for a task, with their short names and needs."""
    from manyminds.experiments import list_methods

    table = Table(title=f"Methods for {task}")
    for column in ("short", "name", "of", "numbers", "needs"):
        table.add_column(column, overflow="fold")
    for one in list_methods(task):
        scaled = "scaled" if one.scaled else ""
        short, needs = ", ".join(one.aliases), ", ".join(one.needs)
        table.add_row(short, one.name, one.library, scaled, needs)
    make_console().print(table)
