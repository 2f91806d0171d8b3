"""Save a fitted estimator with the columns of its table in one file; no pickle."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import issparse

from manyminds.analysis import (
    ConformalIntervals,
    ConformalSets,
)
from manyminds.datasets import Column, Dataset, ParquetTable, describe_columns
from manyminds.datasets.marked_numbers import NumberMark
from manyminds.persistence.model_archive import (
    FACTS,
    FORMAT,
    ModelFileError,
    load_estimator,
    read_facts,
    reading,
    require_skops,
    shorten,
)
from manyminds.persistence.model_names import compact_names
from manyminds.persistence.model_parts import (
    describe_rows,
    read_part,
    write_part,
)
from manyminds.persistence.stored_table import describe_stored
from manyminds.persistence.table_model import TableModel
from manyminds.utils.errors import (
    MissingFileError,
    Parameter,
    warn_caller,
)
from manyminds.utils.hashing import list_versions
from manyminds.utils.tables import take_rows

__all__ = ["check_model", "load_model", "save_model"]

MODEL = "model.skops"  # name of the model file in a folder
LEVEL = 1  # of compression; others take three times as long for large forests
N_CHECKED = 20  # rows that a written model must predict as before
COMPARED = {"manyminds": "manyminds", "sklearn": "scikit-learn"}


def save_model(
    path: str | PathLike[str],
    model: Any,
    data: Dataset | ParquetTable,
    *,
    about: Mapping[str, Any] | None = None,
    target: str | None = None,
    calibration: ConformalIntervals | ConformalSets | None = None,
) -> Path:
    """Write a fitted estimator to a file, atomically.

    The file is a zip archive: the estimator in the format of skops, and the columns,
    the target and the versions of the libraries as JSON.

    Parameters
    ----------
    path : path
        File to write, usually ``model.skops``; its folder must exist.
    model : estimator
        Any estimator, fitted on ``data.X`` and ``data.y``, or on the table on disk.
    data : Dataset or ParquetTable
        The training data; its columns are stored, with their ranges, quantiles and
        correlations, but no rows. A table on disk is read in batches.
    about : mapping, default=None
        Plain values to store, such as a metric and scores.
    target : str, default=None
        Name of the predicted column; by default that of a table on disk, if it has
        one, else "target". Not used with several labels, which have names.
    calibration : ConformalIntervals, ConformalSets or None, default=None
        Of the out-of-fold predictions of the model, for prediction intervals or sets.

    Returns
    -------
    path : Path
        The file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> from manyminds.persistence.model_file import load_model, save_model
    >>> data = load_dataset("iris")
    >>> forest = RandomForestClassifier(5, random_state=0).fit(data.X, data.y)
    >>> with TemporaryDirectory() as folder:
    ...     path = save_model(
    ...         Path(folder) / "model.skops",
    ...         forest,
    ...         data,
    ...         about={"metric": "accuracy"},
    ...         target="species",
    ...     )
    ...     model = load_model(folder)
    >>> model.target, model.about
    ('species', {'metric': 'accuracy'})
    >>> list(model.predict_table(data.X.head(1)))
    ['prediction', 'probability Iris-setosa', 'probability Iris-versicolor',
    'probability Iris-virginica']
    """
    from manyminds.utils.files import write_atomically

    path = Path(path)
    known = _describe(model, data)
    columns, classes = known["columns"], known["classes"]
    if target is None:
        target = getattr(data, "target", None) or "target"
    facts = known | {
        "format": FORMAT,
        "columns": None if columns is None else [asdict(one) for one in columns],
        "target": classes if known["task"] == "multilabel" else str(target),
        "about": dict(about or {}),
        "versions": list_versions(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "calibration": write_part(calibration),
        "novelty": write_part(known["novelty"]),
    }
    options = {"compression": zipfile.ZIP_DEFLATED, "compresslevel": LEVEL}
    with compact_names(model):
        buffer = BytesIO(require_skops().dumps(model, **options))
    with zipfile.ZipFile(buffer, "a", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(FACTS, json.dumps(facts, ensure_ascii=False, default=_plain))
    write_atomically(path, buffer.getvalue())
    return path


def load_model(path: str | PathLike[str], *, trusted: Sequence[str] = ()) -> TableModel:
    """Load a model file that `save_model` has written.

    Public estimators of this library and of scikit-learn are loaded, with the types
    that they consist of; other types only if they are named in ``trusted``. No code of
    the file is run, and a file that expands to a much larger size, or whose trees have
    children or columns that do not exist, is refused. Other arrays are not checked, and
    a model can be made to predict anything: load only files from people whom you trust.

    Parameters
    ----------
    path : path
        File, or the folder that holds ``model.skops``.
    trusted : sequence of str, default=()
        Full names of further types that may be loaded.

    Returns
    -------
    model : TableModel

    Raises
    ------
    ValueError
        If the file is not a model, is damaged, or contains types that are not trusted.

    Warns
    -----
    UserWarning
        If the version of this library or of scikit-learn differs from that in the file:
        predictions may differ.

    Examples
    --------
    >>> from manyminds.persistence.model_file import load_model
    >>> load_model("nowhere.skops")
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.MissingFileError: path must be a model file, or
    a folder with a model.skops; there is none at 'nowhere.skops'.
    """
    path = Path(path)
    file = path / MODEL if path.is_dir() else path
    if not file.is_file():
        raise MissingFileError(
            Parameter("path"),
            f" must be a model file, or a folder with a {MODEL}; there is none at "
            f"{str(path)!r}.",
        )
    require_skops()
    content = file.read_bytes()
    with reading(file.name):
        facts = _read_known(content, file.name)
    _compare_versions(facts["versions"], file.name)
    with reading(file.name):
        estimator = load_estimator(content, tuple(trusted), file.name)
    return TableModel(estimator, **facts)


def check_model(path: str | PathLike[str], model: Any, data: Dataset) -> None:
    """Check that a model file can be loaded and predicts the same as in memory.

    Parameters
    ----------
    path : path
        Written by `save_model`.
    model : estimator
        The estimator that was written.
    data : Dataset
        The training data, of which some rows are predicted.

    Raises
    ------
    ModelFileError
        If the file cannot be loaded, or its predictions differ.
    """
    X = take_rows(data.X, np.arange(min(N_CHECKED, data.n_samples)))
    try:
        written = load_model(path)
        found = written.predict_table(X).filter(regex="^prediction").to_numpy()
        expected = np.asarray(model.predict(written.read_rows(X))).reshape(found.shape)
        same = np.array_equal(found, expected)
        if not same and data.task == "regression":
            same = np.allclose(found, expected, rtol=1e-6, equal_nan=True)
    except Exception as error:  # of any estimator: the file cannot be used
        raise ModelFileError(f"The model in {path} cannot be used: {error}") from error
    if not same:
        raise ModelFileError(
            f"The model in {path} cannot be used: its predictions differ from those of "
            "the estimator that was written."
        )


def _describe(model: Any, data: Dataset | ParquetTable) -> dict[str, Any]:
    """Return columns, task, classes, number of features and description of rows."""
    if isinstance(data, ParquetTable):
        return describe_stored(model, data)
    return {
        "columns": None if issparse(data.X) else describe_columns(data.X, data.marks),
        "task": data.task,
        "classes": tuple(data.classes.tolist()),
        "n_features": data.n_features,
        "novelty": describe_rows(data.X),
        "left_out": data.left_out,
    }


def _plain(value: Any) -> Any:
    """Convert a value to a type that JSON has."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return str(value)


def _read_known(content: bytes, name: str) -> dict[str, Any]:
    """Read the fields of a `TableModel` but its estimator."""
    facts = read_facts(content, name)
    columns, target = facts["columns"], facts["target"]
    if columns is not None:
        columns = tuple(_as_column(column) for column in columns)
    return {
        "columns": columns,
        "target": target if isinstance(target, str) else tuple(target),
        "task": str(facts["task"]),
        "classes": tuple(facts["classes"]),
        "n_features": int(facts["n_features"]),
        "about": dict(facts["about"]),
        "versions": dict(facts["versions"]),
        "date": str(facts["date"]),
        # Files of older versions have none of these.
        "calibration": read_part(facts.get("calibration")),
        "novelty": read_part(facts.get("novelty")),
        "left_out": tuple(str(one) for one in facts.get("left_out", ())),
    }


def _compare_versions(written: Mapping[str, str], name: str) -> None:
    now = list_versions()
    other = [
        f"{known_as} {shorten(written[package])} (here {now[package]})"
        for package, known_as in COMPARED.items()
        if package in written and written[package] != now.get(package)
    ]
    if other:
        warn_caller(
            f"{name} was made with {' and '.join(other)}: predictions may differ."
        )


def _as_column(plain: Mapping[str, Any]) -> Column:
    levels = plain["levels"]
    return Column(
        plain["name"],
        None if levels is None else tuple(levels),
        plain["ordered"],
        plain.get("is_date", False),  # files of older versions have no such fields
        plain.get("is_text", False),
        None if plain.get("mark") is None else NumberMark(**plain["mark"]),
    )
