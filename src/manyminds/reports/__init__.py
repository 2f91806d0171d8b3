"""Reports: show what experiments found, in words, figures and pages."""

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
from manyminds.reports.summary import summarise
from manyminds.reports.terminal import print_summary
from manyminds.reports.words import tell_tests

__all__ = [
    "AgainstBest",
    "Cell",
    "ComparisonSummary",
    "Failure",
    "PairOverDatasets",
    "draw_critical_difference",
    "draw_scores",
    "print_summary",
    "render_page",
    "summarise",
    "tell_tests",
    "to_plain",
    "to_png",
    "to_svg",
    "write_evidence",
    "write_report",
    "write_whole",
]
