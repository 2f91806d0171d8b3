"""Mean targets of the levels of category columns, cross-fitted."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import Interval, make_target_encoder
from manyminds.preprocessing.checking import check_table
from manyminds.preprocessing.generation.base import (
    CONSTRAINTS,
    PARAGRAPHS,
    FeatureGenerator,
    append_columns,
    list_categorical,
    read_target,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds, list_parts, read_groups


@fill_docstring(**PARAGRAPHS)
class TargetMeans(FeatureGenerator):
    """Append the smoothed mean target of the level of each category column.

    The category columns stay. ``fit_transform`` is cross-fitted: the mean of a training
    row is that of other folds, so that no row's own target is in its new columns. It
    therefore differs from ``fit`` and then ``transform``. The means are those of
    `sklearn.preprocessing.TargetEncoder`, one for each class of more than two.

    Parameters
    ----------
    cv : int, default=5
        Number of folds of ``fit_transform``.
    {task}
    {random_state}

    Attributes
    ----------
    columns_ : list of int
        Positions of the category columns.
    encoder_ : TargetEncoder or None
        None without category columns, or with one class.
    n_outputs_ : int
        Number of means of a level.
    {inputs}

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.preprocessing import TargetMeans
    >>> X = pd.DataFrame({"hue": pd.Categorical(["red", "blue"] * 10)})
    >>> y = [1.5, 0.5] * 10
    >>> TargetMeans().fit(X, y).transform(X).head(2)
        hue  mean by hue
    0   red          1.5
    1  blue          0.5
    """

    _parameter_constraints = {
        "cv": [Interval(Integral, 2, None, closed="left")],
        "task": CONSTRAINTS["task"],
        "random_state": CONSTRAINTS["random_state"],
    }

    def __init__(self, *, cv=5, task="auto", random_state=0):
        self.cv = cv
        self.task = task
        self.random_state = random_state

    def fit(self, X, y):
        """Compute the mean targets of the levels in all training rows.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        self : object
        """
        self._fit(X, y)
        return self

    def fit_transform(self, X, y, groups=None):
        """Append the means of other folds; compute those of all rows for ``transform``.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The target.
        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, as patients or days, that stay together in the folds.

        Returns
        -------
        X : ndarray or dataframe of shape (n_samples, n_features + n_new)
        """
        X, means = self._fit(X, y, groups)
        return self._append(X, means)

    def transform(self, X):
        """Append the mean targets of the levels.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)

        Returns
        -------
        X : ndarray or dataframe of shape (n_samples, n_features + n_new)
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False, accept_sparse=False)
        if self.encoder_ is None:
            return X
        return self._append(X, self.encoder_.transform(_take(X, self.columns_)))

    def _fit(self, X, y, groups=None):
        """Fit the encoder; return the table and its cross-fitted means."""
        self._validate_params()
        X = check_table(self, X, reset=True, accept_sparse=False)
        y, is_classes = read_target(self, X, y)
        self.columns_, self.encoder_ = list_categorical(X), None
        self.n_outputs_ = _count_outputs(y, is_classes)
        if not self.columns_ or self.n_outputs_ == 0:
            return X, np.empty((len(y), 0))
        smallest = np.bincount(y).min() if is_classes else len(y)
        n_folds = int(min(self.cv, max(2, smallest)))
        self.encoder_ = make_target_encoder(is_classes, n_folds, self.random_state)
        levels, groups = _take(X, self.columns_), read_groups(groups, X)
        if groups is None:
            return X, self.encoder_.fit_transform(levels, y)
        label = y if is_classes else np.zeros(len(y), np.intp)
        folds = assign_folds(
            label, n_folds, check_random_state(self.random_state), groups
        )
        self.encoder_.fit(levels, y)
        outputs = y[:, None]
        if self.n_outputs_ > 1:
            outputs = (outputs == np.arange(self.n_outputs_)).astype(np.float64)
        return X, _cross_fit(levels, outputs, folds)

    def _append(self, X, means):
        names = self.get_feature_names_out()[X.shape[1] :]
        return append_columns(X, list(np.asarray(means).T), names)

    def _name_new(self, names):
        if self.encoder_ is None:
            return []
        made = [f"mean by {names[place]}" for place in self.columns_]
        if self.n_outputs_ == 1:
            return made
        return [f"{name} of class {k}" for name in made for k in range(self.n_outputs_)]


def _count_outputs(y, is_classes):
    """Return the number of means of a level: one, or one for each of many classes."""
    n_classes = len(np.unique(y)) if is_classes else 2
    return 0 if n_classes < 2 else 1 if n_classes == 2 else n_classes


def _take(X, places):
    return X.iloc[:, places]


def _cross_fit(levels, outputs, folds):
    """Return the means of the other folds, which need not have all classes."""
    means = np.empty((*levels.shape, outputs.shape[1]))
    for train, test in list_parts(folds):
        for k, output in enumerate(outputs.T):
            encoder = make_target_encoder(False).fit(levels.iloc[train], output[train])
            means[test, :, k] = encoder.transform(levels.iloc[test])
    return means.reshape(len(levels), -1)
