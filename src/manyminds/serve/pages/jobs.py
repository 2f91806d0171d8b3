"""Wait for a job without a page of its own: analysis, selection, comparison."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from manyminds.serve.events import stream_events
from manyminds.serve.jobs.job import Job
from manyminds.serve.rendering import make_url, render
from manyminds.serve.state import ServeState, get_state

__all__ = ["routes"]

NAMES = {
    "analyze": "Looking at",
    "select": "Selecting columns of",
    "compare": "Comparing methods on",
    "search": "Searching a model for",
}


async def show_job(request: Request) -> Response:
    """Show that a job waits, runs or has failed; go on if it is done."""
    state = get_state(request)
    job = await run_in_threadpool(state.jobs.find, request.path_params["job"])
    if job.state == "done":
        return RedirectResponse(_find_next(job), 303)
    return render(
        request, "job.html.jinja", job=job, name=NAMES.get(job.kind, "Working on")
    )


async def send_events(request: Request) -> Response:
    """Send the state of a job when it changes."""
    state, name = get_state(request), request.path_params["job"]
    await run_in_threadpool(state.jobs.find, name)
    return stream_events(
        request, state.events, f"job:{name}", lambda: _read_state(state, name)
    )


async def stop_job(request: Request) -> Response:
    """End a job."""
    state = get_state(request)
    job = await run_in_threadpool(state.jobs.stop, request.path_params["job"])
    return RedirectResponse(make_url(f"/jobs/{job.id}"), 303)


async def dismiss_job(request: Request) -> Response:
    """Remove a job that has failed from the list."""
    state = get_state(request)
    await run_in_threadpool(state.jobs.remove, request.path_params["job"])
    return RedirectResponse("/searches", 303)


def _read_state(state: ServeState, name: str) -> dict[str, Any]:
    job = state.jobs.find(name)
    values: dict[str, Any] = {"state": job.state}
    if not job.is_active:
        following = _find_next(job) if job.state == "done" else f"/jobs/{name}"
        values |= {"ended": True, "next": following}
    return values


def _find_next(job: Job) -> str:
    """Return the address of the result; never one of another host."""
    address = str((job.details or {}).get("next") or "/")
    return "/" + address.lstrip("/\\")


routes = [
    Route("/jobs/{job}", show_job),
    Route("/jobs/{job}/events", send_events),
    Route("/jobs/{job}/stop", stop_job, methods=["POST"]),
    Route("/jobs/{job}/dismiss", dismiss_job, methods=["POST"]),
]
