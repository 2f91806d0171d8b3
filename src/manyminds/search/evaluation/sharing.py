"""Share a table with worker processes by memory maps, so that none has a copy."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.utils.scratch_folders import scratch_folder

__all__ = ["SharedEvaluator", "load_evaluator"]

FILE = "evaluator.joblib"


class SharedEvaluator:
    """Write an evaluator to a temporary folder of this user, for its workers.

    The folder is removed by `close`.

    Parameters
    ----------
    evaluator : Evaluator

    Attributes
    ----------
    path : Path
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._exits = ExitStack()
        self.path = self._exits.enter_context(scratch_folder()) / FILE
        joblib.dump(list_parts(evaluator), self.path)

    def close(self) -> None:
        """Remove the folder."""
        self._exits.close()


def list_parts(evaluator: Evaluator) -> tuple[Any, ...]:
    """Return the arguments of which an equal evaluator can be made."""
    return (
        evaluator.X, evaluator.y, evaluator.folds, evaluator.space, evaluator.problem,
        evaluator.measure, evaluator.sample_weight, evaluator.names, evaluator.levels,
        evaluator.groups, evaluator.time, evaluator.kept, evaluator.timed_rows,
    )  # fmt: skip


def load_evaluator(path: Path) -> Evaluator:
    """Return the evaluator of a file; its table stays on disk."""
    X, y, *others = joblib.load(path, mmap_mode="r")
    X = np.asarray(X) if isinstance(X, np.ndarray) else X
    return Evaluator(X, np.asarray(y), *others)
