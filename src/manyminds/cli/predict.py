"""``manyminds predict``: let a model that was kept predict the rows of a table."""

import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from manyminds.cli.console import JsonOption, print_json
from manyminds.cli.tables import (
    DecimalOption,
    EncodingOption,
    SeparatorOption,
    show_work,
    tell,
    tell_warnings,
)

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_array

    from manyminds.persistence.model_file import TableModel


def predict(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="Model file, or a folder with a model.skops.",
        ),
    ],
    data: Annotated[
        Path,
        typer.Argument(
            metavar="NEW",
            help="File of the rows to predict, with or without target.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write the predictions here, as CSV."
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="TYPE",
            help="Full name of a type that the model file may hold besides our "
            "estimators and scikit-learn's. May be given again.",
        ),
    ] = None,
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    as_json: JsonOption = False,
) -> None:
    """Predict the rows of a table with a model that was kept in a file.

    The first column is the prediction, then comes one for the probability of each
    class. Columns are found by their names. If the table has the target as well, the
    score is told on standard error.

    Two examples:

    manyminds predict found/ new.csv

    manyminds predict found/model.skops new.csv --out predictions.csv
    """
    with show_work("predict"), tell_warnings():
        known = _load(model, trust or [])
        layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
        table = _read_rows(data, known, layout)
        found = _predict(known, table, model)
        score = _score(known, table)
    if score is not None:
        tell("{metric} of these {n_rows} rows: {value:.6g}".format(**score))
    if out is not None:
        _write(found, out)
    if as_json:
        _print_as_json(found, score, out)
    elif out is None:
        typer.echo(_make_text(found), nl=False)
    else:
        typer.echo(f"Written: {out}")


def _load(path: Path, trust: list[str]) -> "TableModel":
    from manyminds.persistence.model_archive import UntrustedTypesError
    from manyminds.persistence.model_file import load_model

    try:
        return load_model(path, trusted=trust)
    except UntrustedTypesError as error:
        options = " ".join(f"--trust {name}" for name in error.names)
        raise ValueError(
            f"{error.found} If you know where the file is from, add: {options}"
        ) from error


def _read_rows(
    data: Path, model: "TableModel", layout: dict[str, Any]
) -> "pd.DataFrame | csr_array":
    """Read the rows of a file; labels of the target keep the text of the file."""
    from manyminds.datasets.features import Column, read_features

    known = list(model.columns or ())
    if model.task == "classification":
        levels = tuple(str(label) for label in model.classes)
        known += [Column(name, levels) for name in model.targets]
    # An svmlight file does not tell how many columns there are.
    n_features = model.n_features if model.columns is None else None
    return read_features(data, known, n_features=n_features, **layout)


def _predict(known: "TableModel", table: Any, path: Path) -> "pd.DataFrame":
    try:
        return known.predict_table(table)
    except AttributeError as error:  # of a model that lacks what its class has
        raise ValueError(
            f"The model in {path} cannot predict, as if it was damaged: {error}"
        ) from error


def _score(model: "TableModel", table: Any) -> dict[str, Any] | None:
    """Score the predictions by the model's metric, if the table has the target."""
    columns = getattr(table, "columns", ())
    if model.columns is None or not all(name in columns for name in model.targets):
        return None
    try:
        known, y = _read_targets(model, table[list(model.targets)])
        if not known.any():
            return None
        X = model.read_rows(table[known])
        if model.task == "multilabel":
            metric, value = "accuracy", float(model.estimator.score(X, y))
        else:
            metric, value = _measure(model, X, y)
    except ValueError as error:
        tell(f"Note: no score is told. {error}")
        return None
    return {"metric": metric, "value": value, "n_rows": int(known.sum())}


def _measure(model: "TableModel", X: Any, y: Any) -> tuple[str, float]:
    """Score as the search did, by the metric that the model was chosen for."""
    import numpy as np

    from manyminds.search.evaluation.metrics import PredictionScorer, predict_class_probabilities

    classes = None
    if model.task == "classification":
        classes = model.estimator.classes_
    try:
        measure = PredictionScorer(model.about.get("metric", "auto"), model.task, classes)
    except ValueError:  # a scorer of somebody's own
        measure = PredictionScorer("auto", model.task, classes)
    if classes is None:
        made = np.asarray(model.estimator.predict(X), dtype=np.float64)
        return measure.name, measure.show(measure(made, y))
    made = predict_class_probabilities(model.estimator, X, classes)
    value = measure.show(measure(made, np.searchsorted(classes, y)))
    if not np.isfinite(value):
        raise ValueError(f"{measure.name} needs rows of all classes.")
    return measure.name, value


def _read_targets(model: "TableModel", frame: "pd.DataFrame") -> tuple[Any, Any]:
    """Return which rows have a target, and what it is, as the model would say it."""
    import numpy as np

    from manyminds.datasets.columns import MISSING_VALUES, Cells, read_column
    from manyminds.datasets.target import read_label_columns
    from manyminds.utils.text import one_spelling

    if model.task != "classification":
        numbers = [read_column(frame[name], "numeric") for name in frame]
        known = ~np.any([np.isnan(one) for one in numbers], axis=0)
        if model.task == "multilabel":
            return known, read_label_columns(frame[known]).to_numpy()
        return known, numbers[0].to_numpy()[known]
    cells = Cells.of(frame.iloc[:, 0], MISSING_VALUES)
    names = {one_spelling(str(label)): label for label in model.classes}
    # What was read as a whole number may be written as 1.0 or True in this file.
    words = [_find_label(text, names) for text in cells.texts]
    if strange := [text for text, word in zip(cells.texts, words) if word not in names]:
        raise ValueError(f"The model knows no class {strange[0]!r}.")
    known = cells.codes >= 0
    labels = np.array([names[word] for word in words], dtype=object)
    return known, np.array(labels[cells.codes[known]].tolist())


def _find_label(text: str, names: Collection[str]) -> str:
    """Find the class that a text means: 1.0 is 1, and TRUE is True."""
    from manyminds.datasets.columns import number_in, text_of

    number = number_in(text)
    others = [text.capitalize(), *([] if number is None else [text_of(number)])]
    return next((one for one in [text, *others] if one in names), text)


def _make_text(found: "pd.DataFrame") -> str:
    """Write predictions as CSV; names of classes must not steer a terminal."""
    from manyminds.utils.text import printable

    text = found.to_csv(index=False)
    return printable(text, keep="\n\r") if sys.stdout.isatty() else text


def _write(found: "pd.DataFrame", out: Path) -> None:
    from manyminds.utils.files import write_atomically

    if not out.parent.is_dir():
        raise FileNotFoundError(f"--out: there is no folder {str(out.parent)!r}.")
    if out.is_dir():
        raise IsADirectoryError(f"--out takes a file; {str(out)!r} is a folder.")
    write_atomically(out, found.to_csv(index=False).encode())


def _print_as_json(
    found: "pd.DataFrame", score: dict[str, Any] | None, out: Path | None
) -> None:
    from manyminds.reports import to_plain

    content = {
        "file": None if out is None else str(out),
        "score": score,
        "predictions": to_plain(found.to_dict(orient="records")),
    }
    print_json(content)
