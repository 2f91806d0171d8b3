"""Reports: show what experiments found, in words, figures and pages."""

from manyminds.reports.comparison.figures import (
    draw_critical_difference,
    draw_scores,
    to_png,
    to_svg,
)
from manyminds.reports.comparison.page import render_page, write_report
from manyminds.reports.comparison.parts import (
    AgainstBest,
    Cell,
    ComparisonSummary,
    Failure,
    PairOverDatasets,
    to_plain,
)
from manyminds.reports.comparison.summary import summarize
from manyminds.reports.comparison.terminal import print_summary
from manyminds.reports.comparison.words import describe_tests
from manyminds.reports.data.page import render_data_page, write_analysis
from manyminds.reports.data.parts import DataSummary
from manyminds.reports.data.summary import summarize_data
from manyminds.reports.data.terminal import print_data_summary
from manyminds.reports.search.files import (
    SearchIdentity,
    open_search_folder,
    read_search,
    write_search,
)
from manyminds.reports.search.page import render_search_page
from manyminds.reports.search.parts import SearchDetails, SearchSummary
from manyminds.reports.search.summary import (
    detail_search,
    read_member_predictions,
    summarize_search,
)
from manyminds.reports.search.terminal import print_search_summary

__all__ = [
    "AgainstBest",
    "Cell",
    "ComparisonSummary",
    "DataSummary",
    "Failure",
    "PairOverDatasets",
    "SearchDetails",
    "SearchIdentity",
    "SearchSummary",
    "describe_tests",
    "detail_search",
    "draw_critical_difference",
    "draw_scores",
    "open_search_folder",
    "print_data_summary",
    "print_search_summary",
    "print_summary",
    "read_member_predictions",
    "read_search",
    "render_data_page",
    "render_page",
    "render_search_page",
    "summarize",
    "summarize_data",
    "summarize_search",
    "to_plain",
    "to_png",
    "to_svg",
    "write_analysis",
    "write_report",
    "write_search",
]
