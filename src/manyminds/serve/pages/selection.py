"""Select columns stably: a form, and the frequencies with their chart."""

from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from manyminds.reports import SelectionSummary
from manyminds.reports.selection.terminal import describe_selection
from manyminds.reports.shared.plain import from_plain
from manyminds.serve.charts import Bar, draw_bars
from manyminds.serve.jobs.job import Job
from manyminds.serve.pages.table_jobs import (
    list_choices,
    list_past,
    list_targets,
    read_output,
    read_whole,
    show_job,
)
from manyminds.serve.rendering import make_url, render
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.tables.source import find_source
from manyminds.utils.errors import InputError

__all__ = ["routes"]

SELECTORS = {
    "mrmr": "mRMR: relevant, and not redundant",
    "correlation": "correlation with the target",
    "information": "information gain",
    "fcbf": "FCBF: no column that another one replaces",
    "forest": "gain in a random forest",
    "ssv": "separability of split values (classes only)",
}
MAX_BARS = 30
MAX_ROWS = 200


async def show_form(request: Request) -> Response:
    """Show the form, and earlier selections."""
    state, ref = get_state(request), request.query_params.get("table", "")
    choices = await run_in_threadpool(list_choices, state)
    ref = ref or next(one for group in choices.values() for one in group)
    targets, usual = await run_in_threadpool(list_targets, state, ref)
    return render(
        request,
        "select.html.jinja",
        choices=choices,
        table=ref,
        targets=targets,
        target=request.query_params.get("target") or usual,
        selectors=SELECTORS,
        past=await run_in_threadpool(list_past, state, "select"),
    )


async def start(request: Request) -> Response:
    """Start a selection."""
    state = get_state(request)
    form = {key: str(value) for key, value in (await request.form()).items()}
    job = await run_in_threadpool(_add_job, state, form)
    return RedirectResponse(make_url(f"/selection/{job.id}"), 303)


async def show_selection(request: Request) -> Response:
    """Show a selection, or that it is being made."""
    return await show_job(request, "select", "selection.html.jinja", _list_values)


routes = [
    Route("/select", show_form, methods=["GET"]),
    Route("/select", start, methods=["POST"]),
    Route("/selection/{job}", show_selection),
]


def _add_job(state: ServeState, form: dict[str, str]) -> Job:
    source = find_source(state, form.get("table", ""))
    words = ["select", source.argument, "--json"]
    if source.path is not None:
        words += ["--target", form.get("target", "")]
    selector = form.get("selector", "mrmr")
    if selector not in SELECTORS:
        raise InputError(f"There is no selector {selector!r}.")
    words += ["--selector", selector]
    for option, name, high in (
        ("number", "The number of columns", 100_000),
        ("resamples", "The number of resamples", 1_000),
        ("permutations", "The number of permuted targets", 1_000),
    ):
        low = {"number": 1, "resamples": 2, "permutations": 0}[option]
        number = read_whole(form.get(option, ""), name, low, high)
        words += [] if number is None else [f"--{option}", str(number)]
    title = f"Select columns of {source.name}"
    return state.jobs.add("select", words, title, table=source.ref)


def _list_values(state: ServeState, job: Job) -> dict[str, Any]:
    """Return what the template shows of a finished selection."""
    output, notes = read_output(state, job)
    summary = from_plain(SelectionSummary, output)
    columns = output["columns"]
    return {
        "notes": notes,
        "summary": summary,
        "sentences": describe_selection(summary),
        "columns": columns[:MAX_ROWS],
        "n_more": max(0, len(columns) - MAX_ROWS),
        "kept": [one["column"] for one in columns if one["kept"]],
        "chart": _draw(columns[:MAX_BARS], summary),
    }


def _draw(columns: list[dict[str, Any]], summary: SelectionSummary) -> Markup:
    bars = []
    for one in columns:
        null = one["null_frequency"]
        noise = "" if null is None else f"\npermuted targets: {null:.0%}"
        kept = "kept" if one["kept"] else "not kept"
        often = f"selected in {one['frequency']:.0%} of the halves"
        tip = f"{one['column']}\n{often}{noise}"
        bars.append(
            Bar(one["column"], one["frequency"], f"{tip}\n{kept}",
                is_soft=not one["kept"])
        )  # fmt: skip
    return draw_bars(
        bars, label="Selection frequencies", x_label="selection frequency",
        x_range=(0.0, 1.0), line_at=summary.max_null_frequency,
    )  # fmt: skip
