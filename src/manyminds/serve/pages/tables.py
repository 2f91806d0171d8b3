"""A table: its rows page by page, its columns, and the target."""

import math
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from manyminds.reports.shared.table import TargetSummary
from manyminds.serve.charts import Bar, draw_bars, draw_histogram
from manyminds.serve.rendering import make_url, render, render_text
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.tables.declarations import KINDS, declare_kinds
from manyminds.serve.tables.facts import (
    ColumnFacts,
    choose_default_target,
    find_facts,
    knows_facts,
    list_declared,
    split_target,
)
from manyminds.serve.tables.rows import open_rows
from manyminds.serve.tables.source import TableSource, find_source
from manyminds.serve.wording import describe_message
from manyminds.utils.errors import InputError, UserError
from manyminds.utils.text import format_count

__all__ = ["draw_target", "routes"]

N_ROWS, N_COLUMNS = 25, 40  # on a page of the preview
N_FACTS = 100  # columns on a page of the list of columns
MAX_INSTANT = 300  # columns that are described before the page is shown
MAX_INSTANT_BYTES = 20_000_000
MAX_CHOICES = 2_000  # columns in the list of targets; beyond, the name is typed
MAX_BARS = 15
FEW_LABELS = "Choose two or more targets, each a column of 0 and 1."


async def show_table(request: Request) -> Response:
    """Show the rows and, at once or a moment later, the columns and the target."""
    state = get_state(request)
    values = await run_in_threadpool(_read_table, state, _read_query(request))
    return render(request, "table.html.jinja", **values)


async def show_rows(request: Request) -> Response:
    """Return another page of rows, for the script of the page."""
    state, query = get_state(request), dict(request.query_params)
    values = await run_in_threadpool(_read_rows, state, query)
    return HTMLResponse(render_text(request, "table_rows.html.jinja", **values))


async def show_columns(request: Request) -> Response:
    """Return the columns and the target, for the script of the page."""
    state, query = get_state(request), _read_query(request)
    values = await run_in_threadpool(_read_columns, state, query)
    return HTMLResponse(render_text(request, "table_columns.html.jinja", **values))


async def change_types(request: Request) -> Response:
    """Store the types that a person has corrected, and show the table again."""
    state = get_state(request)
    async with request.form() as form:
        names = [str(one) for one in form.getlist("name")]
        kinds = [str(one) for one in form.getlist("kind")]
        keep = {key: form.get(key) for key in ("table", "target", "task", "columns")}
    source = find_source(state, str(keep["table"]))
    if source.schema is None:
        raise InputError(f"The types of {source.name} cannot be changed.")
    schema, chosen = source.schema, dict(zip(names, kinds))
    await run_in_threadpool(declare_kinds, schema, chosen)
    return RedirectResponse(make_url("/table", **_given(keep)) + "#columns", 303)


def draw_target(target: TargetSummary, name: str) -> Any:
    """Draw the rows of each class, or the histogram of numbers."""
    label = f"Distribution of {name}"
    if target.quantiles:
        return draw_histogram(
            target.edges, target.heights, label=label, x_label=name, height=220.0
        )
    n_rows = max(1, sum(target.counts.values()))
    shown = list(target.counts.items())[:MAX_BARS]
    bars = [
        Bar(key, n, f"{key}\n{format_count(n, 'row')}, {n / n_rows:.1%}")
        for key, n in shown
    ]
    return draw_bars(bars, label=label, x_label="rows")


def _read_table(state: ServeState, query: dict[str, str]) -> dict[str, Any]:
    values = _read_rows(state, query)
    source, target = values["source"], values["target"]
    n_bytes = 0 if source.path is None else source.path.stat().st_size
    is_small = len(values["names"]) <= MAX_INSTANT and n_bytes <= MAX_INSTANT_BYTES
    named = None if source.path is None else target
    instant = is_small or knows_facts(state, source, named, query.get("task") or None)
    return (
        values
        | (_read_columns(state, query) if instant else {})
        | {
            "instant": instant,
            "query": _given(
                {key: query.get(key) for key in ("target", "task", "columns")}
            ),
        }
    )


def _read_rows(state: ServeState, query: dict[str, str]) -> dict[str, Any]:
    """Read a page of rows and columns of the preview."""
    source = find_source(state, query.get("table", ""))
    rows = open_rows(state, source)
    n_pages = max(1, math.ceil(rows.n_rows / N_ROWS))
    page = _read_number(query.get("page"), n_pages)
    n_parts = max(1, math.ceil(len(rows.names) / N_COLUMNS))
    part = _read_number(query.get("part"), n_parts)
    start, first = (page - 1) * N_ROWS, (part - 1) * N_COLUMNS
    columns = slice(first, first + N_COLUMNS)
    target = query.get("target") or choose_default_target(state, source)
    return {
        "source": source,
        "names": rows.names,
        "shown_names": rows.names[columns],
        "rows": rows.read(start, N_ROWS, columns),
        "n_rows": rows.n_rows,
        "is_start": rows.is_start,
        "start": start,
        "first": first,
        "page": page,
        "n_pages": n_pages,
        "part": part,
        "n_parts": n_parts,
        "target": target,
        "targets": split_target(target, query.get("task")),
        "task": query.get("task") or "",
    }


def _read_columns(state: ServeState, query: dict[str, str]) -> dict[str, Any]:
    """Read the facts on the columns; what cannot be read becomes a sentence."""
    source = find_source(state, query.get("table", ""))
    names = open_rows(state, source).names
    target = query.get("target") or choose_default_target(state, source)
    task = query.get("task") or None
    values: dict[str, Any] = {
        "source": source,
        "target": target,
        "targets": split_target(target, task),
        "task": task or "",
        "choices": names if len(names) <= MAX_CHOICES else [],
        "kinds": list(KINDS),
        "can_correct": source.schema is not None,
        "problem": "",
    }
    if task == "multilabel" and len(values["targets"]) < 2:
        return values | _without_facts(state, source, FEW_LABELS, query)
    try:
        facts = find_facts(state, source, None if source.path is None else target, task)
    except UserError as error:
        return values | _without_facts(state, source, describe_message(error), query)
    n_parts = max(1, math.ceil(len(facts.columns) / N_FACTS))
    part = _read_number(query.get("columns"), n_parts)
    return values | {
        "facts": facts,
        "columns": facts.columns[(part - 1) * N_FACTS : part * N_FACTS],
        "columns_part": part,
        "n_column_parts": n_parts,
        "n_suspicious": sum(bool(one.notes) for one in facts.columns),
        "chart": draw_target(facts.target, facts.target_name),
    }


def _without_facts(
    state: ServeState, source: TableSource, problem: str, query: dict[str, str]
) -> dict[str, Any]:
    declared = list_declared(source)
    names = open_rows(state, source).names
    n_parts = max(1, math.ceil(len(names) / N_FACTS))
    part = _read_number(query.get("columns"), n_parts)
    shown = names[(part - 1) * N_FACTS : part * N_FACTS]
    columns = [ColumnFacts(name, "", declared.get(name, "auto")) for name in shown]
    return {
        "facts": None,
        "problem": problem,
        "columns": columns,
        "columns_part": part,
        "n_column_parts": n_parts,
        "n_suspicious": 0,
        "chart": None,
    }


def _read_query(request: Request) -> dict[str, str]:
    """Return the values of an address; several targets become one text."""
    query = dict(request.query_params)
    targets = request.query_params.getlist("target")
    return query | {"target": ",".join(targets)} if targets else query


def _read_number(text: str | None, highest: int) -> int:
    """Return the number of a page, whatever the address says."""
    given = int(text) if text and text.isdecimal() and len(text) < 12 else 1
    return min(max(given, 1), highest)


def _given(values: dict[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in values.items() if value}


routes = [
    Route("/table", show_table),
    Route("/table/rows", show_rows),
    Route("/table/columns", show_columns),
    Route("/table/types", change_types, methods=["POST"]),
]
