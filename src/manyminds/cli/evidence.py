"""``manyminds evidence``: write pages of what reproductions have found."""

from pathlib import Path
from typing import Annotated

import typer

from manyminds.cli.console import DEFAULT_STORE, JsonOption, StoreOption, print_json


def evidence(
    store: StoreOption = DEFAULT_STORE,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the pages.")
    ] = Path("docs/evidence"),
    as_json: JsonOption = False,
) -> None:
    """Write pages that show what was published beside what we found.

    Example: manyminds evidence --store records.sqlite --out docs/evidence

    All comes from the records that "manyminds reproduce" kept; no data set is needed.
    The same records give the same pages.
    """
    from manyminds.cli.reproduce import store_exists
    from manyminds.experiments import open_store
    from manyminds.reports.evidence import write_evidence

    if not store_exists(store):
        raise typer.BadParameter(
            f"There is no store at {store}; manyminds reproduce makes one.",
            param_hint="--store",
        )
    kept = open_store(store)
    try:
        written = write_evidence(kept, out)
    finally:
        kept.close()
    if as_json:
        print_json({"written": [str(path) for path in written]})
        return
    for path in written:
        typer.echo(f"Wrote {path}")
