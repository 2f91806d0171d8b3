"""``manyminds serve``: the whole tool as a local web page."""

from pathlib import Path
from typing import Annotated

import typer

from manyminds.utils.collection import no_collection


def serve(
    folder: Annotated[
        Path,
        typer.Argument(metavar="[DIR]", help="Folder of tables and searches."),
    ] = Path("."),
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            help="Port to listen on. By default 8642, or another if it is taken.",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Address to listen on. One that other machines reach, such as "
            "0.0.0.0, needs --password.",
        ),
    ] = "127.0.0.1",
    password: Annotated[
        str | None,
        typer.Option(
            "--password",
            metavar="TEXT",
            envvar="MANYMINDS_PASSWORD",
            show_envvar=True,
            help="What visitors of other machines must enter.",
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the link, open no browser.")
    ] = False,
    upload_limit: Annotated[
        str,
        typer.Option(
            "--upload-limit", metavar="SIZE", help="Largest upload, such as 500M or 2G."
        ),
    ] = "2G",
    parallel: Annotated[
        int,
        typer.Option(
            "--parallel",
            metavar="N",
            min=1,
            help="Number of searches that run at once; others wait.",
        ),
    ] = 1,
) -> None:
    """Open the whole tool as a page in the browser, on this machine only.

    Tables, searches and models are those of a folder. Searches are processes of their
    own: they go on if the page or the server is closed, and the next server of the
    folder shows them where they are.

    Two examples:

    manyminds serve

    manyminds serve projects --port 9000 --no-browser
    """
    with no_collection():
        from manyminds.serve import run_server

    def show(link: str) -> None:
        typer.echo(f"manyminds serves {folder.resolve()} at\n\n  {link}\n")
        typer.echo("Ctrl-C ends the server; searches go on.")
        if not no_browser:
            import webbrowser

            webbrowser.open(link)

    run_server(
        folder,
        host=host,
        port=port,
        password=password,
        upload_limit=upload_limit,
        n_searches=parallel,
        on_ready=show,
    )
