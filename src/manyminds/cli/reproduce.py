"""``manyminds reproduce``: run a published experiment again, and compare."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from manyminds.cli.console import (
    DEFAULT_STORE,
    JobsOption,
    JsonOption,
    StoreOption,
    make_console,
    print_json,
    show_progress,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from manyminds.reproductions.published import Reproduction
    from manyminds.reproductions.reproducing import Reproduced

STYLES = {
    "agrees": "green",
    "within random variation": "green",
    "differs": "yellow",
    "undecided": "dim",
    "not run": "red",
}


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(help="Name of the experiment; without it, all are listed."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Run a few small data sets once, in minutes."),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Folder of the data sets; without it that of MANYMINDS_DATA, the "
            "bundled sets and OpenML.",
        ),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    jobs: JobsOption = 1,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not download data sets from OpenML.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run folds again that failed before.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a published experiment again, and compare the results with the paper's.

    Example: manyminds reproduce forests-of-local-trees-baselines --quick

    Results are stored as they are computed: after an interruption, the same command
    runs the rest. Cells that differ are a finding, not an error: the exit code is 0. It
    is 1 if nothing could be run, and 2 for bad input.
    """
    if name is None:
        _list_plans(store, as_json)
        return
    from manyminds.workflows import run_reproduction

    with show_progress(name) as on_progress:
        result = run_reproduction(
            name,
            quick=quick,
            folder=data,
            store=store,
            online=not offline,
            retry_failed=retry_failed,
            on_progress=on_progress,
            n_jobs=jobs,
        )
    _print_result(result.reproduction, result.parts, as_json)
    if not result.succeeded:
        raise typer.Exit(1)


def _list_plans(store: str, as_json: bool) -> None:
    """Return what there is, how long it takes, and how far the store is with it."""
    from rich.table import Table

    from manyminds.reproductions import list_reproductions

    counts = _count_recorded(store)
    entries = [_describe(one, counts) for one in list_reproductions()]
    if as_json:
        print_json(entries)
        return
    table = Table(title="What can be reproduced", title_justify="left")
    for column in ("name", "what", "recorded", "minutes", "quick"):
        table.add_column(column, overflow="fold")
    for entry in entries:
        table.add_row(
            entry["name"],
            entry["title"],
            f"{entry['recorded']} of {entry['folds']} folds",
            f"{entry['minutes']:g}",
            f"{entry['quick_minutes']:g}",
        )
    console = make_console()
    console.print(table)
    console.print("Run one with: manyminds reproduce NAME", highlight=False)


def _count_recorded(store: str) -> dict[str, int]:
    """Count the folds of each plan; a store that does not exist is not made."""
    from manyminds.experiments import open_store

    if not store_exists(store):
        return {}
    kept = open_store(store)
    try:
        return {state.plan: state.n_recorded for state in kept.plans()}
    finally:
        kept.close()


def store_exists(url: str) -> bool:
    """Return whether a store is there, as far as can be seen without opening it."""
    if "://" not in url:
        return Path(url).expanduser().exists()
    scheme, _, file = url.partition(":///")
    return not scheme.startswith("sqlite") or Path(file).expanduser().exists()


def _describe(reproduction: "Reproduction", counts: dict[str, int]) -> dict[str, Any]:
    return {
        "name": reproduction.name,
        "title": reproduction.title,
        "source": reproduction.source,
        "folds": sum(len(part.outline()) for part in reproduction.parts),
        "recorded": sum(counts.get(part.name, 0) for part in reproduction.parts),
        "minutes": reproduction.minutes,
        "quick_minutes": reproduction.quick_minutes,
    }


def _print_result(
    reproduction: "Reproduction", parts: list["Reproduced"], as_json: bool
) -> None:
    if as_json:
        print_json(_to_plain(reproduction, parts))
        return
    console = make_console()
    console.print(reproduction.title, style="bold", markup=False)
    console.print(f"{reproduction.source}.", style="dim", markup=False)
    for part in parts:
        _print_part(console, part)
    seconds = sum(part.outcome.seconds for part in parts)
    n_new = sum(part.outcome.n_new for part in parts)
    console.print(f"{n_new} new folds in {seconds:.0f} s.", highlight=False)


def _print_part(console: "Console", part: "Reproduced") -> None:
    def say(text: str, style: str = "") -> None:
        console.print(text, style=style, markup=False, highlight=False)

    tolerance = part.part.tolerance
    console.print()
    say(part.verdicts.part, "bold")
    say(f"{part.part.title}. Tolerance: {tolerance}; {tolerance.why}.", "dim")
    reasons = list(dict.fromkeys(cell.why for cell in part.verdicts.cells if cell.why))
    console.print(_make_table(part, reasons))
    for number, reason in enumerate(reasons, start=1):
        say(f"({number}) {reason}")
    for column in part.verdicts.columns:
        mean = _say_difference(column.mean_difference) or "none"
        remark = f"; {column.remark}" if column.remark else ""
        say(f"{column.method}: mean difference {mean} {tolerance.unit}{remark}.")
    say(part.verdicts.overall)
    for claim in part.verdicts.claims:
        effect = "" if claim.effect is None else f", effect {claim.effect:+.3g}"
        say(f"{claim.text}: {claim.verdict}{effect} {claim.unit}, n = {claim.n}.")
    if part.outcome.missing:
        names = ", ".join(part.outcome.missing)
        say(f"Missing data sets: {names}. --data DIR names a folder of them.", "red")


def _make_table(part: "Reproduced", reasons: list[str]) -> "Table":
    """Make the table of a part; reasons stand below it, under their numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("data set", no_wrap=True)
    table.add_column("method")
    for head in (part.part.reference, "ours", "difference"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("verdict")
    for cell in part.verdicts.cells:
        number = f" ({reasons.index(cell.why) + 1})" if cell.why else ""
        verdict = "shown apart" if cell.apart else cell.verdict
        table.add_row(
            Text(cell.dataset),
            Text(cell.method),
            _say_mean(cell.reference),
            _say_mean(cell.mean),
            _say_difference(cell.difference),
            Text(verdict + number, style="" if cell.apart else STYLES[verdict]),
        )
    return table


def _say_mean(mean: float | None) -> str:
    if mean is None:
        return ""
    return f"{mean:.2f}" if abs(mean) >= 10 else f"{mean:.4g}"


def _say_difference(difference: float | None) -> str:
    return "" if difference is None else f"{difference:+.2f}"


def _to_plain(
    reproduction: "Reproduction", parts: list["Reproduced"]
) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "name": reproduction.name,
        "source": reproduction.source,
        "parts": [
            {
                **asdict(part.verdicts),
                "title": part.part.title,
                "tolerance": asdict(part.part.tolerance),
                "missing": part.outcome.missing,
                "failed": len(part.outcome.failed),
                "new_folds": part.outcome.n_new,
                "seconds": part.outcome.seconds,
            }
            for part in parts
        ],
    }
