"""Columns that identify rows: counters, unique texts, distinct increasing integers."""

import re

import numpy as np
import pandas as pd

from manyminds.analysis.pitfalls.pitfall import Pitfall
from manyminds.datasets import find_identifiers
from manyminds.datasets.identifiers import list_candidates

__all__ = ["find_row_identifiers"]

MIN_ROWS = 50  # of distinct integers or nearly unique texts
MIN_DISTINCT = 0.98  # of the rows, for a column of nearly unique text
YEARS = (1800, 2100)
NAMED = re.compile(r"(^|[_\W])(id|ids|key|uuid|guid|index)$|^(id|uuid|guid)[_\W]|.ID$")
DROP = "leave it out with {}"


def find_row_identifiers(X):
    """Find columns that identify rows and so cannot predict other rows.

    Besides those of `manyminds.datasets.find_identifiers`: texts of which hardly one
    occurs twice, and distinct integers that increase or decrease from row to row or
    are in a column called id, key or the like.

    Parameters
    ----------
    X : DataFrame

    Returns
    -------
    pitfalls : list of Pitfall
    """
    found, known = [], find_identifiers(X)
    for place in list_candidates(X):
        name, column = X.columns[place], X.iloc[:, place].dropna()
        reason = known.get(str(name))
        if reason == "a counter of the rows":
            evidence = f"{name} may be a counter of the rows"
            found.append(_warn(name, evidence, "if so, leave it out with {}"))
        elif reason is not None:
            found.append(_warn(name, f"{name} has {reason}", DROP))
        elif len(column) >= MIN_ROWS:
            evidence = _describe(str(name), column)
            if evidence:
                found.append(_warn(name, evidence, f"if it is an identifier, {DROP}"))
    return found


def _warn(name, evidence, advice):
    return Pitfall("identifier", str(name), evidence, advice, "drop", True)


def _describe(name, column):
    """Return what makes a column look like an identifier; "" for nothing."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        n_distinct = column.nunique()
        if n_distinct < MIN_DISTINCT * len(column):
            return ""
        return f"{name} has {n_distinct:,} different texts in {len(column):,} rows"
    if column.dtype.kind not in "iuf":
        return ""
    numbers = column.to_numpy(dtype=np.float64)
    low, high = numbers.min(), numbers.max()
    if low >= YEARS[0] and high <= YEARS[1]:
        return ""
    head = numbers[:1000]
    if (head != np.floor(head)).any() or (numbers != np.floor(numbers)).any():
        return ""
    steps = np.diff(numbers)
    if (steps > 0).all() or (steps < 0).all():
        way = "increase" if steps[0] > 0 else "decrease"
        return f"{name} holds {len(numbers):,} different integers that {way} by row"
    if NAMED.search(name) and len(np.unique(numbers)) == len(numbers):
        return f"{name} holds a different integer in each of {len(numbers):,} rows"
    return ""
