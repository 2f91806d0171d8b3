"""Check the parameters of a search before anything is written."""

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from manyminds.datasets import Dataset, describe_columns
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.label_metrics import make_scorer
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.timing import read_seconds
from manyminds.utils.errors import InputError, Parameter, ParameterError
from manyminds.workflows.row_columns import RowColumns
from manyminds.workflows.tables import count_max_folds

DEFAULT_BUDGET = "60s"
INDEPENDENT = RowColumns()
FOR_NUMBERS = ("rmse", "mse", "mae", "r2")
# Scorers of scikit-learn that compare clusterings, and take any numbers for labels.
FOR_CLUSTERS = (
    "adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score",
    "fowlkes_mallows_score", "homogeneity_score", "mutual_info_score",
    "normalized_mutual_info_score", "rand_score", "v_measure_score",
)  # fmt: skip


def check_task(data: Dataset, task: str | None) -> None:
    """Raise unless the target has the declared task."""
    if task is not None and task != data.task:
        raise ParameterError("task", task, f"{data.task}, as {data.name} is")


def read_metric(metric: str, data: Dataset) -> PredictionScorer:
    """Return the scorer of a metric, after a test on (almost) perfect predictions."""
    numbers, classes = data.task == "regression", None
    if data.task == "classification":
        classes = np.unique(data.y)
    measure = make_scorer(metric, data.task, classes)
    y = np.asarray(data.y)
    if classes is None:
        tests = [y.astype(np.float64)]
        # Whole numbers alone would pass for codes of classes.
        tests += [tests[0] + 0.25] if numbers else []
    else:
        y = np.searchsorted(classes, y)
        tests = [np.eye(len(classes))[y]]
    suits = measure.kind not in (FOR_CLUSTERS if numbers else FOR_NUMBERS)
    try:
        suits = suits and all(np.isfinite(measure(made, y)) for made in tests)
    except (ValueError, TypeError, IndexError, AttributeError):
        suits = False
    if not suits:
        kind = "numbers" if classes is None else f"{len(classes)} classes"
        kind = "many labels" if data.task == "multilabel" else kind
        takes = f"a metric that can score a target of {kind}"
        raise ParameterError("metric", metric, takes)
    return measure


def read_budget(budget: str | float | None, n_trials: int | None) -> float | None:
    """Return the seconds of a search; None if only its trials are limited."""
    if n_trials is not None and n_trials < 1:
        raise ParameterError("n_trials", n_trials, "at least 1")
    if budget is None and n_trials is None:
        budget = DEFAULT_BUDGET
    return read_seconds(budget)


def check_exportable(data: Dataset) -> None:
    """Raise if no model of a table could be converted to ONNX."""
    reason = ""
    if issparse(data.X):
        reason = "the table is sparse"
    else:
        columns = describe_columns(data.X)
        odd = [one.name for one in columns if one.is_text]
        if odd:
            reason = f"columns of free text ({', '.join(odd)}) are no part of it"
    if reason:
        raise InputError(
            Parameter("exportable"),
            f": no model of {data.name} can be converted to ONNX: {reason}.",
        )


def check_predict_limit(predict_limit: float | None) -> None:
    """Raise unless there is no limit, or a positive number of rows per second."""
    if predict_limit is not None and not predict_limit > 0:
        raise ParameterError("predict_limit", predict_limit, "above 0")


def check_folds(
    cv: int | None, data: Dataset, seed: int, rows: RowColumns = INDEPENDENT
) -> None:
    """Draw the folds once, so that no folder is created for a search that cannot start.

    Raises
    ------
    InputError
        If the rows cannot be divided into folds.
    """
    y = np.asarray(data.y)
    if data.task == "classification":
        y = pd.factorize(np.asarray(data.y))[0]
    if not rows.is_independent:
        folds = rows.splitter or ("auto" if cv is None else cv)
        make_folds(
            folds, data.X, y, data.task, seed,
            groups=rows.groups, time=rows.time, sample_weight=rows.weight,
        )  # fmt: skip
        return
    most, reason = count_max_folds(data)
    if cv is None and most < 2:
        raise InputError(
            f"{data.name} cannot be divided into folds: {reason}; at least two are "
            "needed."
        )
    if cv is not None and not 2 <= cv <= most:
        raise ParameterError("cv", cv, f"between 2 and {most}, as {reason}")
    make_folds(
        "auto" if cv is None else cv, data.X, y, data.task, seed,
        sample_weight=rows.weight,
    )  # fmt: skip
