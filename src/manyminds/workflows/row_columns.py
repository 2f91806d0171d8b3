"""Columns that describe rows and are no features: groups, times, folds, weights."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.model_selection import PredefinedSplit

from manyminds.datasets import Dataset
from manyminds.search.evaluation.dependence import encode_groups, encode_times
from manyminds.utils.errors import InputError, Parameter, ParameterError

MAX_FOLDS = 100  # of a column: each pipeline is fitted once for every fold

ROW_COLUMNS = """\
group : str, default=None
    Column of groups, such as patients: rows with the same value stay in one fold, so
    that scores are those of new groups. These four columns are not features, and are
    not needed to predict.
time : str, default=None
    Column of numbers or dates: rows are predicted by models of earlier rows only. Not
    together with ``group`` or ``fold``. Where the time itself should be a feature, copy
    the column.
fold : str, default=None
    Column that assigns each row to one of at most 100 test folds. Not together with
    ``cv``.
weight : str, default=None
    Column of weights of the rows, 0 or more, in fits and in scores."""


@dataclass(frozen=True)
class RowColumns:
    """What is known of the rows of a table besides their features.

    Parameters
    ----------
    groups, time : ndarray of int of shape (n_samples,) or None
        Codes.
    weight : ndarray of float of shape (n_samples,) or None
    splitter : PredefinedSplit or None
        Folds that a column assigns.
    """

    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    weight: np.ndarray | None = None
    splitter: Any = None

    @property
    def is_independent(self) -> bool:
        """Whether rows may be assigned to folds one by one."""
        return self.groups is self.time is self.splitter is None

    @property
    def fit_params(self) -> dict[str, np.ndarray]:
        """Arguments of the ``fit`` of a search."""
        known = {
            "groups": self.groups,
            "time": self.time,
            "sample_weight": self.weight,
        }
        return {name: one for name, one in known.items() if one is not None}


def take_row_columns(
    data: Dataset, names: Mapping[str, str | None], cv: int | None = None
) -> tuple[Dataset, RowColumns]:
    """Separate columns that describe rows from the features.

    Parameters
    ----------
    data : Dataset
    names : mapping of str to str or None
        Columns of "group", "time", "fold" and "weight"; None where there is none.
    cv : int or None, default=None
        Number of folds, which a column of folds excludes.

    Returns
    -------
    features : Dataset
        Without these columns.
    known : RowColumns

    Raises
    ------
    UserError
        If a column does not exist, cannot be used, or excludes another.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets import from_frame
    >>> from manyminds.workflows.row_columns import take_row_columns
    >>> frame = pd.DataFrame({"who": ["a", "a", "b"], "x": [1.0, 2, 3], "y": [0, 1, 0]})
    >>> data, known = take_row_columns(from_frame(frame, "y"), {"group": "who"})
    >>> list(data.X), known.groups
    (['x'], array([0, 0, 1]))
    """
    given = {role: name for role, name in names.items() if name is not None}
    if not given:
        return data, RowColumns()
    _check_together(given, cv)
    columns = {role: _find(data, role, name) for role, name in given.items()}
    taken = dict.fromkeys(given.values())
    features = replace(
        data, X=data.X.drop(columns=list(taken)), left_out=(*data.left_out, *taken)
    )
    if not features.n_features:
        raise InputError(f"{data.name} has no column left to learn from.")
    found: dict[str, Any] = {}
    if "group" in columns:
        _count_values(columns["group"], "group")
        found["groups"] = encode_groups(columns["group"], data.X)
    if "time" in columns:
        found["time"] = _read_times(columns["time"], data.X)
    if "fold" in columns:
        found["splitter"] = _read_folds(columns["fold"], data.X)
    if "weight" in columns:
        found["weight"] = _read_weights(columns["weight"])
    return features, RowColumns(**found)


def _check_together(given: Mapping[str, str], cv: int | None) -> None:
    """Raise if two of the columns, or folds and their number, exclude each other."""
    for one, other in (("group", "time"), ("fold", "time")):
        if one in given and other in given:
            raise InputError(
                Parameter(one), " and ", Parameter(other), " exclude each other."
            )
    if "fold" in given and cv is not None:
        raise InputError(
            Parameter("fold"), " and ", Parameter("cv"), " exclude each other."
        )


def _find(data: Dataset, role: str, name: str) -> pd.Series:
    """Return a column by its name; it must have a value in each row."""
    targets = list(data.y.columns) if data.task == "multilabel" else [data.target_name]
    known = [] if issparse(data.X) else list(data.X.columns)
    if name in targets and name not in known:
        raise ParameterError(role, name, "another column than the target")
    if name not in known:
        raise ParameterError(role, name, f"the name of a column of {data.name}")
    column = data.X[name]
    if n_missing := int(column.isna().sum()):
        raise InputError(
            Parameter(role),
            f" must be a column with a value in each row; {name!r} has {n_missing} "
            "missing values.",
        )
    return column


def _count_values(column: pd.Series, role: str) -> None:
    if column.nunique() < 2:
        takes = "a column with at least two different values"
        raise ParameterError(role, column.name, takes)


def _read_folds(column: pd.Series, X: Any) -> PredefinedSplit:
    _count_values(column, "fold")
    if (n_folds := column.nunique()) > MAX_FOLDS:
        raise InputError(
            Parameter("fold"),
            f" must be a column of at most {MAX_FOLDS} different values, each a test "
            f"fold; {column.name!r} has {n_folds:,}, and rows that belong together are "
            "kept in one fold by ",
            Parameter("group"),
            ".",
        )
    return PredefinedSplit(encode_groups(column, X))


def _read_times(column: pd.Series, X: Any) -> np.ndarray:
    _count_values(column, "time")
    if isinstance(column.dtype, pd.CategoricalDtype):
        raise ParameterError("time", column.name, "a column of numbers or dates")
    return encode_times(column, X)


def _read_weights(column: pd.Series) -> np.ndarray:
    numbers = column.to_numpy() if column.dtype == np.float64 else np.array([-1.0])
    if (numbers < 0).any() or not (numbers > 0).any():
        takes = "a column of numbers that are 0 or more, and not all 0"
        raise ParameterError("weight", column.name, takes)
    return np.asarray(numbers)
