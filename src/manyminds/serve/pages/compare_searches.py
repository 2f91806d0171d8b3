"""Compare two searches: scores, settings, histories, columns, and row by row."""

from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from manyminds.reports.shared.formatting import format_value
from manyminds.serve.charts import Interval, Line, draw_intervals, draw_lines
from manyminds.serve.pages.result import load_finished
from manyminds.serve.paired import compare_rows
from manyminds.serve.rendering import render
from manyminds.serve.results import FinishedSearch, list_best
from manyminds.serve.state import ServeState, get_state

__all__ = ["routes"]

N_COLUMNS = 12


async def compare_searches(request: Request) -> Response:
    """Show two searches side by side."""
    state, query = get_state(request), request.query_params
    listed = await run_in_threadpool(state.folder.list_searches)
    choices = [one.path for one in listed if one.state == "done"]
    names = [query.get("first", ""), query.get("second", "")]
    values: dict[str, Any] = {"pair": None}
    if all(names):
        values = await run_in_threadpool(_compare, state, names)
    defaults = [*choices, "", ""]
    return render(
        request,
        "compare_searches.html.jinja",
        choices=choices,
        names=[given or usual for given, usual in zip(names, defaults)],
        **values,
    )


routes = [Route("/compare-searches", compare_searches)]


def _compare(state: ServeState, names: list[str]) -> dict[str, Any]:
    """Return what the template shows of two searches."""
    pair = [load_finished(state, state.folder.find_search(name)) for name in names]
    first, second = pair
    same_metric = first.summary.metric == second.summary.metric
    same_table = first.summary.table.fingerprint == second.summary.table.fingerprint
    paired = None
    if same_table and first.predictions is not None and second.predictions is not None:
        paired = compare_rows(first.predictions, second.predictions)
    return {
        "pair": pair,
        "same_metric": same_metric,
        "same_table": same_table,
        "paired": paired,
        "scores": _draw_scores(pair, names) if same_metric else None,
        "histories": _draw_histories(pair, names) if same_metric else None,
        "importance": _join_importance(pair),
    }


def _draw_scores(pair: list[FinishedSearch], names: list[str]) -> Markup:
    rows = []
    for color, (search, name) in enumerate(zip(pair, names)):
        honest = search.summary.honest
        rows.append(
            Interval(
                name, honest.low, honest.score, honest.high,
                f"{name}\nhonest {format_value(honest.score)} "
                f"({format_value(honest.low)} to {format_value(honest.high)})", color,
            )
        )  # fmt: skip
    metric = pair[0].summary.metric
    return draw_intervals(rows, label="Honest scores", x_label=metric)


def _draw_histories(pair: list[FinishedSearch], names: list[str]) -> Markup | None:
    lines = []
    for search, name in zip(pair, names):
        steps = list_best(search.trace, search.summary.higher_is_better)
        tips = [
            f"{name}\n{one.second:.1f} s: {format_value(one.best)}\n{one.pipeline}"
            for one in steps
        ]
        lines.append(
            Line(name, [s.second for s in steps], [s.best for s in steps], tips, True)
        )
    if not all(line.x for line in lines):
        return None
    return draw_lines(
        lines, label="Best scores over time", x_label="seconds",
        y_label=pair[0].summary.metric, height=280.0,
    )  # fmt: skip


def _join_importance(
    pair: list[FinishedSearch],
) -> list[tuple[str, list[float | None]]]:
    """Return the importance of columns in both, the largest first."""
    known = [
        {one.feature: one.importance for one in s.summary.importance} for s in pair
    ]
    names = {name for one in known for name in one}
    order = sorted(
        names, key=lambda name: (-max(k.get(name, 0.0) for k in known), name)
    )
    return [(name, [k.get(name) for k in known]) for name in order[:N_COLUMNS]]
