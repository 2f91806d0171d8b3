"""The threshold page: confusion matrix and costs at any threshold of a class."""

import json
from math import isfinite

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from manyminds.serve.pages.result import load_finished
from manyminds.serve.rendering import render
from manyminds.serve.state import get_state
from manyminds.serve.thresholds import (
    N_STEPS,
    ThresholdTable,
    count_by_threshold,
    decide,
)
from manyminds.utils.errors import InputError

__all__ = ["routes"]


async def show_threshold(request: Request) -> Response:
    """Show the decisions at a threshold; a script moves it without a request."""
    state, path = get_state(request), request.path_params["folder"]
    folder = state.folder.find_search(path)
    search = await run_in_threadpool(load_finished, state, folder)
    found = search.labels or (search.predictions if search.classes else None)
    if found is None:
        raise InputError(
            "Thresholds need probabilities of classes or labels; this search has none."
        )
    query = request.query_params
    label = query.get("class") or found.labels[-1]
    if label not in found.labels:
        raise InputError(f"The model has no class or label {label!r}.")
    table = await run_in_threadpool(count_by_threshold, found, label)
    costs = [_read_number(query.get(one), 1.0) for one in ("false", "missed")]
    place = round(N_STEPS * min(max(_read_number(query.get("threshold"), 0.5), 0), 1))
    return render(
        request,
        "threshold.html.jinja",
        folder=path,
        labels=found.labels,
        s=search.summary,
        table=table,
        decision=decide(table, place, *costs),
        best=_find_cheapest(table, *costs),
        costs=costs,
        n_steps=N_STEPS,
        counts=json.dumps([table.true_positives, table.false_positives]),
    )


routes = [Route("/search/{folder:path}/threshold", show_threshold)]


def _find_cheapest(
    table: ThresholdTable, false_positive: float, false_negative: float
) -> float:
    """Return the threshold of the least cost; the one nearest to 0.5 of equal ones."""
    made = [
        decide(table, place, false_positive, false_negative)
        for place in range(N_STEPS + 1)
    ]
    return min(made, key=lambda one: (one.cost, abs(one.threshold - 0.5))).threshold


def _read_number(text: str | None, default: float) -> float:
    try:
        value = float(text or "")
    except ValueError:
        return default
    return value if isfinite(value) and value >= 0.0 else default
