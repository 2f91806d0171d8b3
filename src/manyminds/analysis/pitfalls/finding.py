"""Find all pitfalls of a table."""

import numpy as np
from scipy.sparse import issparse

from manyminds.analysis.pitfalls.groups import find_groups
from manyminds.analysis.pitfalls.identifiers import find_row_identifiers
from manyminds.analysis.pitfalls.leaks import find_leaks
from manyminds.analysis.pitfalls.order import find_order
from manyminds.analysis.pitfalls.repeats import find_repeats

__all__ = ["find_pitfalls"]

MAX_COLUMNS = 1_000  # of wider tables, leaks and groups are not looked for


def find_pitfalls(data):
    """Find identifiers, leaks of the target, repeated rows, groups and order of rows.

    Each is a suspicion with its evidence; whoever knows the table decides. Costs less
    than a second for 100,000 rows of 30 columns: leaks are measured on 2,000 rows.

    Parameters
    ----------
    data : Dataset
        A sparse table has no pitfalls that are looked for; of many labels, only
        identifiers and repeated rows are.

    Returns
    -------
    pitfalls : list of Pitfall

    Examples
    --------
    >>> from dataclasses import replace
    >>> from manyminds.analysis import find_pitfalls
    >>> from manyminds.datasets import load_dataset
    >>> iris = load_dataset("iris")
    >>> find_pitfalls(iris)
    []
    >>> import numpy as np
    >>> codes = 7.0 * np.unique(iris.y, return_inverse=True)[1]
    >>> print(find_pitfalls(replace(iris, X=iris.X.assign(code=codes)))[0].message)
    code has 3 values, one for each class of the target; it is a copy of the target, so
    leave it out with drop=['code'].
    """
    X, y = data.X, data.y
    if issparse(X) or len(X) < 2 or X.shape[1] < 1:
        return []
    found = find_row_identifiers(X)
    found += find_repeats(X, y)
    if data.task == "multilabel":
        return found
    y = np.asarray(y)
    groups = []
    if X.shape[1] <= MAX_COLUMNS:
        known = {one.column for one in found}
        found += find_leaks(X, y, data.task, skip=known)
        known = {one.column for one in found}
        groups = find_groups(X, y, data.task)
        groups = [one for one in groups if one.column not in known]
    # Rows of one group that come together resemble each other: no order besides.
    return found + (groups or find_order(X, y, data.task))
