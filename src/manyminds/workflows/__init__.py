"""Workflows: read a table, check, compute, judge and write the files, in one call.

Each command of the shell calls one function of this room, so that Python users get the
same results and the same files. The functions print nothing.
"""

from manyminds.workflows.analysis import AnalysisResult, run_analysis
from manyminds.workflows.comparison import ComparisonResult, run_comparison
from manyminds.workflows.export import ExportResult, run_export
from manyminds.workflows.prediction import PredictionResult, run_prediction
from manyminds.workflows.reproduction import ReproductionResult, run_reproduction
from manyminds.workflows.search import SearchResult, SearchStatus, run_search
from manyminds.workflows.selection import SelectionResult, run_selection
from manyminds.workflows.warm_up import KernelState, WarmUpResult, run_warm_up

__all__ = [
    "AnalysisResult",
    "ComparisonResult",
    "ExportResult",
    "KernelState",
    "PredictionResult",
    "ReproductionResult",
    "SearchResult",
    "SearchStatus",
    "SelectionResult",
    "WarmUpResult",
    "run_analysis",
    "run_comparison",
    "run_export",
    "run_prediction",
    "run_reproduction",
    "run_search",
    "run_selection",
    "run_warm_up",
]

# Names past ``__all__`` that other rooms may import.
INTERNALS = ("novelty.describe_novelty",)
