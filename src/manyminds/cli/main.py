"""The command ``manyminds``: names its commands and tells errors in one sentence."""

import inspect
import os
import sys
from collections.abc import Callable, Sequence

import typer

from manyminds.cli.analyze import analyze
from manyminds.cli.compare import compare
from manyminds.cli.console import SafeConsole
from manyminds.cli.datasets import datasets
from manyminds.cli.evidence import evidence
from manyminds.cli.predict import predict
from manyminds.cli.reproduce import reproduce
from manyminds.cli.search import search
from manyminds.cli.select import select
from manyminds.cli.show import show
from manyminds.cli.stopping import handle_signals, stop_code
from manyminds.cli.wording import as_command_line

INTERRUPTED = 130  # what typer makes of Ctrl-C wherever a command says nothing of it

app = typer.Typer(
    name="manyminds",
    help="Find models for tables, judge them honestly, and check published results.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _unwrap(command: Callable[..., None]) -> str:
    """Return the help of a command, each paragraph in one line: terminals differ."""
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)


COMMANDS = (
    search, show, predict, analyze, select, compare, reproduce, evidence, datasets
)  # fmt: skip
for one in COMMANDS:
    app.command(help=_unwrap(one))(one)


@app.callback(invoke_without_command=True)
def tell_version(
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    """Find models for tables, judge them honestly, and check published results."""
    if version:
        from manyminds import __version__

        typer.echo(f"manyminds {__version__}")
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: 0 for done, 2 for bad input, 1 for what went wrong.

    Ctrl-C, SIGTERM and SIGHUP end a command in the same way, with 130, 143 and 129. A
    search keeps its best model first, and then the code is 0.

    Parameters
    ----------
    arguments : sequence of str, default=None
        What stands after ``manyminds``; None means the arguments of this process.
    """
    try:
        with handle_signals():
            app(None if arguments is None else list(arguments))
    except SystemExit as end:
        sys.exit(stop_code() if end.code == INTERRUPTED else end.code)
    except (LookupError, OSError, ValueError, TypeError, ImportError) as error:
        _leave(error, 2)
    except Exception as error:
        _leave(error, 1)


def _leave(error: Exception, code: int) -> None:
    if os.environ.get("MANYMINDS_DEBUG"):
        raise error
    # A KeyError puts its message in quotes; the message is what a person reads.
    text = error.args[0] if isinstance(error, KeyError) and error.args else error
    _say(as_command_line(f"Error: {text}"))
    if code == 1:
        _say("Set MANYMINDS_DEBUG=1 to see where it happened.")
    sys.exit(code)


def _say(text: str) -> None:
    SafeConsole(stderr=True).print(text, style="red", markup=False, highlight=False)
