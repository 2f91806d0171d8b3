"""Say in words of the command line what the library says in words of Python."""

import re

__all__ = ["as_command_line"]

# The command line has no names of parameters and functions, but options and files.
WORDS = (
    (r"\bname it in `drop`", "leave it out by --drop"),
    (r"\bName it in `drop`", "Leave it out by --drop"),
    (r"`drop`", "--drop"),
    (r"^drop names the target", "--drop names the target"),
    (r"\bdrop_missing_target=True", "--drop-missing-target"),
    (r"; see fetch_openml_dataset\(\)", ""),
    (r"\bby `folder` or by\b", "by --data or by"),
    (r", or read a file of it by read_table\(\)", ", or give the path of a file"),
    (r"\bdeclare it categorical to keep it without this warning", "keep it otherwise"),
    (r", declare it categorical,", ","),
    (r"; if not, declare the column categorical", ""),
    (r"add them to `missing_values`", "leave these cells empty"),
    (r" See bundled_datasets\(\)\.", ""),
    (r"`folder`", "--data"),
    (r"`target`", "--target"),
    (r"\b(separator|decimal|encoding) (must|is for)", r"--\1 \2"),
    (r"\bpath must be a model file", "MODEL must be a model file"),
    (r"\bpath must end in", "the name of a file must end in"),
    (r"\braise budget\b", "raise --budget"),
)


def as_command_line(text: str) -> str:
    """Return a message with options in place of names of Python.

    Parameters
    ----------
    text : str

    Returns
    -------
    text : str

    Examples
    --------
    >>> from manyminds.cli.wording import as_command_line
    >>> as_command_line("Column 'id' holds texts: name it in `drop`.")
    "Column 'id' holds texts: leave it out by --drop."
    """
    for pattern, words in WORDS:
        text = re.sub(pattern, words, text)
    return text
