"""Compare methods on tables: a form, and ranks, scores and tests."""

from math import inf
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from manyminds.experiments import list_methods
from manyminds.reports import ComparisonSummary, describe_tests
from manyminds.reports.shared.formatting import format_value
from manyminds.reports.shared.plain import from_plain
from manyminds.serve.charts import Interval, draw_intervals, draw_ranks
from manyminds.serve.jobs.job import Job
from manyminds.serve.pages.table_jobs import (
    list_choices,
    list_past,
    list_targets,
    read_output,
    show_job,
)
from manyminds.serve.rendering import make_url, render
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.tables.source import find_source
from manyminds.utils.errors import InputError

__all__ = ["routes"]

CV = {
    "5": "5-fold",
    "10": "10-fold",
    "3x5": "3 times 5-fold",
    "10x10": "10 times 10-fold",
}
MAX_TABLES = 50
STORE = "comparisons.sqlite"


async def show_form(request: Request) -> Response:
    """Show the form, and earlier comparisons."""
    state = get_state(request)
    chosen = request.query_params.getlist("table")
    choices = await run_in_threadpool(list_choices, state)
    files = [ref for ref in chosen if not ref.startswith("bundled:")]
    targets: list[str] = []
    usual = ""
    if files:
        targets, usual = await run_in_threadpool(list_targets, state, files[0])
    return render(
        request,
        "compare.html.jinja",
        choices=choices,
        chosen=chosen,
        targets=targets,
        target=request.query_params.get("target") or usual,
        cv=CV,
        methods=_list_methods(),
        past=await run_in_threadpool(list_past, state, "compare"),
    )


async def start(request: Request) -> Response:
    """Start a comparison."""
    state = get_state(request)
    form = await request.form()
    fields = {key: str(value) for key, value in form.items()}
    tables = [str(one) for one in form.getlist("table")]
    job = await run_in_threadpool(_add_job, state, tables, fields)
    return RedirectResponse(make_url(f"/comparison/{job.id}"), 303)


async def show_comparison(request: Request) -> Response:
    """Show a comparison, or that it is being made."""
    return await show_job(request, "compare", "comparison.html.jinja", _list_values)


routes = [
    Route("/compare", show_form, methods=["GET"]),
    Route("/compare", start, methods=["POST"]),
    Route("/comparison/{job}", show_comparison),
]


def _list_methods() -> dict[str, list[tuple[str, str]]]:
    """Return short and long names of our methods, by task."""
    found = {}
    for task in ("classification", "regression"):
        ours = [one for one in list_methods(task) if one.aliases and not one.needs]
        found[task] = [(one.aliases[0], one.name) for one in ours]
    return found


def _add_job(state: ServeState, tables: list[str], form: dict[str, str]) -> Job:
    if not tables:
        raise InputError("Choose at least one table.")
    if len(tables) > MAX_TABLES:
        raise InputError(f"Choose at most {MAX_TABLES} tables.")
    sources = [find_source(state, one) for one in tables]
    cv = form.get("cv", "10")
    if cv not in CV:
        raise InputError(f"There is no cross-validation {cv!r}.")
    store = state.folder.make_hidden() / STORE
    words = ["compare", *(one.argument for one in sources), "--cv", cv, "--json"]
    words += ["--store", str(store)]
    for option in ("methods", "metric"):
        text = form.get(option, "").strip()
        words += [f"--{option}", text] if text else []
    if any(one.path is not None for one in sources) and form.get("target"):
        words += ["--target", form["target"]]
    names = ", ".join(one.name for one in sources[:3])
    more = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
    return state.jobs.add("compare", words, f"Compare methods on {names}{more}")


def _list_values(state: ServeState, job: Job) -> dict[str, Any]:
    """Return what the template shows of a finished comparison."""
    output, notes = read_output(state, job)
    summary = _read_summary(next(iter(output["summaries"].values())))
    return {
        "notes": notes,
        "command": output["command"],
        "s": summary,
        "sentences": describe_tests(summary),
        "rows": _list_rows(summary),
        "ranks": _draw_ranks(summary),
        "scores": [(name, _draw_scores(summary, name)) for name in summary.datasets],
        "seconds": output["seconds"],
    }


def _read_summary(content: dict[str, Any]) -> ComparisonSummary:
    """Return a summary that was JSON, which has no infinite numbers."""
    if (tests := content["over_datasets"]) is not None:
        found = tests["friedman"]
        for name in ("f", "f_tie_corrected"):  # of ranks that are always the same
            if found[name] is None and found[f"{name}_p_value"] is not None:
                found[name] = inf
    summary: ComparisonSummary = from_plain(ComparisonSummary, content)
    return summary


def _list_rows(s: ComparisonSummary) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the table of scores: a row per data set, a cell per method."""
    cells = {(one.dataset, one.method): one for one in s.cells}
    rows = []
    for name in s.datasets:
        found = [cells.get((name, method)) for method in s.methods]
        row = [
            {
                "mean": None if one is None else one.mean,
                "std": None if one is None else one.std,
                "best": one is not None and one.best,
                "failed": 0 if one is None else one.n_failed,
            }
            for one in found
        ]
        rows.append((name, row))
    return rows


def _draw_ranks(s: ComparisonSummary) -> Markup | None:
    if len(s.methods) < 2 or not s.average_ranks:
        return None
    groups: tuple[tuple[str, ...], ...] = ()
    if s.over_datasets is not None:
        groups = s.over_datasets.critical_difference.groups
    return draw_ranks(s.average_ranks, groups, label="Average ranks")


def _draw_scores(s: ComparisonSummary, dataset: str) -> Markup:
    rows = []
    for one in s.cells:
        if one.dataset == dataset and one.mean is not None:
            spread = one.std or 0.0
            tip = (
                f"{one.method}\n{s.metric} {format_value(one.mean)}, standard "
                f"deviation {format_value(one.std)}\n{one.n} folds"
            )
            rows.append(
                Interval(one.method, one.mean - spread, one.mean, one.mean + spread,
                         tip, 2 if one.best else 0)
            )  # fmt: skip
    return draw_intervals(rows, label=f"Scores on {dataset}", x_label=s.metric)
