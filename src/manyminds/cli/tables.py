"""What the commands on tables share: options, reading, notes, signs of life."""

import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from manyminds.cli.console import SafeConsole
from manyminds.cli.stopping import stop_code
from manyminds.cli.wording import as_command_line

if TYPE_CHECKING:  # scikit-learn comes with it, too slowly for a line of help
    from manyminds.datasets import Dataset

TABLE = re.compile(
    r"[/\\]|\.(csv|tsv|txt|parquet|arff|svm|libsvm|svmlight)(\.gz)?$", re.I
)
TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="File of a table (.csv, .tsv, .txt, .parquet, .arff, .svm, also .gz), or "
        "the name of a data set, such as iris: manyminds datasets lists them.",
        show_default=False,
    ),
]
SeparatorOption = Annotated[
    str | None,
    typer.Option(
        "--separator",
        metavar="CHAR",
        help=r"Character between the cells of text files, such as ';' or '\t', where "
        "it is not found by itself.",
    ),
]
DecimalOption = Annotated[
    str | None,
    typer.Option(
        "--decimal",
        metavar="CHAR",
        help="Decimal mark of text files: '.' or ','. By default a point, or a comma "
        "in columns that have commas where cells are separated by something else.",
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of text files, such as cp1250. By default UTF-8, or Latin-1 "
        "where it is not.",
    ),
]
DropMissingOption = Annotated[
    bool,
    typer.Option("--drop-missing-target", help="Leave out rows without a target."),
]


def load_table(
    name: str,
    target: str | None,
    task: str | None,
    folder: Path | None,
    drop: list[str] | None,
    drop_missing_target: bool,
    layout: Mapping[str, Any] | None = None,
) -> "Dataset":
    """Read the table of a command; raise with a sentence unless it can be learned from.

    Parameters
    ----------
    name : str
        Path of a file, or name of a data set.
    target, task, folder, drop
        What the options of these names say.
    drop_missing_target : bool
        Whether to leave out rows without a target.
    layout : mapping, default=None
        Values of the options separator, decimal and encoding, by these names.

    Returns
    -------
    data : Dataset
        Two rows or more, one column or more; two classes or more if it has classes.
    """
    if not TABLE.search(name) and (target is not None or drop):
        raise ValueError(
            f"--target and --drop are for files; the data set {name} has its own "
            "target."
        )
    data = read_named(
        name, target, task, folder, drop, layout,
        drop_missing_target=drop_missing_target,
    )  # fmt: skip
    _check_worth_reading(data, name)
    return data


def read_named(
    name: str,
    target: str | None,
    task: str | None,
    folder: Path | None,
    drop: list[str] | None,
    layout: Mapping[str, Any] | None = None,
    **options: Any,
) -> "Dataset":
    """Read a file, whose target may be a position, or find a data set by its name.

    ``layout`` and ``options`` are for files, as `manyminds.datasets.read_table` takes
    them.
    """
    from manyminds.datasets import find_dataset, read_table

    given = {key: value for key, value in (layout or {}).items() if value is not None}
    if not TABLE.search(name):
        if given:
            raise ValueError(
                f"--{next(iter(given))} is for files; the data set {name} is no file."
            )
        return find_dataset(name, folder)
    column: Any = target
    if target is not None and re.fullmatch(r"-?\d+", target):
        column = int(target)
    return read_table(
        name, target=column, task=task, drop=drop or (), **given, **options
    )


@contextmanager
def tell_warnings() -> Iterator[None]:
    """Describe what is warned of as notes on standard error, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for text in dict.fromkeys(str(one.message) for one in caught):
        tell(f"Note: {text}")


def hint_at_counters(data: "Dataset") -> None:
    """Write to standard error which columns of numbers may only number the rows."""
    from manyminds.datasets import find_identifiers

    for name in find_identifiers(data.X):
        if name not in data.categorical:
            tell(
                f"Note: {name} may be a counter of the rows; if so, name it in --drop."
            )


def tell(text: str) -> None:
    """Write a sentence to standard error."""
    text = as_command_line(text)
    SafeConsole(stderr=True).print(text, style="yellow", markup=False, highlight=False)


@contextmanager
def show_work(title: str) -> Iterator[Callable[[str], None]]:
    """Show on standard error that work goes on, where a person is looking.

    Gives a function that names the step that is being done. Ctrl-C ends the command
    with exit code 130.
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = SafeConsole(stderr=True)
    bar = Progress(
        *columns, console=console, disable=not sys.stderr.isatty(), transient=True
    )
    task = bar.add_task(title, total=None)
    try:
        with bar:
            yield lambda step: bar.update(task, description=f"{title}: {step}")
    except KeyboardInterrupt:
        console.print("Stopped.")
        raise typer.Exit(stop_code()) from None


def write_command(name: str, data: list[str], options: Mapping[str, Any]) -> str:
    """Write the command that gives a result again, whatever the defaults become.

    Parameters
    ----------
    name : str
        Of the command.
    data : list of str
        Its tables.
    options : mapping of str to object
        Their names and values; those that are None or False are left out.

    Returns
    -------
    command : str
    """
    words = ["manyminds", name, *data]
    for option, value in options.items():
        several = value if isinstance(value, (list, tuple)) else [value]
        for one in several:
            if one is True:
                words.append(f"--{option}")
            elif one is not None and one is not False:
                words += [f"--{option}", str(one)]
    return shlex.join(words)


def _check_worth_reading(data: "Dataset", name: str) -> None:
    if data.n_samples < 2:
        raise ValueError(
            f"{name} has {data.n_samples} rows with a target; two or more are needed."
        )
    if data.n_features < 1:
        raise ValueError(f"{name} has no column but the target.")
    if data.task == "classification" and len(data.classes) < 2:
        raise ValueError(
            f"The target has one class only, {data.classes[0]!s}: there is nothing to "
            "tell apart."
        )
