"""What the pages of selections and comparisons share: tables, targets, job results."""

import json
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from manyminds.datasets import bundled_datasets
from manyminds.serve.jobs.job import Job
from manyminds.serve.jobs.outcome import read_notes
from manyminds.serve.jobs.queue import LOG, OUTPUT
from manyminds.serve.rendering import render
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.tables.facts import choose_default_target
from manyminds.serve.tables.rows import open_rows
from manyminds.serve.tables.source import BUNDLED, find_source
from manyminds.utils.errors import InputError, MissingFileError

__all__ = [
    "find_job",
    "list_choices",
    "list_past",
    "list_targets",
    "read_output",
    "read_whole",
    "show_job",
]

MAX_TABLES = 200
MAX_TARGETS = 500
MAX_PAST = 10


def list_choices(state: ServeState) -> dict[str, list[str]]:
    """Return the references of tables that a person can choose from.

    Parameters
    ----------
    state : ServeState

    Returns
    -------
    choices : dict of str to list of str
        By group: those of the folder, and bundled ones.
    """
    tables = [one.path for one in state.folder.list_tables()[:MAX_TABLES]]
    bundled = [BUNDLED + name for name in bundled_datasets()]
    return {"In the folder": tables, "Bundled": bundled}


def list_targets(state: ServeState, ref: str) -> tuple[list[str], str]:
    """Return the columns of a file that may be the target, and the usual one.

    Parameters
    ----------
    state : ServeState
    ref : str
        Of the table.

    Returns
    -------
    names : list of str
        Empty for a bundled set, which has its own target.
    usual : str
    """
    source = find_source(state, ref)
    if source.path is None:
        return [], ""
    usual = choose_default_target(state, source)
    names = open_rows(state, source).names
    shown = names[:MAX_TARGETS]
    return shown if usual in shown else [*shown, usual], usual


def find_job(state: ServeState, name: str, kind: str) -> Job:
    """Return a job of a kind as it is now; raise if there is none."""
    state.jobs.tick()
    job = state.jobs.find(name)
    if job.kind != kind:
        raise MissingFileError("There is no such result.")
    return job


async def show_job(
    request: Request,
    kind: str,
    template: str,
    list_values: Callable[[ServeState, Job], dict[str, Any]],
) -> Response:
    """Show the result of the job that a path names, or that it is being made.

    Parameters
    ----------
    request : Request
    kind : str
        Of the job.
    template : str
    list_values : callable
        Returns what the template shows of a finished job.

    Returns
    -------
    page : Response
    """
    state, name = get_state(request), request.path_params["job"]
    job = await run_in_threadpool(find_job, state, name, kind)
    values: dict[str, Any] = {"n_ahead": state.jobs.count_ahead(job)}
    if job.state == "done":
        values |= await run_in_threadpool(list_values, state, job)
    return render(request, template, job=job, **values)


def list_past(state: ServeState, kind: str) -> list[Job]:
    """Return the latest jobs of a kind."""
    return [one for one in state.jobs.read_all() if one.kind == kind][:MAX_PAST]


def read_output(state: ServeState, job: Job) -> tuple[dict[str, Any], list[str]]:
    """Return what a command has printed as JSON, and its notes.

    Parameters
    ----------
    state : ServeState
    job : Job
        Done.

    Returns
    -------
    output : dict
    notes : list of str
    """
    text = state.jobs.path_of(job, OUTPUT).read_text(encoding="utf-8")
    lines = read_notes(state.jobs.path_of(job, LOG))
    notes = [one.removeprefix("Note: ") for one in lines if one.startswith("Note: ")]
    return json.loads(text), notes


def read_whole(text: str, name: str, low: int, high: int) -> int | None:
    """Return a whole number of a form; None if the field is empty.

    Raises
    ------
    InputError
        If it is no whole number between ``low`` and ``high``.
    """
    if not text.strip():
        return None
    if not text.strip().isdecimal() or not low <= int(text) <= high:
        raise InputError(f"{name} must be between {low} and {high:,}; got {text!r}.")
    return int(text)
