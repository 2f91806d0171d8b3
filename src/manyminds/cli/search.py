"""``manyminds search``: find the best model for a table, and estimate its score."""

from time import monotonic
from typing import TYPE_CHECKING, Any

from manyminds.cli import table_options as options
from manyminds.cli.console import JsonOption, make_console, print_json
from manyminds.cli.messages import show_notes
from manyminds.cli.search_options import (
    BudgetOption,
    ClusterOption,
    ExportableOption,
    FoldOption,
    FoldsOption,
    GroupOption,
    JobsOption,
    MemoryOption,
    MetricOption,
    NoCommitteeOption,
    NoReportOption,
    OutOption,
    PredictLimitOption,
    ResumeOption,
    StorageOption,
    TimeOption,
    TrialsOption,
    WeightOption,
)
from manyminds.cli.search_progress import show_search
from manyminds.utils.collection import no_collection
from manyminds.utils.worker_processes import early_processes

if TYPE_CHECKING:
    from manyminds.workflows import SearchResult

WORKERS = "manyminds.search.evaluation.worker_pool"


def search(
    data: options.TableArgument,
    target: options.TargetOption = None,
    budget: BudgetOption = None,
    trials: TrialsOption = None,
    metric: MetricOption = "auto",
    out: OutOption = None,
    resume: ResumeOption = False,
    cv: FoldsOption = None,
    group: GroupOption = None,
    time: TimeOption = None,
    fold: FoldOption = None,
    weight: WeightOption = None,
    task: options.TaskOption = None,
    drop: options.DropOption = None,
    drop_missing_target: options.DropMissingOption = False,
    separator: options.SeparatorOption = None,
    decimal: options.DecimalOption = None,
    encoding: options.EncodingOption = None,
    folder: options.FolderOption = None,
    seed: options.SeedOption = 0,
    jobs: JobsOption = -1,
    storage: StorageOption = None,
    cluster: ClusterOption = None,
    memory: MemoryOption = None,
    no_committee: NoCommitteeOption = False,
    predict_limit: PredictLimitOption = None,
    exportable: ExportableOption = False,
    no_report: NoReportOption = False,
    as_json: JsonOption = False,
) -> None:
    """Search the best model for a table: preprocessing, learner and committee at once.

    Pipelines of scaling, reduction, selection of columns and learner are evaluated;
    each is validated as one model. The final score is corrected for selection bias.
    Ctrl-C or SIGTERM ends the search early and keeps the best model so far; a second
    one stops at once, and --resume continues later.

    The exit code is 0 if a model was written, whether or not the report was.

    Three examples:

    manyminds search sales.csv --target price --budget 5m

    manyminds search visits.csv --target outcome --group patient

    manyminds search wine --trials 30 --metric balanced_accuracy --out found
    """
    started = monotonic()
    n_early = jobs if cluster is None else 1
    with early_processes(n_early, data, WORKERS):
        with no_collection():  # while the processes import, too
            from manyminds.workflows import run_search

        with show_search("search") as on_progress, show_notes():
            result = run_search(
                data,
                target,
                budget=budget,
                n_trials=trials,
                metric=metric,
                out=out,
                resume=resume,
                cv=cv,
                group=group,
                time=time,
                fold=fold,
                weight=weight,
                committee=not no_committee,
                predict_limit=predict_limit,
                exportable=exportable,
                report=not no_report,
                storage=storage,
                cluster=cluster,
                memory=memory,
                started=started,
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
        _print_for_people(result)


def _print_as_json(result: "SearchResult") -> None:
    from manyminds.reports import to_plain

    content: dict[str, Any] = {
        "files": [str(file) for file in result.files],
        "summary": to_plain(result.summary),
    }
    if result.failures:
        content["failures"] = result.failures
    print_json(content)


def _print_for_people(result: "SearchResult") -> None:
    from manyminds.reports import print_search_summary
    from manyminds.reports.search.folder import REPORT

    console, folder = make_console(), result.folder
    lines = [f"All files are in {folder}."]
    if result.summary is not None:
        print_search_summary(result.summary, console)
    if (report := folder / REPORT) in result.files:
        lines.append(f"Report: {report}")
    if result.summary is not None:
        lines.append(f"Show the results:  manyminds show {folder}")
    lines.append(f"Predict samples:   manyminds predict {folder} new.csv")
    text = "\n".join(lines)
    console.print(text, style="dim", markup=False, highlight=False)
