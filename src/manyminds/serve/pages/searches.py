"""Searches: the form of a new one, the list of all, deleting and undoing it."""

from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from manyminds.serve.folder import SearchEntry
from manyminds.serve.jobs.job import Job
from manyminds.serve.jobs.progress import check_idle, read_progress
from manyminds.serve.jobs.words import list_search_words, read_budget
from manyminds.serve.rendering import make_url, render
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.tables.facts import choose_default_target, find_facts, split_target
from manyminds.serve.tables.rows import open_rows
from manyminds.serve.tables.source import find_source

__all__ = ["SearchRow", "list_rows", "routes"]

METRICS = {
    "classification": (
        "accuracy", "balanced_accuracy", "auc", "log_loss", "f1_macro",
    ),
    "regression": ("rmse", "mae", "r2"),
    "multilabel": ("micro_f1", "macro_f1", "hamming_loss", "subset_accuracy"),
}  # fmt: skip
BUDGETS = (
    ("60s", "1 minute"),
    ("5m", "5 minutes"),
    ("30m", "30 minutes"),
    ("2h", "2 hours"),
)
MAX_CHOICES = 2_000  # columns in a list; beyond, names are typed
TONES = {"done": "good", "failed": "bad", "damaged": "bad", "interrupted": "warn"}
TONES |= {"running": "busy", "queued": "busy", "finishing": "busy"}


@dataclass(frozen=True)
class SearchRow:
    """A search in a list.

    Parameters
    ----------
    path, table, target, metric, state : str
    score, low, high : float or None
        Honest score and its interval.
    n_trials : int or None
    changed : float
        Seconds since the epoch.
    job : str
        Name of its job if it has no folder.
    """

    path: str
    state: str
    changed: float
    table: str = ""
    target: str = ""
    metric: str = ""
    score: float | None = None
    low: float | None = None
    high: float | None = None
    n_trials: int | None = None
    job: str = ""

    @property
    def address(self) -> str:
        """Address of its page."""
        tail = "" if self.state == "done" else "/live"
        return make_url(f"/search/{self.path}{tail}")

    @property
    def tone(self) -> str:
        """Class of its tag."""
        return TONES.get(self.state, "")


def list_rows(state: ServeState) -> list[SearchRow]:
    """List all searches of the folder and those that wait, the newest first."""
    jobs: dict[str, Job] = {}
    for job in state.jobs.read_all():
        if job.kind == "search":
            jobs.setdefault(job.place, job)
    found = [
        _make_row(state, one, jobs.get(one.path))
        for one in state.folder.list_searches()
    ]
    known = {one.path for one in found}
    for place, job in jobs.items():
        if place not in known and (job.is_active or job.state == "failed"):
            shown = "running" if job.state == "starting" else job.state
            found.append(SearchRow(place, shown, job.created, job.title, job=job.id))
    return sorted(found, key=lambda one: -one.changed)


async def show_searches(request: Request) -> Response:
    """Show all searches and the trash."""
    state = get_state(request)
    rows = await run_in_threadpool(list_rows, state)
    trash = await run_in_threadpool(state.folder.list_trash)
    undo = request.query_params.get("undo", "")
    return render(
        request,
        "searches.html.jinja",
        searches=rows,
        trash=trash,
        undo=next((one for one in trash if one.key == undo), None),
    )


async def show_form(request: Request) -> Response:
    """Show the form of a new search."""
    values = await run_in_threadpool(
        _read_form, get_state(request), dict(request.query_params)
    )
    return render(request, "search_form.html.jinja", **values)


async def start_search(request: Request) -> Response:
    """Queue a search, and go to its live page."""
    state = get_state(request)
    async with request.form() as form:
        fields = {key: str(value) for key, value in form.items()}
    job = await run_in_threadpool(_start, state, fields)
    return RedirectResponse(make_url(f"/search/{job.place}/live"), 303)


async def delete_search(request: Request) -> Response:
    """Move a search to the trash, and offer to undo that."""
    state, place = get_state(request), request.path_params["folder"]
    job = state.jobs.find_latest(place)
    await run_in_threadpool(check_idle, state.folder, place, job)
    entry = await run_in_threadpool(state.folder.delete_search, place)
    return RedirectResponse(make_url("/searches", undo=entry.key), 303)


async def restore_search(request: Request) -> Response:
    """Move a search back from the trash."""
    state = get_state(request)
    await run_in_threadpool(state.folder.restore_search, request.path_params["key"])
    return RedirectResponse("/searches", 303)


def _make_row(state: ServeState, entry: SearchEntry, job: Job | None) -> SearchRow:
    identity = entry.content.get("identity", {})
    summary = entry.content.get("summary", {})
    honest = summary.get("honest", {})
    shown = entry.state
    if shown == "running" or (job is not None and job.is_active):
        shown = read_progress(state.folder, entry.path, job).state
    return SearchRow(
        path=entry.path,
        state=shown,
        changed=entry.changed,
        table=str(identity.get("name", "")),
        target=str(identity.get("target", "")),
        metric=str(identity.get("metric", "")),
        score=honest.get("score"),
        low=honest.get("low"),
        high=honest.get("high"),
        n_trials=summary.get("n_trials"),
    )


def _read_form(state: ServeState, query: dict[str, str]) -> dict[str, Any]:
    source = find_source(state, query.get("table", ""))
    names = open_rows(state, source).names
    target = query.get("target") or choose_default_target(state, source)
    task = query.get("task") or None
    facts = find_facts(state, source, None if source.path is None else target, task)
    others = [name for name in names if name not in split_target(target, task)]
    return {
        "source": source,
        "target": target,
        "task": task or "",
        "facts": facts,
        "metrics": METRICS[facts.task],
        "budgets": BUDGETS,
        "choices": others if len(others) <= MAX_CHOICES else [],
        "waiting": [
            one
            for one in state.jobs.read_all()
            if one.is_active and one.kind != "analyze"
        ],
    }


def _start(state: ServeState, fields: dict[str, str]) -> Job:
    source = find_source(state, fields.get("table", ""))
    budget = (fields.get("custom_budget") or fields.get("budget") or "").strip()
    if not budget and not fields.get("trials"):
        budget = "60s"
    name = (fields.get("name") or "").strip() or f"{source.label}-search"
    waiting = {one.place for one in state.jobs.read_all() if one.is_active}
    path = state.folder.make_free_path(name, waiting)
    words = list_search_words(source, fields | {"budget": budget}, str(path))
    return state.jobs.add(
        "search",
        words,
        source.name,
        place=state.folder.name_of(path),
        table=source.ref,
        seconds=read_budget(budget) if budget else None,
        details={"target": fields.get("target", "")},
    )


routes = [
    Route("/searches", show_searches),
    Route("/searches/new", show_form),
    Route("/searches/new", start_search, methods=["POST"]),
    Route("/trash/{key}/restore", restore_search, methods=["POST"]),
    Route("/search/{folder:path}/delete", delete_search, methods=["POST"]),
]
