"""One page of HTML that holds all that there is to say about a search."""

from typing import Any

from manyminds.reports.comparison.figures import to_svg
from manyminds.reports.comparison.page import make_environment
from manyminds.reports.comparison.words import say_time
from manyminds.reports.data.page import say_number
from manyminds.reports.search.figures import (
    draw_confusion,
    draw_curves,
    draw_importance,
    draw_leaderboard,
    draw_map,
    draw_numbers,
    draw_selection,
    draw_trace,
)
from manyminds.reports.search.parts import SearchDetails, SearchSummary
from manyminds.reports.search.words import (
    say_value,
    tell_honest,
    tell_model,
    tell_naive,
    tell_selection,
    tell_trials,
)

MAX_CHAINS = 50  # rows of the page's table; leaderboard.csv has all of them
MAX_CLASSES = 60


def render_search_page(
    summary: SearchSummary, details: SearchDetails, *, folder: str = ""
) -> str:
    """Make a page of HTML: no links, no scripts, figures inside.

    Parameters
    ----------
    summary : SearchSummary
        See `summarize_search`.
    details : SearchDetails
        See `detail_search`.
    folder : str, default=""
        Where the model's file is, for the lines that load it.

    Returns
    -------
    html : str
    """
    environment = make_environment(
        {
            "value": say_value,
            "number": say_number,
            "share": "{:.1%}".format,
            "whole": "{:,}".format,
            "time": say_time,
        }
    )
    return environment.get_template("search.html.jinja").render(
        s=summary,
        d=details,
        folder=folder,
        chains=summary.leaderboard[:MAX_CHAINS],
        most_classes=MAX_CLASSES,
        honest=tell_honest(summary),
        naive=tell_naive(summary),
        model=tell_model(summary),
        selected=tell_selection(summary),
        trials=tell_trials(summary),
        figures={
            name: None if figure is None else to_svg(figure, inline=True)
            for name, figure in _draw_all(summary, details).items()
        },
    )


def _draw_all(summary: SearchSummary, details: SearchDetails) -> dict[str, Any]:
    classes, numbers, found = details.classes, details.numbers, details.complexity
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
    }
