"""What ``manyminds select`` does to a table before a selector sees it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from manyminds.datasets import Dataset

MIN_LEVEL_ROWS = 10  # rows of a category that it takes to be judged by itself
MAX_LEVELS = 255  # of a column that forests take
MAX_NAMED = 5  # columns that a sentence names
RARE, MISSING = "(rare)", "(missing)"


def prepare_table(data: "Dataset") -> tuple["Dataset", dict[str, str], list[str]]:
    """Leave out columns that name the rows, and merge the rare categories of others.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    data : Dataset
        With one column or more.
    suspects : dict of str to str
        Columns that look like identifiers, with the reason: text was left out, a
        counter of the rows was not, as it may mean something.
    notes : list of str
        Sentences on what was done.
    """
    from scipy.sparse import issparse

    from manyminds.datasets import find_identifiers

    if issparse(data.X):
        return data, {}, []
    suspects = find_identifiers(data.X)
    names = [name for name in suspects if name in data.categorical]
    notes = [f"{name} is left out: {suspects[name]}." for name in names[:MAX_NAMED]]
    if len(names) > MAX_NAMED:
        notes.append(f"{len(names) - MAX_NAMED} more columns are left out as well.")
    if len(names) == data.n_features:
        raise ValueError(
            f"There is nothing to select from: all columns of {data.name} have a "
            "different text in each row."
        )
    X, merged = _merge_rare(data.X.drop(columns=names))
    if merged:
        notes.append(
            f"Categories of fewer than {MIN_LEVEL_ROWS} rows count as one: "
            f"{_list(merged)}."
        )
    data = replace(data, X=X)
    _check_levels(data)
    return data, suspects, notes


def fill_missing(X: Any) -> Any:
    """Return the table with medians and a category for its missing values."""
    from scipy.sparse import issparse

    if issparse(X):
        raise ValueError("The sparse table has missing cells; fill them first.")
    filled = X.copy()
    for name in X:
        column = X[name]
        if column.dtype == "category":
            if column.isna().any():
                column = column.cat.add_categories(MISSING).fillna(MISSING)
        else:
            column = column.fillna(column.median()).fillna(0.0)
        filled[name] = column
    return filled


def _merge_rare(X: "pd.DataFrame") -> tuple["pd.DataFrame", list[str]]:
    """Make one category of the rare ones; return the columns where several are."""
    merged = []
    X = X.copy()
    for name in X.select_dtypes("category"):
        counts = X[name].value_counts()
        rare = counts.index[(counts < MIN_LEVEL_ROWS) & (counts > 0)]
        if len(rare) > 1:
            merged.append(str(name))
            texts = X[name].astype(object)
            X[name] = texts.mask(texts.isin(rare), RARE).astype("category")
    return X, merged


def _check_levels(data: "Dataset") -> None:
    counts = {name: int(data.X[name].nunique()) for name in data.categorical}
    many = [f"{name} ({n:,})" for name, n in counts.items() if n > MAX_LEVELS]
    if many:
        raise ValueError(
            f"Columns of more than {MAX_LEVELS} categories cannot be compared with "
            f"others: {_list(many)}. Name them in --drop, or merge categories first."
        )


def _list(names: list[str]) -> str:
    return ", ".join(names[:MAX_NAMED]) + (" ..." if len(names) > MAX_NAMED else "")
