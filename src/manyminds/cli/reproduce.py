"""``manyminds reproduce``: run a published experiment again, and compare."""

from collections import Counter
from collections.abc import Mapping
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
from manyminds.utils.collection import no_collection

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from manyminds.reproductions import Description, PartResult, Reproduction
    from manyminds.reproductions.judging.tabulation import Table

STYLES = {
    "agrees": "green",
    "within random variation": "green",
    "differs": "yellow",
    "undecided": "dim",
    "not run": "red",
}
NUMBERS = ("ours", "difference", "n", "margin")  # columns that are aligned to the right


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
        _print_list(store, as_json)
        return
    with no_collection():
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
    _print_results(result.reproduction, result.parts, as_json)
    if not result.succeeded:
        raise typer.Exit(1)


def _print_list(store: str, as_json: bool) -> None:
    """List what can be reproduced, how long it takes, and how much is recorded."""
    from rich.table import Table

    with no_collection():
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


def _count_recorded(store: str) -> Mapping[str, int]:
    """Count the recorded folds of each reproduction; a missing store is not created."""
    if not store_exists(store):
        return {}  # and nothing that is slow to import is needed
    from manyminds.experiments import open_store

    kept = open_store(store)
    try:
        counts: Counter[str] = Counter()
        for state in kept.plans():
            if not state.plan.endswith(" (quick)"):
                counts[state.plan.partition(":")[0]] += state.n_recorded
        return counts
    finally:
        kept.close()


def store_exists(url: str) -> bool:
    """Return whether a store is there, as far as can be seen without opening it."""
    if "://" not in url:
        return Path(url).expanduser().exists()
    scheme, _, file = url.partition(":///")
    return not scheme.startswith("sqlite") or Path(file).expanduser().exists()


def _describe(one: "Description", counts: Mapping[str, int]) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "source": one.source,
        "folds": one.n_folds,
        "recorded": counts.get(one.name, 0),
        "minutes": one.minutes,
        "quick_minutes": one.quick_minutes,
    }


def _print_results(
    reproduction: "Reproduction", parts: list["PartResult"], as_json: bool
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


def _print_part(console: "Console", result: "PartResult") -> None:
    """Print the tables of a part, as the evidence page has them."""
    from manyminds.reproductions.judging.tabulation import (
        tabulate_apart,
        tabulate_cells,
        tabulate_claims,
        tabulate_columns,
        to_plain,
    )

    def print_text(text: str, style: str = "") -> None:
        console.print(text, style=style, markup=False, highlight=False)

    def print_table(table: "Table", title: str = "") -> None:
        if not table.rows:
            return
        if title:
            print_text(title)
        reasons = list(dict.fromkeys(row[-1] for row in table.rows if row[-1]))
        console.print(_to_rich(table, reasons))
        for number, reason in enumerate(reasons, start=1):
            print_text(f"({number}) {reason}")

    part, verdicts = result.part, result.verdicts
    console.print()
    print_text(verdicts.part, "bold")
    tolerance = part.tolerance
    print_text(f"{part.title}. Tolerance: {tolerance}; {tolerance.why}.", "dim")
    print_table(tabulate_cells(part, verdicts.cells))
    print_table(tabulate_apart(part, verdicts.cells), "Shown apart, not counted:")
    print_table(tabulate_columns(part, verdicts.columns))
    print_text(verdicts.overall)
    print_table(tabulate_claims([to_plain(claim) for claim in verdicts.claims]))
    if result.outcome.missing:
        names = ", ".join(result.outcome.missing)
        print_text(
            f"Missing data sets: {names}. --data DIR names a folder of them.", "red"
        )


def _to_rich(table: "Table", reasons: list[str]) -> "RichTable":
    """Return a table for the terminal; its last column has numbers of reasons."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    rich_table = RichTable(box=box.SIMPLE_HEAD)
    for head in table.heads:
        is_number = head in NUMBERS or head in STYLES or head == table.heads[2]
        rich_table.add_column(head, justify="right" if is_number else "left")
    for row in table.rows:
        number = f"({reasons.index(row[-1]) + 1})" if row[-1] else ""
        entries = (Text(entry, style=STYLES.get(entry, "")) for entry in row[:-1])
        rich_table.add_row(*entries, number)
    return rich_table


def _to_plain(
    reproduction: "Reproduction", parts: list["PartResult"]
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
