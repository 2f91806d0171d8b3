"""The contract of generators: new columns are appended, dataframes stay dataframes."""

from numbers import Integral, Real

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from manyminds._compat import DocLinkMixin, Interval, StrOptions, check_feature_names_in
from manyminds.datasets.dates import holds_dates
from manyminds.preprocessing.checking import check_table
from manyminds.preprocessing.generation.held_out_gain import (
    HeldOutRows,
    bin_numbers,
)
from manyminds.utils.tables import take_rows

PARAGRAPHS = {
    "task": """
        task : {"auto", "classification", "regression"}, default="auto"
            "auto": floats that are not all integers are numeric targets, anything else
            is class labels.
        """,
    "choice": """
        n_features : int, default=10
            Maximum number of new columns.
        alpha : float, default=0.01
            Approximate probability to generate any column where none predicts better
            than its parents.
        max_samples : int, default=10_000
            Maximum number of rows by which new columns are chosen, drawn at random.
        """,
    "random_state": """
        random_state : int, RandomState instance or None, default=0
            Seed of the rows that are drawn and held out.
        """,
    "inputs": """
        n_features_in_ : int
            Number of features seen during ``fit``.
        feature_names_in_ : ndarray of shape (n_features,)
            Names of the features, if all of them are strings.
        """,
}
CONSTRAINTS = {
    "n_features": [Interval(Integral, 1, None, closed="left")],
    "alpha": [Interval(Real, 0.0, 1.0, closed="neither")],
    "max_samples": [Interval(Integral, 10, None, closed="left")],
    "task": [StrOptions({"auto", "classification", "regression"})],
    "random_state": ["random_state"],
}


class FeatureGenerator(DocLinkMixin, TransformerMixin, BaseEstimator):
    """Base of transformers that append new columns to a table.

    A subclass chooses new columns in ``_choose(X, rows)`` from a table of few rows and
    their `HeldOutRows`, learns what it needs of the whole table in ``_learn(X)``, lists
    names in ``_name_new(names)``, and computes columns in ``_generate(X)``.
    """

    def fit(self, X, y):
        """Choose the new columns by their gain on held-out training rows.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        self : object
        """
        self._validate_params()
        X = check_table(self, X, reset=True, accept_sparse=False)
        y, is_classes = read_target(self, X, y)

        rng = check_random_state(self.random_state)
        drawn = np.arange(len(y))
        if len(y) > self.max_samples:
            drawn = np.sort(rng.choice(len(y), self.max_samples, replace=False))
        rows = HeldOutRows.draw(y[drawn], is_classes, rng)
        self._choose(take_rows(X, drawn), rows)
        self._learn(X)
        return self

    def transform(self, X):
        """Append the new columns.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)

        Returns
        -------
        X : ndarray or dataframe of shape (n_samples, n_features + n_new)
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False, accept_sparse=False)
        names = self.get_feature_names_out()[X.shape[1] :]
        return append_columns(X, self._generate(X), names)

    def get_feature_names_out(self, input_features=None):
        """Return the names of the columns of ``transform``.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns; by default those seen during ``fit``.

        Returns
        -------
        names : ndarray of str
            With another ``_`` where a column of this name exists.
        """
        check_is_fitted(self)
        names = [str(name) for name in check_feature_names_in(self, input_features)]
        made = list(names)
        for name in self._name_new(names):
            while name in made:
                name += "_"
            made.append(name)
        return np.array(made, dtype=object)

    def _learn(self, X):
        """Learn from all training rows what the chosen columns need: nothing."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def read_target(generator, X, y):
    """Check a target; return it as an array, and whether it holds classes."""
    name = type(generator).__name__
    if y is None:
        raise ValueError(
            f"This {name} estimator requires y to be passed, but the target y is None."
        )
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    if y.dtype.kind == "f":
        assert_all_finite(y, estimator_name=name, input_name="y")
    task = generator.task
    if task == "auto":
        is_numeric = type_of_target(y, input_name="y") == "continuous"
        task = "regression" if is_numeric else "classification"
    if task == "regression":
        return np.asarray(y, dtype=np.float64), False
    check_classification_targets(y)
    return np.unique(y, return_inverse=True)[1], True


def list_numeric(X):
    """Return the positions of the columns of numbers."""
    if not hasattr(X, "iloc"):
        return list(range(X.shape[1]))
    is_numeric = pd.api.types.is_numeric_dtype
    return [place for place, dtype in enumerate(X.dtypes) if is_numeric(dtype)]


def list_categorical(X):
    """Return the positions of the columns of categories, of text or of objects."""
    if not hasattr(X, "iloc"):
        return []
    numeric = set(list_numeric(X))
    others = [place for place in range(X.shape[1]) if place not in numeric]
    return [place for place in others if not holds_dates(X.iloc[:, place])]


def take_numbers(X, place):
    """Return a column as float64, NaN where missing."""
    if hasattr(X, "iloc"):
        return X.iloc[:, place].to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(X[:, place], dtype=np.float64)


def find_levels(column):
    """Return the levels of a category column that occur, as text, sorted."""
    values = column.astype(object)
    return sorted({str(value) for value in values[values.notna()].unique()})


def encode_levels(column, levels):
    """Return the positions of the cells of a column in a list of levels.

    Parameters
    ----------
    column : Series
    levels : list of str

    Returns
    -------
    codes : ndarray of int64 of shape (n_samples,)
        ``len(levels)`` for missing cells, and one more for unknown levels.
    """
    place = {level: code for code, level in enumerate(levels)}
    found, values = pd.factorize(column.astype(object))
    known = [place.get(str(value), len(levels) + 1) for value in values]
    return np.array([*known, len(levels)], dtype=np.int64)[found]


def find_strongest(codes, rows, n_most):
    """Return the positions of the columns that predict held-out rows best, in order.

    Parameters
    ----------
    codes : dict of int to ndarray of int
        Bins or levels of each column.
    rows : HeldOutRows
    n_most : int

    Returns
    -------
    strongest : list of int
        Columns that do not vary are left out.
    """
    varying = [place for place, one in codes.items() if (one != one[0]).any()]
    if len(varying) <= n_most:
        return varying
    strength = np.array([rows.measure_strength(codes[place]) for place in varying])
    best = np.argsort(-strength, kind="stable")[:n_most]
    return sorted(varying[place] for place in best)


def bin_columns(X, places, n_bins):
    """Return the bins of columns of numbers, by their positions."""
    return {place: bin_numbers(take_numbers(X, place), n_bins) for place in places}


def append_columns(X, columns, names):
    """Append columns to a table: to a dataframe with their names and dtypes."""
    if not len(columns):
        return X
    if hasattr(X, "iloc"):
        made = dict(zip(names, columns, strict=True))
        return pd.concat([X, pd.DataFrame(made, index=X.index)], axis=1)
    dtype = X.dtype if X.dtype.kind == "f" else np.float64
    return np.column_stack([X, *columns]).astype(dtype, copy=False)
