"""Search a model for a table: read, check, search, judge, write."""

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite, nan
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Unpack

from joblib import effective_n_jobs

from manyminds.datasets import Dataset
from manyminds.export import only_exportable
from manyminds.persistence import load_model
from manyminds.reports import (
    SearchIdentity,
    SearchSummary,
    detail_search,
    make_model_card,
    open_search_folder,
    read_member_predictions,
    summarize_search,
)
from manyminds.reports.search.files import (
    write_card,
    write_model,
    write_page,
    write_tables,
)
from manyminds.reports.search.folder import (
    RESUME,
    STUDY,
    discard_search,
    write_result,
)
from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    SearchProgress,
    default_space,
)
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.resources import read_bytes
from manyminds.search.study.prediction_store import open_prediction_store
from manyminds.utils.databases import StoreError, hide_password
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.errors import InputWarning, warn_caller
from manyminds.workflows.export import describe_export
from manyminds.workflows.parameters import READING, TABLE, Reading, Target
from manyminds.workflows.row_columns import ROW_COLUMNS
from manyminds.workflows.search_checks import (
    check_exportable,
    check_folds,
    check_predict_limit,
    check_task,
    read_budget,
    read_metric,
)
from manyminds.workflows.search_table import read_search_table
from manyminds.workflows.search_time import leave_time
from manyminds.workflows.tables import check_n_jobs, write_command

WRITERS = (
    "skops.io", "matplotlib.figure", "matplotlib.font_manager", "matplotlib.ticker",
    "matplotlib.backends.backend_svg",
)  # fmt: skip


@dataclass(frozen=True)
class SearchStatus:
    """Progress of `run_search`.

    Parameters
    ----------
    metric : str
    best : float
        Score of the best pipeline so far, as users read it; NaN before the first.
    n_done : int
        Trials of this run that have ended.
    n_trials : int or None
        Number of trials of this run, if it is limited.
    seconds : float
        Time since the search started.
    budget : float or None
        Seconds of this run, if they are limited.
    is_compiling : bool, default=False
        Whether kernels are compiled, which the budget does not count.
    """

    metric: str
    best: float
    n_done: int
    n_trials: int | None
    seconds: float
    budget: float | None
    is_compiling: bool = False


@dataclass
class SearchResult:
    """Result of `run_search`.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted.
    data : Dataset
        The table that was read.
    folder : Path
        Folder of the files.
    files : list of Path
        Files that were written, the model first.
    failures : list of str
        Files that could not be written, and why; the model always is.
    summary : SearchSummary or None
        None only if it could not be computed.
    """

    search: Any
    data: Dataset
    folder: Path
    files: list[Path] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    summary: SearchSummary | None = None

    def load_model(self) -> Any:
        """Return the model as `manyminds.persistence.load_model` reads it."""
        return load_model(self.files[0])


@fill_docstring(table=TABLE, reading=READING, row_columns=ROW_COLUMNS)
def run_search(
    data: Any,
    target: Target = None,
    *,
    budget: str | float | None = None,
    n_trials: int | None = None,
    metric: str = "auto",
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    cv: int | None = None,
    group: str | None = None,
    time: str | None = None,
    fold: str | None = None,
    weight: str | None = None,
    committee: bool = True,
    predict_limit: float | None = None,
    exportable: bool = False,
    report: bool = True,
    storage: str | None = None,
    cluster: str | None = None,
    memory: str | float | None = None,
    started: float | None = None,
    on_progress: Callable[[SearchStatus], None] | None = None,
    n_jobs: int = -1,
    random_state: int = 0,
    **reading: Unpack[Reading],
) -> SearchResult:
    """Search the best model for a table, estimate its score, and write all files.

    Preprocessing, selection of columns and learner are searched together, as pipelines
    that are validated as one model. The score is corrected for selection bias.
    ``manyminds search`` calls this function. Ctrl-C ends the search early and keeps the
    best model so far.

    Parameters
    ----------
    {table}
    budget : str or float, default=None
        Time from reading the table to the report: seconds, or a text such as "90s",
        "5m" or "2h". None means 60 seconds, or no limit if ``n_trials`` is given.
    n_trials : int, default=None
        Maximum number of pipelines to evaluate in this run.
    metric : str, default="auto"
        Score to optimize: a scorer of scikit-learn, or accuracy, balanced_accuracy,
        auc, log_loss, rmse, mae or r2. "auto" is accuracy, or rmse for numbers. Of many
        labels, a name of `manyminds.ensemble.measure_labels`; "auto" is micro_f1.
    out : path, default=None
        Folder for ``model.skops``, ``model_card.md``, tables and ``report.html``. None
        means the name of the data followed by ``-search``.
    resume : bool, default=False
        Whether to continue the search of the folder.
    cv : int, default=None
        Number of folds. None means 10, or fewer for many rows; beyond 20,000 for each
        minute of the budget, one part is held out.
    {row_columns}
    committee : bool, default=True
        Whether the model may be a committee of pipelines.
    predict_limit : float, default=None
        Rows per second that the model must predict: slower pipelines and members of a
        committee are left out. None means no limit.
    exportable : bool, default=False
        Whether to search only models that `run_export` can convert to ONNX.
    report : bool, default=True
        Whether to write ``report.html``.
    storage : str, default=None
        Database of the trials: a SQLite file or the URL of a PostgreSQL database. None
        means ``study.sqlite`` in the folder.
    cluster : str, default=None
        Address of the scheduler of a cluster of Dask, or of Ray ("ray://..."), whose
        workers evaluate pipelines.
    memory : str or float, default=None
        Bytes, or a text such as "4G", that all processes may take. None means most of
        what is free.
    started : float, default=None
        Value of ``time.monotonic()`` when the budget began to count; None means now.
    on_progress : callable, default=None
        Called with a `SearchStatus` after each trial.
    n_jobs : int, default=-1
        Number of processes; -1 means all cores.
    random_state : int, default=0
        Seed of folds and pipelines. Without a budget, the same seed gives the same
        model.
    {reading}

    Returns
    -------
    result : SearchResult

    Raises
    ------
    UserError
        If the data or a parameter cannot be used; nothing is written then.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.workflows import run_search
    >>> with TemporaryDirectory() as folder:
    ...     result = run_search("iris", n_trials=1, cv=2, out=folder, n_jobs=1)
    ...     model = result.load_model()
    >>> [file.name for file in result.files][:2], result.summary.n_trials
    (['model.skops', 'leaderboard.csv'], 1)
    >>> model.predict_table(result.data.X).shape
    (150, 4)
    """
    started = monotonic() if started is None else started
    roles = {"group": group, "time": time, "fold": fold, "weight": weight}
    table, dataset, rows = read_search_table(data, target, roles, cv, **reading)
    check_task(dataset, reading.get("task"))
    measure = read_metric(metric, dataset)
    seconds = read_budget(budget, n_trials)
    check_n_jobs(n_jobs)
    read_bytes(memory)
    check_predict_limit(predict_limit)
    if weight is not None:
        measure.require_weights()
    check_folds(cv, dataset, random_state, rows)
    if exportable:
        check_exportable(dataset)
    identity = SearchIdentity(
        dataset.name,
        table.fingerprint,
        dataset.target_name,
        dataset.task,
        measure.name,
        cv,
        random_state,
        **roles,
        exportable=exportable or None,
    )
    shown = hide_password(storage) if storage else None
    options = {
        "target": target, "budget": budget, "trials": n_trials, "metric": measure.name,
        "cv": cv, **roles, "seed": random_state or None, "no-committee": not committee,
        "predict-limit": predict_limit, "exportable": exportable, "storage": shown,
        "cluster": cluster, "memory": memory, "out": out,
    }  # fmt: skip
    command = write_command("search", data, options, reading)
    if storage is not None:  # before a folder is created
        open_prediction_store(storage, identity.study_name).close()
    place = open_search_folder(
        out or Path(f"{dataset.name}-search"),
        identity,
        resume=resume,
        command=command,
        storage=shown,
    )
    search = _make_search(
        dataset,
        leave_time(seconds, started, dataset, with_page=report),
        n_trials=n_trials,
        metric=measure.name,
        cv=rows.splitter or ("auto" if cv is None else cv),
        committee=committee,
        predict_limit=predict_limit,
        space=only_exportable(default_space(dataset.task)) if exportable else None,
        storage=storage or str(place / STUDY),
        study_name=identity.study_name,
        cluster=cluster,
        memory=memory,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    search = _run(
        search, dataset, measure, on_progress, place, fresh=not resume,
        fit_params=rows.fit_params,
    )  # fmt: skip
    result = SearchResult(search, dataset, place)
    elapsed = monotonic() - started
    _write_all(result, identity, command, elapsed, with_page=report)
    return result


# ------------------------------------------------------------------ search


def _make_search(data: Dataset, seconds: float | None, **options: Any) -> Any:
    numbers = data.task == "regression"
    kind = ComplexModelSearchRegressor if numbers else ComplexModelSearchClassifier
    return kind(seconds, **options)


def _run(
    search: Any,
    data: Dataset,
    measure: PredictionScorer,
    on_progress: Callable[[SearchStatus], None] | None,
    place: Path,
    *,
    fresh: bool,
    fit_params: Mapping[str, Any],
) -> Any:
    """Fit the search; discard a new folder if no trial was made."""
    n_reports, has_imported = 0, False

    def report(state: SearchProgress) -> None:
        nonlocal n_reports, has_imported
        # Not before, or while kernels are compiled: the first trial would start later.
        if not has_imported and not state.is_compiling:
            has_imported = True
            if effective_n_jobs(search.n_jobs) > 1:
                Thread(target=_import_writers, daemon=True).start()
            else:  # a trial in this process would fail on half a module
                _import_writers()
        n_reports += 1
        if on_progress is not None:
            best = measure.show(state.best) if isfinite(state.best) else nan
            on_progress(
                SearchStatus(
                    measure.name,
                    best,
                    state.n_done,
                    search.n_trials,
                    state.seconds,
                    search.budget,
                    state.is_compiling,
                )
            )

    search.set_params(on_progress=report)
    try:
        with warnings.catch_warnings():
            # Of learners that did not converge: their score shows it.
            warnings.simplefilter("ignore")
            warnings.simplefilter("default", InputWarning)
            return search.fit(data.X, data.y, **fit_params)
    except StoreError as error:
        if not place.is_dir():  # removed, with all that could be continued
            raise
        raise StoreError(
            *error.pieces, " ", *RESUME, " continues the search."
        ) from error
    except Exception:
        if fresh and not n_reports:  # so that a second attempt is not refused
            discard_search(place)
        raise


def _import_writers() -> None:
    """Import what writes model and report, while trials run in other processes."""
    try:
        for name in WRITERS:
            import_module(name)
    except Exception:  # the one that needs it explains what is missing
        return


# ------------------------------------------------------------------ results


def _write_all(
    result: SearchResult,
    identity: SearchIdentity,
    command: str,
    seconds: float,
    *,
    with_page: bool,
) -> None:
    """Write model, tables, result, card, page; raise only if there is no model."""
    card = None
    place, search, data = result.folder, result.search, result.data
    result.files.append(write_model(place, search, data, identity, command))

    def write_results() -> list[Path]:
        summary = summarize_search(
            search, data, seed=identity.seed, seconds=seconds, command=command,
            row_columns=identity.row_columns,
        )  # fmt: skip
        written = write_result(place, identity, summary)
        result.summary = summary
        return [written]

    def write_model_card() -> list[Path]:
        nonlocal card
        assert result.summary is not None
        onnx = describe_export(search.model_, data)
        card = make_model_card(search, data, result.summary, onnx)
        return [write_card(place, card)]

    def write_report() -> list[Path]:
        assert result.summary is not None
        predictions = read_member_predictions(search)
        details = detail_search(
            search, data, member_predictions=predictions, seed=identity.seed
        )
        return [write_page(place, result.summary, details, card)]

    _try(result, "The tables", lambda: write_tables(place, search, data))
    _try(result, "The result", write_results)
    if result.summary is not None:
        _try(result, "The model card", write_model_card)
    if with_page and result.summary is not None:
        _try(result, "The report", write_report)


def _try(result: SearchResult, what: str, write: Callable[[], list[Path]]) -> None:
    """Write files; a failure is recorded and warned about, as the model is safe."""
    try:
        result.files += write()
    except Exception as error:
        if os.environ.get("MANYMINDS_DEBUG"):
            raise
        reason = f"{error or type(error).__name__}".rstrip(".")
        failure = f"{what} could not be written: {reason}. The model is in "
        result.failures.append(f"{failure}{result.files[0]}.")
        warn_caller(f"{failure}{result.files[0]}; ", *RESUME, " writes the rest again.")
