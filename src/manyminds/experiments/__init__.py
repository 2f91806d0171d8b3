"""Compare anything with anything: plan, run, record, store."""

from manyminds.experiments.measures import Fold, Scores, higher_is_better
from manyminds.experiments.plan import DataSource, Method, Plan
from manyminds.experiments.record import PlanState, Record, Slot
from manyminds.experiments.run import Outcome, Progress, RunError, run
from manyminds.experiments.splits import (
    CrossValidation,
    GivenSplits,
    RandomSplits,
    Split,
    WholeData,
)
from manyminds.experiments.sql_store import SqlStore, StoreError
from manyminds.experiments.store import Store, open_store

__all__ = [
    "CrossValidation",
    "DataSource",
    "Fold",
    "GivenSplits",
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
    "higher_is_better",
    "open_store",
    "run",
]
