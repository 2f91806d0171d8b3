"""A page at once where the model of a search must be loaded first."""

from contextlib import suppress
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from manyminds.serve.cache import stamp
from manyminds.serve.rendering import render
from manyminds.serve.state import ServeState
from manyminds.serve.training_rows import MODEL, load_search_model

__all__ = ["wait_for_model"]


def wait_for_model(
    request: Request, state: ServeState, folder: Path
) -> Response | None:
    """Return a page that is shown while a model is loaded, if that is needed.

    The page asks for the same address again at once; that request waits until the model
    is there. Only a browser that opens a page gets it: scripts wait by themselves.

    Parameters
    ----------
    request : Request
    state : ServeState
    folder : Path
        Of the search.

    Returns
    -------
    response : Response or None
        None if the model is loaded, or being loaded.
    """
    is_visit = request.headers.get("sec-fetch-mode") == "navigate"
    file = folder / MODEL
    shown = ("wait", *stamp(file))  # once: a model that cannot be loaded is an error
    if not is_visit or stamp(file) in state.models or shown in state.pages:
        return None
    state.pages.get(shown, lambda: True)
    response = render(request, "wait.html.jinja", folder=request.path_params["folder"])
    response.background = BackgroundTask(_load, state, folder)
    return response


def _load(state: ServeState, folder: Path) -> None:
    with suppress(Exception):  # the next request shows what is wrong
        load_search_model(state, folder)
