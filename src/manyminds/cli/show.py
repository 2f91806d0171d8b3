"""``manyminds show``: print the results of a search again."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from manyminds.cli.console import JsonOption, make_console, print_json
from manyminds.utils.collection import no_collection


def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a search.")],
    number: Annotated[
        int, typer.Option("-n", metavar="N", min=1, help="Number of pipelines to show.")
    ] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show the results of a search: scores, the best pipelines, and important columns.

    Nothing is computed: everything is read from the folder.

    Example: manyminds show wine-search -n 20
    """
    with no_collection():
        from manyminds.reports import print_search_summary, read_search, to_plain

    summary = read_search(folder)
    if as_json:
        shown = replace(summary, leaderboard=summary.leaderboard[:number])
        print_json({"folder": str(folder), "summary": to_plain(shown)})
    else:
        print_search_summary(summary, make_console(), number)
