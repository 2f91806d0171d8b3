"""Put names of options for those of Python's parameters in messages."""

# What the library says to those who call it, and what a command says instead.
REPLACEMENTS = (
    ("; declare it categorical to keep it without this warning", ""),
    (", declare it categorical, or put", ", or put"),
    ("; if not, declare the column categorical", ""),
    ("add them to `missing_values`", "leave these cells empty"),
    ("drop_missing_target=True", "--drop-missing-target"),
    ("; see fetch_openml_dataset()", ""),
    (" See bundled_datasets().", ""),
    ("or read a file of it by read_table()", "or give the path of a file"),
    ("`folder`", "--data"),
    ("`drop`", "--drop"),
    ("`target`", "--target"),
)


def name_as_options(text: str) -> str:
    """Return a message of the library in the words of the command line.

    Examples
    --------
    >>> from manyminds.cli.option_names import name_as_options
    >>> name_as_options("Column 'day' holds dates or times. Name it in `drop`.")
    "Column 'day' holds dates or times. Name it in --drop."
    """
    for ours, theirs in REPLACEMENTS:
        text = text.replace(ours, theirs)
    return text
