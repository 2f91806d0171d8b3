"""The page that asks for the password."""

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from manyminds.serve.rendering import render
from manyminds.serve.state import get_state

__all__ = ["routes"]

WRONG_SECONDS = 1.0  # before the next attempt: guessing takes long


async def show_login(request: Request) -> Response:
    """Show the form."""
    return render(request, "login.html.jinja", is_wrong=False)


async def log_in(request: Request) -> Response:
    """Open a session if the password is right."""
    access = get_state(request).access
    async with request.form(max_files=0, max_fields=5) as form:
        given = str(form.get("password", ""))
    async with access.attempts:
        if access.check_password(given):
            return access.open_session(RedirectResponse("/", 303))
        await asyncio.sleep(WRONG_SECONDS)
    return render(request, "login.html.jinja", 403, is_wrong=True)


routes = [
    Route("/login", show_login),
    Route("/login", log_in, methods=["POST"]),
]
