"""``manyminds evidence``: write pages of the results of reproductions."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated

import typer

from manyminds.cli.console import DEFAULT_STORE, JsonOption, print_json
from manyminds.utils.collection import no_collection


def evidence(
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="URL",
            help="Records of manyminds reproduce: a SQLite file or postgresql://...; "
            f"{DEFAULT_STORE} if it is there.",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the pages.")
    ] = Path("docs/evidence"),
    as_json: JsonOption = False,
) -> None:
    """Write pages that compare published results with ours.

    Example: manyminds evidence --store records.sqlite --out docs/evidence

    Records of "manyminds reproduce" are added to the record files of the folder, from
    which all pages are generated; no data set is needed. Without a store, the pages are
    generated from those files alone. The same records give the same pages.
    """
    with no_collection():
        from manyminds.cli.reproduce import store_exists
        from manyminds.experiments import open_store
        from manyminds.reproductions.evidence.writing import RECORDS, write_evidence

    if store is None and store_exists(DEFAULT_STORE):
        store = DEFAULT_STORE
    if store is None and not (out / RECORDS).is_dir():
        raise typer.BadParameter(
            f"There is no store at {DEFAULT_STORE}, and no records in {out / RECORDS}; "
            "manyminds reproduce makes a store.",
            param_hint="--store",
        )
    if store is not None and not store_exists(store):
        raise typer.BadParameter(
            f"There is no store at {store}; manyminds reproduce makes one.",
            param_hint="--store",
        )
    with ExitStack() as stack:
        kept = (
            None if store is None else stack.enter_context(closing(open_store(store)))
        )
        written = write_evidence(kept, out)
    if as_json:
        print_json({"written": [str(path) for path in written]})
        return
    for path in written:
        typer.echo(f"Wrote {path}")
