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
from manyminds.cli.select_table import MISSING, fill_missing, prepare_table
from manyminds.cli.tables import (
    DecimalOption,
    DropMissingOption,
    EncodingOption,
    SeparatorOption,
    TableArgument,
    hint_at_counters,
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
N_PERMUTATIONS = 10
MIN_PERMUTATIONS = 3
MAX_NULL_CELLS = 1_000_000_000  # read for permuted targets: a minute or two on a core
FOREST_COST = 20  # a forest takes as long for a cell as a filter for so many
BY_SCORE = ("correlation", "ssv", "information", "forest")


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
        typer.Option(
            "--resamples",
            metavar="N",
            min=2,
            help="Halves of the rows, in pairs without a common row; an odd number is "
            "raised by one.",
        ),
    ] = 50,
    permutations: Annotated[
        int | None,
        typer.Option(
            "--permutations",
            metavar="N",
            min=0,
            help="Permuted targets to compare with; each takes as long as the "
            "selection itself. By default 10, or fewer for a very large table.",
            show_default=False,
        ),
    ] = None,
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
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    seed: SeedOption = 0,
    jobs: JobsOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Select columns on many halves of the rows, and keep what is found often.

    Shown are each column's frequency and the stability between halves that share no
    row (1: always the same, 0: as if drawn at random) with its 95 % interval; and, for
    comparison, both for permuted targets, which no column can predict. With --threshold
    above 0.5 there is a bound on how many columns are kept by mistake.

    Two examples:

    manyminds select wine -k 5

    manyminds select sales.csv --target price --selector forest --threshold 0.8
    """
    from manyminds.preprocessing import encode_dates

    _check_options(selector, threshold)
    layout = {"separator": separator, "decimal": decimal, "encoding": encoding}
    with show_work("select"), tell_warnings():
        table = load_table(
            data, target, task, folder, drop, drop_missing_target, layout
        )
        table, suspects, notes = prepare_table(table)
        table = encode_dates(table)  # afterwards: days in a row look like a counter
        for note in notes:
            tell(f"Note: {note}")
        hint_at_counters(table)
        n_selected = _choose_number(number, table)
        fitted = _fit(
            table,
            selector,
            n_selected,
            resamples + resamples % 2,
            threshold,
            n_permutations=_choose_permutations(
                permutations, table, selector, resamples
            ),
            seed=seed,
            n_jobs=jobs,
        )
        found = _make_frame(table, fitted)
        files = [] if out is None else _write(found, fitted, out)
    if as_json:
        _print_as_json(found, fitted, suspects, files)
    else:
        _print_for_people(found, fitted, f"{table.name}, {selector}", suspects, files)


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


def _choose_number(number: int | None, data: "Dataset") -> int:
    n_columns = data.n_features
    if number is None:
        return min(USUAL_NUMBER, (n_columns + 1) // 2)
    if number > n_columns:
        raise ValueError(
            f"-k is {number}, but {data.name} has {n_columns} columns to select from."
        )
    return number


def _choose_permutations(
    number: int | None, data: "Dataset", selector: str, resamples: int
) -> int:
    """Return how many permuted targets there is time for, unless a number was given."""
    if number is not None:
        return number
    cells = data.n_samples // 2 * data.n_features * resamples
    cells *= FOREST_COST if selector == "forest" else 1
    affordable = max(MIN_PERMUTATIONS, MAX_NULL_CELLS // max(cells, 1))
    if affordable >= N_PERMUTATIONS:
        return N_PERMUTATIONS
    tell(
        f"Note: the table is large: {affordable} permuted targets instead of "
        f"{N_PERMUTATIONS}; --permutations sets another number."
    )
    return affordable


def _fit(
    data: "Dataset",
    name: str,
    number: int,
    resamples: int,
    threshold: float | None,
    *,
    n_permutations: int,
    seed: int,
    n_jobs: int,
) -> "StableSelector":
    """Run the selector on halves of the rows."""
    from sklearn.utils import get_tags

    from manyminds.feature_selection import LevelAdjustedSelector, StableSelector

    if data.task == "multilabel":
        raise ValueError("select takes one target; the table has several labels.")
    if name == "ssv" and data.task == "regression":
        raise ValueError("--selector ssv needs classes; the target holds numbers.")
    chosen = _make_selector(name, number)
    if name in BY_SCORE and data.categorical:
        chosen = LevelAdjustedSelector(chosen, number)
    X = data.X
    if data.n_missing and not get_tags(chosen).input_tags.allow_nan:
        X = fill_missing(X)
        tell(
            f"Note: {name} takes no missing values: medians and a category "
            f"{MISSING} fill them."
        )
    kept: dict[str, Any] = (
        {"n_features_to_select": number}
        if threshold is None
        else {"threshold": threshold}
    )
    return StableSelector(
        chosen,
        n_resamples=resamples,
        resampling="complementary_pairs",
        n_permutations=n_permutations,
        random_state=seed,
        n_jobs=n_jobs,
        **kept,
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


# ------------------------------------------------------------------ what came of it


def _make_frame(data: "Dataset", fitted: "StableSelector") -> "pd.DataFrame":
    """Make a row for each column, the most frequent first."""
    import pandas as pd
    from scipy.sparse import issparse

    names = [f"x{i}" for i in range(data.n_features)]
    null = fitted.null_frequencies_
    beyond = fitted.selection_frequencies_ > null.max() if len(null) else None
    frame = pd.DataFrame(
        {
            "column": names if issparse(data.X) else list(data.X.columns),
            "frequency": fitted.selection_frequencies_,
            "null_frequency": null.mean(axis=0) if len(null) else None,
            "beyond_null": beyond,
            "rank": fitted.ranking_,
            "kept": fitted.support_,
        }
    )
    return frame.sort_values("rank").reset_index(drop=True)


def _write(found: "pd.DataFrame", fitted: "StableSelector", out: Path) -> list[Path]:
    from manyminds.reports import to_svg
    from manyminds.reports.selection.figure import draw_frequencies
    from manyminds.utils.files import write_atomically

    figure = draw_frequencies(fitted, found)
    content = {
        "selection.csv": found.to_csv(index=False),
        "stability.svg": to_svg(figure),
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, text in content.items():
        write_atomically(out / name, text.encode())
    return [out / name for name in content]


def _summarize(found: "pd.DataFrame", fitted: "StableSelector") -> dict[str, Any]:
    from manyminds.feature_selection.stability import null_interval

    null, frequencies = fitted.null_stability_, fitted.null_frequencies_
    some = len(null) > 0
    return {
        "n_columns": len(found),
        "n_kept": int(fitted.support_.sum()),
        "n_kept_beyond_null": int(found.query("kept")["beyond_null"].sum())
        if some
        else None,
        "n_resamples": len(fitted.selections_),
        "n_permutations": len(null),
        "stability": fitted.stability_,
        "stability_interval": list(fitted.stability_interval_),
        "null_stability": float(null.mean()) if some else None,
        "null_interval": list(null_interval(null)),
        "max_null_frequency": float(frequencies.max()) if some else None,
        "expected_false_selections": fitted.expected_false_selections_,
    }


def _print_as_json(
    found: "pd.DataFrame",
    fitted: "StableSelector",
    suspects: dict[str, str],
    files: list[Path],
) -> None:
    from manyminds.reports import to_plain

    content = {
        **to_plain(_summarize(found, fitted)),
        "identifiers": suspects,
        "files": [str(file) for file in files],
        "columns": to_plain(found.to_dict(orient="records")),
    }
    print_json(content)


def _print_for_people(
    found: "pd.DataFrame",
    fitted: "StableSelector",
    title: str,
    suspects: dict[str, str],
    files: list[Path],
) -> None:
    from manyminds.reports.selection.terminal import print_selection

    console = make_console()
    print_selection(found, _summarize(found, fitted), title, suspects, console)
    if files:
        text = f"Written: {', '.join(str(file) for file in files)}"
        console.print(text, style="dim", markup=False, highlight=False)
