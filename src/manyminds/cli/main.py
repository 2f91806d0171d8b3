"""The command ``manyminds``: its subcommands, its errors and its exit codes."""

import atexit
import gc
import inspect
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from manyminds.cli.analyze import analyze
from manyminds.cli.compare import compare
from manyminds.cli.console import SafeConsole, make_safe
from manyminds.cli.datasets import datasets
from manyminds.cli.evidence import evidence
from manyminds.cli.export import export
from manyminds.cli.messages import describe
from manyminds.cli.predict import predict
from manyminds.cli.reproduce import reproduce
from manyminds.cli.search import search
from manyminds.cli.select import select
from manyminds.cli.serve import serve
from manyminds.cli.show import show
from manyminds.cli.stopping import handle_signals, stop_code
from manyminds.cli.warm_up import warm_up
from manyminds.utils.errors import UserError

FAILED = 1  # the input is fine, but the work failed
BAD_INPUT = 2
BUG = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = (
    130  # exit code of typer after Ctrl-C in a command that does not handle it
)


class SafeGroup(TyperGroup):
    """Commands whose usage errors cannot control the terminal.

    typer prints these errors itself, without our console.
    """

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the words before the name of a command."""
        with _escape_usage_errors():
            return super().make_context(*arguments, **options)

    def invoke(self, *arguments: Any, **options: Any) -> Any:
        """Parse the words after the name of a command, and run it."""
        with _escape_usage_errors():
            return super().invoke(*arguments, **options)


@contextmanager
def _escape_usage_errors() -> Iterator[None]:
    """Escape the message of an error that typer is going to print."""
    try:
        yield
    except Exception as error:
        # The class of usage errors is click's or typer's own, by the version of typer.
        if hasattr(error, "format_message") and hasattr(error, "message"):
            error.message = make_safe(error.message)
        raise


app = typer.Typer(
    name="manyminds",
    cls=SafeGroup,
    help="Find models for tables, estimate honest scores, and check published results.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _unwrap(command: Callable[..., None]) -> str:
    """Return the help of a command, each paragraph in one line for any terminal."""
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)


COMMANDS = (
    search, show, predict, export, analyze, select, compare, serve, reproduce,
    evidence, datasets, warm_up,
)  # fmt: skip
for one in COMMANDS:
    app.command(help=_unwrap(one))(one)


@app.callback(invoke_without_command=True)
def show_version(
    version: bool = typer.Option(False, "--version", help="Show the version and exit."),
) -> None:
    """Find models for tables, estimate honest scores, and check published results."""
    if version:
        from manyminds import __version__

        typer.echo(f"manyminds {__version__}")
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line.

    Exit codes are 0 for success, 1 for work that failed, 2 for bad input, 70 for a bug
    of ours. Ctrl-C, SIGTERM and SIGHUP end a command with 130, 143 and 129; a search
    writes its best model first, and then the code is 0.

    Parameters
    ----------
    arguments : sequence of str, default=None
        Words after ``manyminds``; None means the arguments of this process.
    """
    if arguments is None:  # the last collection of garbage would take a second
        atexit.register(gc.freeze)
    try:
        with handle_signals():
            app(None if arguments is None else list(arguments))
    except SystemExit as end:
        sys.exit(stop_code() if end.code == INTERRUPTED else end.code)
    except Exception as error:
        if os.environ.get("MANYMINDS_DEBUG"):
            raise
        _exit(error)


def _exit(error: Exception) -> NoReturn:
    """Print one line on standard error, and leave with the code of the error."""
    if isinstance(error, UserError):
        _print_error(describe(error))
        sys.exit(FAILED if isinstance(error, RuntimeError) else BAD_INPUT)
    if isinstance(error, MemoryError):
        _print_error("there is not enough memory; take fewer rows, columns or --jobs.")
        sys.exit(FAILED)
    if isinstance(error, OSError) and error.errno is not None:
        _print_error(str(error))  # of the operating system: no such file, disk full
        sys.exit(BAD_INPUT)
    file = _write_traceback(error)
    _print_error(
        f"this is a bug in manyminds, please report it "
        f"({type(error).__name__}: {error}). The traceback is in {file}"
    )
    sys.exit(BUG)


def _write_traceback(error: Exception) -> str:
    """Write the traceback to a temporary file that is left for the user."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="manyminds-bug-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    return file.name


def _print_error(text: str) -> None:
    console = SafeConsole(stderr=True)
    console.print(f"Error: {text}", style="red", markup=False, highlight=False)
