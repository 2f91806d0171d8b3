"""Options of ``manyminds compare``."""

from pathlib import Path
from typing import Annotated

import typer

DataArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Files of tables (.csv, .tsv, .txt, .parquet, .xlsx, .arff, .svm, also "
        ".gz), or names of data sets, which manyminds datasets lists.",
        show_default=False,
    ),
]
MethodsOption = Annotated[
    str | None,
    typer.Option(
        "--methods",
        "-m",
        metavar="LIST",
        help="Methods to compare, such as 'rf, sklearn.rf, small=rf(n_estimators=10), "
        "knn(n_neighbors=1)'. Names without a prefix are ours if we have them. By "
        "default some that suit the target.",
    ),
]
CvOption = Annotated[
    str,
    typer.Option(
        "--cv",
        metavar="REPEATSxFOLDS",
        help="Cross-validation: 10x10 is ten times repeated 10-fold, 5x2 is five times "
        "repeated 2-fold, 10 is 10-fold.",
    ),
]
MetricOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="Score to compute: a scorer of scikit-learn, or auc, rmse, mse, mae, "
        "log_loss, brier. May be repeated; the report shows the first. By default "
        "accuracy, or rmse for numbers.",
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
NativeOption = Annotated[
    bool,
    typer.Option(
        "--native",
        help="Pass the raw table to methods that handle categories and missing values.",
    ),
]
RetryOption = Annotated[
    bool, typer.Option("--retry-failed", help="Run folds again that failed before.")
]


def _list_methods(context: typer.Context, value: bool) -> None:
    """List the methods and exit, before a missing table is reported."""
    if value:
        from manyminds.cli.compare import print_methods

        task = context.params.get("task") or "classification"
        print_methods(task, as_json=bool(context.params.get("as_json")))
        raise typer.Exit()


ListOption = Annotated[
    bool,
    typer.Option(
        "--list-methods", callback=_list_methods, help="List the known methods."
    ),
]
