"""The what-if page: edit the values of a row, see the prediction change."""

from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from manyminds.persistence import TableModel
from manyminds.reports.shared.formatting import format_value
from manyminds.serve.cache import stamp
from manyminds.serve.charts import Bar, draw_bars
from manyminds.serve.contributions import Contributions
from manyminds.serve.pages.result import load_finished
from manyminds.serve.rendering import render_text
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.training_rows import MODEL, load_search_model, load_training_rows
from manyminds.serve.waiting import wait_for_model
from manyminds.serve.what_if import (
    Answer,
    answer_row,
    choose_columns,
    find_typical,
    list_cells,
)
from manyminds.serve.wording import describe_message
from manyminds.utils.errors import InputError, UserError

__all__ = ["routes"]

PREFIX = "value:"


async def show_row(request: Request) -> Response:
    """Show the form of a row and its prediction."""
    state = get_state(request)
    folder = state.folder.find_search(request.path_params["folder"])
    if waiting := wait_for_model(request, state, folder):
        return waiting
    return await run_in_threadpool(_show, request, {})


async def change_row(request: Request) -> Response:
    """Predict the values of the form; a script asks for the answer only."""
    form = await request.form()
    values = {
        key.removeprefix(PREFIX): str(value)
        for key, value in form.items()
        if key.startswith(PREFIX)
    }
    return await run_in_threadpool(_show, request, values)


routes = [
    Route("/search/{folder:path}/what-if", show_row, methods=["GET"]),
    Route("/search/{folder:path}/what-if", change_row, methods=["POST"]),
]


def _show(request: Request, values: dict[str, str]) -> Response:
    state, path = get_state(request), request.path_params["folder"]
    folder = state.folder.find_search(path)
    model = load_search_model(state, folder)
    if model.columns is None or model.task == "multilabel":
        raise InputError("This page needs a table with names, and a single target.")
    rows, problem = _load_rows(state, folder, model)
    number = _read_row_number(request, rows)
    summary = load_finished(state, folder).summary
    columns = choose_columns(model, [one.feature for one in summary.importance])
    names = [one.name for one in columns]
    row = _find_row(state, folder, model, rows, number)
    base = list_cells(row[names].iloc[0])
    changes = {name: text for name, text in values.items() if text != base.get(name)}
    answer, error = _answer(model, row, changes, rows, names)
    shared: dict[str, Any] = {
        "folder": path,
        "answer": answer,
        "error": error,
        "problem": problem,
        "chart": _draw(answer.contributions, answer.explained) if answer else None,
        "target": model.target,
    }
    status = 400 if error else 200
    if request.headers.get("x-fragment"):
        text = render_text(request, "what_if_answer.html.jinja", **shared)
        return HTMLResponse(text, 200 if answer or error else status)
    text = render_text(
        request,
        "what_if.html.jinja",
        s=summary,
        columns=columns,
        cells=base | changes,
        base=base,
        number=number,
        n_rows=None if rows is None else len(rows),
        n_other=len(model.columns) - len(columns),
        prefix=PREFIX,
        **shared,
    )
    return HTMLResponse(text, status)


def _load_rows(
    state: ServeState, folder: Path, model: TableModel
) -> tuple[pd.DataFrame | None, str]:
    try:
        return load_training_rows(state, folder, model), ""
    except UserError as error:
        return None, describe_message(error)


def _read_row_number(request: Request, rows: pd.DataFrame | None) -> int | None:
    """Return the number of the row from 1, if the address has one."""
    text = request.query_params.get("row", "")
    if not text or rows is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= len(rows):
        raise InputError(f"The table has rows 1 to {len(rows):,}; got {text!r}.")
    return int(text)


def _find_row(
    state: ServeState,
    folder: Path,
    model: TableModel,
    rows: pd.DataFrame | None,
    number: int | None,
) -> pd.DataFrame:
    """Return a row of the table, or a typical one."""
    if rows is not None and number is not None:
        return rows.iloc[[number - 1]]
    key = ("typical", stamp(folder / MODEL), rows is None)
    row: pd.DataFrame = state.tables.get(key, lambda: find_typical(model, rows))
    return row


def _answer(
    model: TableModel,
    row: pd.DataFrame,
    changes: dict[str, str],
    rows: pd.DataFrame | None,
    names: list[str],
) -> tuple[Answer | None, str]:
    try:
        return answer_row(model, row, changes, rows, names), ""
    except UserError as error:
        return None, describe_message(error)


def _draw(found: Contributions | None, explained: str) -> Markup | None:
    if found is None:
        return None
    bars = [
        Bar(
            one.column,
            one.value,
            f"{one.column}\n{one.value:+.4g} (standard error "
            f"{format_value(one.standard_error)})",
            one.standard_error,
        )
        for one in found.columns
    ]
    return draw_bars(
        bars, label="Contributions of the columns", x_label=f"change of {explained}"
    )
