"""Options of all commands that read tables."""

from pathlib import Path
from typing import Annotated

import typer

TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="File of a table (.csv, .tsv, .txt, .parquet, .xlsx, .arff, .svm, also "
        ".gz), or name of a data set, such as iris; manyminds datasets lists them.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="COLUMN",
        help="Column of the file to predict: its name, or its position (-1 is the "
        "last). Several columns of 0 and 1 are many labels: a,b,c. By default the one "
        "called target, class or label.",
    ),
]
TaskOption = Annotated[
    str | None,
    typer.Option(
        "--task",
        metavar="TASK",
        is_eager=True,  # known when the methods are listed
        help="classification, regression or multilabel. By default inferred from the "
        "target.",
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
        help="Column of the file to leave out, such as a row number. May be repeated.",
    ),
]
DropMissingOption = Annotated[
    bool,
    typer.Option("--drop-missing-target", help="Leave out rows without a target."),
]
SeparatorOption = Annotated[
    str | None,
    typer.Option(
        "--separator",
        metavar="CHAR",
        help=r"Character between the cells of text files, such as ';' or '\t'. By "
        "default inferred.",
    ),
]
DecimalOption = Annotated[
    str | None,
    typer.Option(
        "--decimal",
        metavar="CHAR",
        help="Decimal mark of text files: '.' or ','. By default inferred for each "
        "column.",
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of text files, such as cp1250. By default UTF-8, or Latin-1 if "
        "the file is not valid UTF-8.",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Random seed.", min=0)]
