"""``manyminds select``: which columns to keep, and how sure that is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from manyminds.cli.compare_options import (
    DropOption,
    FolderOption,
    SeedOption,
    TargetOption,
    TaskOption,
)
from manyminds.cli.console import JobsOption, JsonOption, make_console, print_json
from manyminds.cli.tables import (
    DropMissingOption,
    TableArgument,
    load_table,
    show_work,
    tell,
    tell_warnings,
)

if TYPE_CHECKING:
    import pandas as pd

    from manyminds.datasets import Dataset
    from manyminds.feature_selection import StableSelector

SELECTORS = ("mrmr", "correlation", "ssv", "fcbf", "information", "forest")
USUAL_NUMBER = 20
MOST_LEVELS = 255  # beyond, forests refuse a column and filters take it for perfect
LEAST_SHOWN = 10  # columns shown even if fewer are kept


def select(
    data: TableArgument,
    target: TargetOption = None,
    number: Annotated[
        int | None,
        typer.Option(
            "-k",
            "--number",
            metavar="K",
            min=1,
            help="Columns to select on each resample, and to keep. By default 20, or "
            "half of the columns if they are fewer than 40.",
        ),
    ] = None,
    selector: Annotated[
        str,
        typer.Option(
            "--selector",
            metavar="NAME",
            help=f"What selects on each resample: {', '.join(SELECTORS)}.",
        ),
    ] = "mrmr",
    resamples: Annotated[
        int,
        typer.Option("--resamples", metavar="N", min=2, help="Halves of the rows."),
    ] = 50,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="SHARE",
            help="Keep the columns found on this share of the resamples or more, "
            "instead of K.",
        ),
    ] = None,
    task: TaskOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write selection.csv and stability.svg here."
        ),
    ] = None,
    folder: FolderOption = None,
    drop: DropOption = None,
    drop_missing_target: DropMissingOption = False,
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Select columns on many halves of the rows, and keep what is found often.

    Told are each column's frequency, the stability of the selections (1: always the
    same, 0: as if drawn by lot) and its 95 % interval. With --threshold above 0.5 there
    is a bound on how many columns are kept by mistake.

    Two examples:

    manyminds select wine -k 5

    manyminds select sales.csv --target price --selector forest --threshold 0.8
    """
    _check_options(selector, threshold)
    with show_work("select"), tell_warnings():
        table = load_table(data, target, task, folder, drop, drop_missing_target)
        _check_levels(table)
        n_selected = _choose_number(number, table)
        fitted = _fit(
            table, selector, n_selected, resamples, threshold, seed=seed, n_jobs=jobs
        )
        found = _make_frame(table, fitted)
        files = [] if out is None else _write(found, fitted, out)
    if as_json:
        _print_as_json(found, fitted, files)
    else:
        _print_for_people(found, fitted, f"{table.name}, {selector}", files)


def _check_options(selector: str, threshold: float | None) -> None:
    if selector not in SELECTORS:
        raise typer.BadParameter(
            f"takes {', '.join(SELECTORS)}; got {selector!r}.", param_hint="--selector"
        )
    if threshold is not None and not 0.0 < threshold <= 1.0:
        raise typer.BadParameter(
            f"takes a share above 0, up to 1; got {threshold:g}.",
            param_hint="--threshold",
        )


def _check_levels(data: "Dataset") -> None:
    counts = {name: int(data.X[name].nunique()) for name in data.categorical}
    many = {name: n for name, n in counts.items() if n > MOST_LEVELS}
    if many:
        told = ", ".join(f"{name} ({n:,})" for name, n in list(many.items())[:5])
        raise ValueError(
            f"Columns of more than {MOST_LEVELS} categories cannot be judged beside "
            f"others: {told}. Name them in --drop, or merge rare categories first."
        )


def _choose_number(number: int | None, data: "Dataset") -> int:
    n_columns = data.n_features
    if number is None:
        return min(USUAL_NUMBER, (n_columns + 1) // 2)
    if number > n_columns:
        raise ValueError(
            f"-k is {number}, but {data.name} has {n_columns} columns to select from."
        )
    return number


def _fit(
    data: "Dataset",
    name: str,
    number: int,
    resamples: int,
    threshold: float | None,
    *,
    seed: int,
    n_jobs: int,
) -> "StableSelector":
    """Run the selector on halves of the rows."""
    from sklearn.utils import get_tags

    from manyminds.feature_selection import StableSelector

    if data.task == "multilabel":
        raise ValueError("select takes one target; the table has several labels.")
    if name == "ssv" and data.task == "regression":
        raise ValueError("--selector ssv needs classes; the target holds numbers.")
    chosen = _make_selector(name, number)
    X = data.X
    if data.n_missing and not get_tags(chosen).input_tags.allow_nan:
        X = _fill(X)
        tell(f"Note: {name} takes no gaps: medians and a category (missing) fill them.")
    kept: dict[str, Any] = (
        {"n_features_to_select": number}
        if threshold is None
        else {"threshold": threshold}
    )
    return StableSelector(
        chosen, n_resamples=resamples, random_state=seed, n_jobs=n_jobs, **kept
    ).fit(X, data.y)


def _make_selector(name: str, number: int) -> Any:
    from manyminds import feature_selection as ours

    classes = {
        "mrmr": ours.MRMRSelector,
        "correlation": ours.CorrelationSelector,
        "ssv": ours.SSVSelector,
        "fcbf": ours.FCBFSelector,
        "information": ours.InformationGainSelector,
        "forest": ours.ForestGainSelector,
    }
    return classes[name](n_features_to_select=number)


def _fill(X: Any) -> Any:
    """Fill gaps for a selector that takes none."""
    from scipy.sparse import issparse

    if issparse(X):
        raise ValueError("The sparse table has missing cells; fill them first.")
    filled = X.copy()
    for name in X:
        column = X[name]
        if column.dtype == "category":
            if column.isna().any():
                column = column.cat.add_categories("(missing)").fillna("(missing)")
        else:
            column = column.fillna(column.median()).fillna(0.0)
        filled[name] = column
    return filled


# ------------------------------------------------------------------ what came of it


def _make_frame(data: "Dataset", fitted: "StableSelector") -> "pd.DataFrame":
    """Make a row for each column, the most frequent first."""
    import pandas as pd
    from scipy.sparse import issparse

    names = [f"x{i}" for i in range(data.n_features)]
    frame = pd.DataFrame(
        {
            "column": names if issparse(data.X) else list(data.X.columns),
            "frequency": fitted.selection_frequencies_,
            "rank": fitted.ranking_,
            "kept": fitted.support_,
        }
    )
    return frame.sort_values("rank").reset_index(drop=True)


def _write(found: "pd.DataFrame", fitted: "StableSelector", out: Path) -> list[Path]:
    from manyminds.reports import to_svg, write_whole
    from manyminds.reports.selection_figure import draw_frequencies

    figure = draw_frequencies(fitted, found)
    content = {
        "selection.csv": found.to_csv(index=False),
        "stability.svg": to_svg(figure),
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, text in content.items():
        write_whole(out / name, text.encode())
    return [out / name for name in content]


def _summarise(fitted: "StableSelector") -> dict[str, Any]:
    low, high = fitted.stability_interval_
    return {
        "n_kept": int(fitted.support_.sum()),
        "n_resamples": len(fitted.selections_),
        "stability": fitted.stability_,
        "stability_interval": [low, high],
        "expected_false_selections": fitted.expected_false_selections_,
    }


def _print_as_json(
    found: "pd.DataFrame", fitted: "StableSelector", files: list[Path]
) -> None:
    from manyminds.reports import to_plain

    content = {
        **to_plain(_summarise(fitted)),
        "files": [str(file) for file in files],
        "columns": found.to_dict(orient="records"),
    }
    print_json(content)


def _print_for_people(
    found: "pd.DataFrame", fitted: "StableSelector", title: str, files: list[Path]
) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_style="bold")
    table.add_column("column", overflow="fold")
    table.add_column("found on", justify="right")
    table.add_column("")
    n_shown = max(int(found["kept"].sum()), LEAST_SHOWN)
    for row in found.head(n_shown).itertuples(index=False):
        style = "bold green" if row.kept else "dim"
        kept = "kept" if row.kept else ""
        table.add_row(Text(row.column, style=style), f"{row.frequency:.0%}", kept)
    console = make_console()
    console.print(table)
    for sentence in _say_result(fitted):
        console.print(sentence, markup=False, highlight=False)
    if files:
        text = f"Written: {', '.join(str(file) for file in files)}"
        console.print(text, style="dim", markup=False, highlight=False)


def _say_result(fitted: "StableSelector") -> list[str]:
    from math import isnan

    said = _summarise(fitted)
    n_all = fitted.n_features_in_
    lines = [
        f"{said['n_kept']} of {n_all} columns are kept; "
        f"{said['n_resamples']} halves of the rows were looked at."
    ]
    low, high = said["stability_interval"]
    if isnan(said["stability"]):
        lines.append("All columns, or none, were selected each time: no stability.")
    else:
        lines.append(
            f"Stability {said['stability']:.2f} (95 % interval {low:.2f} to "
            f"{high:.2f}); 1 is always the same, 0 is chance."
        )
    bound = said["expected_false_selections"]
    if not isnan(bound):
        lines.append(f"Expected to be kept by mistake: at most {bound:.2g}.")
    return lines
