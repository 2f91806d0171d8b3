"""The what-if page: edit the values of a row, see the prediction change."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from manyminds.datasets import Column
from manyminds.persistence import TableModel
from manyminds.reports import SearchSummary
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
    find_typical,
    list_cells,
    sort_columns,
)
from manyminds.serve.wording import describe_message
from manyminds.utils.errors import InputError, UserError

__all__ = ["routes"]

PREFIX = "value:"
MAX_SHOWN = 30  # columns that are shown, or found, at once


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
    label = str(form.get("label") or "")
    return await run_in_threadpool(_show, request, values, label)


async def find_columns(request: Request) -> Response:
    """Return fields of the columns whose names contain a text."""
    return await run_in_threadpool(_find_fields, request)


routes = [
    Route("/search/{folder:path}/what-if", show_row, methods=["GET"]),
    Route("/search/{folder:path}/what-if", change_row, methods=["POST"]),
    Route("/search/{folder:path}/what-if/columns", find_columns),
]


@dataclass(frozen=True, eq=False)
class _EditedRow:
    """A row of the table, or a typical one, and the columns that can be edited."""

    model: TableModel
    summary: SearchSummary
    rows: pd.DataFrame | None
    problem: str
    number: int | None
    row: pd.DataFrame
    columns: list[Column]

    def find(self, text: str) -> list[Column]:
        """Return columns whose names contain a text, whatever its case."""
        wanted = text.strip().casefold()
        return [one for one in self.columns if wanted in one.name.casefold()]

    def choose(self, text: str, edited: Collection[str]) -> list[Column]:
        """Return the columns that a page shows: found, important or edited ones."""
        chosen = [*self.columns[:MAX_SHOWN]]
        if text.strip():
            chosen += self.find(text)[:MAX_SHOWN]
        chosen += [one for one in self.columns if one.name in edited]
        return list(dict.fromkeys(chosen))

    def list_cells(self, columns: Iterable[Column]) -> dict[str, str]:
        """Return the text of some cells before any change."""
        return list_cells(self.row[[one.name for one in columns]].iloc[0])


def _open_row(request: Request) -> _EditedRow:
    state = get_state(request)
    folder = state.folder.find_search(request.path_params["folder"])
    model = load_search_model(state, folder)
    if model.columns is None:
        raise InputError(
            "The table of this search is sparse: its columns have no names by which "
            "values could be entered. “Use the model” predicts a file instead."
        )
    rows, problem = _load_rows(state, folder, model)
    number = _read_row_number(request, rows)
    summary = load_finished(state, folder).summary
    row = _find_row(state, folder, model, rows, number)
    columns = sort_columns(model, [one.feature for one in summary.importance])
    return _EditedRow(model, summary, rows, problem, number, row, columns)


def _show(request: Request, values: dict[str, str], label: str = "") -> Response:
    opened = _open_row(request)
    found = request.query_params.get("find", "")
    columns = opened.choose(found, values.keys())
    base = opened.list_cells(columns)
    changes = {name: text for name, text in values.items() if text != base.get(name)}
    answer, error = _answer(opened, changes, _read_label(opened.model, label))
    shared: dict[str, Any] = {
        "folder": request.path_params["folder"],
        "answer": answer,
        "error": error,
        "problem": opened.problem,
        "chart": _draw(answer.contributions, answer.explained) if answer else None,
        "target": ", ".join(opened.model.targets),
    }
    if request.headers.get("x-fragment"):
        text = render_text(request, "what_if_answer.html.jinja", **shared)
        return HTMLResponse(text)
    text = render_text(
        request,
        "what_if.html.jinja",
        s=opened.summary,
        columns=columns,
        places=_list_places(opened.model),
        cells=base | changes,
        base=base,
        number=opened.number,
        n_rows=None if opened.rows is None else len(opened.rows),
        n_columns=len(opened.columns),
        is_ranked=bool(opened.summary.importance),
        labels=opened.model.classes if opened.model.task == "multilabel" else (),
        label=label,
        find=found,
        prefix=PREFIX,
        **shared,
    )
    return HTMLResponse(text, 400 if error else 200)


def _find_fields(request: Request) -> Response:
    opened = _open_row(request)
    columns = opened.find(request.query_params.get("find", ""))
    shown = columns[:MAX_SHOWN]
    base = opened.list_cells(shown)
    text = render_text(
        request,
        "what_if_fields.html.jinja",
        columns=shown,
        places=_list_places(opened.model),
        cells=base,
        base=base,
        prefix=PREFIX,
    )
    return HTMLResponse(text, headers={"X-Found": str(len(columns))})


def _list_places(model: TableModel) -> dict[str, int]:
    """Return the position of each column, by which its field is known."""
    return {one.name: place for place, one in enumerate(model.columns or ())}


def _read_label(model: TableModel, label: str) -> str | None:
    """Return the label whose probability is explained, if there are many labels."""
    known = [str(one) for one in model.classes]
    return label if model.task == "multilabel" and label in known else None


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
    opened: _EditedRow, changes: dict[str, str], label: str | None
) -> tuple[Answer | None, str]:
    """Return the prediction, or why there is none."""
    names = [one.name for one in opened.columns]
    model, row = opened.model, opened.row
    try:
        return answer_row(model, row, changes, opened.rows, names, label), ""
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
