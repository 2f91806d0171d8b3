"""A search while it runs: time left, incumbent, leaderboard, failures."""

import shlex
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from manyminds.datasets import bundled_datasets
from manyminds.serve.charts import Line, draw_lines
from manyminds.serve.events import stream_events
from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.job import Job
from manyminds.serve.jobs.outcome import read_notes
from manyminds.serve.jobs.progress import LiveSearch, check_idle, read_progress
from manyminds.serve.jobs.queue import LOG
from manyminds.serve.jobs.words import make_option, read_budget, replace_budget
from manyminds.serve.rendering import make_url, render
from manyminds.serve.state import ServeState, get_state
from manyminds.utils.errors import InputError, MissingFileError

__all__ = ["routes"]

PIECES = ("status", "curve", "board", "log")
# Options of a stored command that are taken over when its search continues.
TAKEN = {
    "target", "metric", "cv", "group", "time", "fold", "weight", "seed", "task", "drop",
    "separator", "decimal", "encoding", "predict-limit", "memory",
}  # fmt: skip
TAKEN_FLAGS = {"no-committee", "drop-missing-target"}


async def show_live(request: Request) -> Response:
    """Show how far a search is; events keep the page up to date."""
    state, place = get_state(request), request.path_params["folder"]
    values = await run_in_threadpool(_read_live, state, place)
    return render(request, "live.html.jinja", **values)


async def send_events(request: Request) -> Response:
    """Send the pieces of the page that change."""
    state, place = get_state(request), request.path_params["folder"]
    await run_in_threadpool(_read_live, state, place)  # 404 if there is no search
    return stream_events(
        request, state.events, f"search:{place}", lambda: _render_pieces(state, place)
    )


async def stop_search(request: Request) -> Response:
    """End a search early; it keeps its best model."""
    state, place = get_state(request), request.path_params["folder"]
    job = state.jobs.find_latest(place)
    if job is None:
        raise InputError("The search was started elsewhere: stop it there.")
    await run_in_threadpool(state.jobs.stop, job.id)
    return RedirectResponse(make_url(f"/search/{place}/live"), 303)


async def continue_search(request: Request) -> Response:
    """Continue a search for another time."""
    state, place = get_state(request), request.path_params["folder"]
    async with request.form() as form:
        budget = str(form.get("budget") or "60s").strip()
    await run_in_threadpool(_continue, state, place, budget)
    return RedirectResponse(make_url(f"/search/{place}/live"), 303)


def _read_live(state: ServeState, place: str) -> dict[str, Any]:
    path = state.folder.resolve(place)
    job = state.jobs.find_latest(place)
    if job is None and not path.is_dir():
        raise MissingFileError(f"There is no search {place!r} in this folder.")
    if job is None:
        state.folder.find_search(place)
    live = read_progress(state.folder, place, job)
    notes = [] if job is None else read_notes(state.jobs.path_of(job, LOG))
    ahead = 0 if job is None else state.jobs.count_ahead(job)
    has_result = (path / "search.json").is_file() and live.state == "done"
    entry = state.folder.read_entry(path) if has_result else None
    return {
        "place": place,
        "job": job,
        "live": live,
        "curve": _draw_curve(live),
        "notes": [one for one in notes if one.startswith(("Note: ", "Compiling"))],
        "n_ahead": ahead,
        "has_result": has_result,
        "task": "" if entry is None else entry.content["identity"]["task"],
    }


def _render_pieces(state: ServeState, place: str) -> dict[str, Any]:
    """Render the pieces of the live page; all streams share them."""
    values = _read_live(state, place)
    live: LiveSearch = values["live"]
    shared = {"csrf": state.access.csrf}
    pieces: dict[str, Any] = {
        name: state.environment.get_template(f"live_{name}.html.jinja").render(
            values | shared
        )
        for name in PIECES
    }
    pieces["state"] = live.state
    if not live.is_active:
        pieces["ended"] = True
        pieces["next"] = make_url(f"/search/{place}") if live.state == "done" else ""
    return pieces


def _draw_curve(live: LiveSearch) -> Any:
    if not live.curve:
        return None
    x, y = [one[0] for one in live.curve], [one[1] for one in live.curve]
    tips = [f"trial {a}: {b:.4f}\n{c}" for a, b, c in live.curve]
    line = Line("best so far", x, y, tips, is_step=True)
    return draw_lines(
        [line],
        label=f"Best {live.metric} so far",
        x_label="trials",
        y_label=live.metric,
        height=240.0,
    )


def _continue(state: ServeState, place: str, budget: str) -> Job:
    path = state.folder.find_search(place)
    job = state.jobs.find_latest(place)
    check_idle(state.folder, place, job)
    if job is not None and job.kind == "search":
        words, title, table = list(job.words), job.title, job.table
    else:
        content = state.folder.read_entry(path).content
        words = _read_command(state.folder, str(content.get("command", "")), str(path))
        title, table = str(content.get("identity", {}).get("name", place)), ""
    return state.jobs.add(
        "search",
        replace_budget(words, budget),
        title,
        place=place,
        table=table,
        seconds=read_budget(budget),
    )


def _read_command(folder: ServedFolder, command: str, out: str) -> list[str]:
    """Return the words of a stored command, with nothing but what is harmless."""
    refused = InputError(
        "The search was started elsewhere, with settings that this page does not take "
        f"over. Continue it in a shell: {command} --resume"
    )
    given = shlex.split(command)
    if given[:2] != ["manyminds", "search"] or len(given) < 3:
        raise refused
    table, rest, words = given[2], given[3:], []
    if table not in bundled_datasets():
        known = {one.path for one in folder.list_tables()}
        absolute = {str(folder.root / one): one for one in known}
        inside = absolute.get(table, table)
        if inside not in known:
            raise refused
        table = str(folder.resolve(inside))
    while rest:
        name = rest.pop(0).removeprefix("--")
        if name in TAKEN_FLAGS:
            words.append(f"--{name}")
        elif name in TAKEN and rest:
            words.append(make_option(name, rest.pop(0)))
        elif name in ("budget", "trials", "out") and rest:
            rest.pop(0)
        else:
            raise refused
    return ["search", table, *words, make_option("out", out), "--json"]


routes = [
    Route("/search/{folder:path}/live", show_live),
    Route("/search/{folder:path}/events", send_events),
    Route("/search/{folder:path}/stop", stop_search, methods=["POST"]),
    Route("/search/{folder:path}/continue", continue_search, methods=["POST"]),
]
