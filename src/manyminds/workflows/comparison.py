"""Compare methods on tables: read, check, run, test, write."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from scipy.sparse import issparse

from manyminds.datasets import Dataset
from manyminds.experiments import (
    CrossValidation,
    Method,
    Outcome,
    Plan,
    Progress,
    Record,
    needs_scaling,
    open_store,
    parse_methods,
    prepared,
    run,
)
from manyminds.experiments.measures import check_task_metrics
from manyminds.experiments.preparation import takes_raw_tables
from manyminds.reports import ComparisonSummary, summarize, write_report
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.errors import InputError, ParameterError
from manyminds.utils.hashing import make_key
from manyminds.workflows.parameters import READING, Reading, Target
from manyminds.workflows.tables import (
    FILE,
    check_learnable,
    check_n_jobs,
    count_max_folds,
    read_input,
    write_command,
)

METHODS = {
    "classification": "rf, et, tree, logistic, dummy",
    "regression": "rf, et, tree, ridge, dummy",
    "multilabel": "mlforest, ecc, rakel, br, mlknn, dummy",
}
METRICS = {"classification": "accuracy", "regression": "rmse", "multilabel": "micro_f1"}
DEFAULT_STORE = "manyminds.sqlite"


@dataclass(frozen=True)
class ComparisonResult:
    """Result of `run_comparison`.

    Parameters
    ----------
    summaries : dict of str to ComparisonSummary
        By metric.
    records : list of Record
        A record for each fold.
    n_new : int
        Folds that were run; all others were in the store.
    seconds : float
    command : str
        Command of the shell that repeats the comparison; empty if a table has neither
        a path nor a name.
    files : tuple of Path
        Files that were written.
    """

    summaries: dict[str, ComparisonSummary]
    records: list[Record]
    n_new: int
    seconds: float
    command: str
    files: tuple[Path, ...]

    @property
    def succeeded(self) -> bool:
        """Whether any fold has a score."""
        return any(cell.n for one in self.summaries.values() for cell in one.cells)


@fill_docstring(reading=READING)
def run_comparison(
    data: Any,
    target: Target = None,
    *,
    methods: str | None = None,
    cv: str | int = "10",
    metrics: str | Sequence[str] | None = None,
    store: str = DEFAULT_STORE,
    out: str | os.PathLike[str] | None = None,
    native: bool = False,
    retry_failed: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    n_jobs: int = 1,
    random_state: int = 0,
    **reading: Unpack[Reading],
) -> ComparisonResult:
    """Compare methods on tables by cross-validation, and test their differences.

    All methods share the same folds and the same preprocessing. Records are stored: a
    second call runs only what is missing. ``manyminds compare`` calls this function.

    Parameters
    ----------
    data : path, str, DataFrame, Dataset or list of them
        Files of tables, names of data sets, frames or data sets.
    target : str, int or sequence of str, default=None
        Column of files and frames to predict: its name, or its position. Several
        columns of 0 and 1 are many labels: their names, in a sequence or in a text
        with commas. None means the one called target, class or label.
    methods : str, default=None
        Methods to compare, such as "rf, sklearn.rf, knn(n_neighbors=1)"; None chooses
        some that suit the target.
    cv : str or int, default="10"
        Number of folds, or repeats and folds such as "10x10".
    metrics : str or sequence of str, default=None
        Scores to compute. None means accuracy, rmse for numbers, or micro_f1 for many
        labels.
    store : str, default="manyminds.sqlite"
        Where records are stored: a SQLite file or the URL of a PostgreSQL database.
    out : path, default=None
        Folder for ``report.html``, ``scores.csv`` and the figure; None writes nothing.
    native : bool, default=False
        Whether methods that handle categories and missing values get the raw table.
    retry_failed : bool, default=False
        Whether to run folds again that failed before.
    on_progress : callable, default=None
        Called with a `manyminds.experiments.Progress` after each fold.
    n_jobs : int, default=1
        Number of processes; -1 means all cores.
    random_state : int, default=0
        Seed of folds and methods.
    {reading}

    Returns
    -------
    result : ComparisonResult

    Examples
    --------
    >>> import os
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.workflows import run_comparison
    >>> with TemporaryDirectory() as folder:
    ...     store = os.path.join(folder, "records.sqlite")
    ...     result = run_comparison("iris", methods="tree, dummy", cv=2, store=store)
    >>> result.n_new, result.summaries["accuracy"].average_ranks
    (4, {'tree': 1.0, 'dummy': 2.0})
    """
    check_n_jobs(n_jobs)
    task = reading.get("task")
    if task is not None and task not in METHODS:
        raise ParameterError("task", task, f"one of {', '.join(METHODS)}")
    splits = _read_cv(cv, random_state)
    tables = data if isinstance(data, list) else [data]
    datasets = [_read_one(one, target, reading) for one in tables]
    _check_comparable(datasets, task)
    _check_folds(datasets, splits, cv)
    task_found = datasets[0].task
    measured = _list_metrics(metrics, task_found)
    chosen = methods or METHODS[task_found]
    plans = _make_plans(datasets, chosen, measured, splits, native)
    outcome = _run_all(
        plans,
        store,
        n_jobs=n_jobs,
        retry_failed=retry_failed,
        on_progress=on_progress,
    )
    options: dict[str, Any] = {
        "cv": cv,
        "metric": measured,
        "methods": chosen,
        "target": target,
    }
    options |= {"seed": random_state or None, "native": native}
    command = write_command("compare", tables, options, reading)
    return _summarize(outcome, measured, command, out)


# ------------------------------------------------------------------ checks


def _read_one(table: Any, target: Target, reading: Reading) -> Dataset:
    """Read a table; target and columns to drop are those of files and frames."""
    is_set = isinstance(table, Dataset) or (
        isinstance(table, str) and not FILE.search(table)
    )
    if not is_set:
        return check_learnable(read_input(table, target, **reading))
    return check_learnable(read_input(table, **(reading | {"drop": None})))


def _check_comparable(datasets: list[Dataset], task: str | None) -> None:
    if not datasets:
        raise ParameterError("data", datasets, "at least one table")
    tasks = {data.task: data.name for data in reversed(datasets)}
    if len(tasks) > 1:
        kinds = " and ".join(f"{name} is {kind}" for kind, name in tasks.items())
        raise InputError(f"Data sets of one comparison have one task, but {kinds}.")
    first = datasets[0]
    if task is not None and task != first.task:
        raise ParameterError("task", task, f"{first.task}, as {first.name} is")
    names: dict[str, str] = {}
    for data in datasets:
        known = names.setdefault(data.fingerprint, data.name)
        if known != data.name:
            raise InputError(f"{known} and {data.name} hold the same data.")


def _read_cv(cv: str | int, seed: int) -> CrossValidation:
    found = re.fullmatch(r"(?:(\d+)\s*[x×]\s*)?(\d+)", str(cv).strip().lower())
    if found is None or int(found[2]) < 2 or int(found[1] or 1) < 1:
        takes = "REPEATSxFOLDS, such as 10x10, or FOLDS, with at least 2 folds"
        raise ParameterError("cv", cv, takes)
    return CrossValidation(int(found[2]), int(found[1] or 1), seed)


def _check_folds(
    datasets: list[Dataset], splits: CrossValidation, cv: str | int
) -> None:
    for data in datasets:
        most, reason = count_max_folds(data)
        if splits.n_splits > most:
            raise ParameterError("cv", cv, f"at most {most} folds, as {reason}")


def _list_metrics(metrics: str | Sequence[str] | None, task: str) -> tuple[str, ...]:
    named = (metrics,) if isinstance(metrics, str) else metrics
    listed = tuple(named or [METRICS[task]])
    check_task_metrics(listed, task)
    return listed


# ------------------------------------------------------------------ run


def _make_plans(
    datasets: list[Dataset],
    methods: str,
    metrics: tuple[str, ...],
    splits: CrossValidation,
    native: bool,
) -> list[Plan]:
    """Return a plan for dense tables, and one without preprocessing for sparse ones."""
    parsed = parse_methods(methods, datasets[0].task)
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


def _prepare(method: Method, native: bool) -> Method:
    if native and takes_raw_tables(method.estimator):
        return method
    scale = needs_scaling(method.estimator)
    return Method(method.name, prepared(method.estimator, scale))


def _run_all(plans: list[Plan], store: str, **options: Any) -> Outcome:
    """Run the plans one after the other; return their joint outcome."""
    place = open_store(store)
    try:
        outcomes = [run(plan, place, **options) for plan in plans]
    finally:
        place.close()
    return Outcome(
        plans[0],
        [record for one in outcomes for record in one.records],
        {name: reason for one in outcomes for name, reason in one.missing.items()},
        sum(one.n_new for one in outcomes),
        sum(one.seconds for one in outcomes),
    )


def _summarize(
    outcome: Outcome,
    metrics: tuple[str, ...],
    command: str,
    out: str | os.PathLike[str] | None,
) -> ComparisonResult:
    if not outcome.records:
        raise InputError("; ".join(f"{n}: {why}" for n, why in outcome.missing.items()))
    records, missing = outcome.records, outcome.missing
    summaries = {m: summarize(records, m, missing=missing) for m in metrics}
    works = any(cell.n for one in summaries.values() for cell in one.cells)
    files: list[Path] = []
    if out is not None and works:
        files = write_report(summaries[metrics[0]], records, out, command=command)
    return ComparisonResult(
        summaries, records, outcome.n_new, outcome.seconds, command, tuple(files)
    )
