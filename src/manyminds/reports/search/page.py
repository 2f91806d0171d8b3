"""The report of a search: one self-contained page of HTML."""

from typing import Any

from manyminds.reports.search.class_rows import list_classes
from manyminds.reports.search.coverage_figure import draw_coverage
from manyminds.reports.search.curves_figure import draw_curves
from manyminds.reports.search.figures import (
    draw_confusion,
    draw_importance,
    draw_labels,
    draw_leaderboard,
    draw_map,
    draw_numbers,
    draw_selection,
    draw_trace,
)
from manyminds.reports.search.model_card import ModelCard
from manyminds.reports.search.sentences import (
    describe_decisions,
    describe_error_regions,
    describe_folds,
    describe_honest_score,
    describe_lowest_coverage,
    describe_model,
    describe_naive_score,
    describe_one_class,
    describe_selected_columns,
    describe_trials,
)
from manyminds.reports.search.summary_types import SearchDetails, SearchSummary
from manyminds.reports.shared.figures import to_svg
from manyminds.reports.shared.formatting import (
    format_number,
    format_time,
    format_value,
)
from manyminds.reports.shared.pages import make_environment

MAX_PIPELINES = 50  # rows of the page's table; leaderboard.csv has all of them
MAX_CLASSES = 60


def render_search_page(
    summary: SearchSummary,
    details: SearchDetails,
    *,
    card: ModelCard | None = None,
    folder: str = "",
) -> str:
    """Render a search as one page of HTML, without links or scripts.

    Parameters
    ----------
    summary : SearchSummary
        See `summarize_search`.
    details : SearchDetails
        See `detail_search`.
    card : ModelCard or None, default=None
        See `make_model_card`; None leaves its section out.
    folder : str, default=""
        Folder of the model file, for the lines that load it.

    Returns
    -------
    html : str
    """
    environment = make_environment(
        {
            "value": format_value,
            "number": format_number,
            "share": "{:.1%}".format,
            "whole": "{:,}".format,
            "time": format_time,
        }
    )
    return environment.get_template("search.html.jinja").render(
        s=summary,
        d=details,
        card=card,
        folder=folder,
        pipelines=summary.leaderboard[:MAX_PIPELINES],
        classes=list_classes(details.classes, MAX_CLASSES) if details.classes else (),
        n_tested=summary.n_tested or summary.table.n_rows,
        folds=describe_folds(summary),
        honest=describe_honest_score(summary),
        naive=describe_naive_score(summary),
        model=describe_model(summary),
        decisions=describe_decisions(summary),
        one_class=describe_one_class(summary),
        lowest=describe_lowest_coverage(summary),
        regions=describe_error_regions(details),
        selected=describe_selected_columns(summary),
        trials=describe_trials(summary),
        figures={
            name: None if figure is None else to_svg(figure, inline=True)
            for name, figure in _draw_all(summary, details).items()
        },
    )


def _draw_all(summary: SearchSummary, details: SearchDetails) -> dict[str, Any]:
    classes, numbers, found = details.classes, details.numbers, details.complexity
    counts = details.cardinalities
    few = classes is not None and len(classes.labels) <= MAX_CLASSES
    return {
        "leaderboard": draw_leaderboard(summary),
        "trace": draw_trace(summary, details),
        "selection": draw_selection(summary),
        "importance": draw_importance(summary),
        "confusion": draw_confusion(classes) if classes and few else None,
        "curves": draw_curves(classes) if classes else None,
        "numbers": draw_numbers(numbers) if numbers else None,
        "map": draw_map(found) if found else None,
        "coverage": draw_coverage(summary) if summary.coverage else None,
        "labels": draw_labels(summary.labels, counts) if counts else None,
    }
