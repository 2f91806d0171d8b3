"""Predict the rows of a table with a model file: load, read, predict, score, write."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd

from manyminds.analysis import NoveltyResult
from manyminds.datasets import Column
from manyminds.datasets.reading import iterate_features
from manyminds.persistence import TableModel, load_model
from manyminds.utils.errors import (
    InputError,
    MissingFileError,
    Parameter,
    ParameterError,
    UserError,
    warn_caller,
)
from manyminds.utils.tables import is_frame
from manyminds.workflows.novelty import merge_novelty, warn_about_novelty
from manyminds.workflows.prediction_file import open_predictions
from manyminds.workflows.prediction_score import ScoreParts

MAX_MESSAGE = 300  # characters of an error of a model's step
BATCH_ROWS = 100_000  # of a file, that are in memory at a time


@dataclass(frozen=True)
class PredictionResult:
    """Result of `run_prediction`.

    Parameters
    ----------
    predictions : DataFrame or None
        The prediction, and the probability of each class; None if not kept.
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

    predictions: pd.DataFrame | None
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
    keep: bool = True,
    trusted: Sequence[str] = (),
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> PredictionResult:
    """Predict the rows of a table, and score the predictions if it has the target.

    ``manyminds predict`` calls this function. CSV and Parquet files are read, predicted
    and written 100,000 rows at a time; if they have the target, the probabilities of
    all rows are kept for the score.

    Parameters
    ----------
    model : path
        Model file, or a folder with a ``model.skops``.
    data : path or DataFrame
        Table of the samples to predict. Columns are matched by name.
    out : path, default=None
        File for the predictions, written whole or not at all: Parquet if it ends in
        ``.parquet``, else CSV. None writes nothing.
    interval : float, default=None
        Share of rows whose target is to be covered, such as 0.9: adds the columns
        ``low`` and ``high`` to predicted numbers, or ``set``, the classes that a row
        may have, joined by ``|``. The model must be that of a search.
    by_class : bool, default=False
        Whether sets are to cover that share of the rows of each class.
    flag_unlike : bool, default=False
        Whether to add the column ``unlike``: whether a row is unlike those of training.
        A warning counts these rows in any case.
    keep : bool, default=True
        Whether the result has the predictions. False saves memory where ``out`` has
        them.
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
    _check_coverage(known, interval, by_class)
    layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
    file = None if out is None else _check_output(Path(out))
    tables = [data] if is_frame(data) else _iterate_rows(Path(data), known, layout)
    parts, novelties, score = [], [], ScoreParts(known)
    with open_predictions(file) as write:
        for table in tables:
            found, novelty = _predict(known, table, model)
            score.add(table, found)
            if interval is not None:
                found = found.assign(**_cover(known, found, interval, by_class))
            if flag_unlike:
                found = found.assign(unlike=_flag(novelty))
            novelties.append(novelty)
            write(found)
            if keep:
                parts.append(found)
    merged = merge_novelty(novelties)
    warn_about_novelty(merged)
    predictions = _join(parts) if keep else None
    return PredictionResult(predictions, *score.measure(), file, merged)


def _check_coverage(model: TableModel, level: float | None, by_class: bool) -> None:
    """Check what intervals and sets are wanted."""
    if level is None and by_class:
        raise InputError(
            Parameter("by_class"), " is for sets of classes; give ",
            Parameter("interval"), " as well, such as 0.9.",
        )  # fmt: skip
    if level is not None and not 0.0 < level < 1.0:
        raise ParameterError("interval", level, "between 0 and 1, such as 0.9")
    if by_class and model.task == "regression":
        raise InputError(Parameter("by_class"), " is for classes.")


def _predict(
    known: TableModel, table: Any, file: Any
) -> tuple[pd.DataFrame, NoveltyResult | None]:
    """Predict some rows; find those unlike those of training."""
    try:
        predictions = known.predict_table(table)
    except UserError:
        raise
    except ValueError as error:  # of a step that does not take any value, for example
        text = shorten(str(error), MAX_MESSAGE)
        raise InputError(
            f"The model in {os.fspath(file)} refuses these rows: {text}"
        ) from error
    except AttributeError as error:  # of a model without an attribute of its class
        raise InputError(
            f"The model in {os.fspath(file)} cannot predict; it may be damaged: {error}"
        ) from error
    return predictions, known.find_unlike(table)


def _join(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Join the predictions of batches."""
    return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)


def _cover(
    model: TableModel, predictions: pd.DataFrame, level: float, by_class: bool
) -> dict[str, Any]:
    """Return the columns of intervals or sets."""
    if model.task == "regression":
        low, high = model.find_intervals(predictions, level)
        columns: dict[str, Any] = {"low": low, "high": high}
    else:
        sets = model.find_sets(predictions, level, by_class=by_class)
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


def _iterate_rows(
    data: Path, model: TableModel, layout: dict[str, Any]
) -> Iterator[Any]:
    """Read the rows of a file; labels of the target keep the text of the file."""
    known = list(model.columns or ())
    if model.task == "classification":
        levels = tuple(str(label) for label in model.classes)
        known += [Column(name, levels) for name in model.targets]
    # An svmlight file does not hold the number of columns.
    n_features = model.n_features if model.columns is None else None
    return iterate_features(
        data, known, n_rows=BATCH_ROWS, n_features=n_features, **layout
    )


def _check_output(out: Path) -> Path:
    if not out.parent.is_dir():
        raise MissingFileError(
            Parameter("out"), f": there is no folder {str(out.parent)!r}."
        )
    if out.is_dir():
        raise InputError(
            Parameter("out"), f" must be a file; {str(out)!r} is a folder."
        )
    return out
