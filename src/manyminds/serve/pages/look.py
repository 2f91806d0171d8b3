"""Look at a table: what columns explain, the map of the rows, the hardest rows."""

import json
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from manyminds.reports import DataSummary
from manyminds.reports.shared.plain import from_plain
from manyminds.serve.cache import stamp
from manyminds.serve.charts import Bar, Line, Point, draw_bars, draw_lines, draw_scatter
from manyminds.serve.charts.lines import N_COLORS
from manyminds.serve.jobs.job import Job
from manyminds.serve.jobs.queue import OUTPUT
from manyminds.serve.jobs.words import list_table_words
from manyminds.serve.pages.tables import draw_target
from manyminds.serve.rendering import make_url, render
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.tables.facts import choose_default_target
from manyminds.serve.tables.rows import open_rows
from manyminds.serve.tables.source import TableSource, find_source
from manyminds.utils.text import format_count

__all__ = ["routes"]

MAX_BARS = 20
MAX_COLUMNS = 200  # rows of the table of columns, and cells of a row


async def show_look(request: Request) -> Response:
    """Show the analysis of a table; start it first if there is none."""
    state, query = get_state(request), dict(request.query_params)
    source = find_source(state, query.get("table", ""))
    target = query.get("target", "")
    if not target:
        target = await run_in_threadpool(choose_default_target, state, source)
    task = query.get("task") or None
    job = await run_in_threadpool(_find_or_start, state, source, target, task)
    if job.state != "done":
        return RedirectResponse(make_url(f"/jobs/{job.id}"), 303)
    values = await run_in_threadpool(_read_analysis, state, job)
    return render(
        request, "look.html.jinja", source=source, target=target, task=task, **values
    )


async def show_row(request: Request) -> Response:
    """Return one row of a table, for a point that was chosen."""
    state, query = get_state(request), request.query_params
    source = find_source(state, query.get("table", ""))
    number = query.get("row", "")
    row = int(number) - 1 if number.isdecimal() and len(number) < 12 else 0

    def read() -> list[dict[str, str]]:
        rows = open_rows(state, source)
        columns = slice(0, MAX_COLUMNS)
        cells = rows.read(max(row, 0), 1, columns)
        names = rows.names[columns]
        return [
            {"name": name, "value": cell}
            for one in cells
            for name, cell in zip(names, one)
        ]

    return JSONResponse({"row": row + 1, "cells": await run_in_threadpool(read)})


def _find_or_start(
    state: ServeState, source: TableSource, target: str, task: str | None
) -> Job:
    """Return the latest analysis of a table as it is now; start one if need be."""
    files = [one for one in (source.path, source.schema) if one is not None]
    wanted = {
        "stamp": repr(stamp(*files)),
        "next": make_url("/look", table=source.ref, target=target, task=task),
    }
    for job in state.jobs.read_all():
        is_same = job.kind == "analyze" and job.table == source.ref
        if (
            is_same
            and job.details == wanted
            and job.state not in ("failed", "canceled")
        ):
            return job
    named = None if source.path is None else target
    words = ["analyze", *list_table_words(source, named, task), "--json"]
    return state.jobs.add(
        "analyze", words, source.name, table=source.ref, details=wanted
    )


def _read_analysis(state: ServeState, job: Job) -> dict[str, Any]:
    file = state.jobs.path_of(job, OUTPUT)
    key = ("analysis", *stamp(file))
    summary: DataSummary = state.summaries.get(key, lambda: _read_summary(file))
    return {
        "s": summary,
        "columns": _sort_columns(summary),
        "n_hidden": max(0, len(summary.columns) - MAX_COLUMNS),
        "target_chart": draw_target(summary.target, "the target"),
        "score_chart": _draw_scores(summary),
        "map_chart": _draw_map(summary),
        "profile_chart": _draw_profiles(summary),
        "labels": _list_labels(summary),
    }


def _read_summary(file: Path) -> DataSummary:
    content = json.loads(file.read_text("utf-8"))
    found: DataSummary = from_plain(DataSummary, content["summary"])
    return found


def _sort_columns(summary: DataSummary) -> list[Any]:
    others = [one for one in summary.columns if one.score is None]
    return [*summary.ranked, *others][:MAX_COLUMNS]


def _draw_scores(summary: DataSummary) -> Any:
    best = summary.ranked[:MAX_BARS]
    if not best:
        return None
    bars = [
        Bar(one.name, max(one.score or 0.0, 0.0), f"{one.name}\n{one.score or 0.0:.1%}")
        for one in best
    ]
    return draw_bars(
        bars,
        label="Share of the target that each column explains alone",
        x_label="share of the target explained by the column alone",
        x_range=(0.0, 1.0),
    )


def _list_labels(summary: DataSummary) -> list[str]:
    found = summary.complexity
    return [] if found is None else list(found.by_class)


def _draw_map(summary: DataSummary) -> Any:
    found = summary.complexity
    if found is None or not found.points:
        return None
    colors = {label: k % N_COLORS for k, label in enumerate(_list_labels(summary))}
    hard = {one.row for one in found.hardest}
    points = [
        Point(
            one.x,
            one.y,
            f"row {one.row:,}: {one.label}\ncomplexity {one.mri:.2f}",
            color=colors.get(one.label, 0),
            is_ringed=one.row in hard,
            data={"row": str(one.row)},
        )
        for one in found.points
    ]
    return draw_scatter(
        points,
        label="Map of the rows",
        x_label=found.axes[0],
        y_label=found.axes[1],
        height=420.0,
    )


def _draw_profiles(summary: DataSummary) -> Any:
    found = summary.complexity
    if found is None or not found.clusters:
        return None
    lines = [
        Line(
            f"{format_count(one.n_rows, 'row')}, MRI {one.mri:.2f}",
            found.radii,
            one.profile,
        )
        for one in found.clusters
    ]
    return draw_lines(
        lines,
        label="Support of the rows' classes by the radius of their neighborhood",
        x_label="radius of the neighborhood, columns scaled",
        y_label="support of the row's class",
        y_range=(-1.0, 1.0),
    )


routes = [
    Route("/look", show_look),
    Route("/look/row", show_row),
]
