"""Errors of requests: one sentence on the page, the traceback in a log file."""

import secrets
import traceback
from datetime import datetime
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from manyminds.serve.rendering import render_error
from manyminds.serve.state import get_state
from manyminds.serve.wording import describe_message
from manyminds.utils.errors import MissingFileError

__all__ = ["ErrorMiddleware", "answer_http_error", "answer_user_error"]

SENTENCES = {
    404: "There is nothing at this address.",
    405: "This address does not take that kind of request.",
}


async def answer_http_error(request: Request, error: Exception) -> Response:
    """Answer an HTTPException: its detail is the sentence."""
    assert isinstance(error, HTTPException)
    usual = error.detail in ("Not Found", "Method Not Allowed")
    sentence = SENTENCES.get(error.status_code, error.detail) if usual else error.detail
    return render_error(request, error.status_code, sentence)


async def answer_user_error(request: Request, error: Exception) -> Response:
    """Answer an error that the user can correct."""
    status = 404 if isinstance(error, MissingFileError) else 400
    return render_error(request, status, describe_message(error))


class ErrorMiddleware:
    """Answer all other errors with a reference number, and log their traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; answer if that raises."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception as error:
            request = Request(scope, receive)
            reference = log_error(get_state(request).folder.log, scope["path"], error)
            if started:  # the browser sees that the answer ends early
                return
            sentence = "Something went wrong here; it is not your fault."
            response = render_error(request, 500, sentence, reference)
            await response(scope, receive, send)


def log_error(log: Path, place: str, error: Exception) -> str:
    """Append a traceback to the log; return the number under which it is found."""
    reference = secrets.token_hex(4)
    now = datetime.now().isoformat(timespec="seconds")
    text = "".join(traceback.format_exception(error))
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"--- {reference} {now} {place!r}\n{text}\n")
    return reference
