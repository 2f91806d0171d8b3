"""Paragraphs that docstrings of several rooms share; see ``fill_docstring``."""

__all__ = ["ANY_TABLE", "ROWS", "describe_rows"]

ANY_TABLE = "{array-like, sparse matrix, dataframe}"
_ROWS = """\
Parameters
----------
X : {table} of shape (n_samples, n_features)
    Rows to {purpose}.

{result}
{line}
"""


def describe_rows(table: str, purpose: str, result: str = "Returns") -> str:
    """Return the section about the rows X, and the heading of the result.

    Parameters
    ----------
    table : str
        What X may be.
    purpose : str
        What happens to the rows.
    result : {"Returns", "Yields"}, default="Returns"
        The heading.

    Returns
    -------
    sections : str
    """
    line = "-" * len(result)
    return _ROWS.format(table=table, purpose=purpose, result=result, line=line)


ROWS = {
    "classify_array": describe_rows("array-like", "classify"),
    "classify_array_staged": describe_rows("array-like", "classify", "Yields"),
    "classify_table": describe_rows(ANY_TABLE, "classify"),
    "predict_array": describe_rows("array-like", "predict"),
    "predict_frame": describe_rows("{array-like, dataframe}", "predict"),
    "predict_frame_staged": describe_rows(
        "{array-like, dataframe}", "predict", "Yields"
    ),
    "predict_table": describe_rows(ANY_TABLE, "predict"),
    "walk_tree": describe_rows(ANY_TABLE, "pass through the tree"),
    "walk_trees": describe_rows(ANY_TABLE, "pass through the trees"),
}
