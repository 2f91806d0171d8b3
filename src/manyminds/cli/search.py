"""``manyminds search``: find the best model for a table, and say how good it is."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manyminds.cli.compare_options import DropOption, FolderOption, TargetOption
from manyminds.cli.console import JsonOption, make_console, print_json
from manyminds.cli.search_options import (
    BudgetOption,
    FoldsOption,
    JobsOption,
    MetricOption,
    NoCommitteeOption,
    NoReportOption,
    OutOption,
    ResumeOption,
    SeedOption,
    StorageOption,
    TaskOption,
    TrialsOption,
)
from manyminds.cli.tables import (
    TABLE,
    DecimalOption,
    DropMissingOption,
    EncodingOption,
    SeparatorOption,
    TableArgument,
    hint_at_counters,
    load_table,
    tell,
    tell_warnings,
    write_command,
)

if TYPE_CHECKING:
    from manyminds.datasets import Dataset
    from manyminds.reports.search.files import SearchIdentity
    from manyminds.reports.search.parts import SearchSummary
    from manyminds.search.evaluation.metrics import PredictionScorer
    from manyminds.search.study.trial_record import SearchProgress

USUAL_BUDGET = "60s"
FOR_NUMBERS = ("rmse", "mse", "mae", "r2")


def search(
    data: TableArgument,
    target: TargetOption = None,
    budget: BudgetOption = None,
    trials: TrialsOption = None,
    metric: MetricOption = "auto",
    out: OutOption = None,
    resume: ResumeOption = False,
    cv: FoldsOption = None,
    task: TaskOption = None,
    drop: DropOption = None,
    drop_missing_target: DropMissingOption = False,
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    folder: FolderOption = None,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    storage: StorageOption = None,
    no_committee: NoCommitteeOption = False,
    no_report: NoReportOption = False,
    as_json: JsonOption = False,
) -> None:
    """Search the best model for a table: steps, learner and committee at once.

    Chains of scaling, reduction, selection of columns and learner are tried; each is
    validated as one model. The score told in the end allows for the luck of the winner.
    Ctrl-C or SIGTERM ends the search early and keeps the best so far; a second one
    stops at once, and --resume goes on later.

    The exit code is 0 if a model was written that can be used, whatever became of the
    report.

    Two examples:

    manyminds search sales.csv --target price --budget 5m

    manyminds search wine --trials 30 --metric balanced_accuracy --out found
    """
    started = time.monotonic()
    layout: dict[str, Any] = {
        "separator": separator,
        "decimal": decimal,
        "encoding": encoding,
    }
    with tell_warnings():
        table = load_table(
            data, target, task, folder, drop, drop_missing_target, layout
        )
    hint_at_counters(table)
    _check_task(table, task)
    measure = _read_metric(metric, table)
    seconds = _read_budget(budget, trials)
    _check_jobs(jobs)
    _check_folds(cv, table, seed)
    from manyminds.reports.search.files import SearchIdentity, open_search_folder
    from manyminds.utils.databases import hide_password

    named = _name_target(str(data), target, layout)
    identity = SearchIdentity(
        table.name, table.fingerprint, named, table.task, measure.name, cv, seed
    )
    shown = hide_password(storage) if storage else None
    options = {
        "target": target, "budget": budget, "trials": trials, "metric": measure.name,
        "cv": cv, "task": task, "drop": drop, "seed": seed or None,
        "drop-missing-target": drop_missing_target, "no-committee": no_committee,
        "data": folder, "storage": shown, "out": out, **layout,
    }  # fmt: skip
    command = write_command("search", [str(data)], options)
    _check_storage(storage, identity.study_name)
    place = open_search_folder(
        out or Path(f"{table.name}-search"), identity,
        resume=resume, command=command, storage=shown,
    )  # fmt: skip
    found = _search(
        table, identity, measure, place,
        seconds=seconds, trials=trials, jobs=jobs, committee=not no_committee,
        storage=storage, fresh=not resume,
    )  # fmt: skip
    written = _Written(found, table, identity, place, command)
    written.write_all(time.monotonic() - started, with_page=not no_report)
    if as_json:
        _print_as_json(written)
    else:
        _print_for_people(written)


# ------------------------------------------------------------------ what to search


def _check_task(data: "Dataset", task: str | None) -> None:
    if data.task == "multilabel":
        raise ValueError("search takes one target; the table has several labels.")
    if task is not None and task != data.task:
        raise ValueError(f"--task is {task}, but {data.name} is {data.task}.")


def _read_metric(metric: str, data: "Dataset") -> "PredictionScorer":
    """Find a metric, and try it on perfect predictions: does it suit the target?"""
    import numpy as np

    from manyminds.search.evaluation.metrics import PredictionScorer

    numbers = data.task == "regression"
    classes = None if numbers else np.unique(data.y)
    try:
        measure = PredictionScorer(metric, data.task, classes)
    except ValueError as error:
        text = str(error).replace("metrics has", "--metric is")
        raise ValueError(text) from error
    if classes is None:
        perfect, y = np.asarray(data.y, dtype=np.float64), data.y
    else:
        y = np.searchsorted(classes, data.y)
        perfect = np.eye(len(classes))[y]
    suits = numbers or measure.kind not in FOR_NUMBERS
    try:
        suits = suits and bool(np.isfinite(measure(perfect, y)))
    except (ValueError, TypeError, IndexError):
        suits = False
    if not suits:
        kind = "numbers" if classes is None else f"{len(classes)} classes"
        raise ValueError(f"--metric {metric} cannot score a target of {kind}.")
    return measure


def _read_budget(budget: str | None, trials: int | None) -> float | None:
    from manyminds.search.evaluation.timing import read_seconds

    if budget is None:
        return None if trials is not None else read_seconds(USUAL_BUDGET)
    try:
        return read_seconds(budget)
    except ValueError as error:
        raise ValueError(str(error).replace("budget must", "--budget must")) from error


def _check_jobs(jobs: int) -> None:
    if jobs == 0:
        raise ValueError("--jobs takes 1 or more, or -1 for all cores; got 0.")


def _check_folds(cv: int | None, data: "Dataset", seed: int) -> None:
    """Draw the folds once, lest a folder be made for a search that cannot begin."""
    import numpy as np

    from manyminds.search.evaluation.folds import make_folds

    if cv is not None and cv > data.n_samples:
        raise ValueError(f"--cv is {cv}, but {data.name} has {data.n_samples} rows.")
    y = data.y
    if data.task == "classification":
        y = np.unique(data.y, return_inverse=True)[1]
    try:
        make_folds("auto" if cv is None else cv, data.X, y, data.task, seed)
    except ValueError as error:
        if data.task != "classification":
            raise
        most = f"the most frequent class has {np.bincount(y).max()} rows"
        if cv is None:
            raise ValueError(
                f"{data.name} cannot be divided into folds: {most}, two or more are "
                "needed."
            ) from error
        raise ValueError(f"--cv is {cv}, but {most}.") from error


def _check_storage(storage: str | None, study_name: str) -> None:
    """Open a database before a folder is made."""
    from manyminds.search.study.prediction_store import open_prediction_store

    if storage is not None:
        open_prediction_store(storage, study_name).close()


def _name_target(name: str, target: str | None, layout: dict[str, Any]) -> str:
    """Find the name of the column to predict, also where its position was given."""
    import warnings

    from manyminds.datasets.features import read_features
    from manyminds.datasets.target import choose_target
    from manyminds.utils.text import one_spelling

    if not TABLE.search(name):
        return "target"
    if target is not None and not target.lstrip("-").isdigit():
        return one_spelling(target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they have been told when the table was read
        table = read_features(name, **layout)
    columns = [str(column) for column in getattr(table, "columns", ())]
    if not columns:
        return "target"
    try:
        return choose_target(columns, None if target is None else int(target))[0]
    except ValueError:
        return columns[-1]  # of ARFF, where the last one is meant


# ------------------------------------------------------------------ search


def _search(
    data: "Dataset",
    identity: "SearchIdentity",
    measure: "PredictionScorer",
    place: Path,
    *,
    seconds: float | None,
    trials: int | None,
    jobs: int,
    committee: bool,
    storage: str | None,
    fresh: bool,
) -> Any:
    """Search, choose and fit; Ctrl-C ends the search, and what it has is fitted."""
    from manyminds.cli.search_progress import show_search
    from manyminds.reports.search.files import STUDY, discard_search
    from manyminds.search import (
        ComplexModelSearchClassifier,
        ComplexModelSearchRegressor,
    )
    from manyminds.utils.databases import StoreError

    kinds = {"classification": ComplexModelSearchClassifier}
    kind = kinds.get(data.task, ComplexModelSearchRegressor)
    tried: list[str] = []
    with show_search("search", seconds, trials, measure.name, measure.show) as update:

        def note(state: "SearchProgress") -> None:
            tried.append(state.latest)
            update(state)

        found = kind(
            seconds,
            n_trials=trials,
            metric=identity.metric,
            cv="auto" if identity.cv is None else identity.cv,
            committee=committee,
            storage=storage or str(place / STUDY),
            study_name=identity.study_name,
            on_progress=note,
            n_jobs=jobs,
            random_state=identity.seed,
        )
        try:
            return _fit(found, data)
        except StoreError as error:
            raise StoreError(f"{error} --resume goes on with it.") from error
        except Exception:
            if fresh and not tried:  # so that a second try is not refused
                discard_search(place)
            raise


def _fit(found: Any, data: "Dataset") -> Any:
    import warnings

    with warnings.catch_warnings():
        # Of learners that did not settle: their score says what they are worth.
        warnings.simplefilter("ignore")
        return found.fit(data.X, data.y)


# ------------------------------------------------------------------ what came of it


@dataclass
class _Written:
    """What a search found, written piece by piece: the model comes first.

    A failure in what comes after it is told and loses nothing else.
    """

    found: Any
    data: "Dataset"
    identity: "SearchIdentity"
    place: Path
    command: str
    files: list[Path] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    summary: "SearchSummary | None" = None

    def write_all(self, seconds: float, *, with_page: bool) -> None:
        """Write model, tables, result and page; raise only if there is no model."""
        from manyminds.reports.search.files import write_model

        self.files.append(
            write_model(self.place, self.found, self.data, self.identity, self.command)
        )
        self._try("The tables", self._write_tables)
        self._try("The result", lambda: self._write_result(seconds))
        if with_page and self.summary is not None:
            self._try("The report", self._write_page)
        for failure in self.failures:
            tell(f"Note: {failure}")

    def _try(self, what: str, write: Callable[[], None]) -> None:
        try:
            write()
        except Exception as error:  # the model is written; nothing may undo that
            if os.environ.get("MANYMINDS_DEBUG"):
                raise
            reason = f"{error or type(error).__name__}".rstrip(".")
            self.failures.append(
                f"{what} could not be written: {reason}. The model is in "
                f"{self.files[0]}; --resume writes the rest again."
            )

    def _write_tables(self) -> None:
        from manyminds.reports.search.files import write_tables

        self.files += write_tables(self.place, self.found, self.data)

    def _write_result(self, seconds: float) -> None:
        from manyminds.reports.search.files import write_result
        from manyminds.reports.search.summary import summarize_search

        summary = summarize_search(
            self.found,
            self.data,
            target_name=self.identity.target,
            seed=self.identity.seed,
            seconds=seconds,
            command=self.command,
        )
        self.files.append(write_result(self.place, self.identity, summary))
        self.summary = summary

    def _write_page(self) -> None:
        from manyminds.reports.search.files import write_page
        from manyminds.reports.search.summary import (
            detail_search,
            read_member_predictions,
        )

        assert self.summary is not None
        made = read_member_predictions(self.found)
        details = detail_search(
            self.found, self.data, member_predictions=made, seed=self.identity.seed
        )
        self.files.append(write_page(self.place, self.summary, details))


def _print_as_json(written: _Written) -> None:
    from manyminds.reports import to_plain

    content = {
        "files": [str(file) for file in written.files],
        "summary": to_plain(written.summary),
    }
    if written.failures:
        content["failures"] = written.failures
    print_json(content)


def _print_for_people(written: _Written) -> None:
    from manyminds.reports.search.terminal import print_search_summary

    console, place = make_console(), written.place
    lines = [f"All files are in {place}."]
    if written.summary is not None:
        print_search_summary(written.summary, console)
    if (report := place / "report.html") in written.files:
        lines.append(f"Report: {report}")
    if written.summary is not None:
        lines.append(f"See it again:   manyminds show {place}")
    lines.append(f"Predict rows:   manyminds predict {place} new.csv")
    text = "\n".join(lines)
    console.print(text, style="dim", markup=False, highlight=False)
