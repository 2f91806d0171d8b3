"""Score the predictions of rows that arrive in batches, by the metric of a model."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets.columns import (
    MISSING_VALUES,
    Cells,
    format_value,
    parse_number,
    read_column,
)
from manyminds.datasets.frames import as_pandas
from manyminds.datasets.target import read_label_columns
from manyminds.persistence import TableModel
from manyminds.search.choice.class_weights import decide_by
from manyminds.search.evaluation.label_metrics import make_scorer
from manyminds.utils.errors import InputError, UserError, warn_caller
from manyminds.utils.text import one_spelling

__all__ = ["ScoreParts"]


class ScoreParts:
    """Collect predictions and targets of batches of rows, then score them.

    Parameters
    ----------
    model : TableModel
    """

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._predictions: list[Any] = []
        self._targets: list[Any] = []
        self._failed = False

    def add(self, table: Any, predictions: pd.DataFrame) -> None:
        """Add the predictions of those rows of a table that have a target."""
        model, columns = self._model, getattr(table, "columns", ())
        if self._failed or model.columns is None:
            return
        if not all(name in columns for name in model.targets):
            return
        try:
            frame = as_pandas(table[list(model.targets)])
            known, y = _read_targets(model, frame)
            if known.any():
                self._predictions.append(_take_scored(model, predictions[known]))
                self._targets.append(y)
        except ValueError as error:
            self._fail(error)

    def measure(self) -> tuple[str | None, float | None, int]:
        """Return metric, score and number of rows; None and 0 without targets."""
        if self._failed or not self._targets:
            return None, None, 0
        y = np.concatenate(self._targets)
        try:
            metric, value = _measure(self._model, np.concatenate(self._predictions), y)
        except ValueError as error:
            self._fail(error)
            return None, None, 0
        return metric, value, len(y)

    def _fail(self, error: ValueError) -> None:
        pieces = error.pieces if isinstance(error, UserError) else (str(error),)
        warn_caller("The predictions are not scored. ", *pieces)
        self._failed = True


def _take_scored(model: TableModel, predictions: pd.DataFrame) -> np.ndarray:
    """Return what metrics compare with targets.

    Weighted as the model decides by them, probabilities decide as what was predicted.
    """
    if model.task == "regression":
        return predictions["prediction"].to_numpy(dtype=np.float64)
    made = model.get_probabilities(predictions)
    return decide_by(made, getattr(model.estimator, "class_weights", None))


def _measure(model: TableModel, predictions: Any, y: Any) -> tuple[str, float]:
    """Score by the metric that the model was chosen for."""
    classes = None
    if model.task == "classification":
        classes = model.estimator.classes_
        y = np.searchsorted(classes, y)
    try:
        measure = make_scorer(model.about.get("metric", "auto"), model.task, classes)
    except ValueError:  # a user-defined scorer
        measure = make_scorer("auto", model.task, classes)
    value = measure.show(measure(predictions, y))
    if classes is not None and not np.isfinite(value):
        raise InputError(f"{measure.name} needs rows of all classes.")
    return measure.name, value


def _read_targets(model: TableModel, frame: pd.DataFrame) -> tuple[Any, Any]:
    """Return which rows have a target, and their targets in the model's own labels."""
    if model.task != "classification":
        numbers = [read_column(frame[name], "numeric") for name in frame]
        known = ~np.any([np.isnan(one) for one in numbers], axis=0)
        if model.task == "multilabel":
            return known, read_label_columns(frame[known]).to_numpy()
        return known, numbers[0].to_numpy()[known]
    cells = Cells.of(frame.iloc[:, 0], MISSING_VALUES)
    names = {one_spelling(str(label)): label for label in model.classes}
    # A label that was read as a whole number may be written as 1.0 or True here.
    words = [_find_label(text, names) for text in cells.texts]
    unknown = [text for text, word in zip(cells.texts, words) if word not in names]
    if unknown:
        raise InputError(f"The model has no class {unknown[0]!r}.")
    known = cells.codes >= 0
    labels = np.array([names[word] for word in words], dtype=object)
    return known, np.array(labels[cells.codes[known]].tolist())


def _find_label(text: str, names: Collection[str]) -> str:
    """Return the class that a text means: 1.0 is 1, 1 is 1.0, and TRUE is True."""
    number = parse_number(text)
    digits = [] if number is None else [format_value(number), str(number)]
    others = [text.capitalize(), *digits]
    return next((one for one in [text, *others] if one in names), text)
