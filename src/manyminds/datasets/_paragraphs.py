"""Paragraphs that the docstrings of readers share."""

from manyminds.utils.docstrings import fill_docstring

__all__ = ["document_reader"]

TASK = """
task : {"classification", "regression", "multilabel"} or None, default=None
    Type of the target. By default it is inferred: text, booleans and categories are
    classes, and ``guess_task`` has the rule for numbers.
"""
SCHEMA = """
schema : dict, path of a JSON file or None, default=None
    Declarations under the keys "categorical", "numeric", "target", "task", "drop"
    and "missing". Arguments take precedence.
"""
DROP = """
drop : list of str, default=()
    Columns to leave out.
drop_missing_target : bool, default=False
    Whether to leave out rows without a target. If False they are an error.
"""
DATASET = """
data : Dataset
    The table and its target.
"""
TEXT_FORMAT = """
separator : str or None, default=None
    Separator of the cells in a text file; None to detect it among comma, semicolon
    and tab.
decimal : {".", ","} or None, default=None
    Decimal mark of a text file. None means a point, except in columns that are all
    numbers with commas in a file whose separator is not a comma.
encoding : str or None, default=None
    Encoding of a text or ARFF file; None means UTF-8, or Latin-1 if it is not.
"""

document_reader = fill_docstring(
    task=TASK, schema=SCHEMA, drop=DROP, dataset=DATASET, text_format=TEXT_FORMAT
)
