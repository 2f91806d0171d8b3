"""Encode dates as numbers: year, month, day, weekday, hour and days since 1970."""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, check_feature_names_in
from manyminds.datasets.dates import DATE_DTYPE, as_dates, holds_dates
from manyminds.preprocessing.checking import check_table

PARTS = ("days", "year", "month", "day", "weekday", "hour")


class DateEncoder(DocLinkMixin, TransformerMixin, BaseEstimator):
    """Replace each column of dates by numeric columns; pass all others through.

    A date becomes its year, its month (1 to 12), its day of the month (1 to 31), its
    weekday (0 is Monday), the hour of the day with its fraction, and ``days``, the time
    since the beginning of 1970 in days. Components that are constant in the training
    samples are omitted: dates without a time have no hour. All components of a missing
    date are missing.

    Attributes
    ----------
    parts_ : dict of int to list of str
        Positions of the columns of dates, and the components of each.
    n_features_in_ : int
        Number of features seen during ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if all of them are strings.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.preprocessing import DateEncoder
    >>> day = pd.to_datetime(["2024-01-31", "2024-02-29", None])
    >>> X = pd.DataFrame({"day": day, "size": [1.0, 2.0, 3.0]})
    >>> DateEncoder().fit_transform(X)
       day_days  day_month  day_day  day_weekday  size
    0   19753.0        1.0     31.0          2.0   1.0
    1   19782.0        2.0     29.0          3.0   2.0
    2       NaN        NaN      NaN          NaN   3.0
    """

    def fit(self, X, y=None):
        """Find the columns of dates, and their components that vary.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Dates are recognized by their dtype; text is passed through.
        y : None
            Ignored.

        Returns
        -------
        self : object
        """
        X = self._check(X, reset=True)
        self.parts_ = {}
        if not issparse(X):
            frame = pd.DataFrame(X)
            for place in range(frame.shape[1]):
                column = frame.iloc[:, place]
                if holds_dates(column):
                    self.parts_[place] = _find_varying(
                        compute_date_parts(as_dates(column))
                    )
        return self

    def transform(self, X):
        """Replace the columns of dates by their components.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Columns that were dates during ``fit`` may be ISO 8601 text here.

        Returns
        -------
        X : ndarray, sparse matrix or dataframe of shape (n_samples, n_made)
            The components of a column are at its position.
        """
        check_is_fitted(self)
        X = self._check(X, reset=False)
        if not self.parts_:
            return X
        frame = pd.DataFrame(X)
        made = []
        for place in range(frame.shape[1]):
            column = frame.iloc[:, place]
            if place in self.parts_:
                made += _take_parts(column, self.parts_[place])
            else:
                made.append(column)
        if not hasattr(X, "iloc"):
            return _as_array(made, len(frame))
        names = self.get_feature_names_out()
        columns = {name: column.array for name, column in zip(names, made, strict=True)}
        return pd.DataFrame(columns, index=frame.index, columns=names)

    def get_feature_names_out(self, input_features=None):
        """Return the names of the columns of ``transform``.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns; by default those seen during ``fit``.

        Returns
        -------
        names : ndarray of str
            ``when_year`` for the year of ``when``; with another ``_`` if a column of
            this name exists.
        """
        check_is_fitted(self)
        names = list(check_feature_names_in(self, input_features))
        taken, made = set(names), []
        for place, name in enumerate(names):
            if place not in self.parts_:
                made.append(name)
            for part in self.parts_.get(place, ()):
                new = f"{name}_{part}"
                while new in taken:
                    new += "_"
                taken.add(new)
                made.append(new)
        return np.array(made, dtype=object)

    def _check(self, X, reset):
        is_array = not issparse(X) and not hasattr(X, "columns")
        if is_array and np.asarray(X).dtype.kind == "M":
            X = np.asarray(X).astype(DATE_DTYPE)
            validate_data(self, X.astype(np.int64), reset=reset)
            return X
        return check_table(self, X, reset=reset, accept_sparse=("csr", "csc"))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def encode_dates(data):
    """Return a data set whose dates are encoded as numbers.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    data : Dataset
        The same one if it has no dates.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets import from_frame
    >>> from manyminds.preprocessing import encode_dates
    >>> X = pd.DataFrame({"day": ["2024-01-31", "2024-02-29"], "target": [0.5, 1.5]})
    >>> list(encode_dates(from_frame(X)).X)
    ['day_days', 'day_month', 'day_day', 'day_weekday']
    """
    if not data.dates:
        return data
    return replace(data, X=DateEncoder().fit_transform(data.X))


def compute_date_parts(dates):
    """Compute all components of a Series of dates, as float64, NaN where missing.

    Parameters
    ----------
    dates : Series of datetime64

    Returns
    -------
    parts : DataFrame
        A column for each component.
    """
    midnight = dates.dt.normalize()
    second = np.timedelta64(1, "s")
    parts = {
        "days": (dates - np.datetime64("1970-01-01")) / (86_400 * second),
        "year": dates.dt.year,
        "month": dates.dt.month,
        "day": dates.dt.day,
        "weekday": dates.dt.day_of_week,
        "hour": (dates - midnight) / (3_600 * second),
    }
    return pd.DataFrame({name: parts[name].astype(np.float64) for name in PARTS})


def _find_varying(parts):
    return [name for name in PARTS if parts[name].nunique(dropna=True) > 1]


def _take_parts(column, names):
    parts = compute_date_parts(as_dates(column))
    return [parts[name] for name in names]


def _as_array(columns, n_rows):
    if not columns:
        return np.empty((n_rows, 0))
    return np.column_stack([column.to_numpy(dtype=np.float64) for column in columns])
