"""``manyminds warm-up``: compile everything now, for installers and containers."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from manyminds.cli.console import JsonOption, make_console, print_json, show_progress
from manyminds.cli.messages import print_note
from manyminds.utils.collection import no_collection

if TYPE_CHECKING:
    from manyminds.experiments import Progress
    from manyminds.workflows import WarmUpResult


def warm_up(
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            help="Number of processes that compile; -1 for all cores.",
        ),
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Compile all functions of the library now, so that no first call has to wait.

    For installers and containers. The functions are cached next to the package's files,
    in the user's cache folder if these cannot be written, or in the folder that
    NUMBA_CACHE_DIR names. A second run compiles only what is missing: after an upgrade,
    or on another processor, all of it.

    Example: manyminds warm-up --jobs 2
    """
    with no_collection():
        from manyminds.workflows import run_warm_up

    with _show_calls() as on_progress:
        result = run_warm_up(n_jobs=jobs, on_progress=on_progress)
    if as_json:
        print_json(_to_plain(result))
    else:
        _print_result(result)
    if not result.succeeded:
        raise typer.Exit(1)


@contextmanager
def _show_calls() -> Iterator[Callable[["Progress"], None]]:
    """Show a bar on a terminal; elsewhere, as in the log of a build, print lines."""
    if sys.stderr.isatty():
        with show_progress("warm-up") as on_progress:
            yield on_progress
        return
    from manyminds.utils.progress import print_progress

    started = time.monotonic()

    def print_line(state: "Progress") -> None:
        share = state.done / state.total
        print_progress("warm-up", "calls made", share, started)

    yield print_line


def _print_result(result: "WarmUpResult") -> None:
    console = make_console()

    def print_text(text: str, style: str = "") -> None:
        console.print(text, style=style, markup=False, highlight=False)

    if result.note:
        print_note(result.note)
    if result.n_new:
        print_text(
            f"Compiled for {result.n_new} types of arguments in {result.seconds:.1f} s."
        )
    else:
        print_text(f"Nothing was left to compile: checked in {result.seconds:.1f} s.")
    n_warm = len(result.kernels) - len(result.cold)
    print_text(
        f"Of {len(result.kernels)} functions {n_warm} are cached, for "
        f"{result.n_cached} types of arguments, in {result.folder}"
    )
    for one in result.cold:
        print_text(f"Not cached: {one.name} ({one.reason}).", "yellow")
    for name, failure in result.failures.items():
        print_text(f"Failed: {name}: {failure}", "red")


def _to_plain(result: "WarmUpResult") -> dict[str, Any]:
    from dataclasses import asdict

    return {
        **asdict(result),
        "n_new": result.n_new,
        "n_cached": result.n_cached,
        "cold": [one.name for one in result.cold],
    }
