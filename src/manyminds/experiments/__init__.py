"""Experiments: plan, run, record, store."""

from manyminds.experiments.catalog import KnownMethod, list_methods, needs_scaling
from manyminds.experiments.measures import Fold, Scores, higher_is_better
from manyminds.experiments.methods import make_method, parse_methods
from manyminds.experiments.plan import DataSource, Method, Plan
from manyminds.experiments.preparation import prepare_table, prepared
from manyminds.experiments.record import PlanState, Record, Slot
from manyminds.experiments.run import Outcome, Progress, RunError, run
from manyminds.experiments.splits import (
    CrossValidation,
    GivenSplits,
    RandomSplits,
    Split,
    WholeData,
)
from manyminds.experiments.sql_store import SqlStore
from manyminds.experiments.store import Store, open_store
from manyminds.experiments.summaries import fold_scores, pivot, tabulate
from manyminds.utils.databases import StoreError

__all__ = [
    "CrossValidation",
    "DataSource",
    "Fold",
    "GivenSplits",
    "KnownMethod",
    "Method",
    "Outcome",
    "Plan",
    "PlanState",
    "Progress",
    "RandomSplits",
    "Record",
    "RunError",
    "Scores",
    "Slot",
    "Split",
    "SqlStore",
    "Store",
    "StoreError",
    "WholeData",
    "fold_scores",
    "higher_is_better",
    "list_methods",
    "make_method",
    "needs_scaling",
    "open_store",
    "parse_methods",
    "pivot",
    "prepare_table",
    "prepared",
    "run",
    "tabulate",
]

# What other rooms use past __all__.
INTERNALS = (
    "measures.LABEL_LOSSES",
    "measures.LABEL_METRICS",
    "measures.LOSSES",
    "measures.check_task_metrics",
    "measures.predict_label_scores",
    "preparation.Columns",
    "preparation.takes_raw_tables",
    "splits.Splits",
    "summaries.list_scores",
)
