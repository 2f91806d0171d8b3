"""Options of ``manyminds search``."""

from pathlib import Path
from typing import Annotated

import typer

BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="TIME",
        help="Total time, from reading the table to the report: 90s, 5m or 2h. By "
        "default 60s, or no limit if --trials is given.",
    ),
]
TrialsOption = Annotated[
    int | None,
    typer.Option(
        "--trials",
        metavar="N",
        min=1,
        help="Maximum number of pipelines to evaluate in this run. Without --budget, "
        "the same seed gives the same model.",
    ),
]
MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="Score to optimize: accuracy, balanced_accuracy, auc, log_loss, "
        "rmse, mae, r2, or any scorer of scikit-learn; of many labels micro_f1, "
        "macro_f1, hamming_loss, subset_accuracy, ranking_loss and others. By default "
        "accuracy, rmse for numbers, or micro_f1 for many labels.",
        show_default=False,
    ),
]
FoldsOption = Annotated[
    int | None,
    typer.Option(
        "--cv",
        metavar="N",
        min=2,
        help="Number of cross-validation folds. By default 10, or fewer for many rows.",
    ),
]
GroupOption = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="COLUMN",
        help="Column of groups, such as patients: rows with the same value stay in one "
        "fold, and the score is that of new groups. Not a feature.",
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="COLUMN",
        help="Column of numbers or dates: only earlier rows predict later ones. Not a "
        "feature; copy the column if it should be one.",
    ),
]
FoldOption = Annotated[
    str | None,
    typer.Option(
        "--fold",
        metavar="COLUMN",
        help="Column that assigns the rows to test folds, at most 100. Not a feature.",
    ),
]
WeightOption = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        help="Column of weights of the rows, in fits and in scores. Not a feature.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Folder for model, tables and report. By default the name of the data "
        "followed by -search.",
    ),
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Continue the search of the folder; its trials are reused.",
    ),
]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        help="Number of cores, each with a pipeline, or all with one if the table is "
        "large; -1 for all cores.",
    ),
]
StorageOption = Annotated[
    str | None,
    typer.Option(
        "--storage",
        metavar="URL",
        help="Where trials are stored: a SQLite file, or postgresql://... which "
        "several machines may share. By default study.sqlite in the folder.",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Scheduler of a Dask cluster, such as tcp://10.0.0.1:8786, or of Ray's, "
        "such as ray://10.0.0.1:10001, whose workers evaluate pipelines.",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="Memory that all processes may take, such as 4G or 500M. By default most "
        "of what is free.",
    ),
]
NoCommitteeOption = Annotated[
    bool,
    typer.Option("--no-committee", help="Choose the best pipeline, never a committee."),
]
PredictLimitOption = Annotated[
    float | None,
    typer.Option(
        "--predict-limit",
        metavar="ROWS",
        help="Rows per second that the model must predict; slower pipelines are left "
        "out. By default no limit.",
    ),
]
ExportableOption = Annotated[
    bool,
    typer.Option(
        "--exportable",
        help="Search only models that manyminds export can convert to ONNX.",
    ),
]
NoReportOption = Annotated[
    bool, typer.Option("--no-report", help="Write no report.html.")
]
