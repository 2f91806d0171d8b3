"""Reports: show what experiments found, in words, figures and pages."""

from manyminds.reports.data_page import render_data_page, write_analysis
from manyminds.reports.data_parts import DataSummary
from manyminds.reports.data_summary import summarise_data
from manyminds.reports.data_terminal import print_data_summary
from manyminds.reports.evidence import write_evidence
from manyminds.reports.figures import (
    draw_critical_difference,
    draw_scores,
    to_png,
    to_svg,
)
from manyminds.reports.page import render_page, write_report, write_whole
from manyminds.reports.parts import (
    AgainstBest,
    Cell,
    ComparisonSummary,
    Failure,
    PairOverDatasets,
    to_plain,
)
from manyminds.reports.search_files import (
    SearchIdentity,
    open_search_folder,
    read_search,
    write_search,
)
from manyminds.reports.search_page import render_search_page
from manyminds.reports.search_parts import SearchDetails, SearchSummary
from manyminds.reports.search_summary import (
    detail_search,
    read_member_predictions,
    summarise_search,
)
from manyminds.reports.search_terminal import print_search_summary
from manyminds.reports.summary import summarise
from manyminds.reports.terminal import print_summary
from manyminds.reports.words import tell_tests

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
    "summarise",
    "summarise_data",
    "summarise_search",
    "tell_tests",
    "to_plain",
    "to_png",
    "to_svg",
    "write_analysis",
    "write_evidence",
    "write_report",
    "write_search",
    "write_whole",
]
