"""Render pages from templates."""

from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from manyminds import __version__
from manyminds.reports.shared.formatting import (
    format_number,
    format_time,
    format_value,
)
from manyminds.reports.shared.pages import make_environment
from manyminds.serve.security import is_loopback
from manyminds.serve.state import get_state

__all__ = ["make_templates", "make_url", "render", "render_text", "wants_json"]


def make_templates() -> Environment:
    """Return the environment of all templates, with their filters and functions."""
    filters = {
        "count": "{:,}".format,
        "date": format_date,
        "limit": format_limit,
        "number": format_number,
        "share": "{:.1%}".format,
        "size": format_size,
        "time": format_time,
        "value": format_value,
    }
    environment = make_environment(filters, package="manyminds.serve")
    environment.globals |= {"url": make_url, "version": __version__}
    return environment


def render(
    request: Request, template: str, status_code: int = 200, **values: Any
) -> Response:
    """Render a template as a page.

    Parameters
    ----------
    request : Request
    template : str
        Name of a file of ``serve/templates``.
    status_code : int, default=200
    **values : object
        For the template, which has ``csrf``, ``path`` and ``folder_name`` besides.

    Returns
    -------
    response : HTMLResponse
    """
    return HTMLResponse(render_text(request, template, **values), status_code)


def render_text(request: Request, template: str, **values: Any) -> str:
    """Render a template as text, to be stored in ``state.pages`` or sent as a piece."""
    state = get_state(request)
    shared: dict[str, Any] = {
        "csrf": state.access.csrf,
        "path": request.url.path,
        "folder_name": state.folder.name,
        "reach": "on this machine only"
        if is_loopback(state.access.host)
        else "open to other machines, by password",
    }
    return state.environment.get_template(template).render(shared | values)


def wants_json(request: Request) -> bool:
    """Return whether a script asks, which reads JSON rather than a page."""
    return "application/json" in request.headers.get("accept", "")


def render_error(
    request: Request, status: int, sentence: str, reference: str = ""
) -> Response:
    """Render an error as a page of one sentence, or as JSON for a script.

    Parameters
    ----------
    request : Request
    status : int
    sentence : str
    reference : str, default=""
        Number under which the log has the traceback.

    Returns
    -------
    response : Response
    """
    if wants_json(request):
        content = {"error": sentence, "reference": reference}
        return JSONResponse(content, status)
    return render(
        request, "error.html.jinja", status, sentence=sentence, reference=reference
    )


def make_url(path: str, **query: Any) -> str:
    """Return an address of this server, with its parts escaped.

    Parameters
    ----------
    path : str
        Not escaped, such as the name of a folder.
    **query : object
        None is left out.

    Examples
    --------
    >>> from manyminds.serve.rendering import make_url
    >>> make_url("/search/my data", page=2, sort=None)
    '/search/my%20data?page=2'
    """
    known = {name: value for name, value in query.items() if value is not None}
    return quote(path) + (f"?{urlencode(known, doseq=True)}" if known else "")


def format_date(seconds: float) -> str:
    """Format seconds since the epoch as a local date and time."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def format_limit(n_bytes: int) -> str:
    """Format a limit in the units in which it was set: 2G are 2 GB.

    Examples
    --------
    >>> from manyminds.serve.rendering import format_limit
    >>> format_limit(2 * 2**30), format_limit(2_000_000_000), format_limit(500 * 2**20)
    ('2 GB', '2.0 GB', '500 MB')
    """
    for unit, size in (("GB", 2**30), ("MB", 2**20)):
        if n_bytes >= size and n_bytes % size == 0:
            return f"{n_bytes // size} {unit}"
    return format_size(n_bytes)


def format_size(n_bytes: float) -> str:
    """Format a number of bytes.

    Examples
    --------
    >>> from manyminds.serve.rendering import format_size
    >>> format_size(512), format_size(2_000_000_000)
    ('512 B', '2.0 GB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if n_bytes < 1000 or unit == "GB":
            break
        n_bytes /= 1000
    return f"{n_bytes:.0f} B" if unit == "B" else f"{n_bytes:.1f} {unit}"
