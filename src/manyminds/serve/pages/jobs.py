"""Wait for a job: the events of all of them, and a page for those without one."""

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

NAMES = {"analyze": "Looking at", "search": "Searching a model for"}
PAGES = {"select": "/selection/", "compare": "/comparison/", "predict": "/prediction/"}


async def show_job(request: Request) -> Response:
    """Show that a job waits, runs or has failed; go on if it is done."""
    state = get_state(request)
    job = await run_in_threadpool(state.jobs.find, request.path_params["job"])
    if job.state == "done" or job.kind in PAGES:
        return RedirectResponse(_find_next(job), 303)
    n_ahead = await run_in_threadpool(state.jobs.count_ahead, job)
    return render(
        request, "job.html.jinja", job=job, n_ahead=n_ahead, name=NAMES[job.kind]
    )


async def send_events(request: Request) -> Response:
    """Send the state of a job, and the piece of its page that changes."""
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
    if job.is_active:
        piece = state.environment.get_template("job_status.html.jinja")
        n_ahead = state.jobs.count_ahead(job)
        return values | {"status": piece.render(job=job, n_ahead=n_ahead)}
    is_here = job.state != "done" and job.kind not in PAGES
    following = f"/jobs/{name}" if is_here else _find_next(job)
    return values | {"ended": True, "next": following}


def _find_next(job: Job) -> str:
    """Return the address of the result; never one of another host."""
    if job.kind in PAGES:
        return make_url(PAGES[job.kind] + job.id)
    address = str((job.details or {}).get("next") or "/")
    return "/" + address.lstrip("/\\")


routes = [
    Route("/jobs/{job}", show_job),
    Route("/jobs/{job}/events", send_events),
    Route("/jobs/{job}/stop", stop_job, methods=["POST"]),
    Route("/jobs/{job}/dismiss", dismiss_job, methods=["POST"]),
]
