"""Predict the rows of a table with a model file: load, read, predict, score, write."""

import os
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manyminds.analysis import NoveltyResult
from manyminds.datasets import Column, read_features
from manyminds.datasets.columns import (
    MISSING_VALUES,
    Cells,
    format_value,
    parse_number,
    read_column,
)
from manyminds.datasets.target import read_label_columns
from manyminds.experiments.measures import predict_label_scores
from manyminds.persistence import TableModel, load_model
from manyminds.search.evaluation.label_metrics import make_scorer
from manyminds.search.evaluation.metrics import predict_class_probabilities
from manyminds.utils.errors import (
    InputError,
    MissingFileError,
    Parameter,
    ParameterError,
    UserError,
    warn_caller,
)
from manyminds.utils.files import write_atomically
from manyminds.utils.tables import is_frame
from manyminds.utils.text import one_spelling
from manyminds.workflows.novelty import warn_about_novelty


@dataclass(frozen=True)
class PredictionResult:
    """Result of `run_prediction`.

    Parameters
    ----------
    predictions : DataFrame
        The prediction, and the probability of each class.
    metric : str or None
        Metric of the model; None if the table has no target.
    score : float or None
        Score of the rows that have a target.
    n_scored : int
        Number of those rows.
    file : Path or None
        File that was written.
    novelty : NoveltyResult or None, default=None
        Which rows are unlike those of training; None if the model does not know.
    """

    predictions: pd.DataFrame
    metric: str | None
    score: float | None
    n_scored: int
    file: Path | None
    novelty: NoveltyResult | None = None


def run_prediction(
    model: str | os.PathLike[str],
    data: Any,
    *,
    out: str | os.PathLike[str] | None = None,
    interval: float | None = None,
    by_class: bool = False,
    flag_unlike: bool = False,
    trusted: Sequence[str] = (),
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> PredictionResult:
    """Predict the rows of a table, and score the predictions if it has the target.

    ``manyminds predict`` calls this function.

    Parameters
    ----------
    model : path
        Model file, or a folder with a ``model.skops``.
    data : path or DataFrame
        Table of the samples to predict. Columns are matched by name.
    out : path, default=None
        CSV file for the predictions; None writes nothing.
    interval : float, default=None
        Share of rows whose target is to be covered, such as 0.9: adds the columns
        ``low`` and ``high`` to predicted numbers, or ``set``, the classes that a row
        may have, joined by ``|``. The model must be that of a search.
    by_class : bool, default=False
        Whether sets are to cover that share of the rows of each class.
    flag_unlike : bool, default=False
        Whether to add the column ``unlike``: whether a row is unlike those of training.
        A warning counts these rows in any case.
    trusted : sequence of str, default=()
        Full names of types that the model file may hold besides our estimators and
        scikit-learn's.
    separator, decimal, encoding : str, default=None
        Format of a text file; None infers it.

    Returns
    -------
    result : PredictionResult

    Examples
    --------
    >>> import os
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.persistence import save_model
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> from manyminds.workflows import run_prediction
    >>> iris = load_dataset("iris")
    >>> tree = DecisionTreeClassifier().fit(iris.X, iris.y)
    >>> with TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.skops")
    ...     _ = save_model(path, tree, iris)
    ...     result = run_prediction(path, iris.X.assign(target=iris.y))
    >>> result.predictions.shape, result.metric, result.score
    ((150, 4), 'accuracy', 1.0)
    """
    known = load_model(model, trusted=trusted)
    layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
    table = data if is_frame(data) else _read_rows(Path(data), known, layout)
    try:
        predictions = known.predict_table(table)
    except AttributeError as error:  # of a model without an attribute of its class
        raise InputError(
            f"The model in {os.fspath(model)} cannot predict; it may be damaged: "
            f"{error}"
        ) from error
    if interval is not None:
        predictions = predictions.assign(**_cover(known, table, interval, by_class))
    novelty = known.find_unlike(table)
    warn_about_novelty(novelty)
    if flag_unlike:
        predictions = predictions.assign(unlike=_flag(novelty))
    metric, score, n_scored = _score(known, table)
    file = None if out is None else _write(predictions, Path(out))
    return PredictionResult(predictions, metric, score, n_scored, file, novelty)


def _cover(
    model: TableModel, table: Any, level: float, by_class: bool
) -> dict[str, Any]:
    """Return the columns of intervals or sets."""
    if not 0.0 < level < 1.0:
        raise ParameterError("interval", level, "between 0 and 1, such as 0.9")
    with warnings.catch_warnings():  # the table was read, and warned of, before
        warnings.simplefilter("ignore", UserWarning)
        if model.task == "regression":
            if by_class:
                raise InputError(Parameter("by_class"), " is for classes.")
            low, high = model.predict_interval(table, level)
            columns: dict[str, Any] = {"low": low, "high": high}
        else:
            sets = model.predict_set(table, level, by_class=by_class)
            names = [str(one) for one in model.classes]
            columns = {"set": ["|".join(compress(names, row)) for row in sets]}
    if "low" in columns and np.isinf(columns["low"]).any():
        n_rows = getattr(model.calibration, "n_rows", 0)
        warn_caller(
            f"Intervals are infinite: {n_rows} rows out of fold are too few for ",
            Parameter("interval"),
            f" {level:g}.",
        )
    return columns


def _flag(novelty: NoveltyResult | None) -> np.ndarray:
    if novelty is None:
        raise InputError(
            Parameter("flag_unlike"),
            ": the model file does not describe the rows of training; an older version "
            "wrote it, or its table was sparse.",
        )
    return novelty.unlike


def _read_rows(data: Path, model: TableModel, layout: dict[str, Any]) -> Any:
    """Read the rows of a file; labels of the target keep the text of the file."""
    known = list(model.columns or ())
    if model.task == "classification":
        levels = tuple(str(label) for label in model.classes)
        known += [Column(name, levels) for name in model.targets]
    # An svmlight file does not hold the number of columns.
    n_features = model.n_features if model.columns is None else None
    return read_features(data, known, n_features=n_features, **layout)


def _score(model: TableModel, table: Any) -> tuple[str | None, float | None, int]:
    """Score the predictions by the model's metric, if the table has the target."""
    columns = getattr(table, "columns", ())
    nothing = None, None, 0
    if model.columns is None or not all(name in columns for name in model.targets):
        return nothing
    try:
        known, y = _read_targets(model, table[list(model.targets)])
        if not known.any():
            return nothing
        X = model.read_rows(table[known])
        metric, value = _measure(model, X, y)
    except ValueError as error:
        pieces = error.pieces if isinstance(error, UserError) else (str(error),)
        warn_caller("The predictions are not scored. ", *pieces)
        return nothing
    return metric, value, int(known.sum())


def _measure(model: TableModel, X: Any, y: Any) -> tuple[str, float]:
    """Score by the metric that the model was chosen for."""
    classes = None
    if model.task == "classification":
        classes = model.estimator.classes_
    try:
        measure = make_scorer(model.about.get("metric", "auto"), model.task, classes)
    except ValueError:  # a user-defined scorer
        measure = make_scorer("auto", model.task, classes)
    if model.task == "multilabel":
        scores = predict_label_scores(model.estimator, X)
        return measure.name, measure.show(measure(scores, y))
    if classes is None:
        predictions = np.asarray(model.estimator.predict(X), dtype=np.float64)
        return measure.name, measure.show(measure(predictions, y))
    predictions = predict_class_probabilities(model.estimator, X, classes)
    value = measure.show(measure(predictions, np.searchsorted(classes, y)))
    if not np.isfinite(value):
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
    """Return the class that a text means: 1.0 is 1, and TRUE is True."""
    number = parse_number(text)
    others = [text.capitalize(), *([] if number is None else [format_value(number)])]
    return next((one for one in [text, *others] if one in names), text)


def _write(predictions: pd.DataFrame, out: Path) -> Path:
    if not out.parent.is_dir():
        raise MissingFileError(
            Parameter("out"), f": there is no folder {str(out.parent)!r}."
        )
    if out.is_dir():
        raise InputError(
            Parameter("out"), f" must be a file; {str(out)!r} is a folder."
        )
    write_atomically(out, predictions.to_csv(index=False).encode())
    return out
