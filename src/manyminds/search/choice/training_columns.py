"""The columns of the training table, to which tables to predict are converted."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from manyminds.datasets import Column, describe_columns, match_columns
from manyminds.datasets.columns import format_value, read_column
from manyminds.utils.errors import InputError
from manyminds.utils.text import one_spelling

__all__ = ["TrainingColumns"]


@dataclass(frozen=True)
class TrainingColumns:
    """The columns of a frame that a search was fitted on.

    Parameters
    ----------
    names : pandas.Index
        Names as the frame has them, text or not.
    columns : tuple of Column
        Their types, and their categories as text.
    dtypes : dict of int to CategoricalDtype
        By the place of a column: its categories as the frame has them.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.search.choice.training_columns import TrainingColumns
    >>> X = pd.DataFrame({"size": [1.0, 2.0], "class": pd.Categorical(["1", "2"])})
    >>> found = TrainingColumns.of(X).read(pd.DataFrame({"size": ["3"], "class": [2]}))
    >>> found["size"].tolist(), found["class"].tolist()
    ([3.0], ['2'])
    """

    names: pd.Index
    columns: tuple[Column, ...]
    dtypes: dict[int, pd.CategoricalDtype]

    @classmethod
    def of(cls, X: pd.DataFrame) -> "TrainingColumns":
        """Describe a frame from `as_table`."""
        dtypes = {
            place: dtype
            for place, dtype in enumerate(X.dtypes)
            if isinstance(dtype, pd.CategoricalDtype)
        }
        # As tables from files have them: numbers may be categories in Python.
        texts = X.set_axis(_name_columns(X), axis=1)
        for place in dtypes:
            texts.isetitem(place, _as_text(X.iloc[:, place]))
        return cls(X.columns, describe_columns(texts), dtypes)

    def read(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Convert a frame to these columns; see `match_columns` for what is refused."""
        X = match_columns(frame, self.columns).set_axis(self.names, axis=1)
        for place, dtype in self.dtypes.items():
            if not self.columns[place].is_text:
                X.isetitem(place, _restore(X.iloc[:, place], dtype))
        return X


def _name_columns(X: pd.DataFrame) -> list[str]:
    """Return the names of the columns as text, as new frames are searched for them."""
    names = [one_spelling(str(name)) for name in X.columns]
    if len(set(names)) < len(names):
        raise InputError("The columns of X must have names that differ as text.")
    return names


def _as_text(column: pd.Series) -> pd.Categorical:
    return read_column(column, "categorical").array


def _restore(column: pd.Series, dtype: pd.CategoricalDtype) -> pd.Categorical:
    """Return a column of texts with the categories that these stand for."""
    first: dict[str, int] = {}  # category of each text
    for code, category in enumerate(dtype.categories):
        first.setdefault(format_value(category), code)
    codes = np.array([*first.values(), -1])[column.cat.codes.to_numpy()]
    return pd.Categorical.from_codes(codes, dtype=dtype)
