"""The options of ``manyminds compare``."""

from pathlib import Path
from typing import Annotated

import typer

DataArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Files of tables (.csv, .tsv, .txt, .parquet, .arff, .svm, also .gz), or "
        "names of data sets, which manyminds datasets lists.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="COLUMN",
        help="Column of the files to predict: its name, or its position (-1 is the "
        "last). By default the one called target, class or label.",
    ),
]
MethodsOption = Annotated[
    str | None,
    typer.Option(
        "--methods",
        "-m",
        metavar="LIST",
        help="What to compare, as in 'rf, sklearn.rf, small=rf(n_estimators=10), "
        "knn(n_neighbors=1)'. Bare names are ours where we have them. By default some "
        "that suit the target.",
    ),
]
CvOption = Annotated[
    str,
    typer.Option(
        "--cv",
        metavar="REPEATSxFOLDS",
        help="Cross-validation: 10x10 is ten times ten-fold, 5x2 five times two-fold, "
        "10 alone is ten-fold once.",
    ),
]
MetricOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="What to measure: a scorer of scikit-learn, or rmse, mse, mae, log_loss, "
        "brier. May be given again; the page shows the first. By default accuracy, or "
        "rmse for numbers.",
    ),
]
TaskOption = Annotated[
    str | None,
    typer.Option(
        "--task",
        metavar="TASK",
        is_eager=True,  # known where the methods are listed
        help="classification, regression or multilabel, where the target would be "
        "taken for another.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Write report.html, scores.csv, comparison.svg and comparison.png here.",
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Folder in which names are looked up, before MANYMINDS_DATA and the "
        "bundled sets.",
    ),
]
DropOption = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="COLUMN",
        help="Column of the files to leave out, such as a number of the row. May be "
        "given again.",
    ),
]
NativeOption = Annotated[
    bool,
    typer.Option(
        "--native",
        help="Give methods that read categories and gaps themselves the raw table.",
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", help="What folds and methods draw from.", min=0)
]
RetryOption = Annotated[
    bool, typer.Option("--retry-failed", help="Do folds again that failed before.")
]


def _list_methods(context: typer.Context, value: bool) -> None:
    """List the methods and leave, before a table is missed."""
    if value:
        from manyminds.cli.compare import print_methods

        print_methods(context.params.get("task") or "classification")
        raise typer.Exit()


ListOption = Annotated[
    bool,
    typer.Option(
        "--list-methods",
        callback=_list_methods,
        help="Show the methods that can be named.",
    ),
]
