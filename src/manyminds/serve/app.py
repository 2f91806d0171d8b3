"""The web application: routes of all pages, and what stands around them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from manyminds.serve.errors import (
    ErrorMiddleware,
    answer_http_error,
    answer_user_error,
)
from manyminds.serve.events import EventHub
from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.queue import JobQueue
from manyminds.serve.pages import list_routes
from manyminds.serve.rendering import make_templates
from manyminds.serve.security import Access, SecurityMiddleware
from manyminds.serve.state import ServeState
from manyminds.serve.uploads import remove_partial_uploads
from manyminds.utils.errors import UserError

__all__ = ["UPLOAD_LIMIT", "create_app"]

UPLOAD_LIMIT = 2_000_000_000  # bytes
STATIC = Path(__file__).parent / "static"


def create_app(
    folder: str | PathLike[str],
    access: Access,
    *,
    upload_limit: int = UPLOAD_LIMIT,
    n_searches: int = 1,
) -> Starlette:
    """Return the application that serves a folder.

    Parameters
    ----------
    folder : path
        Tables and searches; nothing outside of it is read or written.
    access : Access
        Who may use it.
    upload_limit : int, default=2_000_000_000
        Bytes of an upload.
    n_searches : int, default=1
        Number of searches that run at once; others wait.

    Returns
    -------
    app : Starlette
    """
    served = ServedFolder(folder)
    jobs = JobQueue(served, n_parallel=n_searches)
    state = ServeState(
        folder=served,
        access=access,
        jobs=jobs,
        events=EventHub(jobs),
        environment=make_templates(),
        upload_limit=upload_limit,
    )
    routes = [*list_routes(), Mount("/static", StaticFiles(directory=STATIC))]
    handlers: dict[Any, Any] = {
        HTTPException: answer_http_error,
        UserError: answer_user_error,
    }
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityMiddleware, access=access),
            Middleware(ErrorMiddleware),
        ],
        exception_handlers=handlers,
        lifespan=_keep_jobs_going,
    )
    app.state.serve = state
    return app


@asynccontextmanager
async def _keep_jobs_going(app: Starlette) -> AsyncIterator[None]:
    """Start waiting jobs and watch running ones, as long as the server runs."""
    state: ServeState = app.state.serve
    await run_in_threadpool(remove_partial_uploads, state.folder)
    state.events.start()
    try:
        yield
    finally:
        await state.events.stop()
