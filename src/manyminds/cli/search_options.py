"""The options of ``manyminds search``."""

from pathlib import Path
from typing import Annotated

import typer

BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="TIME",
        help="How long to search, all in all: 90s, 5m or 2h. By default 60s, or no "
        "limit if --trials is given.",
    ),
]
TrialsOption = Annotated[
    int | None,
    typer.Option(
        "--trials",
        metavar="N",
        min=1,
        help="Chains to try at most, besides those of an earlier run. Without "
        "--budget, the same seed finds the same model.",
    ),
]
MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="What counts: accuracy, balanced_accuracy, auc, log_loss, rmse, mae, r2, "
        "or any scorer of scikit-learn. By default accuracy, or rmse for numbers.",
        show_default=False,
    ),
]
FoldsOption = Annotated[
    int | None,
    typer.Option(
        "--cv",
        metavar="N",
        min=2,
        help="Folds by which every chain is validated. By default 10, fewer with many "
        "rows.",
    ),
]
TaskOption = Annotated[
    str | None,
    typer.Option(
        "--task",
        metavar="TASK",
        help="classification or regression, where the target would be taken for the "
        "other.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Folder for model, tables and report. By default the data's name and "
        "-search.",
    ),
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the search of the folder: what was tried is not tried again.",
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="What folds and chains draw from.")
]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        help="Chains tried at the same time, each in a process; -1 for all cores.",
    ),
]
StorageOption = Annotated[
    str | None,
    typer.Option(
        "--storage",
        metavar="URL",
        help="Where trials are kept: a file for SQLite, or postgresql://... which "
        "several machines may share. By default study.sqlite in the folder.",
    ),
]
NoCommitteeOption = Annotated[
    bool,
    typer.Option("--no-committee", help="Keep the best chain, never a committee."),
]
NoReportOption = Annotated[
    bool, typer.Option("--no-report", help="Write no report.html.")
]
