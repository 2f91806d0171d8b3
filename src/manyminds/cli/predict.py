"""``manyminds predict``: predict the rows of a table with a model file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from manyminds.cli.console import JsonOption, print_json, show_work
from manyminds.cli.messages import print_note, show_notes
from manyminds.cli.table_options import DecimalOption, EncodingOption, SeparatorOption
from manyminds.utils.collection import no_collection

if TYPE_CHECKING:
    from manyminds.workflows import PredictionResult


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
            help="File of the samples to predict, with or without target.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the predictions here, as CSV, or as Parquet if it ends in "
            ".parquet.",
        ),
    ] = None,
    interval: Annotated[
        float | None,
        typer.Option(
            "--interval",
            metavar="LEVEL",
            help="Add prediction intervals (low, high) or sets of classes (set) that "
            "cover this share of rows, such as 0.9. For models of a search.",
        ),
    ] = None,
    by_class: Annotated[
        bool,
        typer.Option(
            "--by-class", help="Sets cover that share of the rows of each class."
        ),
    ] = False,
    flag_unlike: Annotated[
        bool,
        typer.Option(
            "--flag-unlike",
            help="Add a column: whether a row is unlike the rows of training.",
        ),
    ] = False,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="TYPE",
            help="Full name of a type that the model file may hold besides our "
            "estimators and scikit-learn's. May be repeated.",
        ),
    ] = None,
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    as_json: JsonOption = False,
) -> None:
    """Predict the rows of a table with a model file.

    The first column is the prediction, followed by the probability of each class.
    Columns are matched by name. If the table has the target as well, the score is
    printed to standard error, and so is the number of rows that are unlike those of
    training.

    Three examples:

    manyminds predict found/ new.csv

    manyminds predict found/ new.csv --interval 0.9 --flag-unlike

    manyminds predict found/model.skops new.csv --out predictions.csv
    """
    with no_collection():
        from manyminds.workflows import run_prediction

    with show_work("predict"), show_notes():
        result = run_prediction(
            model,
            data,
            out=out,
            interval=interval,
            by_class=by_class,
            flag_unlike=flag_unlike,
            keep=out is None or as_json,
            trusted=trust or (),
            separator=separator,
            decimal=decimal,
            encoding=encoding,
        )
    if result.score is not None:
        rows = "this row" if result.n_scored == 1 else f"these {result.n_scored:,} rows"
        print_note(f"{result.metric} of {rows}: {result.score:.6g}")
    if as_json:
        _print_as_json(result)
    elif out is None:
        typer.echo(_format_csv(result), nl=False)
    else:
        typer.echo(f"Written: {out}")


def _format_csv(result: "PredictionResult") -> str:
    """Format predictions as CSV; names of classes cannot control a terminal."""
    from manyminds.utils.text import printable

    assert result.predictions is not None  # kept, as they are in no file
    text = result.predictions.to_csv(index=False)
    return printable(text, keep="\n\r") if sys.stdout.isatty() else text


def _print_as_json(result: "PredictionResult") -> None:
    from manyminds.reports import to_plain

    score = None
    if result.score is not None:
        score = {
            "metric": result.metric,
            "value": result.score,
            "n_rows": result.n_scored,
        }
    assert result.predictions is not None  # kept for this
    content = {
        "file": None if result.file is None else str(result.file),
        "score": score,
        "predictions": to_plain(result.predictions.to_dict(orient="records")),
    }
    print_json(content)
