"""The result of a search: scores, errors, leaderboard, committee, columns, history."""

from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from manyminds.reports import SearchSummary
from manyminds.reports.search.class_rows import list_classes
from manyminds.reports.search.sentences import (
    describe_decisions,
    describe_honest_score,
    describe_importance,
    describe_model,
    describe_naive_score,
    describe_one_class,
    describe_selected_columns,
    describe_trials,
)
from manyminds.reports.shared.formatting import format_value
from manyminds.serve.charts import (
    Bar,
    Interval,
    Line,
    Point,
    draw_bars,
    draw_calibration,
    draw_confusion,
    draw_histogram,
    draw_intervals,
    draw_lines,
    draw_precision_recall,
    draw_roc,
    draw_scatter,
)
from manyminds.serve.rendering import make_url, render_text
from manyminds.serve.results import (
    FILES,
    FinishedSearch,
    TraceRow,
    is_finished,
    list_best,
    list_stamps,
    read_finished,
)
from manyminds.serve.state import ServeState, get_state
from manyminds.utils.errors import MissingFileError

__all__ = ["draw_history", "load_finished", "routes"]

N_ROWS = 25  # of the leaderboard, before all are asked for
N_SHOWN = 12  # intervals and columns in a chart
N_POINTS = 600  # of a scatter
N_CLASSES = 200  # of the table of classes
MAX_CLASSES = 30  # of a confusion matrix that is drawn


async def show_result(request: Request) -> Response:
    """Show the result of a search; an unfinished search has another page."""
    state, path = get_state(request), request.path_params["folder"]
    folder = state.folder.find_search(path)
    stamps, every = list_stamps(folder), request.query_params.get("all") == "1"
    if not state.summaries.get(("done", path, stamps), lambda: is_finished(folder)):
        return RedirectResponse(make_url(f"/search/{path}/live"), 303)
    key = ("result", path, every, stamps)

    def make() -> bytes:
        search = load_finished(state, folder)
        values = _list_values(search, every)
        text = render_text(request, "result.html.jinja", folder=path, **values)
        return text.encode()

    return HTMLResponse(await run_in_threadpool(state.pages.get, key, make))


async def download(request: Request) -> Response:
    """Send a file of a search."""
    state, name = get_state(request), request.path_params["file"]
    folder = state.folder.find_search(request.path_params["folder"])
    if name not in FILES or not (folder / name).is_file():
        raise MissingFileError(f"The search has no file {name!r}.")
    return FileResponse(
        folder / name,
        filename=f"{folder.name}-{name}",
        media_type="application/octet-stream",
    )


routes = [
    Route("/search/{folder:path}/download/{file}", download),
    Route("/search/{folder:path}", show_result),
]


def load_finished(state: ServeState, folder: Path) -> FinishedSearch:
    """Return a finished search, from the cache if its files have not changed.

    Parameters
    ----------
    state : ServeState
    folder : Path

    Returns
    -------
    search : FinishedSearch
    """
    key = ("finished", str(folder), list_stamps(folder))
    found: FinishedSearch = state.summaries.get(key, lambda: read_finished(folder))
    return found


def draw_history(
    trace: tuple[TraceRow, ...], metric: str, higher_is_better: bool
) -> Markup | None:
    """Draw the best score over time; None if no trial is complete.

    Parameters
    ----------
    trace : tuple of TraceRow
    metric : str
    higher_is_better : bool

    Returns
    -------
    chart : Markup or None
    """
    steps = list_best(trace, higher_is_better)
    if not steps:
        return None
    tips = [
        f"{row.second:.1f} s: best {metric} {format_value(row.best)}\n{row.pipeline}"
        for row in steps
    ]
    line = Line("best", [r.second for r in steps], [r.best for r in steps], tips, True)
    return draw_lines(
        [line], label="Best score over time", x_label="seconds", y_label=metric,
        height=280.0,
    )  # fmt: skip


def _list_values(search: FinishedSearch, every: bool) -> dict[str, Any]:
    """Return what the template shows."""
    s = search.summary
    rows = s.leaderboard if every else s.leaderboard[:N_ROWS]
    return {
        "s": s,
        "search": search,
        "rows": rows,
        "n_more": len(s.leaderboard) - len(rows),
        "honest": describe_honest_score(s),
        "naive": describe_naive_score(s),
        "model": describe_model(s),
        "decisions": describe_decisions(s),
        "one_class": describe_one_class(s),
        "classes": list_classes(search.classes.errors, N_CLASSES)
        if search.classes
        else (),
        "selected": describe_selected_columns(s),
        "important": describe_importance(s),
        "trials": describe_trials(s),
        "failures": [r for r in search.trace if r.state == "failed" and r.reason],
        "charts": _draw_all(search),
    }


def _draw_all(search: FinishedSearch) -> dict[str, Markup | None]:
    s = search.summary
    charts: dict[str, Markup | None] = {
        "scores": _draw_scores(s),
        "leaderboard": _draw_leaderboard(s),
        "importance": _draw_importance(s),
        "members": _draw_members(s),
        "history": draw_history(search.trace, s.metric, s.higher_is_better),
    }
    if (found := search.classes) is not None:
        errors = found.errors
        charts |= {
            "confusion": draw_confusion(
                errors.counts, errors.labels, label="Confusion matrix"
            )
            if len(errors.labels) <= MAX_CLASSES
            else None,
            "roc": draw_roc(found.roc),
            "precision": draw_precision_recall(found.precision_recall),
            "calibration": draw_calibration(
                errors.calibration, x_label=errors.calibrated
            ),
        }
    if search.numbers is not None:
        charts |= _draw_numbers(search)
    return charts


def _draw_scores(s: SearchSummary) -> Markup:
    honest = s.honest
    rows = [
        Interval(
            "honest", honest.low, honest.score, honest.high,
            f"honest {s.metric} {format_value(honest.score)}\n95 % interval "
            f"{format_value(honest.low)} to {format_value(honest.high)}", 2,
        ),
        Interval(
            "naive", float("nan"), honest.naive, float("nan"),
            f"naive {s.metric} {format_value(honest.naive)}", 7,
        ),
    ]  # fmt: skip
    return draw_intervals(rows, label="Honest and naive score", x_label=s.metric)


def _draw_leaderboard(s: SearchSummary) -> Markup:
    rows = [
        Interval(
            f"{row.rank}. {row.learner}", row.low, row.score, row.high,
            f"{row.pipeline}\n{s.metric} {format_value(row.score)} "
            f"({format_value(row.low)} to {format_value(row.high)})",
        )
        for row in s.leaderboard[:N_SHOWN]
    ]  # fmt: skip
    return draw_intervals(rows, label="Scores of the best pipelines", x_label=s.metric)


def _draw_importance(s: SearchSummary) -> Markup | None:
    if not s.importance:
        return None
    change = "decrease" if s.higher_is_better else "increase"
    bars = [
        Bar(
            one.feature, one.importance,
            f"{one.feature}\n{format_value(one.importance)}, standard deviation "
            f"{format_value(one.std)}", one.std,
        )
        for one in s.importance[:N_SHOWN]
    ]  # fmt: skip
    return draw_bars(
        bars, label="Importance of columns", x_label=f"{change} in {s.metric}"
    )


def _draw_members(s: SearchSummary) -> Markup | None:
    if not s.members:
        return None
    bars = [
        Bar(one.pipeline, one.weight, f"{one.pipeline}\nweight {one.weight:.1%}")
        for one in sorted(s.members, key=lambda one: -one.weight)
    ]
    return draw_bars(bars, label="Weights of the committee", x_label="weight")


def _draw_numbers(search: FinishedSearch) -> dict[str, Markup | None]:
    errors, found = search.numbers, search.predictions
    assert errors is not None and found is not None
    step = max(1, -(-len(found.rows) // N_POINTS))
    points, residuals = [], []
    for row, true, made in zip(
        found.rows[::step], found.target[::step], found.prediction[::step]
    ):
        tip = f"row {row}\ntrue {true:.4g}\npredicted {made:.4g}"
        data = {"row": str(row)}
        points.append(Point(true, made, tip, data=data))
        residuals.append(Point(made, made - true, tip, data=data))
    return {
        "predicted": draw_scatter(
            points, label="Predicted and true", x_label="true", y_label="predicted",
            diagonal=True,
        ),
        "residuals": draw_scatter(
            residuals, label="Residuals", x_label="predicted",
            y_label="predicted - true", zero_line=True,
        ),
        "errors": draw_histogram(
            errors.edges, errors.heights, label="Distribution of the errors",
            x_label="predicted - true",
        ),
    }  # fmt: skip
