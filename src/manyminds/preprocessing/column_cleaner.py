"""Remove columns without information: empty and constant ones."""

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import DocLinkMixin
from manyminds.preprocessing.checking import check_table
from manyminds.utils.tables import take_columns


class ColumnCleaner(SelectorMixin, DocLinkMixin, BaseEstimator):
    """Remove columns that are empty or constant in the training samples.

    Some learners fail on an empty column, and a fold may have one although the table
    has none. Dataframes stay dataframes, with their categories.

    Parameters
    ----------
    drop_constant : bool, default=True
        Whether to remove constant columns, too; missing values do not count as a value.
    keep_one : bool, default=False
        Whether one column remains where all are empty or constant, as in the rows of a
        fold in which nothing varies; a learner then finds the most frequent class or
        the mean.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Mask of the remaining columns.
    n_features_in_ : int
        Number of features seen during ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if all of them are strings.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.preprocessing import ColumnCleaner
    >>> X = pd.DataFrame({"size": [1.0, 2.0], "none": [None, None], "one": [3, 3]})
    >>> ColumnCleaner().fit_transform(X)
       size
    0   1.0
    1   2.0
    """

    _parameter_constraints = {"drop_constant": ["boolean"], "keep_one": ["boolean"]}

    def __init__(self, drop_constant=True, *, keep_one=False):
        self.drop_constant = drop_constant
        self.keep_one = keep_one

    def fit(self, X, y=None):
        """Find the columns that are neither empty nor constant.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : None
            Ignored.

        Returns
        -------
        self : object
        """
        self._validate_params()
        X = check_table(self, X, reset=True, accept_sparse="csc")
        n_values = _count_values(X)
        self.support_ = n_values > (1 if self.drop_constant else 0)
        if self.keep_one and not self.support_.any():
            self.support_[np.argmax(n_values)] = True
        return self

    def transform(self, X):
        """Select the remaining columns.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        X : ndarray, sparse matrix or dataframe of shape (n_samples, n_kept)
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False, accept_sparse="csc")
        return take_columns(X, self.support_)

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _count_values(X):
    """Count the distinct values of each column, up to two, without missing values."""
    if hasattr(X, "loc"):
        return _count_in_frame(X)
    if issparse(X):
        low, high = (_dense(one) for one in (X.min(axis=0), X.max(axis=0)))
        return np.where(low == high, 1, 2)
    return _count_in_array(np.asarray(X, dtype=np.float64))


def _count_in_frame(X):
    """Count by arrays of one dtype where there are any: tables may be wide."""
    dtypes, counts = X.dtypes.to_numpy(), np.zeros(X.shape[1], dtype=np.int64)
    is_array = np.array([isinstance(d, np.dtype) and d.kind in "fiub" for d in dtypes])
    for dtype in dict.fromkeys(dtypes[is_array]):
        places = np.flatnonzero([one == dtype for one in dtypes])
        counts[places] = _count_in_array(X.iloc[:, places].to_numpy())
    for place in np.flatnonzero(~is_array):
        counts[place] = _count_in_column(X.iloc[:, place])
    return counts


def _count_in_array(X):
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    return np.where(low < high, 2, np.where(np.isnan(low), 0, 1))


def _count_in_column(column):
    """Count the distinct values of a column of a frame, up to two."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        codes = codes[codes >= 0]
        return 1 + int((codes != codes[0]).any()) if len(codes) else 0
    return min(2, column.nunique())


def _dense(extreme):
    return np.asarray(extreme.todense()).ravel()
