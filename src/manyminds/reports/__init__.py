"""Reports: summarize results, and show them as sentences, figures and pages."""

from manyminds.reports.comparison.figures import draw_critical_difference, draw_scores
from manyminds.reports.comparison.page import render_page, write_report
from manyminds.reports.comparison.sentences import describe_tests
from manyminds.reports.comparison.summary import summarize
from manyminds.reports.comparison.summary_types import (
    AgainstBest,
    Cell,
    ComparisonSummary,
    Failure,
    PairOverDatasets,
)
from manyminds.reports.comparison.terminal import print_summary
from manyminds.reports.data.page import render_data_page, write_analysis
from manyminds.reports.data.summary import summarize_data
from manyminds.reports.data.summary_types import DataSummary
from manyminds.reports.data.terminal import print_data_summary
from manyminds.reports.search.files import write_search
from manyminds.reports.search.folder import (
    SearchExistsError,
    SearchIdentity,
    open_search_folder,
    read_search,
)
from manyminds.reports.search.model_card import (
    ModelCard,
    make_model_card,
    render_model_card,
)
from manyminds.reports.search.page import render_search_page
from manyminds.reports.search.summary import (
    detail_search,
    read_member_predictions,
    summarize_search,
)
from manyminds.reports.search.summary_types import SearchDetails, SearchSummary
from manyminds.reports.search.terminal import print_search_summary
from manyminds.reports.selection.files import write_selection
from manyminds.reports.selection.summary import (
    SelectionSummary,
    list_frequencies,
    summarize_selection,
)
from manyminds.reports.selection.terminal import print_selection
from manyminds.reports.shared.figures import to_png, to_svg
from manyminds.reports.shared.plain import to_plain

__all__ = [
    "AgainstBest",
    "Cell",
    "ComparisonSummary",
    "DataSummary",
    "Failure",
    "ModelCard",
    "PairOverDatasets",
    "SearchDetails",
    "SearchExistsError",
    "SearchIdentity",
    "SearchSummary",
    "SelectionSummary",
    "describe_tests",
    "detail_search",
    "draw_critical_difference",
    "draw_scores",
    "list_frequencies",
    "make_model_card",
    "open_search_folder",
    "print_data_summary",
    "print_search_summary",
    "print_selection",
    "print_summary",
    "read_member_predictions",
    "read_search",
    "render_data_page",
    "render_model_card",
    "render_page",
    "render_search_page",
    "summarize",
    "summarize_data",
    "summarize_search",
    "summarize_selection",
    "to_plain",
    "to_png",
    "to_svg",
    "write_analysis",
    "write_report",
    "write_search",
    "write_selection",
]

# What other rooms may import besides.
INTERNALS = (
    "data.summary.find_copies",
    "search.curves.make_precision_recall_curves",
    "search.files.write_card",
    "search.files.write_model",
    "search.files.write_page",
    "search.files.write_tables",
    "search.folder.MARKERS",
    "search.folder.REPORT",
    "search.folder.RESULT",
    "search.folder.RESUME",
    "search.folder.STUDY",
    "search.folder.discard_search",
    "search.class_rows.list_classes",
    "search.folder.write_result",
    "search.prediction_errors.find_calibration_limit",
    "search.prediction_errors.measure_class_errors",
    "search.prediction_errors.measure_number_errors",
    "search.sentences.describe_decisions",
    "search.sentences.describe_honest_score",
    "search.sentences.describe_importance",
    "search.sentences.describe_model",
    "search.sentences.describe_naive_score",
    "search.sentences.describe_one_class",
    "search.sentences.describe_selected_columns",
    "search.sentences.describe_trials",
    "search.summary_types.CalibrationBin",
    "search.summary_types.ClassErrors",
    "search.summary_types.Curve",
    "search.summary_types.NumberErrors",
    "selection.terminal.describe_selection",
    "shared.formatting.format_number",
    "shared.formatting.format_time",
    "shared.formatting.format_value",
    "shared.pages.make_environment",
    "shared.plain.from_plain",
    "shared.table.TargetSummary",
    "shared.table.summarize_target",
)
