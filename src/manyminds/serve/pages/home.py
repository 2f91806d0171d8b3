"""The first page: drop a table, pick one, or go on with a search."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from manyminds.datasets import bundled_datasets
from manyminds.datasets.reading import SUFFIXES
from manyminds.serve.pages.searches import list_rows
from manyminds.serve.rendering import make_url, render, wants_json
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.tables.source import BUNDLED
from manyminds.serve.uploads import receive_upload

__all__ = ["routes"]

MAX_TABLES = 100  # files of the folder that the page lists
MAX_SEARCHES = 5
ABOUT = {  # of bundled sets, in a few words
    "balance-scale": "625 rows, 3 classes: which side of a balance tips",
    "diabetes-progression": "442 rows, numbers: disease progression after a year",
    "digits": "1,797 rows, 10 classes: handwritten digits",
    "iris": "150 rows, 3 classes: species of irises",
    "monks-1-all": "432 rows, 2 classes: robots by a rule",
    "monks-2-all": "432 rows, 2 classes: robots by a harder rule",
    "monks-3-all": "432 rows, 2 classes: robots by a third rule",
    "tic-tac-toe": "958 rows, 2 classes: boards on which x has won",
    "wdbc": "569 rows, 2 classes: breast cancer, benign or malignant",
    "wine": "178 rows, 3 classes: wines of three growers",
}


async def show_home(request: Request) -> Response:
    """Show the tables of the folder, the bundled ones, and the latest searches."""
    values = await run_in_threadpool(_list_all, get_state(request))
    return render(request, "home.html.jinja", **values)


async def upload_table(request: Request) -> Response:
    """Take a table into the folder, and go to its page."""
    state = get_state(request)
    upload = await receive_upload(request)
    path = upload.move(state.folder.make_free_path(upload.name))
    following = make_url("/table", table=state.folder.name_of(path))
    if wants_json(request):
        return JSONResponse({"next": following})
    return RedirectResponse(following, 303)


def _list_all(state: ServeState) -> dict[str, Any]:
    tables = state.folder.list_tables()
    bundled = [
        {"ref": BUNDLED + name, "name": name, "about": ABOUT.get(name, "")}
        for name in bundled_datasets()
    ]
    return {
        "tables": tables[:MAX_TABLES],
        "n_more": max(0, len(tables) - MAX_TABLES),
        "bundled": bundled,
        "searches": list_rows(state)[:MAX_SEARCHES],
        "limit": state.upload_limit,
        "accepted": ",".join([*SUFFIXES, ".gz"]),
    }


routes = [
    Route("/", show_home),
    Route("/tables/upload", upload_table, methods=["POST"]),
]
