"""``manyminds export``: write a model file in a format that other programs run."""

from pathlib import Path
from typing import Annotated

import typer

from manyminds.cli.console import JsonOption, print_json, show_work
from manyminds.cli.messages import show_notes
from manyminds.utils.collection import no_collection


def export(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL", help="Model file, or a folder with a model.skops."
        ),
    ],
    onnx: Annotated[
        Path,
        typer.Option("--onnx", metavar="FILE", help="Write the model here, as ONNX."),
    ],
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="TYPE",
            help="Full name of a type that the model file may hold besides our "
            "estimators and scikit-learn's. May be repeated.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Export a model to ONNX, which runs without Python and without manyminds.

    Cleaning, encoding and committees are part of the file. Each column of the table is
    an input of its name. A model that cannot be converted is an error that names the
    step; manyminds search --exportable finds models that can.

    Example: manyminds export found/ --onnx model.onnx
    """
    with no_collection():
        from manyminds.workflows import run_export

    with show_work("export"), show_notes():
        result = run_export(model, onnx, trusted=trust or ())
    if as_json:
        content = {
            "file": str(result.file),
            "n_bytes": result.n_bytes,
            "inputs": list(result.inputs),
            "outputs": list(result.outputs),
        }
        print_json(content)
        return
    typer.echo(f"Written: {result.file} ({result.n_bytes:,} bytes)")
    typer.echo(f"Inputs:  {len(result.inputs)} columns, of shape (rows, 1)")
    typer.echo(f"Outputs: {', '.join(result.outputs)}")
